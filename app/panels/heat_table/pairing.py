"""Makes the heat map of two matrices; without widgets, since that of large ones is made in the background."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.compare.alignment import Check
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tiles import MatrixPair, Shown, matrix_pair
from app.analysis.matrix import Matrix
from app.analysis.matrix_order import Order
from app.panels.heat_table.compared import ArrangedPair, PairFigures, arranged_pair, pair_figures
from app.profile.arrays import I64
from app.widgets.heat.picture import HeatPicture


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
