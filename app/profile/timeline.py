"""The timeline: slices on lanes, flow arrows between them, counters, and the unit of its times."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from app.profile.arrays import F64, I32, I64, Bool, sealed
from app.profile.bounds import Index, Offsets, Rows
from app.profile.empty import no_rows
from app.profile.file_state import ChosenUnit
from app.profile.strings import OptionalTextIds, Strings, TextIds

TimeUnit: TypeAlias = Literal["ns", "µs", "s", "cycles"]
Basis: TypeAlias = Literal["format", "trace", "words", "tiles", "hand"]
"""Where the unit of times comes from: the format states it; a trace counts microseconds unless its slices are words of
the device, which count cycles (Ascend operator reports, section 5), or its processes are tiles of an AMD AI Engine; or
the user set it by hand."""


FAR = 1000.0
"""Times count from the first slice where it starts later than this many times the length of the timeline (time of day,
say): they would differ in their last digits only."""


def is_far(start: float, end: float) -> bool:
    """Whether times from ``start`` to ``end`` lie far from zero."""
    return abs(start) > FAR * (end - start)


class Lanes(Struct, frozen=True, eq=False):
    """Lanes in display order. A lane has one row for each nesting level.

    ``process``, ``thread``: int32[lanes], text ids; ``first_row``: int32[lanes + 1], lane l owns rows first_row[l] ..
    first_row[l + 1] - 1 (lanes with only counters own none).
    """

    process: TextIds
    thread: TextIds
    first_row: Annotated[I32, Offsets("slices.first"), Rows("process")]


class Slices(Struct, frozen=True, eq=False):
    """Sorted by row, then start, so that starts and ends ascend within a row.

    ``start``, ``duration``: float64 in the timeline's unit; ``name``, ``category``: int32 text ids (the category
    determines the colour; -1 none); ``record``: int64 ordinal of the record in the source (event or step number; -1
    none); ``address``: int64 program counter, -1 if not given; ``first``: int64[rows + 1], row r has slices first[r] ..
    first[r + 1] - 1. ``untimed``: bool, slices whose duration the source does not give (they have a duration of 0, or
    reach as far as anything is known of their lane); None if all are given.
    """

    start: F64
    duration: F64
    name: TextIds
    category: OptionalTextIds
    record: I64
    address: I64
    first: Annotated[I64, Offsets("start")]
    untimed: Bool | None = None

    def timed(self, index: int) -> bool:
        """Whether the duration of this slice is known."""
        return self.untimed is None or not self.untimed[index]


class Flows(Struct, frozen=True, eq=False):
    """Flow arrows with both ends. ``category``: int32 text id; ``*_time``: float64; ``*_lane``: int32; ``*_slice``:
    int64 index into the slices, -1 if there is no slice at that end."""

    category: TextIds
    from_time: F64
    from_lane: Annotated[I32, Index("lanes.process")]
    from_slice: Annotated[I64, Index("slices.start", -1)]
    to_time: F64
    to_lane: Annotated[I32, Index("lanes.process")]
    to_slice: Annotated[I64, Index("slices.start", -1)]


class Counters(Struct, frozen=True, eq=False):
    """Counter tracks. ``process``, ``name``, ``series``: int32[tracks] text ids; ``first``: int64[tracks + 1] into
    ``time`` and ``value`` (float64, times ascending within a track)."""

    process: TextIds
    name: TextIds
    series: TextIds
    first: Annotated[I64, Offsets("time"), Rows("process")]
    time: Annotated[F64, Rows("time")]
    value: Annotated[F64, Rows("time")]


class Instants(Struct, frozen=True, eq=False):
    """Slices that mark a point in time (their duration is 0). ``slice``: int64, their indices, ascending."""

    slice: Annotated[I64, Index("slices.start")]


class Pieces(Struct, frozen=True, eq=False):
    """Positions of the decoded pieces of the source, so that a single record can be decoded again.

    ``offset``, ``size``: int64 bytes in file number ``file`` of the profile's origin; ``first``: int64, ordinal of the
    first record in the piece (ascending).
    """

    file: Annotated[int, Index("files")]
    offset: I64
    size: I64
    first: I64


class Argument(Struct, frozen=True, eq=False):
    """The value of one argument, ``key``, in the record of each slice. ``code``: int32[slices], index into ``texts``,
    the different values; -1 where a slice has none. ``number``: float64[texts], NaN where a value is no number."""

    key: str
    code: I32
    texts: Strings
    number: F64

    @property
    def all_numbers(self) -> bool:
        """Whether each value is a number, and there are any."""
        return len(self.number) > 0 and bool(np.isfinite(self.number).all())


class TimeBasis(Struct, frozen=True):
    """A unit of times, as in Timeline."""

    unit: TimeUnit
    seconds_per_unit: float | None
    basis: Basis


class Timeline(Struct, frozen=True, eq=False, dict=True):
    """``seconds_per_unit`` is None if no clock is known (then ``unit`` is cycles). ``origin``: the time that all times
    are relative to (the first slice), in the unit and with all digits of the file; 0 if float64 holds the times as they
    are in the file. ``read_in``: the unit that the reader determined, where the user set another one. Flows, counters
    and instants are empty by default."""

    SECTION: ClassVar[str] = "timeline"
    unit: TimeUnit
    seconds_per_unit: float | None
    strings: Strings
    lanes: Lanes = field(default_factory=partial(no_rows, Lanes, first_row=sealed(np.zeros(1, np.int32))))
    slices: Slices = field(default_factory=partial(no_rows, Slices, first=sealed(np.zeros(1, np.int64))))
    flows: Flows = field(default_factory=partial(no_rows, Flows))
    counters: Counters = field(default_factory=partial(no_rows, Counters, first=sealed(np.zeros(1, np.int64))))
    instants: Instants = field(default_factory=partial(no_rows, Instants))
    pieces: Pieces | None = None
    origin: Decimal = Decimal(0)
    basis: Basis = "format"
    read_in: TimeBasis | None = None

    @property
    def clock_hz(self) -> float | None:
        """The frequency of cycles; None for other units, and where it is not known."""
        return round(1 / self.seconds_per_unit, 6) if self.unit == "cycles" and self.seconds_per_unit else None


SECONDS: Final[dict[TimeUnit, float]] = {"ns": 1e-9, "µs": 1e-6, "s": 1.0}


def can_choose(timeline: Timeline | None) -> bool:
    """Whether the unit may be set by hand: traces do not state it, while steps and events of other formats do."""
    return timeline is not None and timeline.basis != "format"


def in_unit(timeline: Timeline, chosen: ChosenUnit | None) -> Timeline:
    """``timeline`` with its times, unchanged, in the unit ``chosen``; None for the unit that its reader determined. All
    figures follow, because none of them converts times in any other way. A timeline whose format states its unit is
    returned unchanged."""
    if not can_choose(timeline):
        return timeline
    own = timeline.read_in or TimeBasis(timeline.unit, timeline.seconds_per_unit, timeline.basis)
    if chosen is None:
        return replace(timeline, unit=own.unit, seconds_per_unit=own.seconds_per_unit, basis=own.basis, read_in=None)
    seconds = SECONDS.get(chosen.unit, 1 / chosen.clock_hz if chosen.clock_hz else None)
    return replace(timeline, unit=chosen.unit, seconds_per_unit=seconds, basis="hand", read_in=own)
