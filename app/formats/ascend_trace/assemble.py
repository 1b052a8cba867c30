"""From gathered columns to a timeline."""

from __future__ import annotations

from collections import Counter

import numpy as np

from app.formats.ascend_trace import lanes
from app.formats.ascend_trace.addresses import parsed
from app.formats.ascend_trace.columns import INSTANT, SLICE, Columns, Gatherer, Ids
from app.formats.ascend_trace.counters import CounterTracks
from app.formats.ascend_trace.event import text
from app.formats.ascend_trace.links import FlowMaker
from app.formats.ascend_trace.slices import SETS, WAITS, complete, placed
from app.formats.timeline_build import Built, Events, build
from app.profile.arrays import I32, I64, Array, sealed
from app.profile.strings import Interner
from app.profile.timeline import Instants, Lanes, Pieces, Timeline


class Assembler:
    """Makes one timeline of what was gathered, and gives the gathered columns up on the way. ``dropped`` counts,
    by reason, events that could not be placed."""

    def __init__(self, gathered: Gatherer, metadata: lanes.Metadata, counters: CounterTracks) -> None:
        self.dropped: Counter[str] = Counter()
        self._gathered = gathered
        self._metadata = metadata
        self._counters = counters
        self._strings = Interner()
        self._names = self._texts(gathered.names)
        self._categories = self._texts(gathered.categories)

    def timeline(self, pieces: Pieces | None) -> Timeline:
        """The timeline; its unit is the microsecond (Ascend operator files, section 4.2)."""
        gathered = self._gathered
        events = placed(gathered.columns(), self.dropped)
        processes, threads = [text(p) for p in gathered.processes], [text(t) for t in gathered.threads]
        shown = self._metadata.shown([*processes, *self._counters.processes()])
        code = events.process.astype(np.int64) * max(1, len(threads)) + events.thread
        table = lanes.make(code, processes, threads, shown, self._metadata, self._strings)
        lane = table.of(code)
        del code
        slices, slice_lane = complete(events, lane, gathered.names, self.dropped)
        rest = np.flatnonzero(events.kind != SLICE)
        events, lane = events.take(rest), lane[rest]
        built = self._build(slices, slice_lane, len(table.process))
        flags = self._flags(slices, built, SETS), self._flags(slices, built, WAITS)
        return Timeline(
            unit="us",
            seconds_per_unit=1e-6,
            lanes=Lanes(sealed(table.process), sealed(table.thread), built.first_row),
            slices=built.slices,
            flows=FlowMaker(built, *flags).flows(events, lane, self._names, self._categories, self.dropped),
            instants=self._instants(events, lane),
            counters=self._counters.section(shown, self._strings),
            strings=self._strings.strings(),
            pieces=pieces,
        )

    def _texts(self, ids: Ids) -> I32:
        """int32: the text id of each of ``ids``, -1 for none."""
        return np.array([-1 if thing is None else self._strings(thing) for thing in ids], np.int32)

    def _build(self, slices: Columns, lane: I32, lanes: int) -> Built:
        addresses = parsed(self._gathered.addresses)
        grouped = len(self._gathered.groups) > 1
        events = Events(
            lane=lane,
            start=slices.time,
            duration=slices.duration,
            name=self._names[slices.name],
            category=self._categories[slices.category],
            record=slices.record,
            address=addresses[slices.address],
            group=slices.group - 1 if grouped else None,
        )
        return build(events, lanes)

    def _flags(self, slices: Columns, built: Built, names: tuple[str, ...]) -> I64:
        """int64 by key number: the slice of that id that has one of ``names``, -1 none."""
        wanted = [self._gathered.names[name] for name in names if name in self._gathered.names]
        found = np.full(len(self._gathered.keys), -1, np.int64)
        if len(found) > 1 and wanted:
            keyed = np.flatnonzero((slices.key != 0) & np.isin(slices.name, wanted))
            place = np.empty(len(built.order), np.int64)
            place[built.order] = np.arange(len(built.order))
            found[slices.key[keyed]] = place[keyed]
        return found

    def _instants(self, events: Columns, lane: I32) -> Instants:
        which = np.flatnonzero(events.kind == INSTANT)
        which = which[np.lexsort((events.time[which], lane[which]))]
        names: Array = self._names[events.name[which]]
        return Instants(sealed(events.time[which]), sealed(lane[which]), sealed(names))
