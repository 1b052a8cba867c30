"""From gathered columns to a timeline."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from decimal import Decimal

import numpy as np

from app.formats.ascend_trace import lanes, links
from app.formats.ascend_trace.clock import TraceClock
from app.formats.ascend_trace.columns import Gatherer
from app.formats.ascend_trace.counters import CounterTracks
from app.formats.ascend_trace.labels import INSTANT, Labels
from app.formats.ascend_trace.points import Points
from app.formats.ascend_trace.slices import SETS, WAITS, Made, clean, known, paired
from app.formats.timeline_build import Arrangement, arrange
from app.profile.arrays import I32, I64, sealed
from app.profile.strings import Interner
from app.profile.timeline import Instants, Lanes, Pieces, Slices, Timeline


class Assembler:
    """Makes one timeline of what was gathered, whose columns it gives up on the way. ``dropped`` counts, by
    reason, the events that could not be placed."""

    def __init__(
        self,
        gathered: Gatherer,
        labels: Labels,
        metadata: lanes.Metadata,
        counters: CounterTracks,
        strings: Interner,
        clock: TraceClock,
    ) -> None:
        self.dropped: Counter[str] = Counter()
        self._gathered = gathered
        self._labels = labels
        self._metadata = metadata
        self._counters = counters
        self._strings = strings
        self._clock = clock

    def timeline(self, pieces: Pieces | None) -> Timeline:
        """The timeline; its unit is the microsecond (Ascend operator files, section 4.2)."""
        processes = dict.fromkeys(process for process, _ in self._labels.places)
        shown = self._metadata.shown([*processes, *self._counters.processes()])
        table = lanes.make(self._labels, shown, self._metadata, self._strings)
        slices = self._gathered.slices
        clean(slices, table.of_label, self.dropped)
        points = Points.of(self._gathered.points, self._labels, table.of_label, self.dropped)
        complete = len(slices)
        made = paired(points, self._strings, self.dropped)
        length = self._clock.lengths(made.duration)
        slices.add(points.label[made.begin], points.time[made.begin], length, points.record[made.begin])
        origin = self._settle(points)
        points = replace(points, time=self._clock.units(points.time))
        arranged = self._arrange(table, origin)
        finished = self._finish(arranged)
        flags = self._flags(points, made, complete, arranged)
        return Timeline(
            unit="µs",
            seconds_per_unit=1e-6,
            lanes=Lanes(sealed(table.process), sealed(table.thread), arranged.first_row),
            slices=finished,
            flows=links.make(points, finished, arranged, *flags, self.dropped),
            instants=_instants(points),
            counters=self._counters.section(shown, self._strings, self._clock.units),
            strings=self._strings.strings(),
            pieces=pieces,
            origin=origin,
        )

    def _settle(self, points: Points) -> Decimal:
        """From which moment times are counted: the first slice; without slices the first of what there is."""
        column = self._gathered.slices.time
        others = (points.time, self._counters.times())
        origin = self._clock.settle(column.array() if len(column) else np.concatenate(others))
        times = column.array()
        times[:] = self._clock.units(times)
        return origin

    def _arrange(self, table: lanes.LaneTable, origin: Decimal) -> Arrangement:
        slices = self._gathered.slices
        group = slices.group.array()
        return arrange(
            table.of_label[slices.label.array()],
            slices.time.array(),
            slices.duration.array(),
            group - 1 if len(group) else None,
            len(table.process),
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
        """int64 by key: the slice that sets that flag, the one that waits for it; -1 none."""
        keys = len(self._gathered.keys)
        found = np.full(keys, -1, np.int64), np.full(keys, -1, np.int64)
        key = points.key[made.begin]
        if bool(np.any(key >= 0)):
            place = np.empty(len(arranged.order), np.int64)
            place[arranged.order] = np.arange(len(arranged.order))
            for by_key, names in zip(found, (SETS, WAITS), strict=True):
                named = np.isin(points.name[made.begin], known(names, self._strings))
                which = np.flatnonzero(named & (key >= 0))
                by_key[key[which]] = place[complete + which]
        return found


def _instants(points: Points) -> Instants:
    which = np.flatnonzero(points.has_kind(INSTANT))
    which = which[np.lexsort((points.time[which], points.lane[which]))]
    lane: I32 = points.lane[which]
    return Instants(sealed(points.time[which]), sealed(lane), sealed(points.name[which]))
