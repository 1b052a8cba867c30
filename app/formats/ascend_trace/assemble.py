"""Builds a timeline from the collected columns."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np

from app.formats.ascend_trace import lanes, links
from app.formats.ascend_trace.clock import TraceClock
from app.formats.ascend_trace.columns import Gatherer
from app.formats.ascend_trace.counters import CounterTracks
from app.formats.ascend_trace.dropped import Dropped
from app.formats.ascend_trace.labels import Labels
from app.formats.ascend_trace.points import Points
from app.formats.ascend_trace.slices import SETS, WAITS, Made, clean, known, paired
from app.formats.ascend_trace.tracks import Tracks, tracks
from app.formats.timeline_build import Arrangement, arrange
from app.profile.arrays import I32, I64, Bool, sealed
from app.profile.strings import Interner
from app.profile.timeline import Instants, Lanes, Pieces, Slices, Timeline


class Assembler:
    """Builds one timeline and releases the collected columns as it goes. ``dropped``: the events that could not be
    placed."""

    def __init__(
        self,
        gathered: Gatherer,
        labels: Labels,
        metadata: lanes.Metadata,
        counters: CounterTracks,
        strings: Interner,
        clock: TraceClock,
    ) -> None:
        self.dropped = Dropped()
        self._gathered = gathered
        self._labels = labels
        self._metadata = metadata
        self._counters = counters
        self._strings = strings
        self._clock = clock

    def timeline(self, pieces: Pieces | None) -> Timeline:
        """The timeline in microseconds (Ascend operator files, section 4.2)."""
        processes = dict.fromkeys(process for process, _ in self._labels.places)
        shown = self._metadata.shown([*processes, *self._counters.processes()])
        slices = self._gathered.slices
        clean(slices, self._labels, self.dropped)
        points = Points.of(self._gathered.points, self._labels, self.dropped)
        complete = len(slices)
        made = paired(points, self._strings, self.dropped)
        beside = tracks(points, self._labels, list(self._gathered.keys), self._strings, self.dropped)
        table = lanes.make(self._labels, beside.lanes, shown, self._metadata, self._strings)
        self._add(points, made, beside)
        origin = self._settle(points, len(slices) - int(np.count_nonzero(beside.instant)))
        points = replace(points, time=self._clock.units(points.time))
        lane = np.concatenate((self._lanes_of_threads(table, len(beside.lane)), table.of_track[beside.lane]))
        instant = np.arange(len(slices)) >= len(slices) - len(beside.lane)
        instant[instant] = beside.instant
        arranged = self._arrange(lane, len(table.process), origin)
        finished = self._finish(arranged)
        flags = self._flags(points, made, complete, arranged)
        return Timeline(
            unit="µs",
            seconds_per_unit=1e-6,
            lanes=Lanes(sealed(table.process), sealed(table.thread), arranged.first_row),
            slices=finished,
            flows=links.make(points, table.of_place, finished, arranged, *flags, self.dropped),
            instants=_instants(instant, arranged),
            counters=self._counters.section(shown, self._strings, self._clock.units),
            strings=self._strings.strings(),
            pieces=pieces,
            origin=origin,
        )

    def _add(self, points: Points, made: Made, beside: Tracks) -> None:
        """Appends slices made of two events, and those on tracks, to the complete ones."""
        for begin, duration in ((made.begin, made.duration), (beside.point, beside.duration)):
            length = self._clock.lengths(duration)
            self._gathered.slices.add(points.label[begin], points.time[begin], length, points.record[begin])

    def _lanes_of_threads(self, table: lanes.LaneTable, others: int) -> I32:
        """int32: the lane of each slice except the last ``others``."""
        label = self._gathered.slices.label.array()
        lane: I32 = table.of_place[self._labels.place][label[: len(label) - others]]
        return lane

    def _settle(self, points: Points, lasting: int) -> Decimal:
        """The origin of times: the earliest start of the first ``lasting`` slices, else of all points and counters.
        Converts the times of slices to units relative to it."""
        column = self._gathered.slices.time
        others = (points.time, self._counters.times())
        origin = self._clock.settle(column.array()[:lasting] if lasting else np.concatenate(others))
        times = column.array()
        times[:] = self._clock.units(times)
        return origin

    def _arrange(self, lane: I32, lanes: int, origin: Decimal) -> Arrangement:
        slices = self._gathered.slices
        group = slices.group.array()
        return arrange(
            lane,
            slices.time.array(),
            slices.duration.array(),
            group - 1 if len(group) else None,
            lanes,
            origin,
        )

    def _finish(self, arranged: Arrangement) -> Slices:
        slices, labels = self._gathered.slices, self._labels
        label = slices.label.taken(arranged.order)
        return Slices(
            start=sealed(slices.time.taken(arranged.order)),
            duration=sealed(slices.duration.taken(arranged.order)),
            name=sealed(labels.name[label]),
            category=sealed(labels.category[label]),
            record=sealed(slices.record.taken(arranged.order)),
            address=sealed(labels.address[label]),
            first=arranged.first,
        )

    def _flags(self, points: Points, made: Made, complete: int, arranged: Arrangement) -> tuple[I64, I64]:
        """int64[keys] each: the slice that sets the flag of that id, and the one that waits for it; -1 none."""
        keys = len(self._gathered.keys)
        by_keys = np.full(keys, -1, np.int64), np.full(keys, -1, np.int64)
        key = points.key[made.begin]
        if bool(np.any(key >= 0)):
            place = np.empty(len(arranged.order), np.int64)
            place[arranged.order] = np.arange(len(arranged.order))
            for by_key, names in zip(by_keys, (SETS, WAITS), strict=True):
                named = np.isin(points.name[made.begin], known(names, self._strings))
                which = np.flatnonzero(named & (key >= 0))
                by_key[key[which]] = place[complete + which]
        return by_keys


def _instants(instant: Bool, arranged: Arrangement) -> Instants:
    """The instants among the arranged slices. ``instant``: bool, in the order in which slices were collected."""
    return Instants(sealed(np.flatnonzero(instant[arranged.order]).astype(np.int64)))
