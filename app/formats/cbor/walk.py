"""A sequential walk through a CBOR file (see app.formats.walk)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import numpy as np

from app.formats.cbor import tokens
from app.formats.cbor.decode import Decoder
from app.formats.cbor.records import BREAK, R, Records, Stretch, chained
from app.formats.errors import FormatError
from app.formats.integers import Flat, whole
from app.formats.json.problems import Problems
from app.formats.pool import ALONE, Pool, Task, divides
from app.formats.source import Source
from app.formats.walk import SMALL, Batch, Broken, Kind
from app.language import plural, tr
from app.profile.arrays import Integers, Ragged

TAG = b"\xd9\xd9\xf7"
"""Self-described CBOR (RFC 8949, section 3.4.6)."""

_BYTES, _TEXT, _ARRAY, _MAP, _TAG = 2, 3, 4, 5, 6
_BUFFER = 8192
_ROOM = 256
"""A quarter of the bytes that are looked at first for an array of unknown length."""
_KEY = 64 * 1024
_DEEPEST = 1000
_SKIPPED = 1 << 20
"""The most bytes that are decoded together to skip them."""
_TOGETHER = 4096
"""The most items that are decoded together to skip them."""
_PIECE: Final = 1 << 16
"""About the most bytes of items that are decoded together."""
_WORTH = 64
"""The size in bytes from which on the decoder is used."""
_KINDS: Final[tuple[Kind, ...]] = ("number", "number", "other", "text", "array", "object", "other", "other")

T = TypeVar("T")


class CborWalk:
    """A walk through ``source``. ``moved`` is called repeatedly with the byte that was reached; ``pool`` decodes large
    arrays of records."""

    def __init__(
        self,
        source: Source,
        problems: Problems,
        moved: Callable[[int], None] = lambda _: None,
        pool: Pool = ALONE,
    ) -> None:
        self._source = source
        self._pool = pool
        self._problems = problems
        self._decoder = Decoder(source, moved, problems.repeated)
        self._at = len(TAG) if source.head(3) == TAG else 0
        self._finished = -1
        self._moved = moved
        self._credit = _SKIPPED
        self._together = 1
        self._buffer = b""
        self._base = 0

    @property
    def offset(self) -> int:
        return self._at

    def kind(self) -> Kind:
        first = self._byte()
        if 0xF9 <= first <= 0xFB:
            return "number"
        return "end" if first < 0 else _KINDS[first >> 5]

    def members(self) -> Iterator[str]:
        begin = self._at
        for _ in self._enter(_MAP, tr("an object")):
            if self._byte() >> 5 != _TEXT:
                raise self._broken(tr("expected a key here"))
            key, self._at = self._item(_KEY)
            here = self._at
            yield str(key)
            self._follow(here)
        self._finished = begin

    def items(self) -> Iterator[None]:
        begin = self._at
        for _ in self._enter(_ARRAY, tr("an array")):
            here = self._at
            yield
            self._follow(here)
        self._finished = begin

    def several(self, limit: int = SMALL) -> Iterator[list[Any] | FormatError]:
        begin = self._at
        count = 1
        left = self._count(_ARRAY, tr("an array"))
        while left:
            if left < 0 and self._byte() == BREAK:
                self._at += 1
                break
            here = self._at
            count = min(count, left) if left > 0 else count
            items = self._several(count, limit)
            if items is None:  # too many bytes, the break, or damage
                count = max(1, count // 4)
                continue
            yield items
            if isinstance(items, FormatError):
                self._follow(here)
            left -= count if left > 0 else 0
            count = max(1, min(_TOGETHER, 4 * count, _PIECE * count // max(1, self._at - here)))
        self._finished = begin

    def _several(self, count: int, limit: int) -> list[Any] | FormatError | None:
        """The next ``count`` items; for a single one also why it cannot be decoded."""
        try:
            if count == 1:
                return [self.value(limit)]
            items, self._at = self._decoder.plain(count, self._at, min(limit, _PIECE))
        except FormatError as error:
            return error if count == 1 else None
        return items

    def value(self, limit: int = SMALL) -> Any:
        begin = self._at
        value, self._at = self._decoder.item(begin, limit)
        self._finished = begin
        return value

    def numbers(self) -> Integers:
        begin = self._at
        flat = Flat()
        self._numbers(flat)
        self._finished = begin
        return flat.done()

    def rows(self) -> Ragged:
        begin = self._at
        lengths, items = Flat(), Flat()
        doubted = 0
        left = self._count(_ARRAY, tr("an array of rows"))
        while left:
            if left < 0 and self._byte() == BREAK:
                self._at += 1
                break
            several = tokens.rows(self._tokens(tokens.WINDOW), left) if self._at >= doubted else None
            if several is None:  # each row by itself; the window is not looked at again
                doubted = max(doubted, self._at + tokens.WINDOW)
                lengths.add(np.array([self._numbers(items)], np.int64))
                left -= left > 0
                continue
            lengths.add(several.lengths)
            items.add(several.numbers)
            self._at += several.size
            left -= len(several.lengths) if left > 0 else 0
            if several.closed:
                break
        self._finished = begin
        return Ragged.of(lengths.done().astype(np.int64), items.done())

    def records(self, shape: type[T], rescue: Callable[[Any], T]) -> Iterator[Batch[T]]:
        begin = self._at
        records = self._array(shape, rescue)
        yield from records
        if records.broken is not None:
            raise records.broken
        self._at, self._finished = records.end, begin

    def divided(
        self, task: Task[Stretch, R], shape: type[T], rescue: Callable[[Any], T], decode: Callable[[Records[T]], R]
    ) -> Iterator[R] | None:
        """The results for the stretches of an array of records, of ``task`` or of ``decode`` in this process, where
        several processes decode it; None if ``records`` must be used, and nothing was read."""
        if not divides(self._pool, self._source.size - self._at) or self.kind() != "array":
            return None
        return self._chained(task, shape, rescue, decode)

    def _chained(
        self, task: Task[Stretch, R], shape: type[T], rescue: Callable[[Any], T], decode: Callable[[Records[T]], R]
    ) -> Iterator[R]:
        begin = self._at
        records = self._array(shape, rescue)
        yield from chained(self._pool, task, self._source, records, decode)
        self._at, self._finished = records.end, begin

    def _array(self, shape: type[T], rescue: Callable[[Any], T]) -> Records[T]:
        """The records of the array at hand; the walk is then at the first."""
        left = self._count(_ARRAY, tr("an array of records"))
        return Records(self._source, self._at, left, shape, rescue, self._problems, self._moved, self._passed)

    def _passed(self, at: int) -> int:
        """The byte after the item at byte ``at``."""
        self._at = at
        self.skip()
        return self._at

    def skip(self) -> None:
        """Skips the value: the decoder takes as many items at a time as it can, the rest is followed header by header.
        The cost of a failed attempt is limited by the bytes skipped before, so that all attempts together stay
        linear."""
        begin = self._at
        left = [1]  # items to skip in each open container, -1: up to a break
        while left:
            if left[-1] == 0 or (left[-1] < 0 and self._byte() == BREAK):
                self._at += left.pop() < 0
                continue
            if len(left) > _DEEPEST:
                raise Broken(tr("too deeply nested"), offset=self._at)
            here = self._at
            decoded = self._decoded(left[-1])
            inside = 0 if decoded else self._pass_head()
            left[-1] -= max(decoded, 1) if left[-1] > 0 else 0
            self._credit = min(_SKIPPED, self._credit + 4 * (self._at - here))
            if inside:
                left.append(inside)
        self._finished = begin

    def _decoded(self, left: int) -> int:
        """Skips the next of ``left`` items (-1: up to a break) by decoding them; returns how many, 0 if the first is
        too large for that."""
        limit = min(self._credit, self._source.size - self._at)
        if limit < _WORTH:
            return 0
        count = min(self._together, left) if left > 0 else self._together
        try:
            _, self._at = self._decoder.items(count, self._at, limit)
        except FormatError:
            self._credit -= limit
            self._together = max(1, count // 4)
            return self._decoded(left) if count > 1 else 0
        self._together = min(_TOGETHER, 2 * count)
        return count

    def _numbers(self, flat: Flat) -> int:
        """Appends the current array of numbers; returns its length."""
        before = flat.count
        left = self._count(_ARRAY, tr("an array of numbers"))
        room = _ROOM
        while left:
            if left < 0 and self._byte() == BREAK:
                self._at += 1
                break
            room = min(room * 4, tokens.WINDOW)
            run = tokens.numbers(self._tokens(room if left < 0 else tokens.LONGEST * left), left)
            values = run.numbers if len(run.numbers) else self._whole(self._one())
            flat.add(values)
            self._at += run.size
            left -= len(values) if left > 0 else 0
            if run.closed:
                break
        return flat.count - before

    def _tokens(self, most: int) -> tokens.Tokens:
        """The numbers and headers of arrays in the next bytes, at most ``most`` and a window."""
        self._moved(self._at)
        size = max(0, min(most, tokens.WINDOW, self._source.size - self._at))
        return tokens.tokens(self._source.read(self._at, size))

    def _one(self) -> list[Any]:
        """The next item alone."""
        values, self._at = self._decoder.items(1, self._at, SMALL)
        return values

    def _whole(self, values: list[Any]) -> Integers:
        try:
            return whole(values)
        except FormatError as error:
            raise FormatError(error.text, offset=self._at) from error

    def _follow(self, here: int) -> None:
        """Moves past the item that began at ``here``, read or not."""
        if self._finished != here:
            self._at = here
            self.skip()

    def _pass_head(self) -> int:
        """Moves past the current header; returns the number of items (-1: up to a break)."""
        major, count = self._head()
        if major == _MAP:
            return 2 * count if count > 0 else count
        if major in (_BYTES, _TEXT):
            self._at += max(count, 0)
            return min(count, 0)
        if major == _TAG:
            return 1
        return count if major == _ARRAY else 0

    def _enter(self, major: int, what: str) -> Iterator[None]:
        """Yields once for each item of the container; the caller reads each."""
        left = self._count(major, what)
        while left:
            if left < 0 and self._byte() == BREAK:
                self._at += 1
                return
            yield
            left -= left > 0

    def _count(self, major: int, what: str) -> int:
        """The number of items of the current container, -1 if it ends with a break; the walk is then at the first."""
        if self._byte() >> 5 != major:
            raise FormatError(tr("expected {what} here", what=what), offset=self._at)
        return self._head()[1]

    def _head(self) -> tuple[int, int]:
        """(major type, argument; -1 for indefinite length) of the current item; the walk is then after its header."""
        first = self._byte()
        if first < 0:
            raise self._broken("")
        begin, info = self._at, first & 31
        size = 1 << info - 24 if 24 <= info <= 27 else 0
        self._at += 1 + size
        if self._at > self._source.size:
            raise Broken(tr("the file ends too early"), offset=self._source.size)
        if info == 31:
            return first >> 5, -1
        if info > 27:
            raise Broken(tr("this is not valid CBOR"), offset=begin)
        argument = int.from_bytes(self._source.read(begin + 1, size), "big") if size else info
        if first >> 5 in (_BYTES, _TEXT, _ARRAY, _MAP) and argument > self._source.size - self._at:
            raise Broken(
                plural(
                    "the file ends too early: {count:,} more item or byte is expected",
                    "the file ends too early: {count:,} more items or bytes are expected",
                    count=argument,
                ),
                offset=begin,
            )
        return first >> 5, argument

    def _byte(self) -> int:
        """The current byte, -1 at the end of the file."""
        place = self._at - self._base
        if not 0 <= place < len(self._buffer):
            self._fill()
            place = 0
        return self._buffer[place] if self._buffer else -1

    def _fill(self) -> None:
        self._buffer = self._source.read(self._at, max(0, min(_BUFFER, self._source.size - self._at)))
        self._base = self._at
        self._moved(self._at)

    def _item(self, limit: int) -> tuple[Any, int]:
        try:
            return self._decoder.item(self._at, limit)
        except FormatError as error:
            raise Broken(error.text, offset=error.offset) from error

    def _broken(self, text: str) -> Broken:
        if self._at >= self._source.size:
            return Broken(tr("the file ends too early"), offset=self._source.size)
        return Broken(text, offset=self._at)
