"""Numbers the ids that link events.

Nearly every id occurs only twice, and most are whole numbers. These are columns of numbers until the whole trace is
read: a dictionary of a million texts would take more time and memory than the events themselves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from types import NoneType
from typing import Any, Final

import numpy as np
from msgspec import Struct

from app.formats.numbering import numbers_of, translation
from app.profile.arrays import I32, I64, Bool, numbered

NO_ID: Final = -1
_WHOLE: Final = -2
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
    return _WHOLE - values if values.min() >= 0 and values.max() < _MOST else None


def translated(codes: I64, texts: Texts, others: Texts) -> I64:
    """int64[n]: ``codes``, whose texts are numbered in ``others``, for those in ``texts``, which gets the missing
    ones."""
    number = translation(texts, others)
    return np.where(codes > _WHOLE, number[np.maximum(codes, NO_ID)], codes)


class Ids(Struct, frozen=True, eq=False):
    """``number``: int32, the number of the id of each event, which a text and a whole number that reads like it share;
    NO_ID for none. ``_whole``: int64, the whole numbers, which are numbered first; ``_texts``: the texts."""

    number: I32
    _whole: I64
    _texts: list[str]

    @classmethod
    def of(cls, codes: I64, texts: Iterable[str]) -> Ids:
        """The ids with these ``codes``, whose texts are numbered as ``texts``."""
        every, whole = list(texts), codes <= _WHOLE
        values = _WHOLE - codes[whole]
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
    for place, text in enumerate(texts):
        if text.isdecimal() and text.isascii() and len(text) <= _MOST_DIGITS and str(int(text)) == text:
            yield place, int(text)
