"""Which combinations of axis values make a core: the conditions that `aes_cipher` states.

`rtl/cipher/aes_cipher.sv` states each illegal combination once, as the condition of a generate
block `gen_bad_*` whose missing module names the reason. These conditions are read from its text and
evaluated here, so that no configuration is legal in Python and illegal in the RTL, or the reverse.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from aesforge.core.sources import codes, rtl_root
from aesforge.space.axes import (
    AROUND,
    AXES,
    CORE_AXES,
    KEY_BITS,
    PROTECTION_AXES,
    Config,
)
from aesforge.space.modes import MODES

_FLAG = re.compile(r"localparam bit (\w+) = ([^;]*);")
_GUARD = re.compile(r"if \(([^;{]*?)\)\s+begin : gen_bad_\w+\s+(\w+) u_error")


def _python(condition: str) -> str:
    """A condition of SystemVerilog over names, numbers, comparisons and logic, in Python."""
    for theirs, ours in (("aes_pkg::", ""), ("&&", " and "), ("||", " or ")):
        condition = condition.replace(theirs, ours)
    return re.sub(r"!(?!=)", " not ", " ".join(condition.split()))


@cache
def _terms() -> tuple[re.Pattern[str], dict[str, str]]:
    """Parameters and codes, and the axes or the values of axes that they are."""
    terms = {axis.parameter: axis.name for axis in CORE_AXES.values()}
    for axis in CORE_AXES.values():
        for value in axis.values:
            named = axis.numbers or axis.switch
            code = f"{axis.parameter}_{value}" if named else f"{axis.name}_{value}".upper()
            terms[code] = f"{axis.name}={value}"
    longest = "|".join(sorted(terms, key=len, reverse=True))
    return re.compile(rf"(?<![A-Za-z0-9])({longest})(?![A-Za-z0-9])"), terms


def reason(module: str) -> str:
    """What the name of a guard's missing module says, in words and axes."""
    pattern, terms = _terms()
    words = pattern.split(module)
    return "".join(
        terms[word] if at % 2 else word.replace("_", " ") for at, word in enumerate(words)
    )


def _legal_key_bits(bits: int) -> bool:
    return bits == codes()["KEYS_ANY"] or bits in KEY_BITS


@cache
def guards() -> dict[str, str]:
    """The missing module of each guard of `aes_cipher`, in order, with its condition in Python."""
    text = (rtl_root() / "cipher" / "aes_cipher.sv").read_text(encoding="utf-8")
    return {module: _python(condition) for condition, module in _GUARD.findall(text)}


@cache
def _evaluator() -> Callable[..., str]:
    """The first guard that refuses given parameters, as a function of these."""
    text = (rtl_root() / "cipher" / "aes_cipher.sv").read_text(encoding="utf-8")
    names = ", ".join(axis.parameter for axis in CORE_AXES.values())
    chosen = " ".join(f"{module!r} if {test} else" for module, test in guards().items())
    # A flag is a local name, so that one may be used in the next.
    flags = "".join(f"({name} := ({_python(value)})), " for name, value in _FLAG.findall(text))
    made: Callable[..., str] = eval(
        f"lambda {names}: ({flags}{chosen} '')[-1]",
        {**codes(), "legal_key_bits": _legal_key_bits},
    )
    return made


def refused(config: Config) -> str:
    """The guard of `aes_cipher` that refuses a configuration: its module; empty when legal."""
    return _evaluator()(**config.parameters)


def _unproven(config: Config) -> str:
    """Why a configuration that the RTL implements is not offered; empty when it is."""
    if config.stop_cycles == "2" and config.keys != "128":
        return "stop_cycles=2 is proven for 128-bit keys only: take keys=128 or stop_cycles=1"
    return ""


def _longer_block(config: Config) -> str:
    """Why a block of Rijndael does not go with the layers of a configuration."""
    for mode in config.modes:
        if not mode.any_block:
            has = ", ".join(mode.name for mode in MODES.values() if mode.any_block)
            return (
                f"mode={mode.name} takes blocks of 128 bits, as its standard has them: leave out "
                f"block={config.block}, or take mode={has}"
            )
    if config.port != "native":
        return f"port={config.port} takes blocks of 128 bits: leave out block={config.block}"
    return ""


def _lanes(config: Config) -> str:
    """Why several lanes do not go with the layers of a configuration."""
    lanes = f"leave out lanes={config.lanes}"
    has = [f"mode={mode.name}" for mode in MODES.values() if mode.parallel]
    for mode in config.modes:
        if not mode.parallel:
            several = f"{', '.join(has[:-1])} and {has[-1]}"
            return f"mode={mode.name} has one lane yet, and {several} have several: {lanes}"
    if len(config.modes) > 1:
        return f"lanes={config.lanes} takes one mode: {lanes}, or take {' or '.join(has)}"
    if config.hold == "on" and int(config.hold_bytes) < 2 * config.beat_bytes:
        least = f"hold_bytes={2 * config.beat_bytes}"
        return (
            f"hold=on holds at least two beats of {config.beat_bytes} bytes: take {least} or more"
        )
    if config.block != "128":
        return f"lanes={config.lanes} takes blocks of 128 bits: {lanes}, or block={config.block}"
    if config.streams != "1":
        return f"a beat of several lanes is of one packet, and so is the next: {lanes}, or streams="
    if config.port not in ("native", "axi-stream"):
        return f"port={config.port} has beats of 16 bytes: {lanes}, or take port=axi-stream"
    return ""


_LAYERS = {
    "mode": "a mode: choose mode=",
    "hold": "hold=on: choose it",
    "registers": "a bus of registers: choose port=axi-lite or another",
    "protection": "protection=masked: choose it",
}


def _layers(config: Config) -> str:
    """Why the layers of a configuration do not fit on its core; empty when they do."""
    modes = config.modes
    if config.block != "128" and (reason := _longer_block(config)):
        return reason
    has, bare = {*config.stacked, *["registers"] * config.registers}, config.core
    for axis in AXES.values():
        departs = axis.layer and getattr(config, axis.name) != getattr(bare, axis.name)
        if departs and axis.layer not in has:
            return f"{axis.name} belongs to {_LAYERS[axis.layer]} too"
    if config.hold == "on" and not any(mode.held for mode in modes):
        for mode in modes:
            if mode.buffers:
                return f"mode={mode.name} always holds payload to verify: leave hold=on out"
        held = " or ".join(f"mode={mode.name}" for mode in MODES.values() if mode.held)
        return f"hold=on is for modes with payload and tag: choose {held}, or leave hold=on out"
    if config.key_schedule == "loaded":
        for layer, value in config.stacked.items():
            return f"key_schedule=loaded takes round keys: leave out {layer}={value}"
    if modes and config.port == "word32":
        return f"port=word32 takes blocks: leave out mode={config.mode}, or take port=axi-stream"
    if config.port == "axi-stream" and any(mode.lengths_ahead for mode in modes):
        return "mode=ccm has lengths in its header, for which port=axi-stream has no place"
    if not modes and config.port == "axi-stream":
        return "port=axi-stream takes packets: choose mode=, such as mode=ecb for single blocks"
    if config.registers:
        if not modes:
            return (
                f"port={config.port} takes packets: choose mode=, such as mode=ecb for single "
                "blocks"
            )
        if config.streams != "1":
            return f"port={config.port} has one stream: leave out streams={config.streams}"
        if config.key_schedule == "given":
            return f"key_schedule=given has keys of two parts: leave out port={config.port}"
    if config.key_slots != "1":
        slots = f"leave out key_slots={config.key_slots}"
        if config.two_keys:
            return f"mode=xts has one pair of keys: {slots}"
        if config.streams != "1":
            return f"a packet waits for the end of those before when it changes the key: {slots}"
        if config.registers:
            return f"port={config.port} has one key: {slots}"
    if config.lanes != "1" and (reason := _lanes(config)):
        return reason
    if config.direction == "decrypt":
        for mode in modes:
            if not mode.inverse:
                return (
                    f"mode={mode.name} encrypts in both directions of a packet: choose "
                    "direction=encrypt or both"
                )
    if int(config.streams) > 1:
        for mode in modes:
            if mode.lengths == "block or more" or mode.wraps or mode.hashes or mode.lengths_ahead:
                return f"mode={mode.name} has one stream: leave out streams={config.streams}"
    if config.counter_bits != config.core.counter_bits and all(m.name != "ctr" for m in modes):
        return "counter_bits belongs to mode=ctr"
    if config.keys == "192":
        for mode in modes:
            if 192 not in mode.key_sizes:
                return f"mode={mode.name} has keys of 128 and 256 bits: choose keys=128, 256 or any"
    if config.payload_bytes != config.core.payload_bytes and not any(m.buffers for m in modes):
        return "payload_bytes belongs to mode=gcm-siv"
    if config.semiblocks != config.core.semiblocks and not any(m.wraps for m in modes):
        return "semiblocks belongs to mode=kw or kwp"
    return ""


_MASKED = Config(
    engine="serial",
    width="32",
    keys="128",
    direction="encrypt",
    sbox="tower",
    key_schedule="on_the_fly",
    protection="masked",
)
PROTECTED = {
    "masked": (
        _MASKED,
        replace(_MASKED, width="8", sboxes="1"),
        *(replace(_MASKED, engine="interleaved", width="128", stages=n) for n in ("5", "9")),
    )
}
"""The axes of `aes_cipher` that the cores of each protection have."""


def _protected(config: Config) -> str:
    """Why a protected core does not exist; empty when it does."""
    cores = PROTECTED[config.protection]
    alike = [one for one in cores if one.module == config.module] or [cores[0]]
    core = next((one for one in alike if one.stages == config.stages), alike[0])
    for axis in CORE_AXES:
        if getattr(config, axis) != getattr(core, axis):
            return f"protection={config.protection} has {axis}={getattr(core, axis)}"
    for axis, value in config.layered.items():
        if AXES[axis].layer != "protection":
            return (
                f"the ports of protection={config.protection} are its own: leave out {axis}={value}"
            )
    if config.gadget == "dom-refreshed" and config.shares != "2":
        return (
            f"gadget=dom-refreshed has two shares: choose gadget=dom or hpc3 with "
            f"shares={config.shares}"
        )
    stages = "9" if config.gadget == "dom" else "5"
    if config.engine == "interleaved" and config.stages != stages:
        return f"gadget={config.gadget} is a pipeline of stages={stages}: choose it too"
    return ""


def _around(config: Config) -> str:
    """Why a core has no copy, or no test, around it; empty when it may have what is chosen."""
    for axis in AROUND:
        if axis not in config.stacked:
            continue
        chosen = f"{axis}={config.stacked[axis]}"
        if config.block != "128":
            return f"{chosen} takes blocks of 128 bits: leave out block={config.block}"
        if config.key_schedule == "loaded":
            return f"{chosen} takes keys: choose another key_schedule than loaded"
        if config.two_keys:
            return f"{chosen} is around one core, and mode=xts has two: leave out one of them"
        if config.lanes != "1":
            return f"{chosen} is around one core yet: leave out lanes={config.lanes}"
        if config.registers:
            return (
                f"{chosen} has an alarm, which port={config.port} has no register for yet: choose "
                "port=native or axi-stream"
            )
    return ""


def lacks(config: Config) -> str:
    """Why a configuration does not exist or is not offered; empty when it is."""
    if config.protected:
        return _protected(config)
    for axis in PROTECTION_AXES.keys() - {"protection"}:
        if getattr(config, axis) != getattr(Config(), axis):
            return f"{axis} belongs to protection=masked: choose it too"
    found = reason(refused(config)) or _unproven(config)
    return found or _around(config) or _layers(config)
