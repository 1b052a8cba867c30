"""Numbers the combinations of fields that many events share: kind, colour, category, place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, Final

import numpy as np

from app.formats.ascend_trace.event import Event, constant_of, text
from app.formats.ascend_trace.growing import Growing
from app.formats.ascend_trace.kinds import COUNTER, INSTANT, KINDS, OTHER
from app.formats.ascend_trace.places import NOWHERE, REMEMBERED, Owners, Places
from app.formats.numbering import latest, numbering, numbers_of
from app.profile.arrays import I32, U8, Bool

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
