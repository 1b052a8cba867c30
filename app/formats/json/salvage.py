"""Recovering a piece that cannot be decoded: bad records are isolated by bisection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec
import orjson
from msgspec import Struct, field

from app.formats.json.split import split
from app.formats.json.tolerant import clean

T = TypeVar("T")

Decode = Callable[[bytes], list[T]]
"""Decodes the text of an array, including its brackets, into its items; raises ValueError or a msgspec error."""
Rescue = Callable[[Any], T]
"""Makes an item of a plain decoded value that ``Decode`` rejected; raises ValueError if it cannot."""

REFUSED = (ValueError, msgspec.MsgspecError, RecursionError)


Spans = list[tuple[int, int]]
"""Begin and end of each item in a text."""


class Salvage(Struct, Generic[T]):
    """``lost``: numbers, among all items of the piece, of those that are not in ``items``; ``repaired``: number of the
    first item whose text had to be cleaned, -1 if none."""

    items: list[T] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    repaired: int = -1


def attempt(decode: Decode[T], text: bytes) -> list[T] | None:
    """The items of ``text``, which has no brackets around it; None if decoding fails."""
    try:
        return decode(b"[%b]" % text)
    except REFUSED:
        return None


def salvage(
    text: bytes, spans: Spans, decode: Decode[T], rescue: Rescue[T] | None, plain: Decode[Any] = orjson.loads
) -> Salvage[T]:
    """Cleans ``text``, then bisects its ``spans`` until the bad ones are isolated: a bad record costs about two
    decodings of its piece, and never one of the whole file. ``plain`` makes the values that ``rescue`` accepts."""
    result: Salvage[T] = Salvage()
    cleaned = clean(text)
    if cleaned != text:
        again = split(cleaned + b",").spans
        if len(again) == len(spans):
            differ = (text[a:b] if text[a:b] != cleaned[slice(*again[n])] else b"" for n, (a, b) in enumerate(spans))
            # Cleaning also replaces line breaks between values, which are no fault.
            refused = (n for n, part in enumerate(differ) if part and attempt(plain, part) is None)
            result.repaired = next(refused, -1)
            text, spans = cleaned, again
    stack = [(0, len(spans))]
    while stack:
        low, high = stack.pop()
        part = text[spans[low][0] : spans[high - 1][1]]
        items = attempt(decode, part)
        if items is not None and len(items) == high - low:
            result.items += items
        elif not (rescue and _rescued(result, attempt(plain, part), (low, high), rescue)):
            middle = (low + high) // 2
            stack += [(middle, high), (low, middle)] if high - low > 1 else []
            result.lost += [low] if high - low == 1 else []
    return result


def _rescued(result: Salvage[T], values: list[Any] | None, run: tuple[int, int], rescue: Rescue[T]) -> bool:
    """Adds items made of ``values`` one by one, if a plain decoder accepted them."""
    if values is None or len(values) != run[1] - run[0]:
        return False
    for number, value in enumerate(values, run[0]):
        try:
            result.items.append(rescue(value))
        except REFUSED:
            result.lost.append(number)
    return True
