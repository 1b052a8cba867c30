"""Cells of many rows of a CSV file at once, from its bytes: numbers, times and texts without an object for each cell.

Only rows that every reader of CSV understands alike are taken. Whatever else occurs in a piece of a file is left to the
csv module, so that errors and their places are its own."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.formats.numbering import FACTOR, hashes_of, same_texts, words_of
from app.profile.arrays import F64, I32, I64, U8, U64, Bool

_QUOTE, _TAB, _NEWLINE, _RETURN, _DOT, _MINUS, _ZERO = b'"\t\n\r.-0'
_LONGEST: Final = 1 << 17
"""A longer cell is left to the csv module, which refuses it."""
_PAD: Final = 24
"""Zeros before a piece, so that the words before the end of a cell are inside."""
_WORD: Final = 8
_ONES: Final = np.uint64(0x0101010101010101)
_ZEROS: Final = _ONES * np.uint64(_ZERO)
_HIGH: Final = _ONES << np.uint64(7)
_ABOVE_NINE: Final = _ONES * np.uint64(0x76)
"""Added to a byte above 9, it sets the highest bit."""
_DOT_DIGIT: Final = np.uint64(_DOT ^ _ZERO)
_AFTER_DOT: Final = np.uint64(0x0807060504030201)
"""Byte i is i + 1: shifted by the byte of a dot, the highest is 1 + the number of bytes after the dot."""
_LAST: Final[U64] = np.array([(1 << 64) - (1 << 8 * (8 - n)) for n in range(9)], np.uint64)
_FIRST: Final[U64] = np.array([(1 << 8 * n) - 1 for n in range(9)], np.uint64)
"""The last and the first n bytes of a word."""
_TENS: Final[U64] = np.array([10**n for n in range(17)], np.uint64)
_SCALES: Final[F64] = np.array([1, *(10.0**n for n in range(16))])
"""By 1 + the number of digits after the dot, 0 without one."""
_MARKS: Final = tuple((len(mark), int.from_bytes(mark.rjust(8, b"\0"), "little")) for mark in (b"N/A", b"NA"))
_EXACT: Final = 1 << 53
_SLOTS: Final = 1 << 16
_SHIFTS: Final = (48, 32, 16)
_MOST_KNOWN: Final = 1 << 12
_LONGEST_KNOWN: Final = 512
_UNKNOWN: Final = -2


class Cells:
    """The cells of one column of some rows. ``begin``, ``end``: int64[rows], places in ``data`` (uint8), the bytes of a
    piece between zeros; ``words``: the eight bytes from each place on."""

    def __init__(self, data: U8, words: U64, begin: I64, end: I64) -> None:
        self.words = words
        self.begin = begin
        self.end = end
        self._data = data

    def __len__(self) -> int:
        return len(self.begin)

    def raw(self, rows: I64) -> list[bytes]:
        """The bytes of the cells of ``rows``, with their quotes."""
        view = self._data.data
        places = zip(self.begin[rows].tolist(), self.end[rows].tolist(), strict=True)
        return [bytes(view[begin:end]) for begin, end in places]

    def texts(self) -> list[str]:
        """All cells as the csv module gives them."""
        return list(map(text_of, self.raw(np.arange(len(self)))))

    def numbers(self) -> F64 | None:
        """float64[rows], NaN for no data. None where a cell is anything but digits with a sign and a dot, or may be no
        number: an integer that float64 cannot hold, or one that begins with 0 as names do."""
        begin, head = self.begin, self._data[self.begin]
        minus: Bool = head == _MINUS
        signed = bool(minus.any())
        if signed:
            begin = begin + minus
            head = self._data[begin]
        size = self.end - begin
        longest = int(size.max(initial=0))
        zero = begin[np.flatnonzero((head == _ZERO) & (size > 1))]
        if longest > 2 * _WORD or (self._data[zero + 1] != _DOT).any():
            return None
        value, place, odd = _digits(self.words[self.end - _WORD], np.minimum(size, _WORD))
        if longest > _WORD:
            first, high, strange = _digits(self.words[self.end - 2 * _WORD], np.maximum(size - _WORD, 0))
            value += first * np.where(place > 0, _TENS[7], _TENS[8])
            odd |= strange | ((place > 0) & (high > 0))
            place = np.where(high > 0, high + _WORD, place)
        odd |= size <= (place > 0)
        if longest == 2 * _WORD and (value[~odd] >= _EXACT).any():
            return None
        numbers = value.astype(np.float64)
        if place.any():
            numbers /= _SCALES[place]  # both are exact, so that the quotient is the nearest float64
        if signed:
            np.negative(numbers, out=numbers, where=minus)
        if odd.any():
            strangers = np.flatnonzero(odd)
            if not self._no_data(strangers).all():
                return None
            numbers[strangers] = np.nan
        return numbers

    def nanoseconds(self, latest: int) -> I64 | None:
        """int64[rows]: times in microseconds with three digits after the dot, and perhaps a tab after them, in
        nanoseconds; -1 for empty cells. None where a cell is anything else or above ``latest``."""
        end = self.end - (self._data[self.end - 1] == _TAB)
        times = np.full(len(end), -1, np.int64)
        timed = np.flatnonzero(end > self.begin)
        end = end[timed]
        size = end - self.begin[timed]
        if not len(size):
            return times
        if size.min() < 5 or size.max() > 20:
            return None
        last, point, odd = _digits(self.words[end - _WORD], np.full(len(size), 4))
        low, stray, strange = _digits(self.words[end - 4 - _WORD], np.minimum(size - 4, _WORD))
        high, other, alien = _digits(self.words[end - 4 - 2 * _WORD], np.maximum(size - 4 - _WORD, 0))
        if (odd | strange | alien | (point != 4) | (stray > 0) | (other > 0)).any():
            return None
        value = (high * _TENS[8] + low) * _TENS[3] + last
        if int(value.max()) > latest:
            return None
        times[timed] = value.astype(np.int64)
        return times

    def _no_data(self, rows: I64) -> Bool:
        """bool: which of ``rows`` are empty or one of the commonest marks for no data."""
        end, size = self.end[rows], self.end[rows] - self.begin[rows]
        word = self.words[end - _WORD] & _LAST[np.minimum(size, _WORD)]
        there: Bool = size == 0
        for length, mark in _MARKS:
            there |= (size == length) & (word == np.uint64(mark))
        return there


def _digits(word: U64, size: I64) -> tuple[U64, I64, Bool]:
    """Of the last ``size`` bytes of each word: (uint64, the number that their digits write; int64, 1 + the bytes after
    the dot, 0 without one; bool, whether there is anything but digits and one dot)."""
    word = word ^ _ZEROS
    word &= _LAST[size]
    above = word + _ABOVE_NINE
    above |= word
    above &= _HIGH
    place = np.zeros(len(word), np.int64)
    odd = np.zeros(len(word), np.bool_)
    if above.any():
        above >>= np.uint64(7)
        dots = above * _DOT_DIGIT
        odd = (above & (above - np.uint64(1))) != 0
        odd |= (word & (above * np.uint64(255))) != dots
        # The digits before the dot take its place.
        before = np.where(above > 0, above - np.uint64(1), np.uint64(0))
        word = (word & before) << np.uint64(8) | word & ~(before | above * np.uint64(255))
        place = ((above * _AFTER_DOT) >> np.uint64(56)).astype(np.int64)
        word[odd] = 0
        place[odd] = 0
    # Pairs of digits, then fours, then all eight.
    word *= np.uint64(10 * 256 + 1)
    word >>= np.uint64(8)
    word &= np.uint64(0x00FF00FF00FF00FF)
    word *= np.uint64(100 * 65536 + 1)
    word >>= np.uint64(16)
    word &= np.uint64(0x0000FFFF0000FFFF)
    word *= np.uint64((10000 << 32) + 1)
    word >>= np.uint64(32)
    return word, place, odd


def text_of(cell: bytes) -> str:
    """The text of a cell that ``regular_rows`` took, without its quotes."""
    if cell[:1] == b'"':
        cell = cell[1:-1].replace(b'""', b'"')
    return cell.replace(b"\r\n", b"\n").decode("utf-8", "backslashreplace")


class RegularRows:
    """Rows that have all their cells. ``rows``: how many; ``lines``: that they stand in; ``used``: their bytes."""

    def __init__(self, data: U8, ends: I64, width: int, lines: int) -> None:
        self.rows = len(ends) // width
        self.lines = lines
        self.used = int(ends[-1]) + 1 - _PAD
        self._data = data
        self._words = words_of(data)
        self._ends = ends.reshape(-1, width)
        self._begins = np.concatenate((np.full(1, _PAD), ends[:-1] + 1)).reshape(-1, width)

    def column(self, place: int) -> Cells:
        """The cells of a column."""
        begin, end = self._begins[:, place].copy(), self._ends[:, place].copy()
        if place == self._ends.shape[1] - 1:
            end -= (self._data[end - 1] == _RETURN) & (end > begin)
        return Cells(self._data, self._words, begin, end)


def regular_rows(piece: bytes, separator: str, width: int) -> RegularRows | None:
    """The rows in ``piece``, whole lines of UTF-8 in which a carriage return stands only before a line feed; None
    unless each of them has ``width`` cells. A row that is open at the end is left."""
    if width < 2 or b"\0" in piece:
        return None
    data = np.zeros(_PAD + len(piece) + _WORD, np.uint8)
    body = data[_PAD:-_WORD]
    body[:] = np.frombuffer(piece, np.uint8)
    feeds = body == _NEWLINE
    splits = feeds | (body == ord(separator))
    if b'"' in piece:
        quotes = body == _QUOTE
        splits &= ~np.bitwise_xor.accumulate(quotes.view(np.uint8)).view(np.bool_)
        stops = np.flatnonzero(splits & feeds)
        used = int(stops[-1]) + 1 if len(stops) else 0
        if not _closed(data, np.flatnonzero(quotes[:used]) + _PAD, separator):
            return None
        splits, feeds = splits[:used], feeds[:used]
    ends = np.flatnonzero(splits) + _PAD
    lines = int(np.count_nonzero(feeds))
    rows = len(ends) // width
    if not rows or len(ends) != rows * width or np.diff(ends, prepend=_PAD).max() > _LONGEST:
        return None
    breaks = data[ends] == _NEWLINE
    if np.count_nonzero(breaks) != rows or not breaks[width - 1 :: width].all():
        return None
    return RegularRows(data, ends, width, lines)


def _closed(data: U8, quotes: I64, separator: str) -> bool:
    """Whether all quotes begin a cell, end it, or are doubled in it."""
    opening, closing = quotes[::2], quotes[1::2]
    if len(opening) != len(closing):
        return False
    before, after = data[opening - 1], data[closing + 1]
    doubled = closing[:-1] + 1 == opening[1:]
    begins = (before == ord(separator)) | (before == _NEWLINE) | (opening == _PAD)
    ends = (after == ord(separator)) | (after == _NEWLINE) | ((after == _RETURN) & (data[closing + 2] == _NEWLINE))
    begins[1:] |= doubled
    ends[:-1] |= doubled
    return bool(begins.all() and ends.all())


class _Keys:
    """What tells texts apart: ``size`` of each, ``first`` and ``last`` words, which are all of a text of 16 bytes;
    ``slots``: places for each in a table, one for each probe."""

    def __init__(self, cells: Cells, rows: I64 | slice) -> None:
        begin, end = cells.begin[rows], cells.end[rows]
        self.size = end - begin
        bytes_used = np.minimum(self.size, _WORD)
        self.first = cells.words[begin] & _FIRST[bytes_used]
        self.last = cells.words[end - _WORD] & _LAST[bytes_used]
        self.long = np.flatnonzero(self.size > 2 * _WORD)
        hashes = (self.first * FACTOR) ^ self.last ^ self.size.astype(np.uint64)
        hashes[self.long] ^= hashes_of(cells.words, begin[self.long], self.size[self.long])
        hashes *= FACTOR
        self.slots = [hashes >> np.uint64(shift) & np.uint64(_SLOTS - 1) for shift in _SHIFTS]


class KnownTexts:
    """The ids of texts of a column by their bytes, of the first that came: most columns have few."""

    def __init__(self) -> None:
        self._slots = np.full(_SLOTS, -1, np.int32)
        self._id = np.full(_MOST_KNOWN, _UNKNOWN, np.int32)
        self._begin = np.zeros(_MOST_KNOWN, np.int64)
        self._size = np.zeros(_MOST_KNOWN, np.int64)
        self._first = np.zeros(_MOST_KNOWN, np.uint64)
        self._last = np.zeros(_MOST_KNOWN, np.uint64)
        self._count = 0
        self._blob = b""
        self._words = words_of(np.empty(0, np.uint8))

    def find(self, cells: Cells) -> tuple[I32, I64]:
        """(int32[rows]: ids, int64: the rows whose text is not known)."""
        keys = _Keys(cells, slice(None))
        ids = np.full(len(cells), _UNKNOWN, np.int32)
        for slots in keys.slots:
            number = self._slots[slots]
            same = (number >= 0) & (self._size[number] == keys.size)
            same &= (self._first[number] == keys.first) & (self._last[number] == keys.last)
            long = keys.long[same[keys.long]]
            begins = self._begin[number[long]]
            same[long] = same_texts(cells.words, cells.begin[long], self._words, begins, keys.size[long])
            ids[same] = self._id[number[same]]
            left = np.flatnonzero(ids == _UNKNOWN)
            if not len(left):
                break
        return ids, left

    def learn(self, cells: Cells, rows: I64, ids: I32) -> None:
        """Keeps the ids of the cells of ``rows``, which ``find`` did not know."""
        _, places = np.unique(ids, return_index=True)
        places = places[cells.end[rows[places]] - cells.begin[rows[places]] <= _LONGEST_KNOWN]
        places = places[: _MOST_KNOWN - self._count]
        if not len(places):
            return
        keys = _Keys(cells, rows[places])
        new = slice(self._count, self._count + len(places))
        self._id[new], self._size[new] = ids[places], keys.size
        self._first[new], self._last[new] = keys.first, keys.last
        self._begin[new] = len(self._blob) + np.cumsum(keys.size) - keys.size
        self._blob += b"".join(cells.raw(rows[places]))
        self._words = words_of(np.frombuffer(self._blob, np.uint8))
        for number, slots in enumerate(zip(*(each.tolist() for each in keys.slots), strict=True), self._count):
            free = next((slot for slot in slots if self._slots[slot] < 0), None)
            if free is not None:
                self._slots[free] = number
        self._count += len(places)
