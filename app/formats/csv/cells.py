"""Cells of many rows of a CSV file at once, from its bytes: numbers, times and texts without an object for each cell.

Only rows that every reader of CSV understands alike are taken. Whatever else occurs in a piece of a file is left to the
csv module, so that errors and their places are its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.numbering import FACTOR
from app.profile.arrays import F64, I32, I64, U8, U64, Bool

_QUOTE, _TAB, _NEWLINE, _RETURN, _SPACE, _DOT, _MINUS, _ZERO = b'"\t\n\r .-0'
_LONGEST: Final = 1 << 17
"""A longer cell is left to the csv module, which refuses it."""
_PAD: Final = 24
"""Zeros before a piece, so that the words before the end of a cell are inside."""
_WORD: Final = 8
_BLOCK: Final = 1 << 17
"""Bytes that are looked at together, within the processor's cache."""
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
MOST_DIGITS: Final = 18
_SLOTS: Final = 64
_FEW: Final = 256
_PROBES: Final = 8
"""Places where a text may be in a table of which a quarter is used."""
_MOST_KNOWN: Final = 1 << 16
_MOST_WORDS: Final = 1 << 19
_LONGEST_KNOWN: Final = 64
"""Words of a text."""
_FACTORS: Final[U64] = FACTOR ** np.arange(1, 2 * _LONGEST_KNOWN, 2).astype(np.uint64)
"""Of the words of a text in its hash: odd, so that each counts."""
UNKNOWN: Final = -(1 << 31)
"""No id of a text."""


class Cells(Struct, frozen=True, eq=False):
    """The cells of a column of some rows. ``begin``, ``end``: int64[rows], places in ``data``, bytes between zeros."""

    data: U8
    begin: I64
    end: I64

    def __len__(self) -> int:
        return len(self.begin)

    def raw(self, rows: I64) -> list[bytes]:
        """The bytes of the cells of ``rows``, with their quotes."""
        view = self.data.data
        places = zip(self.begin[rows].tolist(), self.end[rows].tolist(), strict=True)
        return [bytes(view[begin:end]) for begin, end in places]

    def of(self, rows: I64 | slice) -> Cells:
        """Those of ``rows``."""
        return Cells(self.data, self.begin[rows], self.end[rows])

    def stripped(self) -> Cells:
        """Without a space in front and a carriage return behind."""
        begin = self.begin + ((self.data[self.begin] == _SPACE) & (self.begin < self.end))
        return Cells(self.data, begin, self.end - ((self.data[self.end - 1] == _RETURN) & (self.end > begin)))

    def words(self, places: I64, count: int) -> U64:
        """uint64[places, count]: the words from each place on."""
        size = _WORD * count
        there = np.ndarray((len(self.data) - size + 1,), f"V{size}", self.data, strides=(1,))
        words: U64 = there[places].view("<u8").reshape(-1, count)
        return words

    def texts(self) -> list[str]:
        """All cells as the csv module gives them."""
        return list(map(text_of, self.raw(np.arange(len(self)))))

    def numbers(self) -> F64 | None:
        """float64[rows], NaN for no data. None where a cell is anything but digits with a sign and a dot, or may be no
        number: an integer that float64 cannot hold, or one that begins with 0 as names do."""
        begin, head = self.begin, self.data[self.begin]
        minus: Bool = head == _MINUS
        signed = bool(minus.any())
        if signed:
            begin = begin + minus
            head = self.data[begin]
        size = self.end - begin
        longest = int(size.max(initial=0))
        zero = begin[np.flatnonzero((head == _ZERO) & (size > 1))]
        if longest > 2 * _WORD or (self.data[zero + 1] != _DOT).any():
            return None
        value, place, odd = self._digits(size, 0)
        if longest > _WORD:
            first, high, strange = self._digits(size, _WORD)
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

    def whole(self) -> I64:
        """int64[rows]: whole numbers of at most 18 digits, which surely fit; -1 for anything else."""
        size = self.end - self.begin
        longest = int(size.max(initial=0))
        value, place, odd = self._digits(size, 0)
        odd |= (size == 0) | (size > MOST_DIGITS) | (place > 0)
        for before in range(_WORD, min(longest, MOST_DIGITS), _WORD):
            higher, place, strange = self._digits(size, before)
            value += higher * _TENS[before]
            odd |= strange | (place > 0)
        return np.where(odd, -1, value.astype(np.int64))

    def _digits(self, size: I64, before: int) -> tuple[U64, I64, Bool]:
        """``_digits_of`` the eight bytes that end ``before`` the end of each cell; ``size``: of the cells."""
        word = self.words(self.end - (_WORD + before), 1)[:, 0]
        return _digits_of(word, np.minimum(np.maximum(size - before, 0) if before else size, _WORD))

    def nanoseconds(self, latest: int) -> I64 | None:
        """int64[rows]: times in microseconds with three digits after the dot, and perhaps a tab after them, in
        nanoseconds; -1 for empty cells. None where a cell is anything else or above ``latest``."""
        end = self.end - (self.data[self.end - 1] == _TAB)
        times = np.full(len(end), -1, np.int64)
        timed = np.flatnonzero(end > self.begin)
        end = end[timed]
        size = end - self.begin[timed]
        if not len(size):
            return times
        if size.min() < 5 or size.max() > 20:
            return None
        cells = Cells(self.data, self.begin[timed], end)
        last, point, odd = cells._digits(np.full(len(size), 4), 0)
        low, stray, strange = cells._digits(size, 4)
        high, other, alien = cells._digits(size, 4 + _WORD)
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
        word = self.words(end - _WORD, 1)[:, 0] & _LAST[np.minimum(size, _WORD)]
        there: Bool = size == 0
        for length, mark in _MARKS:
            there |= (size == length) & (word == np.uint64(mark))
        return there


def _digits_of(word: U64, size: I64) -> tuple[U64, I64, Bool]:
    """Of the last ``size`` bytes of each word: (uint64, the number that their digits write; int64, 1 + the bytes after
    the dot, 0 without one; bool, whether there is anything but digits and one dot)."""
    word = word ^ _ZEROS
    word &= _LAST[size]
    above = word + _ABOVE_NINE
    above |= word
    above &= _HIGH
    if above.any():
        above >>= np.uint64(7)
        mask = above * np.uint64(255)
        odd = (word & mask) != above * _DOT_DIGIT
        before = above - np.uint64(1)
        odd |= (above & before) != 0
        before[above == 0] = 0
        # The digits before the dot take its place.
        mask |= before
        moved = word & before
        moved <<= np.uint64(8)
        word &= ~mask
        word |= moved
        above *= _AFTER_DOT
        above >>= np.uint64(56)
        place = above.astype(np.int64)
        if odd.any():
            word[odd] = 0
            place[odd] = 0
    else:
        place, odd = np.zeros(len(word), np.int64), np.zeros(len(word), np.bool_)
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


class Rows(Struct, frozen=True, eq=False):
    """Rows of cells in ``data``, bytes between zeros. ``begins``: int64[rows], where each begins; ``ends``:
    int64[columns, rows], where each of its cells ends; ``lines``: how many were looked at; ``used``: their bytes."""

    data: U8
    begins: I64
    ends: I64
    lines: int
    used: int

    def __len__(self) -> int:
        return len(self.begins)

    def column(self, place: int) -> Cells:
        """The cells of a column."""
        return self.span(place, place)

    def span(self, first: int, last: int) -> Cells:
        """The cells of adjacent columns as one, with what stands between them."""
        begin = self.ends[first - 1] + 1 if first else self.begins
        end = self.ends[last]
        if last == len(self.ends) - 1:
            end = end - ((self.data[end - 1] == _RETURN) & (end > begin))
        return Cells(self.data, begin, end)


def regular_rows(piece: bytes, separator: str, width: int) -> Rows | None:
    """The rows in ``piece``, whole lines of UTF-8 in which a carriage return stands only before a line feed; None
    unless each of them has ``width`` cells. A row that is open at the end is left."""
    if width < 2 or b"\0" in piece:
        return None
    marks = _Marks(piece, separator, quoted=b'"' in piece)
    rows = len(marks.stops)
    ends = marks.ends[: marks.stops[-1] + 1] if rows else marks.ends[:0]
    if not rows or len(ends) != rows * width or (np.diff(marks.stops, prepend=-1) != width).any():
        return None
    last = int(ends[-1])
    begins = np.concatenate((np.full(1, _PAD), ends[width - 1 : -1 : width] + 1))
    if (ends[width - 1 :: width] - begins).max() > _LONGEST:
        return None
    if not _closed(marks.data, marks.quotes[: marks.quotes.searchsorted(last)], separator):
        return None
    columns = np.ascontiguousarray(ends.reshape(-1, width).T)
    lines = rows + int(marks.inner.searchsorted(last))
    return Rows(marks.data, begins, columns, lines, last + 1 - _PAD)


def plain_rows(piece: bytes, separator: str, width: int) -> tuple[Rows, I64, int]:
    """(the first ``width`` columns of the whole lines in ``piece`` that have so many cells, int64: the numbers of these
    lines from 0 on, how many others there are that are not blank). Quotes are characters like others."""
    marks = _Marks(piece, separator, quoted=False)
    ends, stops = marks.ends, marks.stops
    cells = np.diff(stops, prepend=-1)
    begins = np.concatenate((np.full(1, _PAD), ends[stops[:-1]] + 1))[: len(stops)]
    wide = np.flatnonzero(cells >= width)
    short = (cells < width) & (ends[stops] - begins > 1)  # a blank line may end with a carriage return
    if len(cells) and len(wide) == len(cells) and (cells == cells[0]).all():
        columns = np.ascontiguousarray(ends.reshape(-1, cells[0])[:, :width].T)
    else:
        columns = ends[stops[wide] - cells[wide] + 1 + np.arange(width)[:, None]]
    return Rows(marks.data, begins[wide], columns, len(stops), len(piece)), wide, int(np.count_nonzero(short))


class _Marks:
    """Where cells end. ``data``: ``piece`` between zeros. int64, places in it: ``ends`` of cells, ``quotes``, ``inner``
    line feeds between quotes; ``stops``: which of the ends are those of rows."""

    def __init__(self, piece: bytes, separator: str, *, quoted: bool) -> None:
        self.data = np.zeros(_PAD + len(piece) + _WORD, np.uint8)
        self.data[_PAD:-_WORD] = np.frombuffer(piece, np.uint8)
        found: list[tuple[I64, ...]] = [(np.empty(0, np.int64),) * 4]
        inside, count = np.uint8(0), 0
        for begin in range(0, len(self.data), _BLOCK):
            block = self.data[begin : begin + _BLOCK]
            marked = (block == _NEWLINE) | (block == ord(separator))
            if quoted:
                marked |= block == _QUOTE
            places = np.flatnonzero(marked)
            signs = block[places]
            places += begin
            quotes = inner = found[0][0]
            if quoted and len(places):
                quote = signs == _QUOTE
                within = np.bitwise_xor.accumulate(quote.view(np.uint8)) ^ inside
                inside = within[-1]
                quotes, inner = places[quote], places[(signs == _NEWLINE) & within.view(np.bool_)]
                outside = ~(quote | within.view(np.bool_))
                places, signs = places[outside], signs[outside]
            found.append((places, np.flatnonzero(signs == _NEWLINE) + count, quotes, inner))
            count += len(places)
        self.ends, self.stops, self.quotes, self.inner = map(np.concatenate, zip(*found, strict=True))


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


class _OfWords:
    """The ids of texts of ``count`` words (uint64, with zeros after the end), found by hashes and compared. The last
    row is no text."""

    def __init__(self, count: int) -> None:
        self._slots = np.full(_SLOTS, -1)
        self._words = np.zeros((1, count), np.uint64)
        self._size = np.full(1, -1)
        self._id = np.full(1, UNKNOWN, np.int32)

    def find(self, words: U64, size: I64) -> I32:
        """int32: the ids of texts of ``size`` bytes, UNKNOWN of others."""
        slot = self._slot(words)
        number = self._slots[slot]
        known = self._same(number, words, size)
        ids = np.where(known, self._id[number], UNKNOWN)
        left = np.flatnonzero(~known & (number >= 0))
        for step in range(1, _PROBES):
            if not len(left):
                break
            number = self._slots[(slot[left] + step) & (len(self._slots) - 1)]
            known = self._same(number, words[left], size[left])
            ids[left[known]] = self._id[number[known]]
            left = left[~known & (number >= 0)]
        return ids

    def learn(self, words: U64, size: I64, ids: I32) -> None:
        """Keeps new texts."""
        begin = len(self._id) - 1
        self._words = np.concatenate((self._words[:-1], words, self._words[-1:]))
        self._size = np.concatenate((self._size[:-1], size, self._size[-1:]))
        self._id = np.concatenate((self._id[:-1], ids, self._id[-1:]))
        if 4 * len(self._id) > len(self._slots):
            self._slots, begin = np.full(8 << len(self._id).bit_length(), -1), 0
        for number, slot in enumerate(self._slot(self._words[begin:-1]).tolist(), begin):
            for probe in range(slot, slot + _PROBES):
                if self._slots[probe & (len(self._slots) - 1)] < 0:
                    self._slots[probe & (len(self._slots) - 1)] = number
                    break

    def _slot(self, words: U64) -> U64:
        count = words.shape[1]
        hashes: U64 = words @ _FACTORS[:count] if count > 1 else words[:, 0] * _FACTORS[0]
        return hashes >> np.uint64(65 - len(self._slots).bit_length())

    def _same(self, number: I64, words: U64, size: I64) -> Bool:
        same: Bool = self._size.take(number) == size
        for known, word in zip(self._words.take(number, axis=0).T, words.T, strict=True):
            same &= known == word
        return same


class KnownTexts:
    """The ids of texts by their bytes, of the first that came: most columns have few."""

    def __init__(self) -> None:
        self._of: dict[int, _OfWords] = {}
        self._texts = self._words = 0

    def ids(self, cells: Cells, new: Callable[[list[bytes]], Sequence[int] | I32]) -> I32:
        """int32: the id of each cell; ``new`` gives those of cells that are not known."""
        if not self._texts and len(cells) > 2 * _FEW:  # those of the first rows are mostly those of the others
            parts = cells.of(slice(_FEW)), cells.of(slice(_FEW, None))
            return np.concatenate([self.ids(part, new) for part in parts])
        ids = np.full(len(cells), UNKNOWN, np.int32)
        for count, rows, words, size in _by_words(cells):
            if count in self._of:
                ids[rows] = self._of[count].find(words, size)
        unknown = np.flatnonzero(ids == UNKNOWN)
        if len(unknown):
            ids[unknown] = new(cells.raw(unknown))
            _, first = np.unique(ids[unknown], return_index=True)
            self._learn(cells.of(unknown[first]), ids[unknown[first]])
        return ids

    def _learn(self, cells: Cells, ids: I32) -> None:
        for count, rows, words, size in _by_words(cells):
            some = slice(max(min(_MOST_KNOWN - self._texts, (_MOST_WORDS - self._words) // count), 0))
            rows = rows[some]
            if len(rows):
                self._of.setdefault(count, _OfWords(count)).learn(words[some], size[some], ids[rows])
                self._texts += len(rows)
                self._words += len(rows) * count


def _by_words(cells: Cells) -> Iterator[tuple[int, I64, U64, I64]]:
    """For each number of words that cells have: (it, their rows, their words with zeros after the end, their sizes in
    bytes). Very long ones are left out."""
    size = cells.end - cells.begin
    counts = np.minimum(np.maximum(size + (_WORD - 1) >> 3, 1), _LONGEST_KNOWN + 1)
    for count in np.flatnonzero(np.bincount(counts)[: _LONGEST_KNOWN + 1]).tolist():
        rows = np.flatnonzero(counts == count)
        words, own = cells.words(cells.begin[rows], count), size[rows]
        words[:, -1] &= _FIRST[own - _WORD * (count - 1)]
        yield count, rows, words, own
