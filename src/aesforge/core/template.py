"""The templates of bundles."""

from collections.abc import Mapping
from pathlib import Path

TEMPLATES = Path(__file__).resolve().parent / "templates"


def fill(template: str, *values: Mapping[str, str], **more: str) -> str:
    """A template with the values of its names; of equal names the last one counts."""
    filled = (TEMPLATES / template).read_text(encoding="utf-8")
    given: dict[str, str] = {}
    for some in (*values, more):
        given |= some
    for name, value in given.items():
        filled = filled.replace(f"{{{{{name}}}}}", value)
    return filled
