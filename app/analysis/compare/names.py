"""What things are called without what a compiler or the system made up: hashes, running numbers, ids of processes and
threads; and which core is which."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Literal, TypeAlias

from msgspec import Struct

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


INSIDE: Final = " › "
"""Between the names of a path of slices."""


def normaliser(names: Names | Literal["path"]) -> Callable[[str], str] | None:
    """A function that takes out of a name what is ignored; None if nothing is. ``path``: a path of slices, of which a
    name that is alone on one side has its numbers."""
    if names == "exact":
        return None
    if names == "path":
        return lambda path: INSIDE.join(map(stem, path.split(INSIDE)))
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


_GIVEN: Final = re.compile(r" ?\(-?[0-9]+\)")
"""The id of a process, which stands behind its name where several have that name."""
_WHOLE: Final = re.compile(r"-?[0-9]+")
_CORE: Final = re.compile(r"(?P<before>(?:.*?\.)??)(?P<core>(?:core[0-9]*\.)?(?:(?:vec|cube)core|core)[0-9]*)")


class Core(Struct, frozen=True):
    """``kind``: the name without numbers; ``numbers``: those of the core, outermost first. A core without a number of
    its own has none at the end of its name (``whole`` False)."""

    kind: str
    numbers: tuple[str, ...]
    whole: bool

    @property
    def stem(self) -> tuple[str, str]:
        """What an unnumbered core has in common with a numbered one: what stands before it, and its kind."""
        before, _, last = self.kind.rpartition(".")
        return before.removesuffix("core").rstrip("."), last

    def is_zero_of(self, other: Core) -> bool:
        """Whether it is number 0 where ``other`` has no number."""
        zeros = self.numbers[len(other.numbers) :]
        same = self.numbers[: len(other.numbers)] == other.numbers
        return self.whole and same and self.stem == other.stem and not any(map(int, zeros))


def core(process: str) -> Core | None:
    """The core that a process is (``core0.veccore1``, ``warp.core0.veccore1``); None if it is none."""
    found = _CORE.fullmatch(process)
    if found is None:
        return None
    numbers = tuple(_WHOLE.findall(found["core"]))
    return Core(_WHOLE.sub("", process), numbers, process[-1].isdecimal())


def paired_cores(before: Iterable[str], after: Iterable[str]) -> dict[str, str]:
    """The core after for each core before that has one: of the same kind and numbers; the only one of its kind, if it
    has no number, is number 0."""
    own, other = ({name: found for name in names if (found := core(name)) is not None} for names in (before, after))
    of_core = {found: name for name, found in reversed(other.items())}
    known = {name: of_core[found] for name, found in own.items() if found in of_core}
    of_zero = _unnumbered(own, other), _unnumbered(other, own)
    return {**{zero: only for only, zero in of_zero[1].items()}, **of_zero[0], **known}


def _unnumbered(own: dict[str, Core], other: dict[str, Core]) -> dict[str, str]:
    """Number 0 of the other side for each core that is the only one of its kind and has no number."""
    count = Counter(found.stem for found in own.values())
    made = {}
    for name, found in own.items():
        zero = next((zero for zero, known in other.items() if known.is_zero_of(found)), None)
        if zero is not None and not found.whole and count[found.stem] == 1:
            made[name] = zero
    return made


def named(text: str) -> str:
    """The name without ids that the system gave: ``python``, of ``python (4711)``; "" for a thread that has only an
    id."""
    return "" if _WHOLE.fullmatch(text) else _GIVEN.sub("", text)


def role(text: str) -> str:
    """The same with "#" for each other number and address."""
    return without_numbers(named(text))
