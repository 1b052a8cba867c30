"""What is known about the selection: its figures, and the things related to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from msgspec import Struct

from app.analysis.kinds import KINDS
from app.analysis.part import Part
from app.analysis.poplar.program_figures import cheap, quick_figures
from app.analysis.relations import route, translate
from app.analysis.table import Column, OwnTime, Table
from app.analysis.tables import by_id
from app.analysis.tables.poplar_programs import with_figures
from app.language import labelled, tr
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

FAR = 3
"""Links with more hops than this say too little."""
MOST_ASKED = 2000
MOST_LINKED = 50_000


class Row(Struct, frozen=True, eq=False):
    """A thing as a row of a table; ``others``: how many more rows the table has for it."""

    table: Table
    row: int
    others: int = 0


class ColumnStatistics(Struct, frozen=True):
    """Figures of one column over ``asked`` things, ``known`` of which have a value; ``total`` is None where a sum means
    nothing, ``mean`` and ``median`` for times and addresses; ``own_time``: that of the column's table."""

    column: Column
    total: float | int | None
    mean: float | None
    median: float | None
    least: float | int
    most: float | int
    known: int
    asked: int
    own_time: OwnTime | None = None


class Related(Struct, frozen=True):
    """Things of another kind that belong to the selection."""

    text: str
    selection: Selection


class Described:
    """Details of one profile. Tables are cached between calls. ``items``: looks up what a selection stands for, if
    links are shared with others."""

    def __init__(self, profile: Profile, items: Callable[[Selection, Kind], I64] | None = None) -> None:
        self.profile = profile
        self._items = items or partial(translate, profile)
        self._tables: dict[str, Table | None] = {}

    def rows(self, kind: Kind, index: int) -> list[Row]:
        """The rows that describe one thing, from every table that has any; for a slice also those of its step."""
        rows = self._rows(kind, index)
        for other in KINDS[kind].described_by:
            for place in self._items(Selection(kind, (index,)), other).tolist():
                rows += self._rows(other, place)
        return rows

    def parts(self, selection: Selection) -> Iterator[Part]:
        """What a single thing, or a set of tiles, consists of, part by part; each may take some milliseconds."""
        spec = KINDS[selection.kind]
        if spec.parts is not None and (spec.parts_of_several or len(selection.indices) == 1):
            yield from spec.parts(self.profile, np.array(selection.indices, np.int64))

    def _rows(self, kind: Kind, index: int) -> list[Row]:
        rows = []
        for table in self._of(kind):
            places = _places(table, np.array([index], np.int64))
            if len(places):
                rows.append(Row(table, int(places[0]), len(places) - 1))
        return rows

    def several(self, selection: Selection) -> list[ColumnStatistics]:
        """Figures over all things of a selection, one per column."""
        wanted = np.array(selection.indices, np.int64)
        tables = self._of(selection.kind)
        if not tables:
            return []
        places = _places(tables[0], wanted)
        made = (_over(column, places, tables[0].own_time) for column in tables[0].columns)
        return [several for several in made if several is not None]

    def related(self, selection: Selection) -> Iterator[Related]:
        """The things related to the selection, kind by kind; each may take some milliseconds."""
        if len(selection.indices) > MOST_ASKED:
            return
        near = KINDS[selection.kind].near
        for kind, spec in KINDS.items():
            far = 1 if near or spec.near else FAR
            if kind == selection.kind or not 0 < len(route(selection.kind, kind)) <= far:
                continue
            indices = self._items(selection, kind)
            if len(indices):
                yield Related(
                    self._call(kind, indices), Selection(kind, tuple(indices[:MOST_LINKED].tolist()), "details")
                )

    def _call(self, kind: Kind, indices: I64) -> str:
        spec = KINDS[kind]
        if len(indices) > 1:
            counted = spec.counted(len(indices))
            if len(indices) <= MOST_LINKED:
                return counted
            return tr("{counted}, the first {most_linked:,}", counted=counted, most_linked=MOST_LINKED)
        name = spec.name(self.profile, int(indices[0]))
        return name if spec.names_itself(name) else labelled(spec.one, name)

    def _of(self, kind: Kind) -> list[Table]:
        spec = KINDS[kind]
        for table_id in spec.tables:
            if table_id not in self._tables:
                self._tables[table_id] = _table(self.profile, table_id)
        made = (self._tables[table_id] for table_id in spec.tables)
        return [table for table in made if table is not None and table.selects == (spec.rows_of or kind)]


def _table(profile: Profile, table_id: str) -> Table | None:
    """The table; for very many programs without the slow figures, which the tree computes in the background."""
    if table_id == "programs" and not cheap(profile):
        return with_figures(profile, quick_figures(profile))
    return by_id(profile, table_id)


def _places(table: Table, wanted: I64) -> I64:
    if table.keys is None:
        return wanted[(wanted >= 0) & (wanted < table.rows)]
    return np.flatnonzero(among(table.keys, wanted)).astype(np.int64)


def _over(column: Column, places: I64, own_time: OwnTime | None) -> ColumnStatistics | None:
    values = column.values
    if not isinstance(values, np.ndarray) or not column.numeric or column.hexadecimal or not column.unit:
        return None
    chosen = values[places]
    known = np.ones(len(places), np.bool_) if column.missing is None else ~column.missing[places]
    if values.dtype.kind == "f":
        known &= ~np.isnan(chosen)
    chosen = chosen[known]
    if not len(chosen):
        return None
    whole = chosen.astype(np.int64) if values.dtype.kind in "iu" else chosen
    total = whole.sum().item() if column.sums else None
    mean, median = (None, None) if column.is_place else (float(chosen.mean()), float(np.median(chosen)))
    return ColumnStatistics(
        column, total, mean, median, whole.min().item(), whole.max().item(), len(chosen), len(places), own_time
    )
