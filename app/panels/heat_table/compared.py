"""Two matrices with the order in which their rows and columns are drawn and paired: the difference, or either side."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.alignment import Check
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tiles import Amounts, Figures, Lines, MatrixPair, Shown, figures_of, matrix_pair
from app.analysis.kinds import KINDS
from app.analysis.matrix import Matrix, Order
from app.language import capitalised, labelled, tr
from app.panels.heat_table.arranged import SIDES
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.views.axis import TileAxis
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.heat.diverging import diverging_scale
from app.views.heat.pyramid import Pyramid
from app.views.heat.scale import HeatScale, Scale, scale_of
from app.widgets.heat.picture import HeatPicture, Margins


class PairFigures(Struct, frozen=True, eq=False):
    """The figures of whole rows and columns on each side, by the places of the pair in its own order."""

    before: Figures
    after: Figures

    def of(self, shown: Shown) -> Figures:
        if shown == "difference":
            return Figures(self.after.rows - self.before.rows, self.after.columns - self.before.columns)
        return self.before if shown == "before" else self.after


class ArrangedPair(Struct, frozen=True, eq=False):
    """``pair`` in its own order; ``rows``, ``columns``: int64, its row or column at each position, None for its own
    order. Positions are the same for whatever is ``shown``."""

    pair: MatrixPair
    figures: PairFigures
    shown: Shown
    rows: I64 | None = None
    columns: I64 | None = None

    @property
    def matrix(self) -> Matrix:
        """The matrix whose items can be selected: that of the comparison."""
        return self.pair.after

    def item_at(self, place: int) -> int:
        """The item of the row at a position; -1 for a row that only the baseline has."""
        row = int(self._lines(self.pair.rows, self.rows).after[place])
        return self.matrix.item(row) if row >= 0 else -1

    def column_at(self, place: int) -> int:
        """The column at a position; -1 for one that only the baseline has."""
        return int(self._lines(self.pair.columns, self.columns).after[place])

    def columns_at(self, first: int, last: int) -> I64:
        columns = self._lines(self.pair.columns, self.columns).after[first : last + 1]
        return np.sort(columns[columns >= 0])

    def rows_at(self, places: I64) -> I64:
        """The rows of the matrix at positions."""
        rows = self._lines(self.pair.rows, self.rows).after[places]
        return rows[rows >= 0]

    def places_of_items(self, items: I64) -> I64:
        """The positions of the rows that stand for any of ``items``, rising."""
        return _places(self._lines(self.pair.rows, self.rows).after, self.matrix.rows_of(items))

    def places_of_columns(self, columns: I64) -> I64:
        return _places(self._lines(self.pair.columns, self.columns).after, columns)

    def picture(self, profile: Profile, *, log: bool) -> HeatPicture:
        """The heat map, in the colours of one scale for both sides, or of a scale around zero."""
        matrix, target = self.matrix, profile.target
        clock = target.clock_hz if target is not None else None
        arranged = self.pair.arranged(self.rows, self.columns)
        amounts = Amounts(arranged, self.shown)
        title = tr("{title}: {shown}", title=labelled(matrix.group, matrix.title), shown=SIDES[self.shown].lower())
        return HeatPicture(
            title,
            Pyramid(amounts, self._scale(amounts, log=log)),
            matrix.unit,
            capitalised(KINDS[matrix.rows].one),
            lambda row: named(arranged, row),
            self._axis(profile, arranged),
            clock,
            self._margins(clock),
            arranged.both,
        )

    def _scale(self, amounts: Amounts, *, log: bool) -> Scale:
        if self.shown == "difference":
            return diverging_scale(amounts, log=log)
        sides = [scale_of(side.values, log=log) for side in (self.pair.before, self.pair.after)]
        return HeatScale(min(side.low for side in sides), max(side.high for side in sides), log)

    def _margins(self, clock: float | None) -> Margins:
        matrix, own, before = self.matrix, self.figures.of(self.shown), self.figures.before
        rows, before_rows = (_ordered(figures, self.rows) for figures in (own.rows, before.rows))
        columns, before_columns = (_ordered(figures, self.columns) for figures in (own.columns, before.columns))
        signed = self.shown == "difference"
        sums = matrix.column_summary == "sum"
        return Margins(
            *(rows, columns, matrix.unit, matrix.help, clock),
            column_word=tr("Sum") if sums else tr("Max"),
            before=None if self.shown == "before" else (before_rows, before_columns),
            signed=signed,
            parallel=matrix.columns == "tile",
        )

    def _axis(self, profile: Profile, arranged: MatrixPair) -> TileAxis:
        matrix, target = self.matrix, profile.target
        per_ipu = (target.tiles_per_ipu or 0) if target is not None and matrix.columns == "tile" else 0
        title = capitalised(KINDS[matrix.columns].one)
        names = Sided(arranged.columns, matrix)
        if self.columns is None and matrix.column_names is None:
            return TileAxis(len(arranged.columns), title, per_ipu, names=names)
        return TileAxis(len(arranged.columns), tr("Rank") if self.columns is not None else title, names=names)

    @staticmethod
    def _lines(lines: Lines, order: I64 | None) -> Lines:
        return lines if order is None else lines.taken(order)


class Sided(Struct, frozen=True, eq=False):
    """The names of columns; those that only one side has say so."""

    columns: Lines
    matrix: Matrix

    def get(self, index: int, default: str = "") -> str:
        if not 0 <= index < len(self.columns):
            return default
        before, after = int(self.columns.before[index]), int(self.columns.after[index])
        number = max(before, after)
        name: str = tr("tile {number:,}", number=number)
        if self.matrix.column_names is not None:
            name = self.matrix.column_names.get(after) if after >= 0 else default
        return _marked(name, before, after)


def arranged_pair(
    pair: MatrixPair, figures: PairFigures, shown: Shown, orders: tuple[Order, Order], chosen: tuple[I64, I64]
) -> ArrangedPair:
    """The pair in an order of rows and of columns. ``chosen``: selected rows and columns of the matrix after."""
    own = figures.of(shown)
    rows = _places(pair.rows.after, chosen[0])
    columns = _places(pair.columns.after, chosen[1])
    by_rows, by_columns = orders
    row_order = _falling(own.rows) if by_rows == "largest" else None
    column_order = _falling(own.columns) if by_columns == "largest" else None
    if by_rows == "name":
        names = [pair.name(row) for row in range(len(pair.rows))]
        row_order = np.array(sorted(range(len(names)), key=lambda row: names[row].casefold()), np.int64)
    if by_rows == "chosen" and len(columns):
        row_order = _falling(np.nansum(pair.amounts(pair.rows, pair.columns.taken(columns), shown), axis=1))
    if by_columns == "chosen" and len(rows):
        column_order = _falling(np.nansum(pair.amounts(pair.rows.taken(rows), pair.columns, shown), axis=0))
    return ArrangedPair(pair, figures, shown, row_order, column_order)


def pair_figures(pair: MatrixPair) -> PairFigures:
    return PairFigures(figures_of(pair, "before"), figures_of(pair, "after"))


def named(pair: MatrixPair, row: int) -> str:
    """The name of a row; one that only one side has says so."""
    return _marked(pair.name(row), int(pair.rows.before[row]), int(pair.rows.after[row]))


def _marked(name: str, before: int, after: int) -> str:
    where = ONLY_COMPARISON if before < 0 else ONLY_BASELINE if after < 0 else ""
    return f"{name} ({where})" if where else name


def _ordered(figures: I64, order: I64 | None) -> I64:
    return figures if order is None else figures[order]


def _falling(figures: I64) -> I64:
    return np.argsort(-np.abs(figures), kind="stable").astype(np.int64)


def _places(lines: I64, wanted: I64) -> I64:
    return np.flatnonzero((lines >= 0) & among(lines, wanted)).astype(np.int64)


class Paired(Struct, frozen=True, eq=False):
    """What is kept while only the order or the shown side changes."""

    comparison: Comparison
    pair: MatrixPair
    figures: PairFigures


class View(Struct, frozen=True, eq=False):
    """``orders``: of rows and of columns; ``chosen``: the selected ones, which an order may go by."""

    shown: Shown
    log: bool
    orders: tuple[Order, Order]
    chosen: tuple[I64, I64]


class Made(Struct, frozen=True, eq=False):
    paired: Paired
    arranged: ArrangedPair
    picture: HeatPicture


def made(comparison: Comparison, before: Matrix, after: Matrix, view: View, known: Paired | None, check: Check) -> Made:
    """The heat map of two matrices of one figure. ``known``: what was made for them before, if anything."""
    paired = known
    if paired is None or paired.comparison is not comparison or paired.pair.after.id != after.id:
        pair = matrix_pair(comparison, before, after, check)
        check()
        paired = Paired(comparison, pair, pair_figures(pair))
        check()
    arranged = arranged_pair(paired.pair, paired.figures, view.shown, view.orders, view.chosen)
    return Made(paired, arranged, arranged.picture(comparison.after, log=view.log))
