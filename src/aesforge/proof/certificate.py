"""Certificates: the control states that the walks of a core found, and an independent check.

A certificate is a zip file with a text file of states for each walk. The header of
`formal/check_certificate.cpp` says what the text consists of, what it shows and what it trusts. The
netlist and the promised cycles are not in it: the check makes them anew from the configuration.
"""

import time
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from aesforge import cache
from aesforge.core.sources import digest
from aesforge.errors import UserError
from aesforge.proof import walk
from aesforge.proof.claims import Claim, Sources, core, formal_root
from aesforge.proof.explore import explore
from aesforge.proof.explore import sources as explorer
from aesforge.proof.specification import specification
from aesforge.space.axes import Config
from aesforge.tools.compiled import program
from aesforge.tools.process import ToolFailed, call


def _walks(config: Config) -> list[tuple[str, int, Config]]:
    """The walks of a core: the name of their claims, the key size and the kind of block."""
    return [
        (walk.named(config, bits, kind), bits, kind)
        for bits in config.key_sizes
        for kind in walk.kinds(config)
    ]


def _states(given: Sources, config: Config, bits: int, kind: Config) -> Path | None:
    """The states that a walk found, walked again when they are not stored; None if it failed."""
    machine = core(given, config)
    spec = specification(given, bits, kind.direction == "decrypt", int(kind.block))
    asked = walk.job(config, bits, kind, walk.STATES, 0)

    def make(work: Path) -> None:
        explore(machine, spec, f"{asked}\ncertificate states", work)

    key = digest(asked, machine, spec, *explorer())
    found = cache.folder("proof-certificate", key, make) / "states"
    return found if found.is_file() else None


def write(given: Sources, config: Config, path: Path) -> bool:
    """Write the certificate of a core; False, and no file, when one of its walks does not hold."""
    found = {name: _states(given, config, bits, kind) for name, bits, kind in _walks(config)}
    part = path.with_name(f"{path.name}.part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as file:
            for name, states in found.items():
                if states is None:
                    return False
                file.write(states, name)
        part.replace(path)
    except OSError as error:
        raise UserError(f"cannot write the certificate {path}: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)
    return True


def made(given: Sources, config: Config, path: Path) -> list[Claim]:
    """Write the certificate of a core, and claim of each of its walks that it is accepted."""
    if not write(given, config, path):
        why = {"rule": "a walk of this core does not hold, so nothing was written"}
        return [Claim("certificate", False, 0.0, "control", why)]
    return check(given, config, path)


def checked(machine: Path, asked: str, states: Path) -> tuple[bool, str]:
    """Whether the checker accepts the states as a certificate of `machine`, and what it says."""
    checker = program([formal_root() / "check_certificate.cpp"], "a certificate")
    with TemporaryDirectory() as folder:
        job = Path(folder) / "job"
        job.write_text(asked + "\n", encoding="utf-8")
        try:
            return True, call("check_certificate", [checker, machine, job, states]).strip()
        except ToolFailed as error:
            return False, error.output.strip()


def check(given: Sources, config: Config, path: Path) -> list[Claim]:
    """A claim for each walk of a core: that its states in the certificate are accepted.

    UserError when the file is no certificate.
    """
    machine = core(given, config)
    claims = []
    try:
        with TemporaryDirectory() as folder, zipfile.ZipFile(path) as file:
            for name, bits, kind in _walks(config):
                start = time.perf_counter()
                asked = walk.job(config, bits, kind, walk.STATES, 0)
                if name in file.namelist():
                    states = Path(file.extract(name, folder))
                    holds, said = checked(machine, asked, states)
                else:
                    holds, said = False, f"there are no states for {name} in it"
                covers = f"control: {said}, checked" if holds else "control"
                rule = {} if holds else {"rule": said}
                seconds = time.perf_counter() - start
                claims.append(Claim(f"{name} certificate", holds, seconds, covers, rule))
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(
            f"{path} is no certificate ({error}); "
            "'aesforge prove PRESET --certificate FILE' makes one"
        ) from None
    return claims
