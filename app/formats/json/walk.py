"""A sequential walk through a JSON text (see app.formats.walk)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec
import numpy as np

from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.numbers import NumberReader, RowsAhead
from app.formats.json.pieces import Records, batches, keys_of
from app.formats.json.problems import Problems
from app.formats.json.salvage import attempt
from app.formats.json.stretches import R, Stretch, chained
from app.formats.json.tolerant import QUOTE, Scanner, has_repeated_key
from app.formats.pool import ALONE, Pool, Task, divides
from app.formats.source import Source
from app.formats.walk import SMALL, Batch, Broken, Kind
from app.language import tr
from app.profile.arrays import Integers, Ragged

WINDOW = 64 * 1024
FIRST_PIECE = 4096
MAX_KEY = 1 << 20

_LAST_SPACE: Final = 0x20
_SPACE = re.compile(rb"[ \t\r\n]*+")
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_TOKEN = re.compile(rb'[{}\[\]]|"[^"\\]*+(?:\\.[^"\\]*+)*+"|"', re.DOTALL)
_NEAR = 4096
_TOKENS = 128
"""A value that ends within this many bytes, brackets or texts is measured token by token, which has a low start-up
cost."""
_SCALAR_END = re.compile(rb"[ \t\r\n,\]}:]")
_KINDS: Final[dict[int, Kind]] = {
    -1: "end",
    ord("{"): "object",
    ord("["): "array",
    ord('"'): "text",
    **dict.fromkeys(b"-0123456789", "number"),
}

T = TypeVar("T")


class JsonWalk:
    """A walk through ``source`` from ``begin`` on. ``moved`` is called repeatedly with the byte that was reached;
    ``pool`` decodes large arrays of records and of rows."""

    def __init__(
        self,
        source: Source,
        problems: Problems,
        moved: Callable[[int], None] = lambda _: None,
        begin: int = 0,
        pool: Pool = ALONE,
    ) -> None:
        self._source = source
        self._pool = pool
        self._ahead = RowsAhead(pool, source) if pool.workers > 1 else None
        self._problems = problems
        self._moved = moved
        head = source.read(begin, min(3, source.size - begin))
        self._at = begin + (3 if head == b"\xef\xbb\xbf" else 0)
        self._buffer = b""
        self._base = 0
        self._finished = -1  # start of the value that was read last
        if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise Broken(tr("this is UTF-16 text; save it as UTF-8"), offset=begin)

    @property
    def offset(self) -> int:
        return self._at

    def kind(self) -> Kind:
        return _KINDS.get(self._peek(), "other")

    def members(self) -> Iterator[str]:
        begin = self._enter("{", tr("an object"))
        while self._peek() != ord("}"):
            key = self._key()
            if self._peek() != ord(":"):
                raise self._broken(tr("expected a colon after a key"))
            self._at += 1
            self._peek()
            here = self._at
            yield key
            self._follow(here, ord("}"))
        self._end(begin, self._at + 1)

    def items(self) -> Iterator[None]:
        begin = self._enter("[", tr("an array"))
        while self._peek() != ord("]"):
            here = self._at
            yield
            self._follow(here, ord("]"))
        self._end(begin, self._at + 1)

    def several(self, limit: int = SMALL) -> Iterator[list[Any] | FormatError]:
        for _ in self.items():
            try:
                value = self.value(limit)
            except FormatError as error:
                yield error
            else:
                yield [value]

    def value(self, limit: int = SMALL) -> Any:
        begin, size = self._extent()
        if size > limit:
            raise FormatError(tr("this value takes more than {limit:,} bytes", limit=limit), offset=begin)
        text = self._bytes(begin, size)
        try:
            value, repaired = tolerant.loads(text, max_bytes=limit)
        except FormatError as error:
            raise FormatError(error.text, offset=begin + (error.offset or 0)) from error
        if repaired:
            self._problems.add(
                "info",
                tr("places with values that are not valid JSON"),
                begin,
                tr(
                    "values here are not valid JSON (NaN, Infinity, a trailing comma or invalid characters); they "
                    "count as no data"
                ),
            )
        if has_repeated_key(text, value):
            self._problems.repeated(begin)
        self._end(begin, begin + size)
        return value

    def numbers(self) -> Integers:
        begin = self._enter("[", tr("an array of numbers"))
        reader = NumberReader(self._source, self._at, self._moved)
        values = reader.numbers()
        self._end(begin, reader.end)
        return values

    def rows(self) -> Ragged:
        begin = self._enter("[", tr("an array of rows"))
        reader = NumberReader(self._source, self._at, self._moved)
        values = reader.rows(self._ahead)
        self._end(begin, reader.end)
        return values

    def records(self, shape: type[T], rescue: Callable[[Any], T]) -> Iterator[Batch[T]]:
        begin = self._enter("[", tr("an array of records"))
        decoder: msgspec.json.Decoder[list[T]] = msgspec.json.Decoder(list[shape])  # type: ignore[valid-type]
        end = self._near_end(begin)
        text = self._bytes(begin + 1, end - begin - 2) if end > 0 else b""
        few = attempt(decoder.decode, text) if end > 0 else None
        if few is not None:
            yield Batch(few, np.arange(len(few), dtype=np.int64), keys_of(begin + 1, text, self._problems))
            self._end(begin, end)
            return
        pieces = Records(
            self._source,
            self._at,
            problems=self._problems,
            decode=decoder.decode,
            rescue=rescue,
            first_bytes=FIRST_PIECE,
        )
        yield from batches(self._source, pieces, begin, self._problems, self._moved)
        self._at = pieces.end
        if not pieces.closed:
            raise self._broken(tr("the file ends inside this list"))
        self._end(begin, pieces.end)

    def divided(self, task: Task[Stretch, R], most: int | None = None) -> Iterator[R] | None:
        """The results of ``task`` for the stretches of an array of records, where several processes decode it; None if
        ``records`` must be used, and nothing was read. ``most``: as of ``chained``."""
        if not divides(self._pool, self._source.size - self._at) or self._peek() != ord("["):
            return None
        return None if self._near_end(self._at) > 0 else self._chained(task, most)

    def _chained(self, task: Task[Stretch, R], most: int | None) -> Iterator[R]:
        if self._ahead is not None:
            self._ahead.close()
        begin = self._enter("[", tr("an array of records"))
        end, closed = self._at, False
        for result in chained(
            self._pool,
            task,
            self._source,
            self._at,
            self._source.size,
            moved=self._moved,
            first_bytes=FIRST_PIECE,
            most=most,
        ):
            self._problems.replay(result.passage.problems)
            end, closed = result.passage.end.end, result.passage.closed
            yield result
        self._at = end
        if not closed:
            raise self._broken(tr("the file ends inside this list"))
        self._end(begin, end)

    def skip(self) -> None:
        begin, size = self._extent()
        self._end(begin, begin + size)

    def _follow(self, here: int, close: int) -> None:
        """Moves past the value that began at ``here``, read or not, and past the comma after it."""
        if self._finished != here:
            self._at = here
            self.skip()
        following = self._peek()
        if following == ord(","):
            self._at += 1
        elif following != close:
            raise self._broken(tr("expected a comma here"))

    def _enter(self, bracket: str, what: str) -> int:
        """The start of the value; the walk is then after its opening bracket."""
        if self._peek() != ord(bracket):
            raise FormatError(tr("expected {what} here", what=what), offset=self._at)
        self._at += 1
        return self._at - 1

    def _end(self, begin: int, end: int) -> None:
        self._at = end
        self._finished = begin
        self._moved(end)

    def _broken(self, text: str) -> Broken:
        if self._at >= self._source.size:
            return Broken(tr("the file ends too early"), offset=self._source.size)
        return Broken(text, offset=self._at)

    def _text(self, count: int) -> tuple[bytes, int]:
        """(bytes of the file, position of the walk in them): at least ``count`` bytes follow unless the file ends."""
        begin = self._at - self._base
        if begin < 0 or (begin + count > len(self._buffer) and self._base + len(self._buffer) < self._source.size):
            self._buffer = self._source.read(self._at, max(0, min(max(count, WINDOW), self._source.size - self._at)))
            self._base, begin = self._at, 0
        return self._buffer, begin

    def _peek(self) -> int:
        """The first byte that is not whitespace, where the walk then is; -1 at the end of the file."""
        place = self._at - self._base
        if 0 <= place < len(self._buffer) and self._buffer[place] > _LAST_SPACE:
            return self._buffer[place]
        while True:
            text, begin = self._text(1)
            end = _SPACE.match(text, begin).end()  # type: ignore[union-attr]
            self._at += end - begin
            if end < len(text):
                return text[end]
            if self._at >= self._source.size:
                return -1

    def _key(self) -> str:
        for size in (256, WINDOW, MAX_KEY):
            text, begin = self._text(size)
            match = _TEXT.match(text, begin)
            if match:
                self._at += match.end() - begin
                try:
                    return str(tolerant.loads(match[0])[0])
                except FormatError as error:
                    raise self._broken(tr("this key is not text")) from error
        raise self._broken(tr("expected a key here"))

    def _extent(self) -> tuple[int, int]:
        """(start of the value, its length in bytes)."""
        first = self._peek()
        begin = self._at
        if first < 0:
            raise self._broken(tr("expected a value here"))
        if first in b'{["':
            end = self._near_end(begin)
            return begin, (end if end > 0 else self._bracketed(begin, text=first == ord('"'))) - begin
        for window in (64, WINDOW):
            text, at = self._text(window)
            ending = _SCALAR_END.search(text, at)
            size = (ending.start() if ending else len(text)) - at
            if size and (ending or begin + size == self._source.size):
                return begin, size
        raise self._broken(tr("expected a value here"))

    def _bytes(self, begin: int, size: int) -> bytes:
        """Bytes of the file, from the buffer if they are in it."""
        at = begin - self._base
        if at >= 0 and at + size <= len(self._buffer):
            return self._buffer[at : at + size]
        return self._source.read(begin, size)

    def _near_end(self, begin: int) -> int:
        """The byte after the container or text that opens at ``begin``, where the walk is or was just before; -1 if
        that is not near."""
        back = self._at - begin
        self._at = begin
        text, at = self._text(_NEAR)
        self._at += back
        depth = 0
        for token in islice(_TOKEN.finditer(text, at, at + _NEAR), _TOKENS):
            first, size = text[token.start()], token.end() - token.start()
            if first == QUOTE and size == 1:
                return -1
            depth += (first in b"{[") - (first in b"}]")
            if depth <= 0:
                return begin + token.end() - at
        return -1

    def _bracketed(self, begin: int, *, text: bool) -> int:
        """The byte after the bracket or quote that closes what opens at ``begin``."""
        scanner = Scanner(begin, wanted=b'"' if text else b"{}[]")
        seen, size = 0, 1024
        while scanner.position < self._source.size:
            piece = self._source.read(scanner.position, min(size, self._source.size - scanner.position))
            marks = scanner.feed(piece)
            ends = np.flatnonzero(marks.depth == 0)
            if seen + len(ends) > 1:
                return int(marks.at[ends[1 - seen]]) + 1
            seen += len(ends)
            size = min(size * 4, 1 << 20)
            self._moved(scanner.position)
        raise Broken(tr("the file ends inside this value"), offset=begin)
