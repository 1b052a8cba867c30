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
_ADDRESS = re.compile(r"\b0[xX][0-9a-fA-F]+")
_BEFORE = re.compile(r"^[\W_]*#[\W_]*")
_BEHIND = re.compile(r"[\W_]*#[\W_]*$")


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


def stem(name: str) -> str:
    """What the name has in common with others that differ in addresses, hashes and numbers: "#" for each of these,
    without those at its ends and what sets them off ("0-98-13(matmul)" is "matmul"). The name itself where nothing is
    left."""
    plain = without_numbers(_ADDRESS.sub("#", name))
    inner = _BEFORE.sub("", plain)
    if inner.count(")") > inner.count("("):
        inner = inner.removesuffix(")")
    shorter = _BEHIND.sub("", inner)
    if shorter.count("(") == shorter.count(")"):
        inner = shorter
    return inner or name
