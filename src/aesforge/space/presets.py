"""The presets: named points of the design space, from `presets.toml`."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from aesforge.errors import UserError, unknown
from aesforge.space.axes import AXES, LOCKSTEP, OWN_AXES, Config
from aesforge.space.legality import lacks

_ALONE = ("idle_output", "block", "round", "rounds_per_cycle")
"""Axes that name a configuration only where it departs from the default; each is tuned alone."""


@dataclass(frozen=True)
class Preset:
    """A named core: the axes that define it, and the axes that stay free.

    `free` lists the legal values of each free axis, the default first. An axis in neither `fixed`
    nor `free` has the default of `Config`. Axes in `tuned` combine with any other choice, but
    `configurations` varies each group of them only with the defaults of the others, to limit their
    number.
    """

    name: str
    source: str
    summary: str
    fixed: Mapping[str, str]
    free: Mapping[str, tuple[str, ...]]
    tuned: tuple[tuple[str, ...], ...] = tuple((axis,) for axis in _ALONE)

    def legal(self, axis: str) -> tuple[str, ...]:
        """The values that `axis` may take in this preset, the default first."""
        if axis not in OWN_AXES:
            default = getattr(Config(), axis)
            return (default, *(value for value in AXES[axis].values if value != default))
        if axis == "protection" and axis not in self.fixed:
            # A copy may be beside any core that has no protection of its own.
            return "none", LOCKSTEP
        if axis not in self.free:
            return (self.fixed.get(axis, getattr(Config(), axis)),)
        return self.free[axis]

    @cached_property
    def config(self) -> Config:
        """The default configuration of the preset."""
        return Config(**{axis: self.legal(axis)[0] for axis in AXES})

    def named(self, config: Config) -> dict[str, str]:
        """The free axes and the layers that name a configuration, with their values.

        An axis of `_ALONE` names only a configuration that departs from the preset's default of it.
        """
        return {
            axis: getattr(config, axis)
            for axis in self.free
            if axis not in _ALONE or getattr(config, axis) != self.legal(axis)[0]
        } | config.layered

    def choices(self, config: Config) -> str:
        """The axes that name a configuration, as written on the command line."""
        return " ".join(f"{axis}={value}" for axis, value in self.named(config).items())

    def configure(self, choices: Iterable[str]) -> Config:
        """The preset with `axis=value` choices applied; UserError on an illegal one."""
        config = self.config
        seen: dict[str, str] = {}
        for choice in choices:
            axis, equals, value = choice.partition("=")
            if not equals:
                raise UserError(f"'{choice}' is not of the form AXIS=VALUE, such as keys=128")
            if axis not in AXES:
                raise unknown("axis", axis, AXES)
            value = AXES[axis].chosen(value)
            if axis in OWN_AXES and value not in self.legal(axis):
                raise UserError(
                    f"{self.name} has {axis}={' or '.join(self.legal(axis))}, not {value}; "
                    f"choose another preset with 'aesforge list'"
                )
            if seen.setdefault(axis, value) != value:
                raise UserError(f"{axis} is given twice, as {seen[axis]} and {value}; give it once")
            config = replace(config, **{axis: value})
        if lacks(config):
            chosen = " with ".join(f"{axis}={value}" for axis, value in seen.items())
            raise UserError(f"{self.name} cannot have {chosen}: {lacks(config)}")
        return config

    def configurations(self) -> tuple[Config, ...]:
        """Every bare core, with tuned axes varied only around the defaults."""
        found: dict[Config, None] = {}
        tuned = {axis for group in self.tuned for axis in group}
        for axes in ([axis for axis in self.free if axis not in tuned], *self.tuned):
            configs = [self.config]
            for axis in axes:
                configs = [replace(c, **{axis: v}) for c in configs for v in self.legal(axis)]
            found |= dict.fromkeys(config for config in configs if not lacks(config))
        return tuple(found)


@cache
def presets() -> dict[str, Preset]:
    """All presets by name, in the order of `aesforge list`."""
    text = Path(__file__).with_name("presets.toml").read_text(encoding="utf-8")
    return {
        name: Preset(
            name,
            found["source"],
            found["summary"],
            found.get("fixed", {}),
            {axis: tuple(values) for axis, values in found["free"].items()},
            (*map(tuple, found.get("tuned", ())), *((axis,) for axis in _ALONE)),
        )
        for name, found in tomllib.loads(text).items()
    }


def ciphers() -> dict[str, Preset]:
    """The presets of cores that `aes_cipher` chooses from, whose ports are its contract."""
    return {name: one for name, one in presets().items() if not one.config.protected}


def preset(name: str) -> Preset:
    """The preset of that name; UserError names the nearest."""
    if name not in presets():
        raise unknown("preset", name, presets())
    return presets()[name]
