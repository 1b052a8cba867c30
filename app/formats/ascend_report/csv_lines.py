"""The lines of a text file, decoded piece by piece."""

from __future__ import annotations

import codecs
import io
import re
from collections import deque
from collections.abc import Callable

import numpy as np

from app.formats.ascend_report.line_problems import LineProblems
from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr

CHUNK = 1 << 20
MAX_LINE = 1 << 20
"""The longest line in characters: a table has at most some hundreds of cells in a line."""
_JOINED = re.compile(rb"[0-9]_[0-9]")
_DIGIT = np.isin(np.arange(256), list(b"0123456789"))
_IN_WORD = np.isin(np.arange(256), list(b".0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"))
"""What a 0 may follow without being the first digit of a number."""


class CsvLines:
    """An iterator over the lines of a source. It remembers those that it passed on since ``taken``
    was last cleared, so that they can be read again (``return_all_but_first``).

    ``number``: of the last line, from 1; ``pending``: the lines that are decoded; ``plain``: whether every text among
    them that looks like a number to ``float`` is one.
    """

    def __init__(self, source: Source, problems: LineProblems, tick: Callable[[int], None]) -> None:
        self.number = 0
        self.plain = True
        self.taken: list[str] = []
        self.pending: deque[str] = deque()
        self._quotes = self._ended = False
        self._rest = ""
        self._chunks = source.chunks(CHUNK)
        self._size = source.size
        encoding = _encoding(source.read(0, min(4, source.size)))
        decoder = codecs.getincrementaldecoder(encoding)("backslashreplace")
        self._decoder = io.IncrementalNewlineDecoder(decoder, translate=True)
        self._problems = problems
        self._tick = tick

    def __iter__(self) -> CsvLines:
        return self

    def __next__(self) -> str:
        if not self.pending:
            self._load()
        if not self.pending:
            raise StopIteration
        line = self.pending.popleft()
        self.number += 1
        self.taken.append(line)
        return line

    def return_all_but_first(self) -> str:
        """The first of the lines taken; the others come again."""
        first, *others = self.taken
        self.pending.extendleft(reversed(others))
        self.number -= len(others)
        self.taken = [first]
        return first

    def more(self) -> bool:
        """Decodes the next piece if no line is left of the last; False at the end of the file."""
        if not self.pending:
            self.plain = True
            self._load()
        return bool(self.pending)

    def without_quotes(self) -> list[str]:
        """The lines of the last piece, if there are no quotes in them; else none."""
        if self._quotes:
            return []
        lines = list(self.pending)
        self.pending.clear()
        self.number += len(lines)
        return lines

    def return_lines(self, lines: list[str]) -> None:
        """Puts lines back, to come again one by one."""
        self.pending.extendleft(reversed(lines))
        self.number -= len(lines)
        self._quotes = True

    def _load(self) -> None:
        """Decodes the next lines, if there are more."""
        while not self.pending and not self._ended:
            self._decode()

    def _decode(self) -> None:
        try:
            offset, piece = next(self._chunks, (self._size, b""))
        except FormatError as error:
            self._ended = True
            cut = tr("{error}; the rows before it are shown", error=error.text)
            self._problems.add("error", tr("tables that are cut off"), self.number + len(self.pending) + 1, cut)
            return
        self._tick(offset)
        text = self._rest + self._decoder.decode(piece, final=not piece)
        self.plain = self.plain and text.isascii() and _is_plain(text.encode())
        self._quotes = '"' in text
        end = len(text) if not piece else text.rfind("\n") + 1
        self.pending.extend(io.StringIO(text[:end], newline="\n").readlines())
        self._rest = text[end:]
        self._ended = not piece
        if len(self._rest) > MAX_LINE:
            self._ended = True
            text = tr("a line has more than {count:,} characters; the table is not read beyond it", count=MAX_LINE)
            self._problems.add("error", tr("long lines"), self.number + len(self.pending) + 1, text)


def _is_plain(piece: bytes) -> bool:
    """Whether every text in ``piece`` (ASCII) that ``float`` accepts is a number: none has digits joined by an
    underscore (1_000), or begins with a 0 and another digit as names do (007)."""
    if b"_" in piece and _JOINED.search(piece):
        return False
    codes = np.frombuffer(piece, np.uint8)
    zero = np.flatnonzero(codes[:-1] == ord("0"))
    zero = zero[_DIGIT[codes[zero + 1]]]
    before = codes[np.maximum(zero - 1, 0)]
    return not (~_IN_WORD[before] | (zero == 0)).any()


def _encoding(head: bytes) -> str:
    """The encoding by the byte order mark; UTF-8 without one."""
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16"
    return "utf-16" if head.startswith(codecs.BOM_UTF16_BE) else "utf-8-sig"
