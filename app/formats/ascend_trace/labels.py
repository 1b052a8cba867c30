"""Numbers the combinations of fields that many events share: kind, colour, category, place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, Final

import numpy as np

from app.formats.ascend_trace.event import Event, constant_of, text
from app.formats.ascend_trace.growing import Growing
from app.formats.numbering import latest, numbering, numbers_of
from app.profile.arrays import I32, U8, Bool

SLICE, BEGIN, END, FLOW_START, FLOW_STEP, FLOW_END = range(6)
INSTANT, ASYNC_BEGIN, ASYNC_END, ASYNC_INSTANT, OPERATION_BEGIN, OPERATION_END = range(6, 12)
COUNTER, METADATA, OTHER = range(12, 15)
"""Kinds of events; those below COUNTER are on lanes, those below INSTANT on lanes of threads. Operations are the
legacy asynchronous events, which do not nest."""

KINDS = {
    "X": SLICE, "B": BEGIN, "E": END, "s": FLOW_START, "t": FLOW_STEP, "f": FLOW_END,
    "i": INSTANT, "I": INSTANT, "R": INSTANT, "b": ASYNC_BEGIN, "e": ASYNC_END, "n": ASYNC_INSTANT,
    "S": OPERATION_BEGIN, "F": OPERATION_END, "T": ASYNC_INSTANT, "p": ASYNC_INSTANT,
    "C": COUNTER, "M": METADATA,
}  # fmt: skip

WORDS = ("PIPE_STATE", "pipe_state_busy")
"""Categories of slices that words of the device make (Ascend operator reports, section 5)."""
REMEMBERED = 1 << 18
MOST_TOGETHER = 1 << 12
"""More combinations are not looked up together."""
_NEW: Final = 0.5
"""Nor are those of which so many in a piece are new."""
MAX_LANES = 100_000
NOWHERE, BEYOND = -1, -2


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


class Places:
    """Numbers the (process id, thread id) of events on lanes, up to ``most``. ``threads``: the numbers of those with
    events on the lane of the thread; ``overflowed``: whether a place was left out."""

    def __init__(self, most: int = MAX_LANES) -> None:
        self._most = most
        self.numbers: dict[tuple[str, str], int] = {}
        self.threads: set[int] = set()
        self.overflowed = False

    def number(self, process: str, thread: str) -> int:
        """The number of a place, NOWHERE for events without process and thread, BEYOND for those past the limit."""
        if not process and not thread:
            return NOWHERE
        if len(self.numbers) < self._most:
            return self.numbers.setdefault((process, thread), len(self.numbers))
        number = self.numbers.get((process, thread), BEYOND)
        self.overflowed |= number == BEYOND
        return number

    def extend(self, others: Places) -> I32:
        """Adds the places of ``others``. int32[len(others) + 2]: the number here of each of their numbers (the last two
        are BEYOND and NOWHERE)."""
        known = self.numbers
        numbers = [known[place] if place in known else self.number(*place) for place in others.numbers]
        self.overflowed |= others.overflowed
        result = np.array([*numbers, BEYOND, NOWHERE], np.int32)
        self.threads.update(result[list(others.threads)].tolist())
        return result


class Owners:
    """Finds the numbers in ``places`` of the processes and threads of events. Like Labels, it knows REMEMBERED of
    them at a time."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._forget()

    def of(self, events: Sequence[Event], kind: U8) -> I32:
        """int32[events]: the number of the place of each event whose ``kind`` (uint8[events]) is on a lane."""
        if len(self._pairs) >= REMEMBERED:
            self._forget()
        numbers = self._numbers
        owner = np.array([numbers[event.pid, event.tid] for event in events], np.int32)
        count = len(numbers) - len(self._pairs)
        if count:
            self._pairs += latest(numbers, count)
            self._place.extend(np.full(count, NOWHERE, np.int32))
            self._settled.extend(np.zeros(count, np.bool_))
        if not bool(np.all(self._settled.array()[owner])):
            self._settle(owner, kind)
        place: I32 = self._place.array()[owner]
        return place

    def _settle(self, owner: I32, kind: U8) -> None:
        """Finds the places of pairs that have the first events on lanes, or on those of threads."""
        place, settled = self._place.array(), self._settled.array()
        for number in dict.fromkeys(owner[~settled[owner] & (kind < COUNTER)].tolist()):
            process, thread = self._pairs[number]
            process = process if type(process) is str else text(process)
            place[number] = self._places.number(process, thread if type(thread) is str else text(thread))
        threads = owner[~settled[owner] & (kind < INSTANT)]
        settled[threads] = True
        self._places.threads.update(place[threads].tolist())

    def _forget(self) -> None:
        self._numbers: defaultdict[tuple[Any, Any], int] = numbering()
        self._pairs: list[tuple[Any, Any]] = []
        self._place = Growing(np.int32)
        self._settled = Growing(np.bool_)


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
        self, places: Places, categories: defaultdict[str, int], names: defaultdict[str | float | None, int]
    ) -> None:
        self.categories = categories
        self.names = names
        self._places = places
        self._with_names = True
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
            self._describe(new)
        place = self._place.array()[label] if self._owners is None else self._owners.of(events, self.kind[label])
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

    def _describe(self, count: int) -> None:
        """Adds the last ``count`` labels to the columns."""
        self._described += count
        columns = iter(zip(*latest(self._numbers, count), strict=True))
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
