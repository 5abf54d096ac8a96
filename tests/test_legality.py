"""The chooser's guards, elaborated by slang, against what Python says of each configuration."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from aesforge.core.sources import rtl_root, text
from aesforge.space.axes import CORE_AXES, Config
from aesforge.space.legality import guards, lacks, reason, refused
from aesforge.space.presets import ciphers, presets
from aesforge.space.promises import promised

SAMPLES = 3000


def neighbours(config: Config) -> Iterator[Config]:
    """The configurations that differ from one in one or two axes."""
    for axis in CORE_AXES.values():
        for value in axis.values:
            one = replace(config, **{axis.name: value})
            yield one
            for other in ("direction", "key_schedule", "sbox"):
                yield from (replace(one, **{other: v}) for v in CORE_AXES[other].values)


@pytest.fixture(scope="module")
def points() -> list[Config]:
    """Random points of the whole space, and all within two axes of a core of each module."""
    rng = random.Random(1)
    values = {name: [*axis.values] for name, axis in CORE_AXES.items()}
    found = [Config(**{name: rng.choice(v) for name, v in values.items()}) for _ in range(SAMPLES)]
    cores = {preset.config.module: preset.config for preset in ciphers().values()}
    for core in cores.values():
        found += neighbours(core)
    return [*dict.fromkeys(found)]


def elaborated(configs: list[Config]) -> list[list[str]]:
    """The guards that refuse each configuration, as slang elaborates the chooser by itself."""
    import pyslang

    def given(config: Config) -> str:
        return ", ".join(f".{name}({value})" for name, value in config.parameters.items())

    lines = [f"  aes_cipher #({given(config)}) u_{at} ();" for at, config in enumerate(configs)]
    paths = [rtl_root() / name for name in ("common/aes_pkg.sv", "cipher/aes_cipher.sv")]
    whole = "\n".join([*(text(path) for path in paths), "module all;", *lines, "endmodule"])
    compilation = pyslang.ast.Compilation()
    compilation.addSyntaxTree(pyslang.syntax.SyntaxTree.fromText(whole))
    (top,) = compilation.getRoot().topInstances

    def failing(core: Any) -> list[str]:
        blocks = (
            block
            for block in core.body
            if block.kind == pyslang.ast.SymbolKind.GenerateBlock
            and block.name.startswith("gen_bad_")
            and not block.isUninstantiated
        )
        return [one.definitionName for block in blocks for one in block]

    return [failing(one) for one in top.body]


def test_the_rtl_refuses_what_python_refuses(points: list[Config]) -> None:
    seen = set()
    for config, failing in zip(points, elaborated(points), strict=True):
        assert refused(config) == (failing[0] if failing else ""), config
        seen |= {*failing}
    # Guards on single codes: no axis has a value that they refuse.
    assert {name for name in guards().keys() - seen if not name.endswith("_code")} == {
        "BlockBits_must_be_128_192_or_256",
        "KeyBits_must_be_128_192_256_or_aes_pkg_KEYS_ANY",
        "RoundsPerCycle_must_be_1_2_5_or_10",
        "SboxRegisters_must_be_0_to_9",
        "Sboxes_must_be_1_2_or_4",
    }


def test_every_refusal_has_a_reason_and_every_legal_point_a_promise(points: list[Config]) -> None:
    for config in points:
        if refused(config):
            assert lacks(config) == reason(refused(config))
        else:
            assert all(promised(config, bits).latency > 0 for bits in config.key_sizes)


def test_reasons_are_in_words_of_the_command_line() -> None:
    assert lacks(Config(key_schedule="batch")) == "key_schedule=batch needs engine=interleaved"
    assert lacks(replace(presets()["hodjat-tower-4"].config, sbox="table")) == (
        "sbox_registers need sbox=tower"
    )
