"""Program counters, parsed many at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress
from typing import Any, Final

import numpy as np

from app.formats.ascend_trace.event import Event
from app.profile.arrays import I64

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
