"""The RTL: its folder, the order of its files, and the constants of its packages."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from aesforge.errors import UserError

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def rtl_root() -> Path:
    """The folder with `aes.f`: in the installed package, or in the source tree."""
    for root in (_PACKAGE / "rtl", _PACKAGE.parents[1] / "rtl"):
        if (root / "aes.f").is_file():
            return root
    raise UserError(f"the RTL sources are missing beside {_PACKAGE}; install aesforge again")


@cache
def files() -> tuple[Path, ...]:
    """All sources in the order of `aes.f`: packages first, then layer by layer."""
    return tuple(rtl_root() / line for line in _list() if not line.startswith("+"))


def include() -> Path:
    """The folder of the files that sources include, which `aes.f` names too."""
    (folder,) = (line for line in _list() if line.startswith("+incdir+"))
    return rtl_root() / folder.removeprefix("+incdir+")


@cache
def _list() -> list[str]:
    return (rtl_root() / "aes.f").read_text(encoding="utf-8").split()


_INCLUDE = re.compile(rb'^ *`include "(aes_\w+\.svh)"\n', re.MULTILINE)


def text(path: Path) -> str:
    """The text of a source, with each file that it includes in place."""
    return _content(path).decode()


def _content(path: Path) -> bytes:
    def included(found: re.Match[bytes]) -> bytes:
        file = include() / found[1].decode()
        # A user's own file has the same right to such a name.
        return _body(file) if file.is_file() else found[0]

    return _INCLUDE.sub(included, path.read_bytes())


def _body(path: Path) -> bytes:
    """An included file without the comment at its head."""
    return path.read_bytes().partition(b"\n\n")[2]


@cache
def _uses() -> dict[str, frozenset[str]]:
    """For each module or package, the others that its text names."""
    codes = {path.stem: _code(path) for path in files()}
    return {
        name: frozenset(re.findall(r"\baes_\w+", code)) & codes.keys() - {name}
        for name, code in codes.items()
    }


def _code(path: Path) -> str:
    return re.sub(r"//.*", "", text(path))


def is_sbox(module: str) -> bool:
    """Whether a module is an S-box of one cycle: `aes_sbox_NAME`, but for the pipelined one."""
    return module.startswith("aes_sbox_") and not module.endswith("_pipelined")


def closure(top: str) -> tuple[Path, ...]:
    """The sources of `top` and of all it uses, in the order of `aes.f`."""
    if top not in _uses():
        raise UserError(f"no module '{top}' in {rtl_root() / 'aes.f'}")
    wanted: set[str] = set()
    todo = [top]
    while todo:
        name = todo.pop()
        if name not in wanted:
            wanted.add(name)
            todo.extend(_uses()[name])
    return tuple(path for path in files() if path.stem in wanted)


def used(modules: Iterable[str]) -> tuple[str, ...]:
    """The names of the sources of elaborated modules, with their packages."""
    found = set(modules) & _uses().keys()
    todo = list(found)
    while todo:
        for name in _uses()[todo.pop()] - found:
            if name.endswith("_pkg"):
                found.add(name)
                todo.append(name)
    return tuple(sorted(found))


@cache
def parameters(module: str) -> tuple[str, ...]:
    """The names of the parameters of a module, in order."""
    path = next(path for path in files() if path.stem == module)
    return tuple(re.findall(r"\bparameter \w+ (\w+)\b", _code(path)))


@cache
def constants(package: str) -> tuple[str, ...]:
    """The lines of a package that are constants."""
    path = next(path for path in files() if path.stem == package)
    return tuple(re.findall(r"^  (localparam .*;)", _code(path), re.MULTILINE))


def commented(text: str, mark: str, pattern: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Each line that matches, with the comment of that mark above it, which holds for a group.

    A comment may have several lines.
    """
    comment, fresh = "", True
    for line in map(str.strip, text.splitlines()):
        if line.startswith(mark) and "lint_" not in line:
            said = line.lstrip("/").strip()
            comment, fresh = (said, False) if fresh else (f"{comment} {said}", False)
        elif match := re.match(pattern, re.sub(r"\s*//.*", "", line)):
            yield comment, match
            fresh = True


@cache
def ports(module: str) -> tuple[tuple[str, int, str, str], ...]:
    """Direction, width, name and comment of each port of a module without parametric widths.

    A comment above ports is that of all until the next one.
    """
    path = next(path for path in files() if path.stem == module)
    text = path.read_text(encoding="utf-8").partition("\nmodule ")[2].partition("\n);")[0]
    pattern = r"(input|output) +logic +(?:\[(\d+):0\])? *(\w+),?$"
    return tuple(
        (port[1], int(port[2] or 0) + 1, port[3], comment.removesuffix("."))
        for comment, port in commented(text, "//", pattern)
    )


def renamed(text: str, prefix: str) -> str:
    """`text` with the names of our modules and packages: `aes_NAME` is `prefix` and NAME."""
    own = {*_uses(), *(path.stem for path in (rtl_root().parent / "formal").glob("aes_*.sv"))}

    def name(found: re.Match[str]) -> str:
        return f"{prefix}{found[1]}" if found[0] in own else found[0]

    return re.sub(r"\baes_(\w+)", name, text)


@cache
def _plain(name: str) -> str:
    """The text of a source without comments and layout."""
    path = next(path for path in files() if path.stem == name)
    return " ".join(_code(path).split())


_ITEM = re.compile(
    r"\blocalparam\b[^;=]*?(?P<constant>\w+) =[^;]*;"
    r"|\bfunction automatic [^;(]*?(?P<function>\w+) ?\(.*?\bendfunction\b"
)
"""A constant or function of a package, in plain text."""


def _used_part(package: str, others: str) -> str:
    """A package without the constants and functions that `others` and what they use never name."""
    text = _plain(package)
    items = {found["constant"] or found["function"]: found[0] for found in _ITEM.finditer(text)}
    frame = " ".join(_ITEM.sub("", text).split())
    words = set(re.findall(r"\w+", f"{others} {frame}"))
    todo = [name for name in items if name in words]
    kept = set(todo)
    while todo:
        named = set(re.findall(r"\w+", items[todo.pop()])) & items.keys() - kept
        kept |= named
        todo.extend(named)
    return " ".join([frame, *(item for name, item in items.items() if name in kept)])


_GUARD = re.compile(r"if \((?:(?! begin ).)*\) begin : gen_bad_\w+ \w+ u_error \(\); end ?")
"""What refuses illegal parameters, in plain text."""

_INSTANCE = re.compile(r"\b(?P<module>aes_\w+) (?:#\([^;]*?\) )?u_\w+ \([^;]*?\);")
"""An instance of a module of ours, in plain text."""

_PARAMETER = re.compile(
    r"\bparameter (?:int|bit|logic)\b[^,=]*?(?P<name>\w+) = [^,]*?(?:,| (?=\)))"
)
"""The declaration of a parameter, in plain text."""


def fingerprint(names: Iterable[str]) -> str:
    """A digest of sources by name, without comments and layout; empty if one is missing.

    Of a package, what the other sources use counts: a new code changes no core without it. Nor does
    a refusal of parameters, or an instance of a module that is not among the names, which no core
    elaborates; nor a parameter that is for these alone.
    """
    known, wanted = _uses().keys(), sorted(names)
    if not known >= set(wanted):
        return ""
    return digest(*(part for name in wanted for part in (name, _part(name, tuple(wanted)))))[:12]


@cache
def _part(name: str, among: tuple[str, ...]) -> str:
    if not name.endswith("_pkg"):
        return _elaborated(name, among)
    others = (_elaborated(other, among) for other in among if other != name)
    return _used_part(name, " ".join(others))


def _elaborated(name: str, among: tuple[str, ...]) -> str:
    """A source in plain text, of which the modules that are elaborated are `among` these."""

    def instance(found: re.Match[str]) -> str:
        gone = found["module"] in _uses() and found["module"] not in among
        return "" if gone else found[0]

    text = _INSTANCE.sub(instance, _GUARD.sub("", _plain(name)))
    words = Counter(re.findall(r"\w+", text))
    text = _PARAMETER.sub(lambda found: found[0] if words[found["name"]] > 1 else "", text)
    return " ".join(text.split())


@cache
def codes() -> dict[str, int]:
    """The integer constants of `aes_pkg`: the codes of the alternatives of each axis."""
    code = _code(rtl_root() / "common" / "aes_pkg.sv")
    return {name: int(value) for name, value in re.findall(r"localparam int (\w+) = (\d+);", code)}


def digest(*parts: object) -> str:
    """A digest of the inputs of a result: files, strings, mappings, in this order.

    Of a path the content counts, with what it includes, of anything else its text. 20 hex digits.
    """
    state = hashlib.sha256()
    for part in parts:
        data = _content(part) if isinstance(part, Path) else str(part).encode()
        state.update(len(data).to_bytes(8, "big") + data)
    return state.hexdigest()[:20]
