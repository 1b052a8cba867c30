"""What many events share: kind, name, colour, place, program counter."""

from __future__ import annotations

import re
from array import array
from typing import Any

import numpy as np

from app.formats.ascend_trace.event import text
from app.profile.arrays import Array
from app.profile.strings import Interner

SLICE, BEGIN, END, FLOW_START, FLOW_END, INSTANT, COUNTER, METADATA, OTHER = range(9)
"""Kinds of events; those below COUNTER have a place on a lane."""

KINDS = {
    "X": SLICE, "B": BEGIN, "E": END, "s": FLOW_START, "t": FLOW_END, "f": FLOW_END,
    "i": INSTANT, "I": INSTANT, "C": COUNTER, "M": METADATA,
}  # fmt: skip

FIELDS = ("ph", "name", "cname", "cat", "pid", "tid", "args.pc_addr")
"""What of an event makes its label."""

REMEMBERED = 1 << 16
_HEX = re.compile(r"(?:0[xX])?[0-9a-fA-F]{1,16}")


class Labels(dict[tuple[Any, ...], int]):
    """Numbers the combinations of FIELDS in the order of first sight: ``labels[fields]``. Only so many are remembered
    at a time (one that comes again gets a second number), so that a trace without repetition does not cost more memory
    than its columns.
    """

    def __init__(self, strings: Interner) -> None:
        self._strings = strings
        self.processes = Interner()
        self.threads = Interner()
        self._kind = array("B")
        self._name = array("i")
        self._category = array("i")
        self._process = array("i")
        self._thread = array("i")
        self._address = array("q")

    def __missing__(self, fields: tuple[Any, ...]) -> int:
        if len(self) >= REMEMBERED:
            self.clear()
        phase, name, colour, category, process, thread, address = fields
        self[fields] = number = len(self._kind)
        self._kind.append(KINDS.get(phase, OTHER))
        self._name.append(self._strings(name))
        self._category.append(self._strings(colour or category) if colour or category else -1)
        self._process.append(self.processes(text(process)))
        self._thread.append(self.threads(text(thread)))
        self._address.append(parsed(address))
        return number

    @property
    def kind(self) -> Array:
        """uint8 by number; like the others a copy, for what was numbered so far."""
        return np.array(self._kind, np.uint8)

    @property
    def name(self) -> Array:
        """int32 text ids by number."""
        return np.array(self._name, np.int32)

    @property
    def category(self) -> Array:
        """int32 text ids by number, -1 none: the colour's name, else the category."""
        return np.array(self._category, np.int32)

    @property
    def process(self) -> Array:
        """int32 numbers in ``processes``."""
        return np.array(self._process, np.int32)

    @property
    def thread(self) -> Array:
        """int32 numbers in ``threads``."""
        return np.array(self._thread, np.int32)

    @property
    def address(self) -> Array:
        """int64, -1 none."""
        return np.array(self._address, np.int64)


def parsed(address: str | int | None) -> int:
    """A hexadecimal text or a number; -1 for none, and for what is no address below 2^63."""
    if isinstance(address, str):
        address = int(address, 16) if _HEX.fullmatch(address) else None
    return address if address is not None and 0 <= address < 1 << 63 else -1
