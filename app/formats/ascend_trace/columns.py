"""The columns of a trace that is being read."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

import numpy as np

from app.formats.ascend_trace.addresses import NO_ADDRESS
from app.formats.ascend_trace.counters import CounterTracks
from app.formats.ascend_trace.growing import Growing, Sparse
from app.formats.ascend_trace.ids import NO_ID, translated
from app.formats.ascend_trace.metadata import Metadata
from app.formats.ascend_trace.places import MAX_LANES, Places
from app.formats.ascend_trace.times import Times
from app.formats.numbering import numbering, translation
from app.profile.arrays import I32, Bool

MARKS: Final[dict[object, int]] = {"e": 1, "p": 2, "g": 3}
ENCLOSING, PROCESS, GLOBAL = MARKS.values()
"""ENCLOSING: a flow end that binds to the enclosing slice; PROCESS, GLOBAL: the scope of an instant."""
SLICE_PHASE: Final = ord("X")
_SPARE: Final = 1.02
"""Columns get so much more room than is expected."""
_LEAST_BYTES: Final = 40
"""Of an event on a lane: where the first ones are shorter, the others are not."""


class SliceColumns:
    """Columns of complete slices. ``place``, ``name``, ``category``: int32 numbers in Gathered (the last -1 for none);
    ``duration``: float64, NaN if missing; ``record``: int64 ordinals; ``address``: int64, -1 none; ``group``: int32
    from 1, 0 none (shorter than the others: the rest has no group)."""

    def __init__(self) -> None:
        self.place = Growing(np.int32)
        self.name = Growing(np.int32)
        self.category = Growing(np.int32)
        self.time = Times()
        self.duration = Growing(np.float64)
        self.record = Growing(np.int64)
        self.address = Sparse(np.int64, NO_ADDRESS)
        self.group = Growing(np.int32)

    def __len__(self) -> int:
        return len(self.place)

    def reach(self) -> None:
        """Makes ``group`` as long as the other columns."""
        self.group.extend(np.zeros(len(self) - len(self.group), np.int32))

    def select(self, which: Bool) -> None:
        """Keeps only the slices where ``which`` (bool[slices]) is set; their times are plain."""
        if len(self.group):
            self.reach()
            self.group.extend(self.group.taken(which))
        for column in (self.place, self.name, self.category, self.duration, self.record, self.address):
            column.extend(column.taken(which))
        self.time.replace(self.time.taken(which))


class PointColumns:
    """Columns of all other events on lanes: begins, ends, flow ends, instants. As in SliceColumns; ``kind``, ``phase``:
    uint8, as in Labels; ``id``: int64, codes of ``ids``; ``mark``: uint8, one of MARKS, 0 none."""

    def __init__(self) -> None:
        self.kind = Growing(np.uint8)
        self.phase = Growing(np.uint8)
        self.place = Growing(np.int32)
        self.name = Growing(np.int32)
        self.category = Growing(np.int32)
        self.time = Times()
        self.record = Growing(np.int64)
        self.address = Sparse(np.int64, NO_ADDRESS)
        self.id = Sparse(np.int64, NO_ID)
        self.mark = Sparse(np.uint8, 0)

    def __len__(self) -> int:
        return len(self.place)


class Gathered:
    """What consecutive records of a file contain: columns, and the values that their numbers stand for, in the order of
    first appearance.

    A trace may be read in several ranges: ``extend`` appends the content of the following range, with the result that
    reading both at once has (unless there are too many lanes: ``places.overflowed``). ``pieces``: (offset, size,
    first ordinal) of each decoded piece; ``count``: the number of records, including those that are lost; ``words``:
    how many events are made of words of the device; ``ignored``: events of other phases, by phase.
    """

    def __init__(self, most_lanes: int = MAX_LANES) -> None:
        self.names: defaultdict[str | float | None, int] = numbering()
        self.categories: defaultdict[str, int] = numbering()
        self.ids: defaultdict[str, int] = numbering()
        self.groups: defaultdict[str, int] = numbering()
        self.places = Places(most_lanes)
        self.slices = SliceColumns()
        self.points = PointColumns()
        self.counters = CounterTracks()
        self.metadata = Metadata()
        self.ignored: Counter[str] = Counter()
        self.pieces: list[tuple[int, int, int]] = []
        self.count = 0
        self.words = 0

    @property
    def times(self) -> tuple[Times, Times, Times]:
        """All columns of times."""
        return self.slices.time, self.points.time, self.counters.time

    def split_times(self) -> None:
        """Makes all times exact from now on."""
        for column in self.times:
            column.split()

    def expect(self, done: int, size: int) -> None:
        """Takes room for the columns of all ``size`` bytes of a range, of which ``done`` were read."""
        for part in (self.slices, self.points, self.counters):
            for column in vars(part).values():
                if isinstance(column, Growing | Times) and len(column):
                    column.expect(min(int(len(column) / done * size * _SPARE), size // _LEAST_BYTES))

    def extend(self, later: Gathered) -> None:
        """Appends what was gathered from the records that follow."""
        if any(column.is_exact for column in (*self.times, *later.times)):
            self.split_times()
        place = self.places.extend(later.places)
        name = translation(self.names, later.names)
        category = translation(self.categories, later.categories)
        self._extend_slices(later, place, name, category)
        self._extend_points(later, place, name, category)
        self.counters.extend(later.counters)
        self.metadata.extend(later.metadata)
        self.ignored.update(later.ignored)
        self.pieces += [(offset, size, first + self.count) for offset, size, first in later.pieces]
        self.count += later.count
        self.words += later.words

    def _extend_slices(self, later: Gathered, place: I32, name: I32, category: I32) -> None:
        ours, theirs = self.slices, later.slices
        if len(theirs.group):
            ours.reach()
            group = np.append(np.int32(0), translation(self.groups, later.groups)[:-1] + 1)
            ours.group.extend(group[theirs.group.array()])
        ours.place.extend(place[theirs.place.array()])
        ours.name.extend(name[theirs.name.array()])
        ours.category.extend(category[theirs.category.array()])
        ours.time.extend(theirs.time.moments())
        ours.duration.extend(theirs.duration.array())
        ours.record.extend(theirs.record.array() + self.count)
        ours.address.append(theirs.address)

    def _extend_points(self, later: Gathered, place: I32, name: I32, category: I32) -> None:
        ours, theirs = self.points, later.points
        ours.kind.extend(theirs.kind.array())
        ours.phase.extend(theirs.phase.array())
        ours.place.extend(place[theirs.place.array()])
        ours.name.extend(name[theirs.name.array()])
        ours.category.extend(category[theirs.category.array()])
        ours.time.extend(theirs.time.moments())
        ours.record.extend(theirs.record.array() + self.count)
        ours.address.append(theirs.address)
        if theirs.id.is_blank:
            ours.id.append(theirs.id)
        else:
            ours.id.extend(translated(theirs.id.array(), self.ids, later.ids))
        ours.mark.append(theirs.mark)
