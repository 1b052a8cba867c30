"""What of a timeline is drawn, prepared in small steps: all slices but hidden ones, hits of a search, selected slices,
how busy lanes are."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from app.analysis.timeline.intervals import busy, parallel
from app.analysis.timeline.pipes import Noise
from app.analysis.timeline.times import lengthless_lanes
from app.language import tr
from app.profile.arrays import F64, I64, Bool, distinct, sealed
from app.profile.selection import TimeRange
from app.profile.timeline import Counters, Timeline
from app.views.timeline.colouring import Colours
from app.views.timeline.cover import Pixels
from app.views.timeline.model import Model, slice_extent
from app.views.timeline.raster import STRETCH, Renderer
from app.views.timeline.rows import Rows, spread

BUDGET = 0.006
"""Seconds of building at a time, so that a frame is never late for it."""
DONE = object()


class Contents:
    """``rows``: the slices that are drawn; ``hits``, ``chosen`` and ``alone``: renderers of the hits of a search, of
    what is selected where that is more than one slice, and of the slices that only this side of a comparison has (None
    where there are none); ``hidden``: names of slices that are left out; ``only``: names of those that are not, all
    if there are none; ``colours``: what colours go by, and ``only_slots``: colours of slices that are not left out, all
    if there are none; ``noise``: what is left out besides, where only pipes are shown, and ``counted``: the slices
    without that; ``use``: how busy lanes are in what ``measured`` says."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.colours = model.colours
        self.only_slots: frozenset[int] = frozenset()
        self.rows = model.rows
        self.renderer = Renderer.of(model.rows, model.start, model.end)
        self.tracks = Tracks(model.timeline.counters)
        self.use = LaneUse.unknown(len(model.timeline.lanes.thread))
        self.hits: Renderer | None = None
        self.chosen: Renderer | None = None
        self.alone: Renderer | None = None
        self._without_partner: I64 = np.empty(0, np.int64)
        self.hidden: frozenset[str] = frozenset()
        self.only: frozenset[str] = frozenset()
        self.noise: Noise | None = None
        self.counted = model.rows
        self._work: dict[str, Iterator[None]] = {}
        self.measure(None)
        self._work["all"] = self.renderer.pyramid.build(model.rows)

    def work(self) -> bool:
        """Builds a little more (a step at least) of what makes zoomed-out views quick; False when nothing is left to
        do."""
        until = time.perf_counter() + BUDGET
        while self._work:
            name, builder = next(reversed(self._work.items()))
            if next(builder, DONE) is DONE:
                del self._work[name]
            if time.perf_counter() >= until:
                break
        return bool(self._work)

    def measure(self, stretch: TimeRange | None) -> None:
        """Measures, step by step, how much of a stretch (None: the whole) each lane is busy."""
        self.measured = tr("time from the first to the last slice") if stretch is None else "range"
        self._work["busy"] = measure(self.model, self.use, stretch)

    def search(self, matched: Bool | None) -> I64 | None:
        """Brings the slices that match (bool[slices]) forward; None: all alike. Returns the matching indices."""
        index = None if matched is None else np.flatnonzero(matched & ~self._hidden() if self.leaves_out else matched)
        self.hits = None if index is None else self._part("hits", index)
        if index is None:
            self._work.pop("hits", None)
        return index

    def choose(self, index: I64) -> bool:
        """Slices (rising) that are selected, several at once; very many in steps of ``work``, and those before stay
        until then. Returns whether there is anything to draw or to do."""
        before = self.chosen
        self._work.pop("chosen", None)
        if len(index) > STRETCH:
            self._work["chosen"] = self._choose_many(index)
        else:
            self.chosen = self._part("chosen", index) if len(index) > 1 else None
        return len(index) > 1 or before is not None

    def _choose_many(self, index: I64) -> Iterator[None]:
        rows = yield from self._coloured.chosen_in_steps(index, STRETCH)
        self.chosen = Renderer.of(rows, self.model.start, self.model.end)
        yield from self.chosen.pyramid.build(rows)

    def mark_alone(self, index: I64) -> None:
        """Slices (rising) that only this side of a comparison has; none without a comparison."""
        self._without_partner = index
        self._work.pop("alone", None)
        if self.leaves_out and len(index):
            index = index[~self._hidden()[index]]
        self.alone = self._part("alone", index) if len(index) else None

    def hide(self, names: frozenset[str]) -> None:
        """Leaves slices of these names out of the picture; figures still count them. Ends a search, whose hits may be
        among them."""
        if names != self.hidden:
            self.hidden = names
            self._leave_out()

    def keep(self, names: frozenset[str]) -> None:
        """Leaves slices of other names out of the picture, unless there are no ``names``; figures still count them.
        Ends a search, whose hits may be among them."""
        if names != self.only:
            self.only = names
            self._leave_out()

    def colour(self, colours: Colours, only: frozenset[int] = frozenset()) -> None:
        """Other colours, of which only those in the slots ``only`` are shown, unless there are none; figures still
        count all. Ends a search; what is selected must be chosen again."""
        self.colours, self.only_slots = colours, only
        self._leave_out()

    @property
    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names that are hidden, and those that are left, for ``name``."""
        return self.hidden, self.only

    def name(self, hidden: frozenset[str], only: frozenset[str]) -> None:
        """Hides these names, and all but ``only``, unless there are none."""
        self.hide(hidden)
        self.keep(only)

    def leave_noise(self, noise: Noise | None) -> None:
        """Leaves out what is not the work of a pipe (None: nothing); ends a search."""
        if noise is not self.noise:
            self.noise = noise
            rows = self.model.rows
            self.counted = rows if noise is None else rows.chosen(np.flatnonzero(~noise.slices))
            self._leave_out()

    def _leave_out(self) -> None:
        self.search(None)
        self._work.pop("all", None)
        if self.leaves_out:
            self.renderer = self._part("all", np.flatnonzero(~self._hidden()))
        else:
            self.renderer = Renderer.of(self._coloured, self.model.start, self.model.end)
            self._work["all"] = self.renderer.pyramid.build(self._coloured)
        self.rows = self.renderer.rows
        self.mark_alone(self._without_partner)

    @property
    def leaves_out(self) -> bool:
        """Whether any slices are left out of the picture."""
        return bool(self.hidden or self.only or self.only_slots) or self.noise is not None

    @property
    def _coloured(self) -> Rows:
        """All slices in their colours."""
        if self.colours is self.model.colours:
            return self.model.rows
        return replace(self.model.rows, key=self.colours.key, slots=self.colours.slots)

    def _part(self, name: str, index: I64) -> Renderer:
        rows: Rows = self._coloured.chosen(index)
        renderer = Renderer.of(rows, self.model.start, self.model.end)
        self._work.pop(name, None)
        self._work[name] = renderer.pyramid.build(rows)
        return renderer

    def _hidden(self) -> Bool:
        """bool[slices]: those that are left out."""
        timeline = self.model.timeline
        hidden = np.full(len(timeline.strings) + 1, bool(self.only), np.bool_)  # the last entry serves -1, no name
        for name in self.only:
            hidden[timeline.strings.find(name)] = False
        for name in self.hidden:
            hidden[timeline.strings.find(name)] = True
        of_slices: Bool = hidden[timeline.slices.name]
        if self.only_slots:
            left_out = np.ones(256, np.bool_)
            left_out[list(self.only_slots)] = False
            of_slices |= left_out[self.colours.slots][self.colours.key]
        return of_slices if self.noise is None else of_slices | self.noise.slices


BLOCKS = (16, 256, 4096)
ENOUGH = 32
"""More points a pixel than this are looked at in blocks; a block may reach into the next pixel by a part of it."""


class Track(Struct, eq=False):
    """One track: a value holds from its time until the next (the last for ever); NaN is "no value"."""

    time: F64
    value: F64
    low: float
    high: float
    blocks: dict[int, F64] = field(default_factory=dict)

    @classmethod
    def of(cls, counters: Counters, track: int) -> Track:
        first, last = int(counters.first[track]), int(counters.first[track + 1])
        value = counters.value[first:last]
        known = value[np.isfinite(value)]
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
        return cls(counters.time[first:last], value, min(low, 0.0), high)

    def at(self, time: float) -> float | None:
        """The value that holds at ``time``; None before the first."""
        place = int(np.searchsorted(self.time, time, "right")) - 1
        if place < 0 or not np.isfinite(self.value[place]):
            return None
        return float(self.value[place])

    def columns(self, pixels: Pixels) -> F64:
        """float64[width]: the largest value in each pixel, NaN where there is none."""
        if not len(self.time):
            return np.full(pixels.width, np.nan)
        edges = pixels.edges()
        after = np.searchsorted(self.time, edges)
        before = np.searchsorted(self.time, edges[:-1], "right")  # a value that ends at an edge is not held over it
        held = np.where((after[:-1] > 0) & (before == after[:-1]), self.value[after[:-1] - 1], np.nan)
        step = self._block((int(after[-1]) - int(after[0])) / pixels.width)
        values = self.value if step == 1 else self._blocks(step)
        first, last = after[:-1] // step, -(-after[1:] // step)
        fresh = np.full(pixels.width, np.nan)
        full = np.flatnonzero(last > first)
        if len(full):
            ends = np.stack((first[full], last[full]), 1).reshape(-1)
            padded = np.append(values, np.nan)
            fresh[full] = np.fmax.reduceat(padded, ends)[::2]
        shown: F64 = np.fmax(held, fresh)
        return shown

    def _block(self, points_a_pixel: float) -> int:
        if points_a_pixel <= ENOUGH:
            return 1
        return max((size for size in BLOCKS if size * 8 <= points_a_pixel), default=1)

    def _blocks(self, size: int) -> F64:
        if size not in self.blocks:
            self.blocks[size] = np.fmax.reduceat(self.value, np.arange(0, len(self.value), size))
        return self.blocks[size]


class Tracks(Sequence[Track]):
    """The tracks of a timeline, each made when it is first looked at: there may be a hundred thousand."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters
        self._made: dict[int, Track] = {}

    def __len__(self) -> int:
        return len(self._counters.name)

    @overload
    def __getitem__(self, index: int) -> Track: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Track, ...]: ...
    def __getitem__(self, index: int | slice) -> Track | tuple[Track, ...]:
        if isinstance(index, slice):
            return tuple(self[track] for track in range(*index.indices(len(self))))
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index not in self._made:
            self._made[index] = Track.of(self._counters, index)
        return self._made[index]


AT_ONCE = 1 << 15
"""Slices of a lane that are measured at once."""
ROW_COST = 4
"""Slices that are measured in the time in which a row is searched."""


class LaneUse(Struct, frozen=True, eq=False):
    """``busy``: float64[lanes], 0..1 of the measured time in which any slice of the lane runs and none waits, NaN
    unknown; ``waiting``: float64[lanes], in which one waits; ``summed``:
    float64[lanes], the sum of the durations as a share of that time, more than ``busy`` where slices overlap;
    ``at_once``: int64[lanes], how many slices run at the same time, at most."""

    busy: F64
    waiting: F64
    summed: F64
    at_once: I64

    @classmethod
    def unknown(cls, lanes: int) -> LaneUse:
        return cls(np.full(lanes, np.nan), np.zeros(lanes), np.full(lanes, np.nan), np.zeros(lanes, np.int64))


def measure(model: Model, use: LaneUse, stretch: TimeRange | None) -> Iterator[None]:
    """Fills ``use`` for ``stretch``, or for the time from the first to the last slice; lanes without slices that last
    stay unknown. Only slices inside the stretch are looked at."""
    begin, end = slice_extent(model.timeline) if stretch is None else (stretch.start, stretch.end)
    first_row, without = model.timeline.lanes.first_row, lengthless_lanes(model.timeline)
    waits = model.rows.chosen(np.flatnonzero(model.rows.key == model.waiting_key)) if model.waits else None
    for lane in range(len(use.busy)):
        rows = np.arange(first_row[lane], first_row[lane + 1], dtype=np.int64)
        if not len(rows) or not end > begin or without[lane]:
            use.busy[lane] = use.summed[lane] = np.nan
            continue
        covered = waiting = total = 0.0
        most = 0
        edges = _edges(model, rows, begin, end)
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            last = np.inf if stretch is None and high == end else high
            part, window = one_lane(model.timeline, model.rows, rows, low, last), TimeRange(low, high)
            covered += float(busy(part, window)[0])
            if waits is not None:
                waiting += float(busy(one_lane(model.timeline, waits, rows, low, last), window)[0])
            beside = parallel(part, window)
            total, most = total + float(beside.summed[0]), max(most, int(beside.at_once[0]))
            yield
        use.busy[lane], use.waiting[lane] = max(covered - waiting, 0.0) / (end - begin), waiting / (end - begin)
        use.summed[lane], use.at_once[lane] = total / (end - begin), most


def _edges(model: Model, rows: I64, begin: float, end: float) -> F64:
    """float64: moments from ``begin`` to ``end``, between which about AT_ONCE slices of the rows begin; more where
    there are so many rows that looking at each of them would take longer than the slices do."""
    low, high = model.rows.windows(rows, begin, end)
    count = int(np.maximum(high - low, 0).sum())
    pieces = min(-(-count // AT_ONCE), count // (ROW_COST * len(rows)))
    if pieces <= 1:
        return np.array([begin, end])
    whole = slice(int(model.rows.first[rows[0]]), int(model.rows.first[rows[-1] + 1]), max(1, count // (64 * pieces)))
    starts = model.rows.start[whole]
    starts = starts[(starts > begin) & (starts < end)]
    inner = np.quantile(starts, np.arange(1, pieces) / pieces) if len(starts) else starts
    return distinct(np.concatenate(([begin], inner, [end])))


def one_lane(timeline: Timeline, slices_in: Rows, rows: I64, begin: float, end: float) -> Timeline:
    """A timeline of a single lane with the slices of its ``rows`` that touch ``begin`` <= t < ``end``."""
    low, high = slices_in.windows(rows, begin, end)
    slices, first = timeline.slices, np.zeros(len(low) + 1, np.int64)
    if len(low) == 1:
        start, duration = slices_in.start[low[0] : high[0]], slices_in.duration[low[0] : high[0]]
    else:
        index, _ = spread(low, high)
        start, duration = slices_in.start[index], slices_in.duration[index]
    first[1:] = np.cumsum(np.maximum(high - low, 0))
    lanes = replace(timeline.lanes, process=_ZERO, thread=_ZERO, first_row=np.array([0, len(low)], np.int32))
    return replace(
        timeline, lanes=lanes, slices=replace(slices, start=start, duration=duration, first=first, untimed=None)
    )


_ZERO = sealed(np.zeros(1, np.int32))
