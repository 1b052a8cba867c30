"""Builds a timeline from the collected columns."""

from __future__ import annotations

from collections import defaultdict
from decimal import Decimal
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_trace.clock import Moments, TraceClock
from app.formats.ascend_trace.columns import Dropped, Gathered, PointColumns
from app.formats.ascend_trace.event import FLOW_END, FLOW_START, FLOW_STEP, INSTANT, text
from app.formats.ascend_trace.labels import Ids
from app.formats.ascend_trace.lanes import Tracks, make_lanes, taken_apart, tracks
from app.formats.ascend_trace.links import make_links
from app.formats.ascend_trace.slices import SETS, WAITS, Made, Points, clean, known, paired
from app.formats.ascend_trace.tiles import are_tiles
from app.formats.timeline_build import Arrangement, arrange
from app.profile.arrays import I32, I64, Bool, sealed
from app.profile.strings import Interner
from app.profile.timeline import Instants, Lanes, Pieces, Slices, Timeline

NO_TEXT: Final = -1


class Assembler:
    """Builds one timeline and releases the gathered columns as it goes. ``dropped``: the events that could not be
    placed; ``undocumented``: how many are shown as they are, because it is not known what they mean."""

    def __init__(self, gathered: Gathered) -> None:
        self.dropped = Dropped()
        self.undocumented = 0
        self._gathered = gathered
        self._clock = TraceClock.of(gathered.times)
        self._strings = Interner()
        self._name = _text_ids(gathered.names, self._strings)
        self._category = _text_ids(gathered.categories, self._strings)

    def timeline(self, pieces: Pieces | None) -> Timeline:
        """The timeline in microseconds (Ascend operator files, section 4.2), or in cycles where words of the device
        make its slices (Ascend operator reports, section 5, rule 1) or its processes are tiles."""
        gathered, strings = self._gathered, self._strings
        slices, places, metadata, counters = gathered.slices, gathered.places, gathered.metadata, gathered.counters
        processes = dict.fromkeys(process for process, _ in places.pairs())
        shown = metadata.shown([*processes, *counters.processes()])
        clean(slices, self.dropped)
        ids = Ids.of(gathered.points.id.array(), gathered.ids)
        points = Points.of(gathered.points, self._name, self._category, ids.number, self.dropped)
        complete = len(slices)
        apart = taken_apart(gathered, metadata, _with_points(points, len(places)))
        self.undocumented = apart.undocumented
        if apart.lanes:
            self._category = _text_ids(gathered.categories, strings)  # marks may have got one of their own
        made = paired(points, strings, self.dropped)
        beside = tracks(points, places, ids, strings, self.dropped, len(apart.lanes))
        table = make_lanes(places, (*beside.lanes, *apart.lanes), shown, metadata, strings)
        self._add(points, made, beside)
        origin = self._settle(points, len(slices) - int(np.count_nonzero(beside.instant)))
        flagged = [self._flagged(points, made, names) for names in (SETS, WAITS)]
        points = points.some(np.flatnonzero(points.has_kind(FLOW_START, FLOW_STEP, FLOW_END)))
        gathered.points = PointColumns()  # of most traces, the larger part
        points = replace(points, time=self._clock.units(points.time))
        lane = table.of_place[slices.place.array()]
        lane[len(lane) - len(beside.lane) :] = table.of_track[beside.lane]
        instant = np.arange(len(slices)) >= len(slices) - len(beside.lane)
        instant[instant] = beside.instant
        lane[apart.slice] = table.of_track[len(beside.lanes) + apart.lane]
        instant[apart.slice[apart.instant]] = True
        arranged = self._arrange(lane, len(table.process), origin)
        finished = self._finish(arranged)
        set_by, waited_by = (_by_key(len(ids), key, complete + which, arranged) for key, which in flagged)
        tiles = are_tiles(shown.values())
        in_cycles = tiles or gathered.words > 0
        return Timeline(
            unit="cycles" if in_cycles else "µs",
            seconds_per_unit=None if in_cycles else 1e-6,
            basis="tiles" if tiles else "words" if in_cycles else "trace",
            lanes=Lanes(sealed(table.process), sealed(table.thread), arranged.first_row),
            slices=finished,
            flows=make_links(points, table.of_place, finished, arranged, set_by, waited_by, self.dropped),
            instants=_instants(instant, arranged),
            counters=counters.section(shown, strings, self._clock.units),
            strings=strings.strings(),
            pieces=pieces,
            origin=origin,
        )

    def _add(self, points: Points, made: Made, beside: Tracks) -> None:
        """Appends slices made of two events, and those on tracks, to the complete ones. Their names and categories are
        text ids; those of the complete ones become text ids, too."""
        slices = self._gathered.slices
        if len(slices.group):
            slices.reach()
        slices.name.replace(self._name[slices.name.array()])
        slices.category.replace(self._category[slices.category.array()])
        for begin, duration in ((made.begin, made.duration), (beside.point, beside.duration)):
            slices.place.extend(points.place[begin])
            slices.name.extend(points.name[begin])
            slices.category.extend(points.category[begin])
            slices.time.extend(Moments(points.time[begin]))
            slices.duration.extend(self._clock.lengths(duration))
            slices.record.extend(points.record[begin])
            slices.address.extend(points.address[begin])
        if len(slices.group):
            slices.reach()

    def _settle(self, points: Points, lasting: int) -> Decimal:
        """The origin of times: the earliest start of the first ``lasting`` slices, else of all points and counters.
        Converts the times of slices to units relative to it."""
        column = self._gathered.slices.time
        others = (points.time, self._gathered.counters.time.array())
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
        slices, order = self._gathered.slices, arranged.order
        return Slices(
            start=sealed(slices.time.taken(order)),
            duration=sealed(slices.duration.taken(order)),
            name=sealed(slices.name.taken(order)),
            category=sealed(slices.category.taken(order)),
            record=sealed(slices.record.taken(order)),
            address=sealed(slices.address.taken(order)),
            first=arranged.first,
        )

    def _flagged(self, points: Points, made: Made, names: tuple[str, ...]) -> tuple[I32, I64]:
        """(int32[n]: numbers of ids, int64[n]: indices of slices in ``made``): those with one of ``names`` and an
        id."""
        named = points.is_named(made.begin, known(names, self._strings))
        which = np.flatnonzero(named & (points.key[made.begin] >= 0))
        return points.key[made.begin[which]], which


def _by_key(keys: int, key: I32, which: I64, arranged: Arrangement) -> I64:
    """int64[keys]: the slice that sets or waits for the flag of that id, -1 none. ``which``: int64[n], indices before
    slices were arranged of those with the ids ``key``."""
    by_key = np.full(keys, -1, np.int64)
    if len(which):
        place = np.empty(len(arranged.order), np.int64)
        place[arranged.order] = np.arange(len(arranged.order))
        by_key[key] = place[which]
    return by_key


def _text_ids(numbers: defaultdict[Any, int], strings: Interner) -> I32:
    """int32[numbers + 1]: the text ids of numbered values, which get no others from now on; the last, for the number
    -1, is that of no text."""
    if not strings.ids and set(map(type, numbers)) <= {str}:  # different texts, numbered like ids
        numbers.default_factory = None
        strings.ids = numbers  # a copy of a million texts would take more memory than all columns
        return np.append(np.arange(len(numbers), dtype=np.int32), np.int32(NO_TEXT))
    return np.array([*map(strings, map(text, numbers)), NO_TEXT], np.int32)


def _with_points(points: Points, places: int) -> Bool:
    """bool[places]: the threads whose lanes need events besides complete slices: begins, ends, ends of flows."""
    of_threads = points.place[(points.kind < INSTANT) & (points.place >= 0)]
    return np.bincount(of_threads, minlength=places) > 0


def _instants(instant: Bool, arranged: Arrangement) -> Instants:
    """The instants among the arranged slices. ``instant``: bool, in the order in which slices were collected."""
    return Instants(sealed(np.flatnonzero(instant[arranged.order]).astype(np.int64)))
