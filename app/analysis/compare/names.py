"""Names that differ only in what a compiler makes up: hashes and running numbers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from app.language import tr

Names: TypeAlias = Literal["exact", "hashes", "numbers"]
"""The setting: what is ignored in names that have no equal on the other side."""

TITLES: Final[dict[Names, str]] = {
    "exact": tr("Names are compared exactly."),
    "hashes": tr("Hashes in names are ignored: hexadecimal words of eight or more characters with digits and letters."),
    "numbers": tr("Hashes and all numbers in names are ignored."),
}
DEFAULT: Final[Names] = "hashes"

_HASH = re.compile(
    r"(?<![0-9A-Za-z])(?:0[xX])?(?=[0-9a-fA-F]*[0-9])(?=[0-9a-fA-F]*[a-fA-F])[0-9a-fA-F]{8,}(?![0-9A-Za-z])"
)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def normaliser(names: Names) -> Callable[[str], str] | None:
    """A function that takes out of a name what is ignored; None if nothing is."""
    if names == "exact":
        return None
    return without_hashes if names == "hashes" else without_numbers


def without_hashes(name: str) -> str:
    """The name with "#" for each hash. An underscore separates words."""
    return "_".join(_HASH.sub("#", part) for part in name.split("_"))


def without_numbers(name: str) -> str:
    """The name with "#" for each hash and each number."""
    return _NUMBER.sub("#", without_hashes(name))
