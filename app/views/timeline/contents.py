"""What of a timeline is drawn, prepared in small steps: all slices but hidden ones, hits of a search, selected slices,
how busy lanes are."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from app.analysis.timeline.pipes import Noise
from app.language import tr
from app.profile.arrays import I64, Bool
from app.profile.selection import TimeRange
from app.views.timeline.counters import Tracks
from app.views.timeline.measuring import LaneUse, measure
from app.views.timeline.model import Model
from app.views.timeline.raster import Renderer
from app.views.timeline.rows import Rows

BUDGET = 0.006
"""Seconds of building at a time, so that a frame is never late for it."""
DONE = object()


class Contents:
    """``rows``: the slices that are drawn; ``hits``, ``chosen`` and ``alone``: renderers of the hits of a search, of
    what is selected where that is more than one slice, and of the slices that only this side of a comparison has (None
    where there are none); ``hidden``: names of slices that are left out; ``only``: names of those that are not, all
    if there are none; ``noise``: what is left out besides, where only pipes are shown, and ``counted``: the slices
    without that; ``use``: how busy lanes are in what ``measured`` says."""

    def __init__(self, model: Model) -> None:
        self.model = model
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

    def choose(self, index: I64) -> None:
        """Slices that are selected, several at once."""
        self._work.pop("chosen", None)
        self.chosen = self._part("chosen", index) if len(index) > 1 else None

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
            self.renderer = Renderer.of(self.model.rows, self.model.start, self.model.end)
            self._work["all"] = self.renderer.pyramid.build(self.model.rows)
        self.rows = self.renderer.rows
        self.mark_alone(self._without_partner)

    @property
    def leaves_out(self) -> bool:
        """Whether any slices are left out of the picture."""
        return bool(self.hidden or self.only) or self.noise is not None

    def _part(self, name: str, index: I64) -> Renderer:
        rows: Rows = self.model.rows.chosen(index)
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
        return of_slices if self.noise is None else of_slices | self.noise.slices
