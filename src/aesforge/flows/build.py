"""Write a core as a self-contained bundle, completely or not at all.

The bundle is written to a temporary folder, which is then renamed; a failure leaves nothing behind.
"""

import json
import re
import shutil
from pathlib import Path
from typing import Any
from uuid import uuid4

from aesforge.core.bundle import MANIFEST, texts, top_name
from aesforge.core.sources import files
from aesforge.errors import UserError
from aesforge.space.axes import Config
from aesforge.space.presets import Preset


def build(
    preset: Preset, config: Config, out: Path, command: str, force: bool, name: str | None
) -> dict[str, Any]:
    """Write the bundle of a configuration into the folder `out`.

    `command` is recorded in its files; `name` is the name of the top module, if not the default.
    """
    top = name if name is not None else top_name(preset, config)
    _check_name(top)
    target = out.resolve()
    kept = _kept(target, force, out)
    made = texts(preset, config, top, " ".join(command.split()))
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
        "top": top,
        "folder": str(out),
        "files": sorted(made),
    }


def _check_name(top: str) -> None:
    # Names that are legal in both SystemVerilog and VHDL.
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", top):
        raise UserError(
            f"'{top}' cannot name a module in both SystemVerilog and VHDL; use lower-case letters, "
            f"digits and single underscores, a letter first, such as my_aes"
        )
    if top in {path.stem for path in files()}:
        raise UserError(f"'{top}' is a module inside the bundle; give the top another --name")


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
