"""Cache maps of two profiles: differences around zero. Imported only with a baseline."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.operators import ComparedCells, compared_cells
from app.language import tr
from app.views.cache.maps import WIDE, CacheMap, Choice, Figure, MapBaseline, choices, unit_of
from app.views.heat.diverging import diverging_scale
from app.views.heat.pyramid import Pyramid
from app.views.tile_axis import TileAxis
from app.widgets.heat.picture import Both, HeatPicture


class ComparedMaps(Struct, frozen=True, eq=False):
    """``maps`` of the choice ``choice`` with those of the baseline; ``cells``: which line or set each cell is."""

    comparison: Comparison
    choice: str
    maps: tuple[CacheMap, ...]
    cells: ComparedCells


def table_of(choice: Choice) -> str:
    """The id of the table whose rows are the cells."""
    return "cache-lines" if choice.id.startswith("lines") else "cache-sets"


def compared_maps(comparison: Comparison, choice: Choice) -> ComparedMaps:
    """The maps of a choice with those of the baseline; may run in a thread."""
    cells = compared_cells(comparison, table_of(choice))
    cache = comparison.before.cache
    own = () if cache is None else choices(cache)
    before: Sequence[CacheMap] = next((one.make() for one in own if one.id == choice.id), ())
    after = choice.make()
    maps = tuple(_both(shown, dict(enumerate(before)).get(place), cells) for place, shown in enumerate(after))
    return ComparedMaps(comparison, choice.id, maps, cells)


def compared_picture(shown: CacheMap, figure: Figure) -> HeatPicture:
    """The differences of a map that has a baseline."""
    baseline = shown.baseline
    assert baseline is not None
    after = shown.matrix(figure)
    before = shown.as_matrix(baseline.share if figure == "share" else baseline.count)
    values = after - before
    title = (
        tr("{shown}: share, difference from the baseline", shown=shown.title)
        if figure == "share"
        else tr("{shown}: events, difference from the baseline", shown=shown.title)
    )

    def both(row: int, column: int) -> Both:
        return float(before[row, column]), float(after[row, column])

    pyramid = Pyramid(values, diverging_scale(values))
    return HeatPicture(title, pyramid, unit_of(figure), tr("Row"), str, TileAxis(WIDE, tr("Column")), both=both)


def _both(after: CacheMap, before: CacheMap | None, cells: ComparedCells) -> CacheMap:
    """A map whose cells are those of both sides."""
    none = np.full(max(int(cells.before.max(initial=-1)) + 1, 0), np.nan)
    shares = cells.of_sides(none if before is None else before.share, after.share)
    counts = cells.of_sides(none if before is None else before.count, after.count)
    lines = np.append(after.line, -1)[cells.after]
    if before is not None:
        lines = np.where(cells.after >= 0, lines, np.append(before.line, -1)[cells.before])
    baseline = MapBaseline(shares[0], counts[0], after.cells)
    return replace(after, share=shares[1], count=counts[1], line=lines.astype(np.int64), baseline=baseline)
