"""Numbers for what many events share: places (pairs of a process and a thread), ids that link events, and combinations
of kind, colour, category and other fields; and what metadata events say about processes and threads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from types import NoneType
from typing import Any, Final

import numpy as np
from msgspec import Struct, field

from app.formats.ascend_trace.clock import Growing
from app.formats.ascend_trace.event import COUNTER, INSTANT, KINDS, OTHER, Event, constant_of, number, text
from app.formats.numbering import latest, numbering, numbers_of, translation
from app.profile.arrays import I32, I64, U8, Bool, numbered

MAX_LANES = 100_000
NOWHERE, BEYOND = -1, -2
REMEMBERED = 1 << 18
_SHIFT: Final = 32
_MASK: Final = (1 << _SHIFT) - 1


class Places:
    """Numbers the (process id, thread id) of events on lanes, up to ``most``. ``processes``, ``thread_ids``: numbers of
    their texts; ``codes``: the numbers of places, by those of process and thread in one number; ``threads``: the
    numbers of those with events on the lane of the thread; ``overflowed``: whether a place was left out."""

    def __init__(self, most: int = MAX_LANES) -> None:
        self._most = most
        self.processes: defaultdict[str, int] = numbering()
        self.thread_ids: defaultdict[str, int] = numbering()
        self.codes: dict[int, int] = {}
        self.threads: set[int] = set()
        self.overflowed = False

    def __len__(self) -> int:
        return len(self.codes)

    def pairs(self) -> list[tuple[str, str]]:
        """(process id, thread id) of each place, in the order of their numbers."""
        processes, threads = list(self.processes), list(self.thread_ids)
        return [(processes[code >> _SHIFT], threads[code & _MASK]) for code in self.codes]

    def number(self, process: str, thread: str) -> int:
        """The number of a place, NOWHERE for events without process and thread, BEYOND for those past the limit."""
        if not process and not thread:
            return NOWHERE
        return self._number(self.processes[process] << _SHIFT | self.thread_ids[thread])

    def _number(self, code: int) -> int:
        number = self.codes.get(code, BEYOND)
        if number == BEYOND:
            if len(self.codes) < self._most:
                number = self.codes[code] = len(self.codes)
            else:
                self.overflowed = True
        return number

    def extend(self, others: Places) -> I32:
        """Adds the places of ``others``. int32[len(others) + 2]: the number here of each of their numbers (the last two
        are BEYOND and NOWHERE)."""
        process = numbers_of(self.processes, others.processes, len(others.processes)).astype(np.int64)
        thread = numbers_of(self.thread_ids, others.thread_ids, len(others.thread_ids))
        codes = np.fromiter(others.codes, np.int64, len(others))
        numbers = map(self._number, (process[codes >> _SHIFT] << _SHIFT | thread[codes & _MASK]).tolist())
        result = np.array([*numbers, BEYOND, NOWHERE], np.int32)
        self.overflowed |= others.overflowed
        self.threads.update(result[list(others.threads)].tolist())
        return result


class _Known(Struct, frozen=True, eq=False):
    """Pairs of a process and a thread by ``code`` (int64, ascending; then a blank row): ``place``: int32; ``settled``:
    bool, whether events on the lane of the thread were seen."""

    code: I64
    place: I32
    settled: Bool

    @classmethod
    def none(cls) -> _Known:
        return cls(np.array([-1]), np.array([NOWHERE], np.int32), np.zeros(1, np.bool_))

    def extended(self, code: I64, place: I32, settled: Bool) -> _Known:
        """These pairs and others, whose codes ascend."""
        at = np.searchsorted(self.code[:-1], code)
        return _Known(
            np.insert(self.code, at, code), np.insert(self.place, at, place), np.insert(self.settled, at, settled)
        )


class Owners:
    """Finds the numbers in ``places`` of the processes and threads of events. It knows REMEMBERED of them at a time."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._known = _Known.none()
        self._forget()

    def of(self, events: Sequence[Event], kind: U8) -> I32:
        """int32[events]: the number of the place of each event whose ``kind`` (uint8[events]) is on a lane."""
        if max(len(self._known.code), len(self._process_texts), len(self._thread_texts)) >= REMEMBERED:
            self._forget()
        constant = constant_of(events)
        processes = [constant["pid"]] * len(events) if "pid" in constant else [event.pid for event in events]
        threads = [constant["tid"]] * len(events) if "tid" in constant else [event.tid for event in events]
        process = numbers_of(self._processes, processes, len(events)).astype(np.int64)
        code = process << _SHIFT | numbers_of(self._threads, threads, len(events))
        due = ~self._known.settled[self._find(code)] & (kind < COUNTER)
        if bool(np.any(due)):
            self._settle(code[due], kind[due] < INSTANT)
        place: I32 = self._known.place[self._find(code)]
        return place

    def _find(self, code: I64) -> I64:
        """int64[n]: the index of each code; that of the last row, which is blank, if it is not known."""
        known = self._known.code
        at = np.searchsorted(known[:-1], code)
        at[known[at] != code] = len(known) - 1
        return at

    def _settle(self, code: I64, on_thread: Bool) -> None:
        """Finds the places of pairs that have the first events on lanes, or on those of threads."""
        _add_texts(self._process_texts, self._processes)
        _add_texts(self._thread_texts, self._threads)
        codes, first = np.unique(code, return_index=True)
        order = np.argsort(first)
        number, processes, threads = self._places.number, self._process_texts, self._thread_texts
        place = np.empty(len(codes), np.int32)
        place[order] = [number(processes[one >> _SHIFT], threads[one & _MASK]) for one in codes[order].tolist()]
        settled = np.zeros(len(codes), np.bool_)
        settled[np.searchsorted(codes, code[on_thread])] = True
        self._places.threads.update(place[settled].tolist())
        at = self._find(codes)
        new = at == len(self._known.code) - 1
        self._known.settled[at[~new]] |= settled[~new]
        self._known = self._known.extended(codes[new], place[new], settled[new])

    def _forget(self) -> None:
        self._known = _Known.none()
        self._processes: defaultdict[Any, int] = numbering()
        self._threads: defaultdict[Any, int] = numbering()
        self._process_texts: list[str] = []
        self._thread_texts: list[str] = []


def _add_texts(texts: list[str], numbers: defaultdict[Any, int]) -> None:
    """Adds the texts of the latest ``numbers``."""
    texts += map(text, latest(numbers, len(numbers) - len(texts)))


NO_ID: Final = -1
WHOLE_ID: Final = -2
"""The code of the whole number 0; that of 1 is below it."""
_MOST: Final = 1 << 62
_MOST_DIGITS: Final = 18

Texts = defaultdict[str, int]


def codes_of(texts: Texts, ids: Sequence[Any]) -> I64 | None:
    """int64[ids]: the code of each id: NO_ID for None, for a whole number one that follows from it, for others the
    number of its text in ``texts``. None if some are neither texts nor whole numbers."""
    kinds = list(map(type, ids))
    if kinds.count(str) == len(ids):
        return numbers_of(texts, ids, len(ids)).astype(np.int64)
    whole, text, none = (kinds.count(kind) for kind in (int, str, NoneType))
    if whole + text + none < len(ids):
        return None
    codes = np.full(len(ids), NO_ID, np.int64)
    if whole:
        values = _codes_of_numbers(_only(ids, int))
        if values is None:
            return codes_of(texts, [str(plain) if type(plain) is int else plain for plain in ids])
        codes[_mask(kinds, int)] = values
    if text:
        codes[_mask(kinds, str)] = numbers_of(texts, _only(ids, str), text)
    return codes


def _only(ids: Sequence[Any], kind: type) -> Sequence[Any]:
    return [plain for plain in ids if type(plain) is kind]


def _mask(kinds: Sequence[type], kind: type) -> Bool:
    return np.array([one is kind for one in kinds], np.bool_)


def _codes_of_numbers(ids: Sequence[int]) -> I64 | None:
    """int64[ids]: their codes; None if one is too large or negative."""
    try:
        values = np.fromiter(ids, np.int64, len(ids))
    except OverflowError:
        return None
    return WHOLE_ID - values if values.min() >= 0 and values.max() < _MOST else None


def translated(codes: I64, texts: Texts, others: Texts) -> I64:
    """int64[n]: ``codes``, whose texts are numbered in ``others``, for those in ``texts``, which gets the missing
    ones."""
    number = translation(texts, others)
    return np.where(codes > WHOLE_ID, number[np.maximum(codes, NO_ID)], codes)


class Ids(Struct, frozen=True, eq=False):
    """``number``: int32, the number of the id of each event, which a text and a whole number that reads like it share;
    NO_ID for none. ``_whole``: int64, the whole numbers, which are numbered first; ``_texts``: the texts."""

    number: I32
    _whole: I64
    _texts: list[str]

    @classmethod
    def of(cls, codes: I64, texts: Iterable[str]) -> Ids:
        """The ids with these ``codes``, whose texts are numbered as ``texts``."""
        every, whole = list(texts), codes <= WHOLE_ID
        values = WHOLE_ID - codes[whole]
        numbers, rank = numbered(values)
        if not every and not len(numbers):
            return cls(np.broadcast_to(np.int32(NO_ID), len(codes)), numbers, every)
        of_text = np.append(len(numbers) + np.arange(len(every)), NO_ID)
        for place, like in _like_numbers(every) if len(numbers) else ():
            at = int(np.searchsorted(numbers, like))
            if at < len(numbers) and numbers[at] == like:
                of_text[place] = at
        number = of_text[np.maximum(codes, NO_ID)].astype(np.int32)
        number[whole] = rank
        return cls(number, numbers, every)

    def __len__(self) -> int:
        return len(self._whole) + len(self._texts)

    def text(self, number: int) -> str:
        """The id as text."""
        if number < len(self._whole):
            return str(self._whole[number])
        return self._texts[number - len(self._whole)]


def _like_numbers(texts: Sequence[str]) -> Iterable[tuple[int, int]]:
    """(place, number) of those texts that read like a whole number."""
    for place, each in enumerate(texts):
        if each.isdecimal() and each.isascii() and len(each) <= _MOST_DIGITS and str(int(each)) == each:
            yield place, int(each)


def _said(event: Event) -> tuple[Any, ...]:
    """What an ``M`` event says, and of what. True and 1 are equal, but only one of them is a number."""
    args = event.arguments
    order = None if type(args.sort_index) is bool else args.sort_index
    return event.pid, event.tid, args.name, args.labels, order


_OF_LANES = ("process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index")


class Metadata(Struct):
    """The data of ``M`` events about processes and threads, by their ids as text; ``other``: how many of these events
    do not describe lanes."""

    process_names: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    thread_names: dict[tuple[str, str], str] = field(default_factory=dict)
    process_places: dict[str, float] = field(default_factory=dict)
    thread_places: dict[tuple[str, str], float] = field(default_factory=dict)
    other: int = 0

    def add_all(self, events: Sequence[Event], times: Sequence[int] | None = None) -> None:
        """Adds ``M`` events in their order. Some writers repeat the same few before every slice: of those that say the
        same only the last is looked at. ``times``: how often each is there, if it is given once."""
        kinds = list(map(attrgetter("name"), events))
        every = range(len(events))
        try:
            places = sorted(dict(zip(zip(kinds, map(_said, events), strict=True), every, strict=True)).values())
        except TypeError:  # a list or an object as a name
            places = list(every)
        for place in places:
            self._add(events[place])
        for kind, count in Counter(kinds).items() if times is None else zip(kinds, times, strict=True):
            self.other += count if kind not in _OF_LANES else 0

    def _add(self, event: Event) -> None:
        args = event.arguments
        process, thread = text(event.pid), (text(event.pid), text(event.tid))
        place = number(args.sort_index)
        if event.name == "process_name" and args.name is not None:
            self.process_names[process] = text(args.name)
        elif event.name == "thread_name" and args.name is not None:
            self.thread_names[thread] = text(args.name)
        elif event.name == "process_labels" and args.labels:
            self.labels[process] = text(args.labels)
        elif event.name == "process_sort_index" and place == place:
            self.process_places[process] = place
        elif event.name == "thread_sort_index" and place == place:
            self.thread_places[thread] = place

    def extend(self, later: Metadata) -> None:
        """Adds the data of later events."""
        self.process_names.update(later.process_names)
        self.labels.update(later.labels)
        self.thread_names.update(later.thread_names)
        self.process_places.update(later.process_places)
        self.thread_places.update(later.thread_places)
        self.other += later.other

    def shown(self, processes: list[str]) -> dict[str, str]:
        """Display names of processes by id; processes of the same name get their id appended."""
        names = {pid: self.process_names.get(pid) or pid for pid in processes}
        taken = Counter(names.values())
        for pid, name in names.items():
            apart = f" ({pid})" if taken[name] > 1 and name != pid else ""
            labels = f" [{self.labels[pid]}]" if self.labels.get(pid) else ""
            names[pid] = f"{name}{apart}{labels}"
        return names


WORDS = ("PIPE_STATE", "pipe_state_busy")
"""Categories of slices that words of the device make (Ascend operator reports, section 5)."""
MOST_TOGETHER = 1 << 12
"""More combinations are not looked up together."""
_NEW: Final = 0.5
"""Nor are those of which so many in a piece are new."""


_FIELDS: Final = ("ph", "cname", "cat", "pid", "tid", "name")
_VALUES: Final[dict[str, Callable[[Sequence[Event]], list[Any]]]] = {
    "ph": lambda events: [event.ph for event in events],
    "cname": lambda events: [event.cname for event in events],
    "cat": lambda events: [event.cat for event in events],
    "pid": lambda events: [event.pid for event in events],
    "tid": lambda events: [event.tid for event in events],
    "name": lambda events: [event.name for event in events],
}
"""Faster than ``attrgetter``, which looks up each name for each event."""


class Labels:
    """Numbers the combinations of phase, colour and category, at first together with name, process and thread: that
    takes one look-up for an event. If there are too many of these, or most are new, names are looked up apart, then
    processes and threads too. Only REMEMBERED combinations are known at a time, so that a trace without repetition
    takes little more memory than its columns: numbers are valid for the piece they were made for.

    ``kind``, ``phase`` (the character; those on lanes are ASCII): uint8; ``category``: int32, numbers in
    ``categories``, -1 none; ``word``: bool, their category is one of WORDS, which at least one label of ``any_words``
    is.
    """

    def __init__(
        self,
        places: Places,
        categories: defaultdict[str, int],
        names: defaultdict[str | float | None, int],
        with_names: bool = True,
    ) -> None:
        self.categories = categories
        self.names = names
        self._places = places
        self._with_names = with_names
        self._owners: Owners | None = None
        self._forget({})

    def of(self, events: Sequence[Event]) -> tuple[I32, I32, I32]:
        """int32[events] each: the label of each event, an index in the columns, the number of its place in ``places``
        if it is on a lane, and that of its name in ``names``."""
        constant, count = constant_of(events), len(events)
        if self._outdated or self._described >= REMEMBERED or constant != self._constant:
            self._forget(constant)
        label = self._look_up(events)
        new = len(self._numbers) - self._described
        if new:
            self.describe(latest(self._numbers, new))
        place = self.place[label] if self._owners is None else self._owners.of(events, self.kind[label])
        if self._with_names:
            name: I32 = self._name.array()[label]
        else:
            name = numbers_of(self.names, [event.name for event in events], count)
        if self._owners is None and (self._described >= MOST_TOGETHER or new > _NEW * count):
            self._divide()
        return label, place, name

    @property
    def _fields(self) -> tuple[str, ...]:
        """The fields that are looked up together."""
        return _FIELDS if self._with_names else _FIELDS[:-1] if self._owners is None else _FIELDS[:3]

    def _look_up(self, events: Sequence[Event]) -> I32:
        """int32[events]: the label of each event."""
        values = [_VALUES[field](events) for field in self._fields if field not in self._constant]
        return numbers_of(self._numbers, zip(*values, strict=True) if values else [()] * len(events), len(events))

    def _divide(self) -> None:
        """Looks up less together from the next piece on."""
        if self._with_names:
            self._with_names = False
        else:
            self._owners = Owners(self._places)
        self._outdated = True

    @property
    def kind(self) -> U8:
        return self._kind.array()

    @property
    def phase(self) -> U8:
        return self._phase.array()

    @property
    def category(self) -> I32:
        return self._category.array()

    @property
    def place(self) -> I32:
        """int32: numbers in ``places``, while processes and threads are looked up together with the others."""
        return self._place.array()

    @property
    def word(self) -> Bool:
        return self._word.array()

    def _forget(self, constant: Mapping[str, Any]) -> None:
        """Begins anew, with events of which these fields are ``constant``."""
        self._numbers: defaultdict[Any, int] = numbering()
        self._described = 0
        self._constant = constant
        self._outdated = False
        self._kind = Growing(np.uint8)
        self._phase = Growing(np.uint8)
        self._category = Growing(np.int32)
        self._place = Growing(np.int32)
        self._name = Growing(np.int32)
        self._word = Growing(np.bool_)
        self.any_words = False

    def describe(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Adds labels to the columns: their fields that are looked up together."""
        if not rows:
            return
        count = len(rows)
        self._described += count
        columns = iter(zip(*rows, strict=True))
        constant = self._constant
        every: Iterator[Sequence[Any]] = (
            [constant[field]] * count if field in constant else next(columns) for field in self._fields
        )
        phases, colours, categories, *others = every
        kinds = [KINDS.get(phase, OTHER) for phase in phases]
        codes = {phase: min(ord(phase[0]), 255) if phase else 0 for phase in set(phases)}
        # Asynchronous events belong together by category.
        shown = [
            category if kind > INSTANT else colour or category
            for kind, colour, category in zip(kinds, colours, categories, strict=True)
        ]
        self._kind.extend(kinds)
        self._phase.extend([codes[phase] for phase in phases])
        words = [category in WORDS for category in categories]
        self._word.extend(words)
        self.any_words |= any(words)
        self._category.extend(self._categories_of(shown))
        if others:
            self._place.extend(self._places_of(list(zip(*others[:2], strict=True)), kinds))
        if self._with_names:
            self._name.extend(numbers_of(self.names, others[2], count))

    def _categories_of(self, shown: list[Any]) -> list[int]:
        """The numbers of texts in ``categories``, -1 for none."""
        texts = {label: text(label) for label in dict.fromkeys(shown)}
        numbers = {label: self.categories[name] if name else -1 for label, name in texts.items()}
        return [numbers[label] for label in shown]

    def _places_of(self, owners: list[Any], kinds: list[int]) -> list[int]:
        """The numbers in ``places`` of (process, thread), NOWHERE for events that are on no lane."""
        on_lanes = dict.fromkeys(compress(owners, map(COUNTER.__gt__, kinds)))
        numbers = {owner: self._places.number(text(owner[0]), text(owner[1])) for owner in on_lanes}
        places = [numbers[owner] if kind < COUNTER else NOWHERE for owner, kind in zip(owners, kinds, strict=True)]
        self._places.threads.update(compress(places, map(INSTANT.__gt__, kinds)))
        return places
