"""The lines of CSV files of any size, decoded piece by piece, with the places of issues."""

from __future__ import annotations

import codecs
import io
from collections import deque
from collections.abc import Callable

import numpy as np

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.language import tr


class LineProblems(Problems):
    """Reports issues with the place ``name: line N``: ``add`` takes the number of the line instead of an offset."""

    def _place(self, offset: int | None) -> str:
        return self._name if offset is None else tr("{name}: line {line:,}", name=self._name, line=offset)


def silent(name: str) -> LineProblems:
    """For the second time that a file is read."""
    return LineProblems(lambda _: None, name)


CHUNK = 1 << 22
"""Bytes that are decoded together: few, so that columns of cells stay in the processor's cache."""
MAX_LINE = 1 << 20
"""The longest line in characters: a table has at most some hundreds of cells in a line."""


class CsvLines:
    """An iterator over the lines of a source. It remembers those that it passed on since ``taken``
    was last cleared, so that they can be read again (``return_all_but_first``). Lines that were not decoded yet can be
    taken as bytes.

    ``number``: of the last line, from 1; ``pending``: the lines that are decoded; ``quotes``: whether
    there are any in them; ``again``: characters that were returned to be read again.
    """

    def __init__(self, source: Source, problems: LineProblems, tick: Callable[[int], None]) -> None:
        self.number = self.again = 0
        self.taken: list[str] = []
        self.pending: deque[str] = deque()
        self.quotes = self._ended = False
        self._whole = self._open = self._rest = b""
        self._chunks = source.chunks(CHUNK)
        self._size = source.size
        self._decoder = _decoder(source.read(0, min(4, source.size)))
        self._problems = problems
        self._tick = tick

    def __iter__(self) -> CsvLines:
        return self

    def __next__(self) -> str:
        if not self.more():
            raise StopIteration
        if not self.pending:
            self._decode(self.take_bytes())
        line = self.pending.popleft()
        self.number += 1
        self.taken.append(line)
        return line

    def first(self) -> str:
        """The next line; the others stay bytes. "" at the end of the file."""
        if not self.more():
            return ""
        end = self._whole.find(b"\n") + 1
        line, self._whole = self._whole[:end], self._whole[end:]
        self.number += 1
        return _decoded(line)

    def return_all_but_first(self) -> str:
        """The first of the lines taken; the others come again."""
        first, *others = self.taken
        self.pending.extendleft(reversed(others))
        self.number -= len(others)
        self.again += sum(map(len, others))
        self.taken = [first]
        return first

    def more(self) -> bool:
        """Reads the next piece if no line is left of the last; False at the end of the file."""
        while not (self.pending or self._whole or self._ended):
            self._load()
        return bool(self.pending or self._whole)

    def take_bytes(self) -> bytes:
        """The next lines as UTF-8, in which a carriage return stands only before a line feed; none where lines are
        decoded."""
        if self.pending:
            return b""
        taken, self._whole = self._whole, b""
        return taken

    def return_bytes(self, lines: bytes) -> None:
        """Puts lines back that were not read."""
        self._whole = lines

    def postpone(self, lines: bytes) -> None:
        """Puts lines back, to come with those that follow them unless they are too many."""
        if self._ended or len(lines) > MAX_LINE:
            self._whole = lines
        else:
            self._open = lines

    def take_pending(self) -> list[str]:
        """The next lines, decoded."""
        if not self.pending:
            self._decode(self.take_bytes())
        lines = list(self.pending)
        self.pending.clear()
        self.number += len(lines)
        return lines

    def return_lines(self, lines: list[str]) -> None:
        """Puts lines back, to come again one by one."""
        self.pending.extendleft(reversed(lines))
        self.number -= len(lines)

    def _decode(self, lines: bytes) -> None:
        self.quotes = b'"' in lines
        self.pending.extend(io.StringIO(_decoded(lines), newline="\n").readlines())

    def _load(self) -> None:
        """Reads the next piece."""
        try:
            offset, piece = next(self._chunks, (self._size, b""))
        except FormatError as error:
            self._ended = True
            self._whole, self._open = self._open, b""
            cut = tr("{error}; the rows before it are shown", error=error.text)
            self._problems.add("error", tr("truncated tables"), self.number + self._whole.count(b"\n") + 1, cut)
            return
        self._tick(offset)
        self._ended = not piece
        if self._decoder is not None:
            piece = self._decoder.decode(piece, final=not piece).encode("utf-8", "backslashreplace")
        elif not offset:
            piece = piece.removeprefix(codecs.BOM_UTF8)
        read = self._rest + piece
        end = len(read)
        if not self._ended:
            lone = b"\r" in piece and b"\n" not in piece
            end = 1 + (read.rfind(b"\r", 0, -1) if lone else read.rfind(b"\n"))
        whole, self._rest = read[:end], read[end:]
        if _lone_returns(whole):
            whole = whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        self._whole, self._open = self._open + whole, b""
        if len(self._rest) > MAX_LINE and len(_decoded(self._rest)) > MAX_LINE:
            self._ended = True
            text = tr("a line has more than {count:,} characters; reading of the table stops here", count=MAX_LINE)
            self._problems.add("error", tr("long lines"), self.number + self._whole.count(b"\n") + 1, text)


def _decoder(head: bytes) -> codecs.IncrementalDecoder | None:
    """What decodes UTF-16, by the byte order mark; None for UTF-8."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")("backslashreplace")
    return None


def _lone_returns(lines: bytes) -> bool:
    """Whether there is a carriage return that no line feed follows. Looking for the pair takes five times as long."""
    if b"\r" not in lines:
        return False
    read = np.frombuffer(lines, np.uint8)
    returns = np.flatnonzero(read == ord("\r"))
    return bool(returns[-1] == len(read) - 1 or (read[returns + 1] != ord("\n")).any())


def _decoded(lines: bytes) -> str:
    """Lines as text, with line feeds alone."""
    return lines.replace(b"\r\n", b"\n").decode("utf-8", "backslashreplace")
