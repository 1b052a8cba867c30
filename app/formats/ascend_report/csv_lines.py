"""The lines of a text file, decoded piece by piece."""

from __future__ import annotations

import codecs
import io
from collections import deque
from collections.abc import Callable

from app.formats.ascend_report.line_problems import LineProblems
from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr

CHUNK = 1 << 18
"""Bytes that are decoded together: few, so that the lists of cells stay in the processor's cache."""
MAX_LINE = 1 << 20
"""The longest line in characters: a table has at most some hundreds of cells in a line."""


class CsvLines:
    """An iterator over the lines of a source. It remembers those that it passed on since ``taken``
    was last cleared, so that they can be read again (``return_all_but_first``).

    ``number``: of the last line, from 1; ``pending``: the lines that are decoded; ``quotes``: whether
    there are any in them; ``again``: characters that were returned to be read again.
    """

    def __init__(self, source: Source, problems: LineProblems, tick: Callable[[int], None]) -> None:
        self.number = self.again = 0
        self.taken: list[str] = []
        self.pending: deque[str] = deque()
        self.quotes = self._ended = False
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
        self.again += sum(map(len, others))
        self.taken = [first]
        return first

    def more(self) -> bool:
        """Decodes the next piece if no line is left of the last; False at the end of the file."""
        if not self.pending:
            self._load()
        return bool(self.pending)

    def take_pending(self) -> list[str]:
        """The lines that are decoded."""
        lines = list(self.pending)
        self.pending.clear()
        self.number += len(lines)
        return lines

    def return_lines(self, lines: list[str]) -> None:
        """Puts lines back, to come again one by one."""
        self.pending.extendleft(reversed(lines))
        self.number -= len(lines)

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
            self._problems.add("error", tr("truncated tables"), self.number + len(self.pending) + 1, cut)
            return
        self._tick(offset)
        text = self._rest + self._decoder.decode(piece, final=not piece)
        self.quotes = '"' in text
        end = len(text) if not piece else text.rfind("\n") + 1
        self.pending.extend(io.StringIO(text[:end], newline="\n").readlines())
        self._rest = text[end:]
        self._ended = not piece
        if len(self._rest) > MAX_LINE:
            self._ended = True
            text = tr("a line has more than {count:,} characters; reading of the table stops here", count=MAX_LINE)
            self._problems.add("error", tr("long lines"), self.number + len(self.pending) + 1, text)


def _encoding(head: bytes) -> str:
    """The encoding by the byte order mark; UTF-8 without one."""
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16"
    return "utf-16" if head.startswith(codecs.BOM_UTF16_BE) else "utf-8-sig"
