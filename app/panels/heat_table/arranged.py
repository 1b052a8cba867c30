"""A matrix with the order in which its rows and columns are drawn."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.kinds import KINDS
from app.analysis.matrix import Matrix, both_figures
from app.language import capitalised, labelled, tr
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.views.axis import TileAxis
from app.widgets.heat.picture import HeatPicture, Margins, heat_picture

SIDES: Final = {"difference": tr("Difference"), "after": tr("Comparison"), "before": tr("Baseline")}
"""What can be shown of a profile with a baseline."""


class Arranged(Struct, frozen=True, eq=False):
    """``rows``, ``columns``: int64, the row or column of the matrix at each position; None for the order of the file.
    ``figures``: of whole rows and columns, in the matrix's own order."""

    matrix: Matrix
    figures: tuple[I64, I64]
    rows: I64 | None = None
    columns: I64 | None = None

    def item_at(self, place: int) -> int:
        """The item of the row at a position."""
        return self.matrix.item(self._row(place))

    def column_at(self, place: int) -> int:
        """The column of the matrix at a position."""
        return place if self.columns is None else int(self.columns[place])

    def _row(self, place: int) -> int:
        return place if self.rows is None else int(self.rows[place])

    def rows_at(self, places: I64) -> I64:
        return places if self.rows is None else self.rows[places]

    def columns_at(self, first: int, last: int) -> I64:
        """The columns of the matrix at positions first .. last, rising."""
        places = np.arange(first, last + 1, dtype=np.int64)
        return places if self.columns is None else np.sort(self.columns[places])

    def places_of_items(self, items: I64) -> I64:
        """The positions of the rows that stand for any of ``items``, rising."""
        return _places(self.rows, self.matrix.rows_of(items))

    def places_of_columns(self, columns: I64) -> I64:
        return _places(self.columns, columns[(columns >= 0) & (columns < self.matrix.values.shape[1])])

    def picture(self, profile: Profile, *, log: bool) -> HeatPicture:
        """The heat map, with borders of IPUs if they are known and in order, and figures of whole rows and columns."""
        matrix, target = self.matrix, profile.target
        clock = target.clock_hz if target is not None else None
        values = matrix.values if self.rows is None else matrix.values[self.rows]
        values = values if self.columns is None else np.ascontiguousarray(values[:, self.columns])
        rows, columns = (
            figures if order is None else figures[order]
            for figures, order in zip(self.figures, (self.rows, self.columns), strict=True)
        )
        adds = matrix.column_summary == "sum"
        row, across = KINDS[matrix.rows], KINDS[matrix.columns]
        over = (
            tr(
                "For each {row}: sum over {columns}. For each {across}: sum over {rows}.",
                row=row.one,
                columns=across.several,
                across=across.one,
                rows=row.several,
            )
            if adds
            else tr(
                "For each {row}: sum over {columns}. For each {across}: maximum over {rows}.",
                row=row.one,
                columns=across.several,
                across=across.one,
                rows=row.several,
            )
        )
        return heat_picture(
            labelled(matrix.group, matrix.title),
            *(values, matrix.unit, capitalised(row.one), self._name, self._axis(profile)),
            log=log,
            clock_hz=clock,
            margins=Margins(
                *(rows, columns, matrix.unit, f"{over} {matrix.help}", clock),
                column_word=tr("Sum") if adds else tr("Max"),
                parallel=matrix.columns == "tile",
            ),
        )

    def _name(self, place: int) -> str:
        return self.matrix.row_names.get(self._row(place))

    def _axis(self, profile: Profile) -> TileAxis:
        matrix, target = self.matrix, profile.target
        per_ipu = (target.tiles_per_ipu or 0) if target is not None and matrix.columns == "tile" else 0
        title = KINDS[matrix.columns].one.capitalize()
        own = TileAxis(matrix.values.shape[1], title, per_ipu, names=matrix.column_names)
        return own if self.columns is None else TileAxis(own.size, tr("Rank"), names=Ranked(self.columns, own))


class Ranked(Struct, frozen=True):
    """Titles of sorted columns: the column and its rank."""

    columns: I64
    own: TileAxis

    def get(self, index: int, default: str = "") -> str:
        if not 0 <= index < len(self.columns):
            return default
        return tr("{name}, rank {index:,}", name=self.own.name(int(self.columns[index])), index=index + 1)


def _places(order: I64 | None, wanted: I64) -> I64:
    return wanted if order is None else np.flatnonzero(among(order, wanted)).astype(np.int64)


def picture_of(profile: Profile, matrix: Matrix, *, log: bool) -> HeatPicture:
    """The picture of a matrix in the order of the file."""
    return Arranged(matrix, both_figures(matrix)).picture(profile, log=log)
