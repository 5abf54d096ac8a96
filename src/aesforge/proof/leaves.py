"""The proofs of the parts: small equivalences for Yosys and ABC, with harnesses of `formal/`."""

import itertools
import random
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aesforge import cache
from aesforge.core.sources import codes, digest
from aesforge.proof.claims import TO_AIGER, Claim, Sources
from aesforge.space.axes import BLOCK_BITS, KEY_BITS
from aesforge.tools import aiger, yosys

# A constant in ABC's statistics, after `collapse` has made decision diagrams.
_CONSTANT = re.compile(r"nd =\s+1\s+edge =\s+0\s+bdd\s+=\s+0")


def _word(machine: aiger.Aiger, values: list[int], port: str, mask: int, lane: int) -> str:
    """The value of a port in one pattern, in hex."""
    total = width = 0
    for names, number in ((machine.input_names, False), (machine.output_names, True)):
        for name, at in names.items():
            stem, _, index = name.partition("[")
            if stem == port:
                literal = machine.outputs[at] if number else 2 * (at + 1)
                place = int(index[:-1]) if index else 0
                total |= (machine.literal(values, literal, mask) >> lane & 1) << place
                width = max(width, place + 1)
    return f"{total:0{(width + 3) // 4}x}"


def _simulate(machine: aiger.Aiger, output: int) -> dict[str, Any]:
    """The values of the ports when a random pattern raises an output; empty when none does."""
    mask = (1 << 4096) - 1
    rng = random.Random(1)
    values = machine.values([rng.getrandbits(4096) for _ in range(machine.inputs)], [], mask)
    bad = machine.literal(values, machine.outputs[output], mask)
    if not bad:
        return {}
    lane = (bad & -bad).bit_length() - 1
    ports = {port.partition("[")[0] for port in machine.input_names}
    return {
        port.removesuffix("_o"): _word(machine, values, port, mask, lane)
        for port in (*sorted(ports), "expected_o", "actual_o")
    }


def _leaf(
    name: str, top: str, covers: str, files: Sequence[Path], reads: Sequence[str]
) -> Callable[[], Claim]:
    """A claim that output `bad_o` of a combinational harness is never high."""
    passes = (*TO_AIGER, "write_aiger -symbols leaf.aig")

    def make() -> dict[str, Any]:
        start = time.perf_counter()
        with TemporaryDirectory() as folder:
            place = Path(folder)
            read = f"read_slang --top {top} {' '.join(reads)} {' '.join(map(str, files))}"
            yosys.run([read, *passes], place)
            machine = aiger.read(place / "leaf.aig")
            output = machine.output_names["bad_o"]
            found = _simulate(machine, output)
            holds = not found
            if holds:
                # 0 on random patterns and constant: 0 on all.
                commands = f"read leaf.aig; cone -O {output}; strash; collapse; print_stats"
                holds = bool(_CONSTANT.search(yosys.abc(commands, place)))
                if not holds:
                    found["rule"] = "not constant, though no random pattern shows it"
        return Claim(name, holds, time.perf_counter() - start, covers, found).as_dict()

    key = digest(name, top, covers, *reads, *files, *passes, yosys.version(), "leaf")
    return lambda: Claim(**cache.value("proof", key, make))


def leaves(given: Sources) -> dict[str, Callable[[], Claim]]:
    """The claims on the parts, by name."""
    claims = {}
    directions = {
        name.removeprefix("DIRECTION_").lower(): code
        for name, code in codes().items()
        if name.startswith("DIRECTION_")
    }

    def add(name: str, harness: str, covers: str, module: str, *reads: str) -> None:
        rtl = given.closure(module)
        used = (*given.specification(), *rtl, given.formal / f"{harness}.sv")
        if module != "aes_pkg" and not any(path.stem == "aes_pkg" for path in rtl):
            used = (*given.closure("aes_pkg"), *used)
        claims[name] = _leaf(name, harness, covers, used, reads)

    for path in given.sboxes():
        for direction, code in directions.items():
            add(
                f"{path.stem} equiv {direction}",
                "aes_sbox_equiv",
                "all bytes: the table of the standard",
                path.stem,
                f"-DSBOX={path.stem}",
                f"-GDirection={code}",
            )
        add(
            f"{path.stem} inverse",
            "aes_sbox_inverse",
            "all bytes, both ways round: the inverse undoes the forward S-box",
            path.stem,
            f"-DSBOX={path.stem}",
        )
    for inverse, direction in enumerate(("encrypt", "decrypt")):
        add(
            f"aes_tbox equiv {direction}",
            "aes_tbox_equiv",
            "all bytes: MixColumns of the standard's S-box",
            "aes_tbox",
            f"-GInverse={inverse}",
        )
    for part in ("aes_shift_rows", "aes_mix_columns"):
        add(f"{part} inverse", f"{part}_inverse", "all states: the inverse undoes it", part)
    for inverse, direction in enumerate(("encrypt", "decrypt")):
        add(
            f"aes_round equiv {direction}",
            "aes_round_equiv",
            "all states and round keys: the standard's round",
            "aes_round",
            f"-GInverse={inverse}",
        )
    for bits in KEY_BITS:
        add(
            f"aes_next_round_key equiv {bits}",
            "aes_next_round_key_equiv",
            "all windows, for every phase and Rcon, both ways: the recurrence of the key expansion",
            "aes_next_round_key",
            f"-GKeyBits={bits}",
        )
    for block, bits, selected in itertools.product(BLOCK_BITS[1:], KEY_BITS, (0, 1)):
        add(
            f"aes_next_round_key_long equiv {block} {bits}" + " of any" * selected,
            "aes_next_round_key_long_equiv",
            "all windows, for every phase and Rcon, both ways: the recurrence of the key expansion",
            "aes_next_round_key_long",
            f"-GBlockBits={block}",
            f"-GKeyBits={bits}",
            f"-GAny={selected}",
        )
    return claims
