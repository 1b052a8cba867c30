"""Which row each line of pixels shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.profile.arrays import I64
from app.widgets.timeline.layout import SPARED, Layout
from app.widgets.timeline.raster import Strips

MOST_ROWS_FOLDED = 1024
"""So many rows of a folded process are drawn; looking at all of a huge one would cost frames."""


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """``strips``: the rows in sight; ``line``: int64[height], which strip each pixel line of the picture shows, or
    ``strips.count`` where it shows none; ``top``, ``height``: int64[strips.count], where a row stands in the
    picture (height 0: it is folded, nothing is written on it)."""

    strips: Strips
    line: I64
    top: I64
    height: I64


def lines(layout: Layout, top: int, height: int) -> Lines:
    """What each pixel line of a picture from ``top`` on shows. One line between two rows stays empty where rows
    are high enough to spare it."""
    rows: list[I64] = []
    strip: list[I64] = []
    tops: list[I64] = []
    heights: list[I64] = []
    line = np.full(height, -1, np.int64)
    count = 0
    for band in layout.in_view(top, height):
        if not band.rows:
            continue
        edge, begin = layout.edge(band.y), layout.line(band.rows_y, top)
        if band.folded:
            shown = min(band.rows, MOST_ROWS_FOLDED)
            used = min(shown, band.row_height)
            rows.append(band.first_row + np.arange(shown))
            strip.append(count + np.arange(shown) * used // shown)
            place = np.arange(band.row_height) * used // band.row_height
        else:
            first = max(0, (edge - begin) // band.row_height)
            last = min(band.rows, -(-(height - begin) // band.row_height))
            begin += first * band.row_height
            used = max(last - first, 0)
            rows.append(band.first_row + np.arange(first, first + used))
            strip.append(count + np.arange(used))
            place = np.repeat(np.arange(used), band.row_height)
            if band.row_height >= SPARED:
                place[band.row_height - 1 :: band.row_height] = -1
        row_tops = begin + np.arange(used) * (0 if band.folded else band.row_height)
        cut = (row_tops < edge) & (edge > 0)  # reaches under the pinned lanes: nothing is written on it
        tops.append(row_tops)
        heights.append(np.where(cut, 0, 0 if band.folded else band.row_height))
        a, b = max(begin, edge), min(begin + len(place), height)
        if b > a:
            line[a:b] = np.where(place[a - begin : b - begin] >= 0, place[a - begin : b - begin] + count, -1)
        count += used
    none = np.empty(0, np.int64)
    strips = Strips(np.concatenate([none, *rows]), np.concatenate([none, *strip]), count)
    return Lines(
        strips, np.where(line < 0, count, line), np.concatenate([none, *tops]), np.concatenate([none, *heights])
    )
