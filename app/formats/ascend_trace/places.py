"""Numbers the places of events: pairs of a process and a thread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.event import Event, constant_of, text
from app.formats.ascend_trace.kinds import COUNTER, INSTANT
from app.formats.numbering import latest, numbering, numbers_of
from app.profile.arrays import I32, I64, U8, Bool

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
