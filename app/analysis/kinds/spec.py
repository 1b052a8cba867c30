"""The record of a kind of things that can be selected: all that the house knows of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from app.profile.arrays import F64, I64, Bool, Integers
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings

if TYPE_CHECKING:
    from app.analysis.part import Part

Link: TypeAlias = Callable[[Profile, I64], I64]
"""Indices of one kind to the indices of another that belong to them (sorted, unique, maybe none)."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """Names of things: thing i has text ``ids[i]`` (-1 none; ids None: text i itself). ``order``: float64, along
    which a person steps from one to the next (None: as they lie)."""

    strings: Strings
    ids: Integers | None = None
    order: F64 | None = None

    def __len__(self) -> int:
        """How many things there are."""
        return len(self.strings) if self.ids is None else len(self.ids)

    def name(self, index: int) -> str:
        """The name of one thing; "" for none, and outside of the list."""
        if self.ids is None:
            return self.strings.get(index)
        return self.strings.get(int(self.ids[index])) if 0 <= index < len(self.ids) else ""

    def counts(self) -> I64:
        """int64[texts]: how many things bear each text."""
        texts = len(self.strings)
        if self.ids is None:
            return np.ones(texts, np.int64)
        used = self.ids[(self.ids >= 0) & (self.ids < texts)]
        return np.bincount(used, minlength=texts).astype(np.int64)

    def bearing(self, texts: Bool) -> I64:
        """int64: the things that bear one of these texts (bool[texts]), in stepping order."""
        if self.ids is None:
            indices = np.flatnonzero(texts)
        else:
            inside = np.clip(self.ids, 0, max(len(texts) - 1, 0))
            indices = np.flatnonzero(texts[inside] & (self.ids >= 0) & (self.ids < len(texts)))
        if self.order is not None:
            indices = indices[np.argsort(self.order[indices], kind="stable")]
        return indices.astype(np.int64)

    def bearing_one(self, text_id: int) -> I64:
        """int64: the things that bear one text, in stepping order."""
        texts = np.zeros(len(self.strings), np.bool_)
        texts[text_id] = True
        return self.bearing(texts)


@dataclass(frozen=True, slots=True, eq=False)
class Trait:
    """What things are known by, one value each: ``values`` themselves, or as ids in ``strings`` (negative: none)."""

    values: npt.NDArray[Any]
    strings: Strings | None = None


Traits: TypeAlias = Callable[[Profile], "list[Trait] | None"]
"""None where the profile has nothing of the kind."""


def texts(strings: Strings, *columns: Integers) -> list[Trait]:
    """Traits that are texts: ids in ``strings``."""
    return [Trait(column, strings) for column in columns]


def numbers(*columns: npt.NDArray[Any]) -> list[Trait]:
    """Traits that are numbers."""
    return [Trait(column) for column in columns]


def no_names(_: Profile) -> Iterator[Named]:
    """For kinds whose things have numbers alone."""
    return iter(())


@dataclass(frozen=True, slots=True, eq=False)
class KindSpec:
    """``one``, ``several``: what people call it. ``tables``: ids of the tables whose rows describe it (their rows
    ``select`` this kind, or the kind ``rows_of`` where both count the same things). ``described_by``: kinds whose rows
    describe it too.

    ``names`` gives its names, where the profile has any; ``title_of`` makes the name of one thing where it has none
    in the files ("" where it is unknown). ``owners``: things of one name are told apart by what they belong to, whose
    text ids (of the same strings) it gives, one a thing. ``searched``: it is looked up by name; what has a search of
    its own is not. ``count``: how many there are, of kinds that people know by number ("tile 17").

    ``links``: the things of other kinds that belong to it; the order decides between ways of equal length. ``near``:
    only direct links mean anything, further ones lead to whatever else is on its tiles. ``traits``: what a thing is
    recognised by when the file is read again; None: its index is a number of the machine. ``parts``: what one thing is
    made of (``parts_of_several``: or several together), part by part; each may take some milliseconds."""

    kind: Kind
    one: str
    several: str
    tables: tuple[str, ...]
    rows_of: Kind | None = None
    described_by: tuple[Kind, ...] = ()
    names: Callable[[Profile], Iterator[Named]] = no_names
    title_of: Callable[[Profile, int], str] | None = None
    owners: Callable[[Profile], Integers] | None = None
    searched: bool = True
    count: Callable[[Profile], int] | None = None
    links: Mapping[Kind, Link] = field(default_factory=dict)
    near: bool = False
    traits: Traits | None = None
    parts: Callable[[Profile, I64], Iterator[Part]] | None = None
    parts_of_several: bool = False

    @property
    def title(self) -> str:
        """The heading of many of them."""
        return self.several[:1].upper() + self.several[1:]

    def counted(self, count: int) -> str:
        """``1 tile``, ``12 compute sets``."""
        return f"{count:,} {self.one if count == 1 else self.several}"

    def name(self, profile: Profile, index: int) -> str:
        """What a thing is called; its kind and number where it has no name."""
        for named in self.names(profile):
            if name := named.name(index):
                return name
        made = "" if self.title_of is None else self.title_of(profile, index)
        return made or f"{self.one} {index:,}"

    def names_itself(self, name: str) -> bool:
        """Whether ``name`` already says what kind of thing it is: "tile 5", but not the name "variable/v0"."""
        return any(
            name.startswith(word) and name[len(word) : len(word) + 2].strip()[:1].isdigit()
            for word in (self.one, self.one.partition(" (")[0])
        )
