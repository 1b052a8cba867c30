"""Pictures of two maps: tensors by tiles, and one tensor (or all) along the tiles, with the baseline."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tiles import Amounts, MatrixPair, Shown, figures_of
from app.analysis.tensor_map import (
    element_bytes,
    tensor_matrix,
    tensor_name,
    tiles_of_ipu,
)
from app.language import tr
from app.panels.tensor_map.picture import ALL
from app.profile.arrays import I64
from app.views.axis import TileAxis
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.heat.diverging import diverging_scale
from app.views.heat.pyramid import Pyramid
from app.views.heat.scale import HeatScale, Scale, scale_of
from app.views.plot import PlotPicture, Sides, difference_plot, plot_picture
from app.views.tensor_map.compared import MatchedTensors, tensor_pair, tiles_compared
from app.views.tensor_map.rows import SIDES, Filter, ShownRows
from app.widgets.heat.picture import HeatPicture


class HeatView(Struct, frozen=True):
    """How the map is shown."""

    shown: Shown
    largest_first: bool
    log: bool


def heat_of_both(
    comparison: Comparison, matched: MatchedTensors, wanted: Filter, view: HeatView
) -> tuple[ShownRows, HeatPicture] | None:
    """Tensors that pass the filter on either side, by tiles; None if there are none."""
    sides = [comparison.before, comparison.after]
    matrices = [
        None if side.tensor_map is None else tensor_matrix(side.tensor_map, wanted.rows(side.tensor_map))
        for side in sides
    ]
    if matrices[0] is None or matrices[1] is None:
        return None
    pair = tensor_pair(matched, matrices[0], matrices[1])
    if view.largest_first:
        pair = pair.arranged(_largest(pair, view.shown), None)
    amounts = Amounts(pair, view.shown)
    picture = HeatPicture(
        tr("Bytes of tensors on tiles: {shown}", shown=SIDES[view.shown].lower()),
        Pyramid(amounts, _scale(pair, amounts, view)),
        pair.after.unit,
        tr("Tensor"),
        lambda row: _name(pair, row),
        TileAxis(len(pair.columns), group=tiles_of_ipu(comparison.after)),
        both=pair.both,
    )
    keys = pair.after.keys
    rows = pair.rows.after
    tensors = rows if keys is None else np.where(rows >= 0, keys[np.maximum(rows, 0)], -1)
    return ShownRows(tensors.astype(np.int64), len(pair.columns)), picture


def bars_of_both(
    comparison: Comparison, matched: MatchedTensors, tensor: int | None, shown: Shown
) -> PlotPicture | None:
    """Bytes (or elements) of one tensor, or of all, along the tiles; the baseline as an outline, or the difference."""
    after = comparison.after.tensor_map
    tensors = None if tensor is None else (matched.before_of(tensor), tensor)
    tiles = tiles_compared(comparison.before, comparison.after, tensors)
    if tiles is None or after is None:
        return None
    name: str = ALL if tensor is None else tensor_name(after, tensor)
    known = tensor is None or int(element_bytes(after)[tensor]) >= 0
    layers = ((tiles.before, tiles.after),)
    sides = Sides(tiles.before, tiles.after, tiles.only_before, tiles.only_after, layers)
    axis = TileAxis(len(tiles.after), group=tiles_of_ipu(comparison.after))
    words = tr("Bytes") if known else tr("Elements")
    if shown == "difference":
        title = tr("{name}: difference", name=name)
        return difference_plot(title, "B" if known else "", axis, (words,), sides)
    return plot_picture(name, "B" if known else "", axis, [(words, tiles.after)], sides=sides)


def _largest(pair: MatrixPair, shown: Shown) -> I64:
    figures = figures_of(pair, shown).rows
    return np.argsort(-np.abs(figures), kind="stable").astype(np.int64)


def _scale(pair: MatrixPair, amounts: Amounts, view: HeatView) -> Scale:
    if view.shown == "difference":
        return diverging_scale(amounts, log=view.log)
    sides = [scale_of(side.values, log=view.log) for side in (pair.before, pair.after)]
    return HeatScale(min(side.low for side in sides), max(side.high for side in sides), view.log)


def _name(pair: MatrixPair, row: int) -> str:
    name = pair.name(row)
    before, after = int(pair.rows.before[row]), int(pair.rows.after[row])
    where = ONLY_COMPARISON if before < 0 else ONLY_BASELINE if after < 0 else ""
    return f"{name} ({where})" if where else name
