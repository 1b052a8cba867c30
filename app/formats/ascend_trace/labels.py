"""Numbers the combinations of fields that many events share: kind, colour, category, place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import compress, islice
from typing import Any

import numpy as np

from app.formats.ascend_trace.event import Event, text
from app.formats.ascend_trace.growing import Growing
from app.formats.numbering import numbering
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
MAX_LANES = 100_000
NOWHERE, BEYOND = -1, -2


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
        numbers = [self.number(*place) for place in others.numbers]
        self.overflowed |= others.overflowed
        result = np.array([*numbers, BEYOND, NOWHERE], np.int32)
        self.threads.update(result[list(others.threads)].tolist())
        return result


class Labels:
    """Numbers the combinations of phase, colour, category, process and thread. Only REMEMBERED of them are known at a
    time, so that a trace without repetition takes little more memory than its columns: numbers are valid for the piece
    they were made for.

    ``kind``, ``phase`` (the character; those on lanes are ASCII): uint8; ``category``: int32, numbers in
    ``categories``, -1 none; ``place``: int32, numbers in ``places``; ``word``: bool, their category is one of WORDS,
    which at least one label of ``any_words`` is.
    """

    def __init__(self) -> None:
        self.places = Places()
        self.categories: defaultdict[str, int] = numbering()
        self._forget()

    def of(self, events: Sequence[Event]) -> I32:
        """int32[events]: the label of each event, an index in the columns."""
        if self._described >= REMEMBERED:
            self._forget()
        numbers = self._numbers
        labels = [numbers[event.ph, event.cname, event.cat, event.pid, event.tid] for event in events]
        if len(numbers) > self._described:
            self._describe(len(numbers) - self._described)
        return np.array(labels, np.int32)

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
        return self._place.array()

    @property
    def word(self) -> Bool:
        return self._word.array()

    def _forget(self) -> None:
        self._numbers: defaultdict[Any, int] = numbering()
        self._described = 0
        self._known: dict[tuple[Any, Any], int] = {}  # places by ids as in the file
        self._kind = Growing(np.uint8)
        self._phase = Growing(np.uint8)
        self._category = Growing(np.int32)
        self._place = Growing(np.int32)
        self._word = Growing(np.bool_)
        self.any_words = False

    def _describe(self, count: int) -> None:
        """Adds the last ``count`` labels to the columns."""
        self._described += count
        latest = list(islice(reversed(self._numbers), count))
        latest.reverse()
        phases, colours, categories, processes, threads = zip(*latest, strict=True)
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
        self._place.extend(self._places_of(list(zip(processes, threads, strict=True)), kinds))

    def _categories_of(self, shown: list[Any]) -> list[int]:
        """The numbers of texts in ``categories``, -1 for none."""
        texts = {label: text(label) for label in dict.fromkeys(shown)}
        numbers = {label: self.categories[name] if name else -1 for label, name in texts.items()}
        return [numbers[label] for label in shown]

    def _places_of(self, pairs: list[tuple[Any, Any]], kinds: list[int]) -> list[int]:
        """The numbers of (process, thread) in ``places``, NOWHERE for events that are on no lane."""
        known = self._known
        for pair in dict.fromkeys(compress(pairs, map(COUNTER.__gt__, kinds))):
            if pair not in known:
                known[pair] = self.places.number(text(pair[0]), text(pair[1]))
        places = [known[pair] if kind < COUNTER else NOWHERE for pair, kind in zip(pairs, kinds, strict=True)]
        self.places.threads.update(compress(places, map(INSTANT.__gt__, kinds)))
        return places
