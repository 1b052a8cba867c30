"""The record that describes a kind of selectable things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from app.language import capitalised, split_at_bracket
from app.profile.arrays import F64, I64, Bool, Integers
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.profile.strings import Strings

if TYPE_CHECKING:
    from app.analysis.part import Part


class Named(Struct, frozen=True, eq=False):
    """Names of things: thing i has text ``ids[i]`` (-1 none; ids None: text i itself). ``order``: float64, sort key for
    stepping from one to the next (None: index order)."""

    strings: Strings
    ids: Integers | None = None
    order: F64 | None = None

    def __len__(self) -> int:
        """How many things there are."""
        return len(self.strings) if self.ids is None else len(self.ids)

    def name(self, index: int) -> str:
        """The name of one thing; "" if it has none or is out of range."""
        if self.ids is None:
            return self.strings.get(index)
        return self.strings.get(int(self.ids[index])) if 0 <= index < len(self.ids) else ""

    def counts(self) -> I64:
        """int64[texts]: the number of things with each name."""
        texts = len(self.strings)
        if self.ids is None:
            return np.ones(texts, np.int64)
        used = self.ids[(self.ids >= 0) & (self.ids < texts)]
        return np.bincount(used, minlength=texts).astype(np.int64)

    def bearing(self, texts: Bool) -> I64:
        """int64: the things named by one of these texts (bool[texts]), in stepping order."""
        if self.ids is None:
            indices = np.flatnonzero(texts)
        else:
            inside = np.clip(self.ids, 0, max(len(texts) - 1, 0))
            indices = np.flatnonzero(texts[inside] & (self.ids >= 0) & (self.ids < len(texts)))
        if self.order is not None:
            indices = indices[np.argsort(self.order[indices], kind="stable")]
        return indices.astype(np.int64)

    def bearing_one(self, text_id: int) -> I64:
        """int64: the things named by one text, in stepping order."""
        texts = np.zeros(len(self.strings), np.bool_)
        texts[text_id] = True
        return self.bearing(texts)


class Trait(Struct, frozen=True, eq=False):
    """A property that identifies things, one value each: ``values`` themselves, or ids in ``strings`` (negative:
    none)."""

    values: npt.NDArray[Any]
    strings: Strings | None = None


Traits: TypeAlias = Callable[[Profile], "list[Trait] | None"]
"""None if the profile has nothing of the kind."""


def texts(strings: Strings, *columns: Integers) -> list[Trait]:
    """Traits that are texts: ids in ``strings``."""
    return [Trait(column, strings) for column in columns]


def numbers(*columns: npt.NDArray[Any]) -> list[Trait]:
    """Traits that are numbers."""
    return [Trait(column) for column in columns]


def no_names(_: Profile) -> Iterator[Named]:
    """For kinds whose things only have numbers."""
    return iter(())


class KindSpec(Struct, frozen=True, eq=False):
    """``one``, ``several``: singular and plural for people. ``tables``: ids of the tables whose rows describe it (their
    rows ``select`` this kind, or the kind ``rows_of`` if both count the same things). ``described_by``: kinds whose
    rows describe it too.

    ``names`` yields its names, if the profile has any; ``title_of`` makes a name for a thing without one in the files
    ("" if unknown). ``owners``: text ids (in the same strings), one per thing, of what it belongs to, which tells
    things of equal name apart. ``searched``: whether it is searched by name here; False for kinds with a search of
    their own. ``count``: the number of things, for kinds that people know by number ("tile 17").

    ``near``: only direct links (`app/analysis/relations.py`) are meaningful, further ones lead to whatever else is on
    its tiles. ``traits``: what identifies a thing when the file is read again; None: its index is a hardware number.
    ``parts``: sections about one thing (``parts_of_several``: or about several together); each may take some
    milliseconds.
    """

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
    near: bool = False
    traits: Traits | None = None
    parts: Callable[[Profile, I64], Iterator[Part]] | None = None
    parts_of_several: bool = False

    @property
    def title(self) -> str:
        """The plural as a heading."""
        return capitalised(self.several)

    def counted(self, count: int) -> str:
        """``1 tile``, ``12 compute sets``."""
        return f"{count:,} {self.one if count == 1 else self.several}"

    def name(self, profile: Profile, index: int) -> str:
        """The name of a thing; its kind and number if it has none."""
        for named in self.names(profile):
            if name := named.name(index):
                return name
        made = "" if self.title_of is None else self.title_of(profile, index)
        return made or f"{self.one} {index:,}"

    def names_itself(self, name: str) -> bool:
        """Whether ``name`` already contains the kind: "tile 5", but not the name "variable/v0"."""
        return any(
            name.startswith(word) and name[len(word) : len(word) + 2].strip()[:1].isdigit()
            for word in (self.one, split_at_bracket(self.one)[0])
        )
