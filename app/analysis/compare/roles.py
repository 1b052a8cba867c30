"""What lanes and cores are called without what the system numbered: processes, threads, and which core is which."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from app.analysis.compare.names import without_numbers

_GIVEN: Final = re.compile(r" ?\(-?[0-9]+\)")
"""The id of a process, which stands behind its name where several have that name."""
_NUMBER: Final = re.compile(r"-?[0-9]+")
_CORE: Final = re.compile(r"(?P<before>(?:.*\.)?)(?P<core>(?:core[0-9]*\.)?(?:(?:vec|cube)core|core)[0-9]*)")


class Core(Struct, frozen=True):
    """``kind``: the name without numbers; ``numbers``: those of the core, which are none if it is not numbered."""

    kind: str
    numbers: tuple[str, ...]

    @property
    def stem(self) -> tuple[str, str]:
        """What an unnumbered core has in common with a numbered one: what stands before it, and its kind."""
        before, _, last = self.kind.rpartition(".")
        return before.removesuffix("core").rstrip("."), last


def core(process: str) -> Core | None:
    """The core that a process is (``core0.veccore1``, ``warp.core0.veccore1``); None if it is none."""
    found = _CORE.fullmatch(process)
    if found is None:
        return None
    numbers = tuple(_NUMBER.findall(found["core"]))
    return Core(_NUMBER.sub("", found["before"] + found["core"]), numbers)


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
    zeros = {found.stem: name for name, found in other.items() if found.numbers and not any(map(int, found.numbers))}
    only = {name: found.stem for name, found in own.items() if not found.numbers and count[found.stem] == 1}
    return {name: zeros[stem] for name, stem in only.items() if stem in zeros}


def named(text: str) -> str:
    """The name without ids that the system gave: ``python``, of ``python (4711)``; "" for a thread that has only an
    id."""
    return "" if _NUMBER.fullmatch(text) else _GIVEN.sub("", text)


def role(text: str) -> str:
    """The same with "#" for each other number and address."""
    return without_numbers(named(text))
