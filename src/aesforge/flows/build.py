"""Write a core as a self-contained bundle, completely or not at all.

The bundle is written to a temporary folder, which is then renamed; a failure leaves nothing behind.
"""

import functools
import json
import re
import shutil
import tempfile
import tomllib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any
from uuid import uuid4

from aesforge import cache
from aesforge.core import stack, tinytapeout
from aesforge.core.bundle import MANIFEST, Naming, texts, top_name
from aesforge.core.software import require_system
from aesforge.core.sources import digest, files, used
from aesforge.errors import UserError
from aesforge.space.axes import Config
from aesforge.space.presets import Preset
from aesforge.space.promises import promised
from aesforge.tools import picorv32, yosys
from aesforge.tools.verilog import verilog


def elaborated(config: Config) -> tuple[Path, ...]:
    """The sources that a bundle of a configuration needs, in order.

    They are fewer than those that the sources name, since a generate block instantiates one of
    many: those that elaboration finds below the top module, and those that it finds in these with
    the defaults of their parameters, because Yosys' own reader looks at the defaults first.
    """
    text = "\n".join(stack.top(config, "top", chooser=False)) + "\n"
    sources = [path for path in stack.sources(config) if path in files()]

    def find() -> list[str]:
        with tempfile.TemporaryDirectory(prefix="aesforge-") as scratch:
            folder = Path(scratch)
            (folder / "top.sv").write_text(text, encoding="utf-8")
            found = new = _instances([*sources, Path("top.sv")], ["top"], folder)
            while new:
                new = _instances(sources, sorted(new), folder) - found
                found |= new
        # The parameters of the top module name packages too.
        return sorted({*used(found), *re.findall(r"\b(aes_\w*pkg)::", text)})

    found = cache.value("bundled", digest(text, Path(__file__), *sources), find)
    return tuple(path for path in files() if path.stem in found)


def _instances(sources: Sequence[Path], tops: Sequence[str], folder: Path) -> set[str]:
    """The modules of the instances below each top module."""
    script = []
    for top in tops:
        read = yosys.read(sources, top, hierarchy=True)
        script += [read, f"write_rtlil {top}.il", "design -reset"]
    yosys.run(script, folder)
    # slang makes a module of each instance: "NAME$PLACE". Yosys' own cells begin with "$".
    return {
        name
        for top in tops
        for name in re.findall(r"^  cell \\(\w+)", (folder / f"{top}.il").read_text(), re.M)
    }


def build(
    preset: Preset,
    config: Config,
    out: Path,
    command: str,
    force: bool,
    name: str | None,
    prefix: str | None = None,
    single: bool = False,
    plain: bool = False,
    soc: bool = False,
    pins: bool = False,
) -> dict[str, Any]:
    """Write the bundle of a configuration into the folder `out`.

    `command` is recorded in its files; `name` is the name of the top module, if not the default,
    and `prefix` begins the names of all other modules. `single` makes one file of all modules,
    and `plain` one in Verilog-2005. `soc` adds a system of a processor and the core,
    and `pins` a project of Tiny Tapeout.
    """
    naming = Naming.of(name if name is not None else top_name(preset, config), prefix)
    _check_name(naming.top)
    _check_prefix(naming)
    if pins:
        tinytapeout.require(config)
    if soc:
        require_system(config)
    target = out.resolve()
    kept = _kept(target, force, out)
    sources = elaborated(config)
    text = " ".join(command.split())
    processor = picorv32.source().read_text(encoding="utf-8") if soc else None
    plainly = verilog if plain else None
    made = texts(preset, config, naming, text, sources, single, plainly, processor, pins)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        work = target.with_name(f".{target.name}.{uuid4().hex[:6]}")
        work.mkdir()
    except OSError as error:
        raise _unwritable(out, error) from None
    try:
        for name, text in made.items():
            _write(work / name, text)
        for path in kept:
            if not (work / path).exists():
                (work / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(target / path, work / path, follow_symlinks=False)
        _swap(work, target)
    except OSError as error:
        raise _unwritable(out, error) from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return {
        "preset": preset.name,
        "config": config.as_dict(),
        "top": naming.top,
        "prefix": naming.prefix,
        "folder": str(out),
        "files": sorted(made),
        "soc": soc,
        "tinytapeout": pins,
        "notices": config.notices,
        "monitor": [name for name in made if name == naming.monitor],
        "promises": {
            str(bits): {"latency": found.latency, "cycles_per_block": found.cycles_per_block}
            for bits in config.key_sizes
            for found in (promised(config, bits),)
        },
    }


@functools.cache
def _reserved() -> dict[str, list[str]]:
    """The reserved words of each language."""
    text = resources.files("aesforge.core").joinpath("reserved.toml").read_text(encoding="utf-8")
    return {language: words.split() for language, words in tomllib.loads(text).items()}


def _check_name(top: str) -> None:
    # Names that are legal in both SystemVerilog and VHDL.
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", top):
        raise UserError(
            f"'{top}' cannot name a module in both SystemVerilog and VHDL; use lower-case letters, "
            f"digits and single underscores, a letter first, such as my_aes"
        )
    if languages := [language for language, words in _reserved().items() if top in words]:
        raise UserError(
            f"'{top}' is a reserved word of {' and '.join(languages)}; give the top another "
            f"--name, such as my_{top}"
        )
    if top in {path.stem for path in files()}:
        raise UserError(f"'{top}' is a module of aesforge; give the top another --name")


def _check_prefix(naming: Naming) -> None:
    if not re.fullmatch(r"[a-zA-Z]\w*", naming.prefix, re.ASCII):
        raise UserError(
            f"--prefix '{naming.prefix}' cannot begin the name of a module; use letters, digits "
            f"and underscores, a letter first, such as {naming.top}_"
        )
    taken = {naming.top, *_reserved()["SystemVerilog"]}
    if clash := taken & {naming.part(path) for path in files()}:
        raise UserError(
            f"with --prefix {naming.prefix} a part of the bundle is named '{min(clash)}'; choose "
            f"another prefix, such as {naming.top}_"
        )


def _unwritable(out: Path, error: OSError) -> UserError:
    return UserError(f"cannot write {out}: {error.strerror}; choose another place with -o")


def _kept(target: Path, force: bool, out: Path) -> list[Path]:
    """Files of the user in the folder, which are kept; UserError if the folder is in use."""
    try:
        if not target.exists() or not any(target.iterdir()):
            return []
    except NotADirectoryError:
        raise UserError(f"{out} is a file; name a folder with -o") from None
    except OSError as error:
        raise _unwritable(out, error) from None
    if not force:
        raise UserError(f"{out} is not empty; write into it with --force, or choose another -o")
    made: set[Path] = set()
    if (target / MANIFEST).is_file():
        try:
            manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
            made = {Path(name) for name in manifest["files"]}
        except (ValueError, KeyError, TypeError, OSError):
            raise UserError(
                f"{out / MANIFEST} cannot be read, so what --force may replace is not known; "
                f"choose another folder with -o"
            ) from None
    present = (path for path in target.rglob("*") if path.is_symlink() or not path.is_dir())
    return [path.relative_to(target) for path in present if path.relative_to(target) not in made]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _swap(work: Path, target: Path) -> None:
    """Replace the folder `target` by `work`; restore it if that fails."""
    if not target.exists():
        work.rename(target)
        return
    old = target.with_name(f"{work.name}.old")
    target.rename(old)
    try:
        work.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
