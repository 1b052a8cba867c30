"""How busy tiles are over time: the image of a range of the run, with tiles as rows and time as columns."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct, field

from app.analysis.poplar.tile_time import Part
from app.profile.arrays import F32, F64, I64

WIDE: Final = 4
"""Steps at least this many columns wide are drawn tile by tile; narrower ones spread their cycles evenly."""
SAMPLE: Final = 16
"""At most this many tiles are sampled for each row of the image in a wide step; narrow ones count them all."""
MOST_WIDE: Final = 4000
"""If an image has more wide steps than this, they are drawn like narrow ones; only overlapping steps are that many."""
CELLS: Final = 1 << 22
"""Cells of a matrix added up at a time."""


class Frame(Struct, frozen=True):
    """The image area: cycles ``begin`` .. ``end`` in ``width`` columns, tiles ``first`` .. ``after`` - 1 in ``height``
    rows, none of which is empty."""

    begin: float
    end: float
    width: int
    first: int
    after: int
    height: int

    def edges(self) -> I64:
        """int64[height + 1]: the first tile of each row, and the end."""
        return np.linspace(self.first, self.after, self.height + 1).astype(np.int64)


class Sums(Struct, eq=False):
    """Caches the row sums of the last frame, so that panning needs no pass over the matrix."""

    _key: tuple[int, int, int] = (-1, -1, -1)
    _sums: dict[Part, F32] = field(default_factory=dict)

    def of(self, part: Part, frame: Frame) -> F32:
        """float32[rows of the matrix, height]: cycles of one run, added up over the tiles of each image row."""
        key = (frame.first, frame.after, frame.height)
        if key != self._key:
            self._key, self._sums = key, {}
        cached = self._sums.get(part)
        if cached is None:
            cached = self._sums[part] = _grouped(part, frame)
        return cached


def _grouped(part: Part, frame: Frame) -> F32:
    out = np.empty((len(part.matrix), frame.height), np.float32)
    starts = frame.edges()[:-1] - frame.first
    step = max(1, CELLS // max(frame.after - frame.first, 1))
    for low in range(0, len(out), step):
        cells = part.matrix[low : low + step, frame.first : frame.after]
        out[low : low + step] = np.add.reduceat(cells, starts, axis=1, dtype=np.float64)
    out /= part.runs[:, None]
    return out


def shares(part: Part, frame: Frame, sums: Sums) -> F32 | None:
    """float32[height, width]: the share of each cell (a time range x some tiles) that is work of that part, 0..1; None
    if there is none at all."""
    low, high = part.between(frame.begin, frame.end)
    column = (frame.end - frame.begin) / frame.width
    if high <= low or not column > 0:
        return None
    begin = (part.start[low:high] - frame.begin) / column
    end = (part.stop[low:high] - frame.begin) / column
    seen = (end > 0) & (begin < frame.width) & (end > begin)
    if not seen.any():
        return None
    wide = np.flatnonzero(seen & (end - begin >= WIDE))
    if len(wide) > MOST_WIDE:
        wide = wide[:0]
    narrow = seen.copy()
    narrow[wide] = False
    tiles = np.diff(frame.edges()).astype(np.float32)
    out = _narrow(part, frame, sums, low + np.flatnonzero(narrow), begin[narrow], end[narrow], column)
    if len(wide):
        out += _wide(part, frame, tiles, low + wide, begin[wide], column)
    out /= tiles[:, None]
    np.clip(out, 0.0, 1.0, out=out)
    return out


def _narrow(part: Part, frame: Frame, sums: Sums, places: I64, begin: F64, end: F64, column: float) -> F32:
    """Busy tiles by image row and column for narrow steps: each spreads its cycles over the columns it touches."""
    if not len(places):
        return np.zeros((frame.height, frame.width), np.float32)
    rows, row = np.unique(part.row[places], return_inverse=True)
    first = np.clip(np.floor(begin), 0, frame.width - 1).astype(np.int64)
    last = np.clip(np.ceil(end) - 1, first, frame.width - 1).astype(np.int64)
    part_in = np.minimum(end, frame.width) - np.maximum(begin, 0)
    weight = part_in / (end - begin) / (last - first + 1) / column
    own = sums.of(part, frame)
    out = np.zeros((frame.height, frame.width), np.float32)
    at_once = max(1, CELLS // (frame.width + 1))
    for low in range(0, len(rows), at_once):
        mine = np.flatnonzero((row >= low) & (row < low + at_once))
        count = min(at_once, len(rows) - low)
        step = frame.width + 1
        at = (row[mine] - low) * step
        added = np.bincount(at + first[mine], weight[mine], step * count)
        added -= np.bincount(at + last[mine] + 1, weight[mine], step * count)
        density = np.cumsum(added.astype(np.float32).reshape(count, step)[:, :-1], axis=1)
        out += own[rows[low : low + count]].T @ density
    return out


def _wide(part: Part, frame: Frame, tiles: F32, places: I64, begin: F64, column: float) -> F32:
    """Busy tiles by image row and column for wide steps, where the end of each tile is visible. A step or tile that
    begins (or ends) inside a column counts there with its fraction, and fully from the next column on."""
    stride = max(1, -(-int(tiles.max()) // SAMPLE))
    chosen = np.arange(frame.first, frame.after, stride)
    group = np.searchsorted(frame.edges(), chosen, "right") - 1
    stands_for = (tiles / np.maximum(np.bincount(group, minlength=frame.height), 1))[group]
    size = frame.width + 2
    starts = _edges(np.maximum(begin, 0.0), np.zeros(len(begin), np.int64), np.ones(len(begin)), 1, size)
    changes = tiles[:, None] * starts
    at_once = max(1, CELLS // (4 * len(chosen)))
    for low in range(0, len(places), at_once):
        some = places[low : low + at_once]
        rows = part.row[some]
        length = part.matrix[rows[:, None], chosen] / (part.runs[rows] * column)[:, None]
        end = np.clip(begin[low : low + at_once, None] + length, 0.0, frame.width).reshape(-1)
        owner, weight = np.tile(group, len(some)), np.tile(stands_for, len(some))
        changes -= _edges(end, owner, weight, frame.height, size)
    added: F32 = np.cumsum(changes, axis=1)[:, : frame.width].astype(np.float32)
    return added


def _edges(at: F64, row: I64, weight: F64, rows: int, size: int) -> F64:
    """float64[rows, size]: the change from one column to the next for each ``weight`` that begins at ``at``
    (columns)."""
    whole = at.astype(np.int64)
    part = weight * (at - whole)
    cell = row * size + whole
    changes: F64 = np.bincount(cell, weight - part, rows * size).astype(np.float64)
    changes += np.bincount(cell + 1, part, rows * size)
    return changes.reshape(rows, size)
