"""What a baseline document keeps of a profile, or of several runs of one program: its figures, the sums of its tables,
and rows of those that have one for each name. It takes the place of the profile in a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec import Struct, field

from app.analysis.compare.tables import Stored
from app.analysis.figures import Figure
from app.analysis.table import Column, Role, Table, Unit
from app.language import Packed, plural, tr, unpack
from app.profile.arrays import F64, Array
from app.profile.profile import Origin, Profile, Target

VERSION: Final = 1
LARGEST: Final = 1e200
"""Numbers of this size cannot be added up."""
MOST_WHOLE: Final = 1 << 63
MOST_NAMED: Final = 6

Packing: TypeAlias = str | list[Any]
"""A text as ``language.pack`` makes it."""
Cell: TypeAlias = int | float | str | list[Any] | None
"""A number or a packed text; None without one."""


class KeptFigure(Struct, frozen=True, omit_defaults=True):
    """A main figure: of several runs the median, with the smallest (``low``) and largest (``high``)."""

    id: str
    value: int | float | str | bool | None
    unit: Unit = ""
    role: Role = ""
    label: Packing = ""
    low: int | float | None = field(default=None, name="min")
    high: int | float | None = field(default=None, name="max")


class KeptColumn(Struct, frozen=True, omit_defaults=True):
    """A column: ``values`` of the rows that are kept, and the ``sum`` of all rows where that means something. Of
    several runs both are medians, with the smallest (``low``, ``sum_low``) and largest. ``text``: its cells are
    texts."""

    key: str
    unit: Unit = ""
    role: Role = ""
    text: bool = False
    adds_up: bool = True
    inclusive: bool = False
    values: list[Cell] = []
    low: list[int | float | None] = field(default_factory=list, name="min")
    high: list[int | float | None] = field(default_factory=list, name="max")
    sum: int | float | None = None
    sum_low: int | float | None = field(default=None, name="sum_min")
    sum_high: int | float | None = field(default=None, name="sum_max")

    def column(self) -> Column:
        """The column of the rows that are kept."""
        values: Array | tuple[str, ...]
        missing = np.array([cell is None for cell in self.values], np.bool_)
        if self.text:
            values = tuple("" if cell is None else _unpacked(cell) for cell in self.values)
        else:
            values = _numbers(self.values)
        return Column(
            self.key,
            self.key,
            values,
            self.unit,
            missing=missing if missing.any() else None,
            role=self.role,
            adds_up=self.adds_up,
            inclusive=self.inclusive,
        )

    @property
    def sum_spread(self) -> tuple[float, float] | None:
        """The smallest and largest sum of several runs."""
        return None if self.sum_low is None or self.sum_high is None else (self.sum_low, self.sum_high)


class KeptTable(Struct, frozen=True, omit_defaults=True):
    """A table. ``left``: how many of its rows are not kept."""

    id: str
    columns: list[KeptColumn]
    left: int = 0

    @property
    def rows(self) -> int:
        """How many rows are kept."""
        return len(self.columns[0].values) if self.columns else 0

    def table(self) -> Table:
        """The rows that are kept; titles are those of the table that it is compared with."""
        return Table(self.id, self.id, tuple(column.column() for column in self.columns))


class Kept(Struct, frozen=True, omit_defaults=True, dict=True):
    """``format``, ``name``, ``files`` (names without folders): of the profile, of several runs of the first and all;
    ``writer``: the version of Tilesight. ``runs``: how many were measured."""

    version: int = field(name="tilesight_baseline")
    writer: str = field(name="tilesight")
    name: str
    format: str
    figures: list[KeptFigure]
    tables: list[KeptTable]
    files: list[str] = []
    part: str = ""
    runs: int = 1

    def profile(self, path: Path) -> Profile:
        """A profile without sections in place of the one that was read, from the document at ``path``."""
        known = {figure.id: figure.value for figure in self.figures}
        kind, tiles, clock = (known.get(f"target.{name}") for name in ("kind", "tiles", "clock_hz"))
        target = Target(
            kind=kind if isinstance(kind, str) else "",
            tiles=tiles if type(tiles) is int else None,
            clock_hz=float(clock) if type(clock) in (int, float) else None,  # type: ignore[arg-type]
        )
        return Profile(name=self.name, origin=Origin(self.format, (path,), part=self.part), target=target)

    def of_figures(self) -> list[Figure]:
        """The main figures that have a value."""
        return [
            Figure(one.id, _unpacked(one.label), one.value, one.unit, role=one.role)
            for one in self.figures
            if one.value is not None
        ]

    @property
    def spreads(self) -> dict[str, tuple[float, float]]:
        """The smallest and largest of each figure, where there are enough runs for a spread."""
        known = ((one.id, one.low, one.high) for one in self.figures if self.has_spread)
        return {name: (low, high) for name, low, high in known if low is not None and high is not None}

    @property
    def has_spread(self) -> bool:
        """Whether enough runs were measured."""
        return self.runs >= FEWEST

    @cached_property
    def _by_id(self) -> dict[str, KeptTable]:
        return {table.id: table for table in self.tables}

    def table(self, table_id: str) -> Table | None:
        """The rows that are kept of a table; None if the profile had none of that name."""
        kept = self._by_id.get(table_id)
        return None if kept is None else kept.table()

    def tables_of(self, spec: str) -> Iterator[Table]:
        """Those named ``spec`` or ``spec/part``."""
        return (table.table() for table in self.tables if table.id.partition("/")[0] == spec)

    def stored(self, table_id: str) -> Stored | None:
        """What there is of the table besides its rows."""
        kept = self._by_id.get(table_id)
        if kept is None:
            return None
        sums = {one.key: one.sum for one in kept.columns if one.sum is not None}
        if not self.has_spread:
            return Stored(kept.left, sums)
        spreads = {one.key: (_floats(one.low), _floats(one.high)) for one in kept.columns if one.low}
        of_sums = {one.key: spread for one in kept.columns if (spread := one.sum_spread) is not None}
        return Stored(kept.left, sums, of_sums, spreads)

    def limits(self) -> Iterator[str]:
        """What the document lacks, in one sentence."""
        runs = plural("of {count:,} run", "of {count:,} runs", count=self.runs)
        none = [table.id for table in self.tables if table.left and not table.rows]
        cut = [table for table in self.tables if table.left and table.rows]
        some = [f"{table.id} ({table.rows:,} / {table.rows + table.left:,})" for table in cut]
        lacks = tr("only sums of {tables}", tables=_listed(none)) if none else ""
        lacks_some = tr("only some rows of {tables}", tables=_listed(some)) if some else ""
        what = "; ".join((*filter(None, (lacks, lacks_some)), tr("no texts and no stored data")))
        yield tr("The baseline is a document {runs}. It has {what}.", runs=runs, what=what)


FEWEST: Final = 3
"""Runs below which there is no spread, as in ``noise``."""


def _listed(names: Sequence[str]) -> str:
    more, first = len(names) - MOST_NAMED, ", ".join(names[:MOST_NAMED])
    return tr("{names} and {count:,} more", names=first, count=more) if more > 0 else first


def _unpacked(packed: object) -> str:
    return unpack(packed)


def _numbers(cells: Sequence[Cell]) -> Array:
    """int64, or float64 if any cell is no whole number; 0 without one."""
    kind = np.int64 if all(cell is None or isinstance(cell, int) for cell in cells) else np.float64
    return np.array([0 if cell is None else cell for cell in cells], kind)


def _floats(cells: Sequence[int | float | None]) -> F64:
    return np.array([np.nan if cell is None else cell for cell in cells], np.float64)


def packed_text(packed: Packed) -> Packing:
    """What ``language.pack`` made of a text, as a cell."""
    assert isinstance(packed, (str, list))
    return packed
