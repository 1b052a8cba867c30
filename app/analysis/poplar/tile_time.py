"""When each tile was busy: steps placed in time, with their measured or estimated cycles per tile, and the image of a
range of the run, with tiles as rows and time as columns."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct, field

from app.analysis.poplar.numbers import Measured, counted, row_maxima
from app.analysis.poplar.runs import counts
from app.language import tr
from app.profile.arrays import F32, F64, I64, Integers
from app.profile.poplar import ExchangeKind, Steps
from app.profile.profile import Profile

Given: TypeAlias = Literal["measured", "estimate", "exact"]
ORDER: Final = ("OnTileExecute", "DoExchange", "GlobalExchange", "StreamCopy")
_KINDS: Final[dict[str, ExchangeKind]] = {"DoExchange": "internal", "GlobalExchange": "external", "StreamCopy": "host"}
_MEASURED: Final[dict[str, Measured]] = {"GlobalExchange": "external_exchanges", "StreamCopy": "host_exchanges"}


class Part(Struct, frozen=True, eq=False):
    """The steps of one type. ``matrix`` [rows, tiles]: cycles, each row to be divided by ``runs`` (int64[rows], 1
    except for sums over executions); ``start``: float64[steps], ascending, cycles; ``row``, ``step``: int64[steps];
    ``stop``: float64, when the last tile ends, ``reach``: the running maximum of ``stop``; ``words``: the source of the
    cycles."""

    type: str
    given: Given
    words: str
    matrix: Integers
    runs: I64
    start: F64
    row: I64
    step: I64
    stop: F64
    reach: F64

    def cycles(self, place: int, tile: int) -> float:
        """How many cycles the tile is busy in the step at index ``place``."""
        row = int(self.row[place])
        return float(self.matrix[row, tile]) / float(self.runs[row])

    def at(self, tile: int, moment: float) -> int:
        """The index of the last step in which the tile is busy at that moment, -1 for none."""
        low, high = self.between(moment, moment)
        for place in range(high - 1, max(low, high - _LOOKED_AT) - 1, -1):
            if self.start[place] <= moment < self.start[place] + self.cycles(place, tile):
                return place
        return -1

    def between(self, begin: float, end: float) -> tuple[int, int]:
        """A range of indices that contains all steps that overlap the time range (and possibly others)."""
        low = int(np.searchsorted(self.reach, begin, "left"))
        return low, max(low, int(np.searchsorted(self.start, end, "right")))


_LOOKED_AT: Final = 200


class TileTime(Struct, frozen=True, eq=False):
    """``end``: when the last step ends; ``parts`` in ORDER, at least one; ``without``: types of steps that ran but have
    no cycles per tile in the file."""

    tiles: int
    start: float
    end: float
    parts: tuple[Part, ...]
    without: tuple[str, ...] = ()


def tile_time(profile: Profile) -> TileTime | None:
    """The busy times; None if no step with a place in time has known cycles per tile."""
    steps = profile.steps
    if steps is None or not len(steps):
        return None
    parts: list[Part] = []
    for kind in ORDER:
        part = _part(profile, steps, kind)
        if part is not None and (not parts or part.matrix.shape[1] == parts[0].matrix.shape[1]):
            parts.append(part)
    if not parts:
        return None
    start = min(float(part.start[0]) for part in parts)
    end = max(float(part.reach[-1]) for part in parts)
    drawn = {part.type for part in parts}
    without = tuple(kind for kind in ORDER if kind not in drawn and len(steps.of_type(kind)))
    return TileTime(parts[0].matrix.shape[1], start, end, tuple(parts), without)


def offered(profile: Profile) -> bool:
    """Whether ``tile_time`` has data, without computing it."""
    steps = profile.steps
    if steps is None or not len(steps):
        return False
    return any(_source(profile, kind) is not None and len(steps.of_type(kind)) > 0 for kind in ORDER)


def _source(profile: Profile, kind: str) -> tuple[Integers, Given, Measured | None] | None:
    """(cycles per tile, how they are known, the key under which they were measured)."""
    measured, estimate = _of_sets(profile) if kind == "OnTileExecute" else _of_exchanges(profile, kind)
    if measured is not None and measured.ndim == 2 and measured.size:
        return measured, "measured", _MEASURED.get(kind, "compute_sets")
    if estimate is not None and estimate.size:
        return estimate, "exact" if kind == "DoExchange" else "estimate", None
    return None


def _of_sets(profile: Profile) -> tuple[Integers | None, Integers | None]:
    own, sets = profile.measured_cycles, profile.compute_sets
    return None if own is None else own.compute_sets, None if sets is None else sets.cycles


def _of_exchanges(profile: Profile, kind: str) -> tuple[Integers | None, Integers | None]:
    own, listed = profile.measured_cycles, profile.exchanges.of(_KINDS[kind]) if profile.exchanges is not None else None
    measured = None
    if own is not None and kind in _MEASURED:
        measured = own.external_exchanges if kind == "GlobalExchange" else own.host_exchanges
    return measured, None if listed is None else listed.cycles


def _part(profile: Profile, steps: Steps, kind: str) -> Part | None:
    source = _source(profile, kind)
    if source is None:
        return None
    matrix, known_by, key = source
    index = steps.compute_set if kind == "OnTileExecute" else steps.exchange
    chosen = steps.of_type(kind)
    chosen = chosen[(index[chosen] >= 0) & (index[chosen] < len(matrix)) & (steps.cycles_from[chosen] >= 0)]
    if not len(chosen):
        return None
    chosen = chosen[np.argsort(steps.cycles_from[chosen], kind="stable")]
    row, start = index[chosen].astype(np.int64), steps.cycles_from[chosen].astype(np.float64)
    runs, words = (
        np.ones(len(matrix), np.int64),
        {"exact": tr("from the graph"), "estimate": tr("estimate")}.get(known_by, ""),
    )
    counting = None if key is None else counted(profile, key)
    if counting is not None:
        words = tr("measured, {counting}", counting=counting.label)
        if counting.counting == "total":
            runs = np.maximum(counts(index[steps.of_type(kind)], len(matrix)), 1)
            words = tr("{words}; every execution is drawn as the mean", words=words)
        elif counting.counting == "last":
            words = tr("{words}; every execution is drawn like the last one", words=words)
        elif counting.counting != "once":
            words = tr("{words}; every execution is drawn with the stored values", words=words)
    stop = start + row_maxima(matrix)[row] / runs[row]
    return Part(kind, known_by, words, matrix, runs, start, row, chosen, stop, np.maximum.accumulate(stop))


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
