"""The columns of a trace that is being read: program counters, parsed many at a time; counters, a track for each
series; and the number of events that are not shown, by reason and phase, so that nothing is left out silently."""

from __future__ import annotations

import contextlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, compress
from typing import Any, Final, TypeAlias

import numpy as np

from app.formats.ascend_trace.clock import Growing, Moments, Sparse, Times
from app.formats.ascend_trace.event import Event, number, text
from app.formats.ascend_trace.labels import BEYOND, MAX_LANES, NO_ID, NOWHERE, Metadata, Places, translated
from app.formats.numbering import latest, numbering, numbers_of, translation
from app.language import joined, tr
from app.profile.arrays import F64, I32, I64, U8, Bool, numbered, sealed
from app.profile.orders import by_groups
from app.profile.strings import Interner
from app.profile.timeline import Counters

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


_PLAIN: Final = {int, float}
CounterTrack: TypeAlias = tuple[object, object, str | None]
"""Process id, name and key, as in the file."""


class CounterTracks:
    """Collects ``C`` events. ``bad`` counts those without a time or a number; ``tracks`` numbers (process,
    counter, series); ``track``, ``time`` and ``value``: columns of their values."""

    def __init__(self) -> None:
        self.bad = 0
        self.time = Times()
        self.tracks: defaultdict[tuple[str, str, str], int] = numbering()
        self.track = Growing(np.int32)
        self.value = Growing(np.float64)
        self._counters: defaultdict[CounterTrack, int] = numbering()
        self._series: defaultdict[str, int] = numbering()
        self._of_counter: list[CounterTrack] = []
        self._of_series: list[str] = []
        self._known: dict[tuple[int, int], int] = {}

    def add(self, counters: Sequence[CounterTrack], times: Moments, arguments: Sequence[Any]) -> None:
        """Adds events of ``counters``. ``arguments``: those of each, which map series to values."""
        series = arguments if set(map(type, arguments)) <= {dict} else [_as_dict(args) for args in arguments]
        sizes = np.fromiter(map(len, series), np.int64, len(series))
        figures = _floats(list(chain.from_iterable(map(dict.values, series))))
        name = numbers_of(self._series, chain.from_iterable(series), len(figures))
        counter = numbers_of(self._counters, counters, len(counters))
        owner = np.repeat(np.arange(len(counters)), sizes)
        valid = np.isfinite(figures) & np.isfinite(times.value)[owner]
        shown = owner[valid]
        self.bad += len(counters) - int(np.count_nonzero(np.bincount(shown, minlength=len(counters))))
        self.track.extend(self._tracks_of(counter[shown], name[valid]))
        self.value.extend(figures[valid])
        self.time.extend(times[shown])

    def _tracks_of(self, counter: I32, series: I32) -> I32:
        """int32[n]: the number of the track of each pair of a counter and a series."""
        pair, which = numbered(counter.astype(np.int64) * len(self._series) + series)
        self._of_counter += latest(self._counters, len(self._counters) - len(self._of_counter))
        self._of_series += latest(self._series, len(self._series) - len(self._of_series))
        tracks = [self._number(*divmod(code, len(self._series))) for code in pair.tolist()]
        result: I32 = np.array(tracks, np.int32)[which]
        return result

    def _number(self, counter: int, series: int) -> int:
        """The number of a track."""
        number = self._known.get((counter, series))
        if number is None:
            process, name, key = self._of_counter[counter]
            called = text(name) if key is None else f"{text(name)}[{key}]"
            number = self._known[counter, series] = self.tracks[text(process), called, self._of_series[series]]
        return number

    def extend(self, later: CounterTracks) -> None:
        """Adds the counters of later events."""
        self.bad += later.bad
        self.track.extend(translation(self.tracks, later.tracks)[later.track.array()])
        self.value.extend(later.value.array())
        self.time.extend(later.time.moments())

    def processes(self) -> set[str]:
        """The process ids that have counters."""
        return {process for process, _, _ in self._used()}

    def section(self, names: dict[str, str], strings: Interner, units: Callable[[F64], F64]) -> Counters:
        """The section: tracks sorted by process, counter and series, with ascending times. ``names``: process names by
        id; ``units``: converts times to those of the timeline."""
        keys = sorted(self._used())
        place = np.full(len(self.tracks), -1, np.int32)
        place[[self.tracks[key] for key in keys]] = np.arange(len(keys))
        track, time = place[self.track.array()], units(self.time.array())
        order = by_groups(track, time)
        return Counters(
            process=sealed(np.array([strings(names.get(process, process)) for process, _, _ in keys], np.int32)),
            name=sealed(np.array([strings(name) for _, name, _ in keys], np.int32)),
            series=sealed(np.array([strings(series) for _, _, series in keys], np.int32)),
            first=sealed(np.concatenate(([0], np.cumsum(np.bincount(track, minlength=len(keys)))))),
            time=sealed(time[order]),
            value=sealed(self.value.array()[order]),
        )

    def _used(self) -> list[tuple[str, str, str]]:
        """The tracks with values."""
        return list(compress(self.tracks, np.bincount(self.track.array(), minlength=len(self.tracks)).tolist()))


def _as_dict(value: Any) -> dict[str, Any]:
    return value if type(value) is dict else {}


def _floats(values: list[Any]) -> F64:
    """float64[values]: the numbers, and those in texts; NaN for anything else."""
    if set(map(type, values)) <= _PLAIN:
        with contextlib.suppress(OverflowError):  # an integer of hundreds of digits
            return np.array(values, np.float64)
    return np.array([number(value) for value in values], np.float64)


NO_ADDRESS: Final = -1
_HEX = re.compile(r"(?:0[xX])?[0-9a-fA-F]{1,16}")
_COMMA: Final = ord(",")
_DIGITS: Final = 16
"""Of 64 bits."""


def addresses(events: Sequence[Event]) -> I64 | None:
    """int64[events]: the program counters of ``events``, NO_ADDRESS where one has none; None if none has any."""
    try:
        texts = [event.args.pc_addr for event in events]  # type: ignore[union-attr]
    except AttributeError:  # some have arguments that are no object
        texts = [event.arguments.pc_addr for event in events]
    missing = texts.count(None)
    if missing == len(texts):
        return None
    if not missing:
        return _values(texts)
    result = np.full(len(texts), NO_ADDRESS)
    given = [text is not None for text in texts]
    result[given] = _values(list(compress(texts, given)))
    return result


def _values(texts: list[Any]) -> I64:
    try:
        values = _alike(",".join(texts), len(texts))
    except TypeError:  # some are numbers
        values = None
    return np.fromiter(map(parsed, texts), np.int64, len(texts)) if values is None else values


def _alike(joined: str, count: int) -> I64 | None:
    """int64[count]: the values of comma-separated hexadecimal numbers of one length; None for anything else."""
    width = (len(joined) + 1) // count
    if width * count != len(joined) + 1 or not joined.isascii():
        return None
    rows = np.frombuffer(f"{joined},".encode(), np.uint8).reshape(count, width)
    begin = 2 if joined[:2] in ("0x", "0X") else 0
    prefixed = not begin or bool(np.all((rows[:, 0] == ord("0")) & (rows[:, 1] | 32 == ord("x"))))
    digits = width - 1 - begin
    if not (prefixed and 0 < digits <= _DIGITS and bool(np.all(rows[:, -1] == _COMMA))):
        return None
    padded = np.full((count, _DIGITS), ord("0"), np.uint8)
    padded[:, _DIGITS - digits :] = rows[:, begin:-1]
    try:
        packed = bytes.fromhex(padded.tobytes().decode())
    except ValueError:
        return None
    if len(packed) != 8 * count or (digits == _DIGITS and int(padded[:, 0].max()) > ord("7")):  # white space; 2^63
        return None
    return np.frombuffer(packed, ">i8").astype(np.int64)


def parsed(address: str | float | None) -> int:
    """``address``, a hexadecimal string or a whole number, as int; NO_ADDRESS where it is absent or not below 2^63."""
    if isinstance(address, str):
        address = int(address, 16) if _HEX.fullmatch(address) else None
    return address if isinstance(address, int) and 0 <= address < 1 << 63 else NO_ADDRESS


KNOWN = {
    "N": tr("object created"), "O": tr("object snapshot"), "D": tr("object destroyed"), "P": tr("sample"),
    "V": tr("memory dump"), "v": tr("memory dump"), "c": tr("clock sync"), "(": tr("context begin"),
    ")": tr("context end"), "=": tr("linked id"), "M": tr("metadata"), "C": tr("counter"),
}  # fmt: skip
"""Names in the trace event format of phases that have no place on a timeline."""
_MOST = 12


class Dropped:
    """Counts of events by reason and phase."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()

    def __len__(self) -> int:
        return sum(self.counts.values())

    def add(self, reason: str, phase: U8) -> None:
        """Counts events that are not shown for ``reason``; ``phase``: uint8[events], the phase characters."""
        for character, count in enumerate(np.bincount(phase).tolist()):
            if count:
                self.counts[reason, chr(character)] += count

    def unplaced(self, timed: Bool, place: I32, phase: U8) -> None:
        """Counts the events that are not ``timed``, and the timed ones without a place."""
        self.add(tr("no time"), phase[~timed])
        self.add(tr("no process and thread"), phase[timed & (place == NOWHERE)])
        self.add(tr("lane beyond the first {max_lanes:,}", max_lanes=MAX_LANES), phase[timed & (place == BEYOND)])

    def reasons(self) -> Iterator[str]:
        """Yields a phrase for each reason with its phases, in the order of first appearance."""
        for reason in dict.fromkeys(reason for reason, _ in self.counts):
            phases = {phase: count for (why, phase), count in self.counts.items() if why == reason}
            total = sum(phases.values())
            yield tr("{count:,} × {reason} ({phases})", count=total, reason=reason, phases=_listed(phases))


def _listed(phases: dict[str, int]) -> str:
    """The phases with their counts as text, the most frequent first."""
    ranked = sorted(phases.items(), key=lambda entry: (-entry[1], entry[0]))
    words = [tr("{count:,} of phase {called}", count=count, called=_called(phase)) for phase, count in ranked[:_MOST]]
    rest = dict(ranked[_MOST:])
    if rest:
        words.append(tr("{count:,} of {phases:,} other phases", count=sum(rest.values()), phases=len(rest)))
    return joined(", ", words)


def _called(phase: str) -> str:
    quoted = repr(phase) if phase else "(none)"
    return f"{quoted}, {KNOWN[phase]}" if phase in KNOWN else quoted
