"""The lines of a text file, decoded piece by piece."""

from __future__ import annotations

import codecs
import io
import re
from collections import deque
from collections.abc import Callable

from app.formats.ascend_report.line_problems import LineProblems
from app.formats.source import Source
from app.language import tr

CHUNK = 1 << 20
MAX_LINE = 1 << 20
"""The longest line in characters: a table has at most some hundreds of cells in a line."""
_ODD_NUMBERS = re.compile(r"\d_\d|(?<![\w.])[+-]?0\d")
"""What ``float`` accepts although it is no number (1_000), and numbers that are names (007)."""


class CsvLines:
    """An iterator over the lines of a source, without their ends. It remembers those that it passed on since ``taken``
    was last cleared, so that they can be read again (``return_all_but_first``).

    ``number``: of the last line, from 1; ``at``: bytes read; ``plain``: whether every text since it was last set that
    looks like a number to ``float`` is one; ``truncated``: whether lines were left out because one is too long.
    """

    def __init__(self, source: Source, problems: LineProblems, tick: Callable[[int], None]) -> None:
        self.number = 0
        self.at = 0
        self.plain = True
        self.taken: list[str] = []
        self.truncated = False
        self._pending: deque[str] = deque()
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
        while not self._pending:
            self._load()
        line = self._pending.popleft()
        self.number += 1
        self.taken.append(line)
        return line

    def return_all_but_first(self) -> str:
        """The first of the lines taken; the others come again."""
        first, *others = self.taken
        self._pending.extendleft(reversed(others))
        self.number -= len(others)
        self.taken = [first]
        return first

    def _load(self) -> None:
        """Decodes the next piece. Raises StopIteration at the end."""
        if self.truncated:
            raise StopIteration
        offset, piece = next(self._chunks, (self._size, b""))
        self._tick(offset)
        self.at = offset + len(piece)
        text = self._rest + self._decoder.decode(piece, final=not piece)
        self.plain = self.plain and text.isascii() and _ODD_NUMBERS.search(text) is None
        lines = text.split("\n")
        self._rest = lines.pop() if piece else ""
        self._pending.extend(f"{line}\n" for line in lines)
        if not piece and self._pending and self._pending[-1] == "\n":
            self._pending.pop()  # the end of the last line
        if len(self._rest) > MAX_LINE:
            self.truncated = True
            text = tr("a line has more than {count:,} characters; the table is not read beyond it", count=MAX_LINE)
            self._problems.add("error", tr("long lines"), self.number + len(self._pending) + 1, text)
        if not piece and not self._pending:
            raise StopIteration


def _encoding(head: bytes) -> str:
    """The encoding by the byte order mark; UTF-8 without one."""
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16"
    return "utf-16" if head.startswith(codecs.BOM_UTF16_BE) else "utf-8-sig"
