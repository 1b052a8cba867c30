"""How the figure that is shown lies on some tiles, in one line. No Qt."""

from __future__ import annotations

import numpy as np

from app.panels.tile_memory.content import Content, statistics
from app.panels.tile_memory.picture import amounts
from app.profile.arrays import I64
from app.widgets.display import Look
from app.widgets.units import format_value, percent

NOT_ALL = "gaps not counted"
"""Instead of what is free: a tile that is full with its gaps looks half empty without them."""


def words(found: Content, part: int, tiles: I64, of: str, look: Look) -> str:
    """Most, sum, mean, median and most / mean of a part (-1: of all) over ``tiles``, which are ``of`` all; how full the
    fullest is, where a tile has a limit: that comes first, because the end of the line may not fit."""
    values = amounts(found, part)[0][tiles].astype(np.float64)
    limit = found.limit if part < 0 else None
    tiles, values = tiles[~np.isnan(values)], values[~np.isnan(values)]
    if not len(values):
        return f"no data{of}"
    figures = statistics(values)

    def written(amount: float) -> str:
        whole = int(amount) if float(amount).is_integer() else amount
        return format_value(whole, found.unit, look, found.clock_hz)

    worst = int(tiles[int(np.argmax(values))])
    parts = [f"{len(tiles):,} tiles{of}"]
    what = "fullest tile" if limit else "most on tile"
    parts.append(f"{what} {worst:,}: {written(figures.most)}")
    if limit:
        left = limit - figures.most
        state = f"{written(abs(left))} {'free' if left >= 0 else 'too much'}" if found.fills else NOT_ALL
        parts[-1] += f" ({percent(100 * figures.most / limit)} of a tile, {state})"
    parts += [f"sum {written(figures.total)}"] if found.adds_up else []
    parts += [f"mean {written(figures.mean)}", f"median {written(figures.median)}"]
    if figures.mean:
        parts.append(f"most / mean {figures.ratio:.2f}")
    return " · ".join(parts)
