"""Walks the outer structure of a large JSON text in a file, so that its big arrays can be read in pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.lexical import Scanner
from app.formats.source import Source

MAX_ITEMS = 100_000
_WINDOW = 4096
_FIRST_STEP = 4096
_STEP = 1 << 20
_STRING_BYTES = (1024, 64 * 1024, 16 << 20)
_BLANK = b" \t\r\n"
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SCALAR_END = re.compile(rb"[],}\s]")


class Cursor:
    """A place ``at`` in bytes ``at``..``end`` of ``source``. All methods raise FormatError, with the offset in
    the file, where the text is no JSON. Whoever iterates over ``members`` or ``items`` may read the value that
    ``at`` then stands on, or leave it to be passed over."""

    def __init__(self, source: Source, at: int, end: int) -> None:
        self.at = at
        self.end = end
        self._source = source
        self._window = b""
        self._from = at

    def peek(self) -> bytes:
        """The next character that is not blank, b"" at the end; ``at`` is then on it."""
        while self.at < self.end:
            text = self._ahead()
            kept = text.lstrip(_BLANK)
            self.at += len(text) - len(kept)
            if kept:
                return kept[:1]
        return b""

    def members(self) -> Iterator[str]:
        """The keys of the object that starts here, ``at`` on each one's value."""
        self._take(b"{")
        for _ in range(MAX_ITEMS):
            if self.peek() == b"}":  # also behind a trailing comma
                self.at += 1
                return
            key = self._string()
            self._take(b":")
            self.peek()
            here = self.at
            yield key
            self._leave(here, b"}")
        raise FormatError(f"an object has more than {MAX_ITEMS:,} members", offset=self.at)

    def items(self) -> Iterator[int]:
        """The numbers of the items of the array that starts here, ``at`` on each."""
        self._take(b"[")
        for number in range(MAX_ITEMS):
            if self.peek() == b"]":
                self.at += 1
                return
            here = self.at
            yield number
            self._leave(here, b"]")
        raise FormatError(f"an array has more than {MAX_ITEMS:,} large items", offset=self.at)

    def value(self, max_bytes: int = tolerant.MAX_BYTES) -> Any:
        """The value that starts here, decoded; ``at`` is then behind it."""
        begin = self.at
        self.skip()
        if self.at - begin > max_bytes:
            raise FormatError(f"a value is larger than {max_bytes:,} bytes", offset=begin)
        try:
            return tolerant.loads(self._source.read(begin, self.at - begin))[0]
        except FormatError as error:
            raise FormatError(error.text, offset=begin + (error.offset or 0)) from error

    def skip(self) -> None:
        """Passes over the value that starts here."""
        kind = self.peek()
        if kind in (b"{", b"["):
            self._skip_container()
        elif kind == b'"':
            self._string()
        elif kind:
            while self.at < self.end:
                text = self._ahead()
                stop = _SCALAR_END.search(text)
                self.at += stop.start() if stop else len(text)
                if stop:
                    return
        else:
            raise FormatError("the text ends where a value should begin", offset=self.at)

    def _leave(self, here: int, close: bytes) -> None:
        """Behind the value at ``here`` (passed over if nobody read it) and the comma after it, if there is one."""
        if self.at == here:
            self.skip()
        if self.peek() == b",":
            self.at += 1
        elif self.peek() != close:
            raise FormatError(f"expected a comma or {close.decode()!r}", offset=self.at)

    def _skip_container(self) -> None:
        scanner = Scanner(self.at)
        step = _FIRST_STEP
        while self.at < self.end:
            text = self._source.read(self.at, min(step, self.end - self.at))
            marks = scanner.feed(text)
            closed = np.flatnonzero((marks.depth == 0) & ((marks.byte == ord("}")) | (marks.byte == ord("]"))))
            if len(closed):
                self.at = int(marks.at[closed[0]]) + 1
                return
            self.at += len(text)
            step = min(2 * step, _STEP)
        raise FormatError("the text ends inside an array or object", offset=self.at)

    def _string(self) -> str:
        if self.peek() != b'"':
            raise FormatError("expected a text in quotes", offset=self.at)
        for limit in _STRING_BYTES:
            text = self._source.read(self.at, min(limit, self.end - self.at))
            quoted = _STRING.match(text)
            if quoted:
                self.at += quoted.end()
                return _decoded(quoted[0])
        raise FormatError("a text is too long or has no end", offset=self.at)

    def _take(self, character: bytes) -> None:
        if self.peek() != character:
            raise FormatError(f"expected {character.decode()!r}", offset=self.at)
        self.at += 1

    def _ahead(self) -> bytes:
        """The bytes from ``at`` on, at least one."""
        offset = self.at - self._from
        if not 0 <= offset < len(self._window):
            self._window = self._source.read(self.at, min(_WINDOW, self.end - self.at))
            self._from = self.at
            offset = 0
        return self._window[offset:]


def _decoded(quoted: bytes) -> str:
    try:
        text = orjson.loads(quoted)
    except orjson.JSONDecodeError:
        return quoted[1:-1].decode("utf-8", "replace")
    return str(text)
