"""Numbers the combinations of fields that many events share: kind, name, colour, place, program counter."""

from __future__ import annotations

import re
from array import array
from typing import Any

import numpy as np

from app.formats.ascend_trace.event import text
from app.profile.arrays import Array
from app.profile.strings import Interner

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

FIELDS = ("ph", "name", "cname", "cat", "pid", "tid", "args.pc_addr")
"""The fields of an event that form its label."""

REMEMBERED = 1 << 15
MAX_LANES = 100_000
NOWHERE, BEYOND = -1, -2
_HEX = re.compile(r"(?:0[xX])?[0-9a-fA-F]{1,16}")


class Labels(dict[tuple[Any, ...], int]):
    """Numbers the combinations of FIELDS in the order of first appearance: ``labels[fields]``. Only REMEMBERED of them
    are looked up at a time (a forgotten one gets a second number), so that a trace without repetition takes little more
    memory than its columns. ``places`` numbers the (process id, thread id) of events on lanes; ``threads``: the places
    with events on the lane of the thread.
    """

    def __init__(self, strings: Interner) -> None:
        self._strings = strings
        self.places: dict[tuple[str, str], int] = {}
        self.threads: set[int] = set()
        self._phase = array("B")
        self._kind = array("B")
        self._name = array("i")
        self._category = array("i")
        self._place = array("i")
        self._address = array("q")

    def __missing__(self, fields: tuple[Any, ...]) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        phase, name, colour, category, process, thread, address = fields
        self[fields] = number = len(self._kind)
        kind = KINDS.get(phase, OTHER)
        self._kind.append(kind)
        self._name.append(self._strings(name))
        shown = category if kind > INSTANT else colour or category  # asynchronous events belong together by category
        self._category.append(self._strings(shown) if shown else -1)
        self._phase.append(min(ord(phase[0]), 255) if phase else 0)
        place = self._placed(text(process), text(thread)) if kind < COUNTER else NOWHERE
        self._place.append(place)
        if kind < INSTANT:
            self.threads.add(place)
        self._address.append(parsed(address))
        return number

    def _placed(self, process: str, thread: str) -> int:
        if not process and not thread:
            return NOWHERE
        if len(self.places) < MAX_LANES:
            return self.places.setdefault((process, thread), len(self.places))
        return self.places.get((process, thread), BEYOND)

    @property
    def kind(self) -> Array:
        """uint8[labels]: the kind; like the other columns a copy of the labels so far."""
        return np.array(self._kind, np.uint8)

    @property
    def phase(self) -> Array:
        """uint8[labels]: the character of the phase (those on lanes are all ASCII)."""
        return np.array(self._phase, np.uint8)

    @property
    def name(self) -> Array:
        """int32[labels]: text ids of names."""
        return np.array(self._name, np.int32)

    @property
    def category(self) -> Array:
        """int32[labels]: text ids of the colour name, else of the category; -1 none."""
        return np.array(self._category, np.int32)

    @property
    def place(self) -> Array:
        """int32[labels]: numbers in ``places``, NOWHERE for events without process and thread, BEYOND for those on
        lanes past MAX_LANES."""
        return np.array(self._place, np.int32)

    @property
    def address(self) -> Array:
        """int64[labels]: the program counter, -1 none."""
        return np.array(self._address, np.int64)


def parsed(address: str | int | None) -> int:
    """``address``, a hexadecimal string or a number, as int; -1 where it is absent or not below 2^63."""
    if isinstance(address, str):
        address = int(address, 16) if _HEX.fullmatch(address) else None
    return address if address is not None and 0 <= address < 1 << 63 else -1
