"""Program counters, parsed many at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from app.formats.ascend_trace.event import Event
from app.profile.arrays import I64

NO_ADDRESS: Final = -1
_HEX = re.compile(r"(?:0[xX])?[0-9a-fA-F]{1,16}")
_BAD: Final = 255
_COMMA: Final = ord(",")
_MOST_DIGITS: Final = 15


def _digit_values() -> np.ndarray:
    values = np.full(256, _BAD, np.uint8)
    for value, digits in enumerate(zip(b"0123456789abcdef", b"0123456789ABCDEF", strict=True)):
        values[list(digits)] = value
    return values


_DIGITS = _digit_values()


def addresses(events: Sequence[Event]) -> I64 | None:
    """int64[events]: the program counters of ``events``, NO_ADDRESS where one has none; None if none has any."""
    texts = [event.args.pc_addr for event in events]
    try:
        joined = ",".join(texts)  # type: ignore[arg-type]
    except TypeError:
        if texts.count(None) == len(texts):
            return None
        return np.fromiter(map(parsed, texts), np.int64, len(texts))
    values = _alike(joined, len(texts))
    return np.fromiter(map(parsed, texts), np.int64, len(texts)) if values is None else values


def _alike(joined: str, count: int) -> I64 | None:
    """int64[count]: the values of comma-separated hexadecimal numbers of one length; None for anything else."""
    width = (len(joined) + 1) // count
    if width * count != len(joined) + 1 or not joined.isascii():
        return None
    rows = np.frombuffer(f"{joined},".encode(), np.uint8).reshape(count, width)
    begin = 2 if joined[:2] in ("0x", "0X") else 0
    prefixed = not begin or bool(np.all((rows[:, 0] == ord("0")) & (rows[:, 1] | 32 == ord("x"))))
    digits = _DIGITS[rows[:, begin:-1]].T
    if not (prefixed and 0 < len(digits) <= _MOST_DIGITS and digits.max() < _BAD and np.all(rows[:, -1] == _COMMA)):
        return None
    values = np.zeros(count, np.int64)
    for digit in digits:
        values <<= 4
        values |= digit
    return values


def parsed(address: str | float | None) -> int:
    """``address``, a hexadecimal string or a whole number, as int; NO_ADDRESS where it is absent or not below 2^63."""
    if isinstance(address, str):
        address = int(address, 16) if _HEX.fullmatch(address) else None
    return address if isinstance(address, int) and 0 <= address < 1 << 63 else NO_ADDRESS
