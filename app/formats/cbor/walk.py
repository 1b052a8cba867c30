"""Going through a CBOR file once, in order (see app.formats.walk)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

import msgspec
import numpy as np

from app.formats.cbor.decode import Decoder
from app.formats.errors import FormatError
from app.formats.integers import Flat, whole
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.walk import SMALL, Batch, Broken, Kind
from app.profile.arrays import Integers
from app.profile.ragged import Ragged

TAG = b"\xd9\xd9\xf7"
"""Self-described CBOR (RFC 8949, section 3.4.6)."""

_BYTES, _TEXT, _ARRAY, _MAP, _TAG = 2, 3, 4, 5, 6
_BREAK = 0xFF
_CHUNK = 65536
_BUFFER = 8192
_NUMBERS = 2048
"""Numbers that are decoded at a time, at most as many as the buffer has bytes."""
_SMALLEST = 24
"""The smallest number that does not stand in the byte that begins it (RFC 8949, section 3)."""
_RUN = 64
"""Numbers below that which are worth taking by themselves."""
_KEY = 64 * 1024
_DEEPEST = 1000
_KINDS: Final[tuple[Kind, ...]] = ("number", "number", "other", "text", "array", "object", "other", "other")

T = TypeVar("T")


class CborWalk:
    """A walk through ``source``. ``moved`` is told the byte that was reached, again and again."""

    def __init__(self, source: Source, problems: Problems, moved: Callable[[int], None] = lambda _: None) -> None:
        self._source = source
        self._problems = problems
        self._decoder = Decoder(source, moved)
        self._at = len(TAG) if source.head(3) == TAG else 0
        self._finished = -1
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
        for _ in self._enter(_MAP, "an object"):
            if self._byte() >> 5 != _TEXT:
                raise self._broken("a key is expected here")
            key, self._at = self._item(_KEY)
            here = self._at
            yield str(key)
            self._follow(here)
        self._finished = begin

    def items(self) -> Iterator[None]:
        begin = self._at
        for _ in self._enter(_ARRAY, "an array"):
            here = self._at
            yield
            self._follow(here)
        self._finished = begin

    def value(self, limit: int = SMALL) -> Any:
        begin = self._at
        value, self._at = self._decoder.item(begin, limit)
        self._finished = begin
        return value

    def numbers(self) -> Integers:
        begin = self._at
        flat = Flat()
        for count in self._runs(_ARRAY, "an array of numbers", _CHUNK):
            for values in self._wholes(count):
                flat.add(values)
        self._finished = begin
        return flat.done()

    def rows(self) -> Ragged:
        begin = self._at
        lengths, items = Flat(), Flat()
        pending: list[int] = []
        for _ in self._enter(_ARRAY, "an array of rows"):
            row = self.numbers()
            pending.append(len(row))
            items.add(row)
            if len(pending) == _CHUNK:
                lengths.add(whole(pending))
                pending = []
        lengths.add(whole(pending))
        self._finished = begin
        return Ragged.of(lengths.done().astype(np.int64), items.done())

    def records(self, shape: type[T], rescue: Callable[[Any], T]) -> Iterator[Batch[T]]:
        begin, first = self._at, 0
        for count in self._runs(_ARRAY, "an array of records", 256):
            values = self._values(count)
            records = [_record(value, shape, rescue) for value in values]
            kept = np.array([record is not None for record in records], np.bool_)
            keys = frozenset(str(key) for value in values if isinstance(value, dict) and not first for key in value)
            yield Batch([record for record in records if record is not None], first + np.flatnonzero(kept), keys)
            first += count
        self._finished = begin

    def skip(self) -> None:
        """Decodes what is small, and goes through the items of what is not."""
        begin = self._at
        left = [1]  # items to pass over in each open container, -1: up to a break
        while left:
            if left[-1] == 0 or (left[-1] < 0 and self._byte() == _BREAK):
                self._at += left.pop() < 0
                continue
            left[-1] -= left[-1] > 0
            if len(left) > _DEEPEST:
                raise Broken("this is nested too deep", offset=self._at)
            try:
                _, self._at = self._decoder.item(self._at, SMALL if len(left) < 3 else _KEY)
            except FormatError:
                left.append(self._pass_head())
        self._finished = begin

    def _wholes(self, count: int) -> Iterator[Integers]:
        """The next whole numbers in parts. Most numbers of a profile are zero, and what is below 24 is a byte of its
        own: runs of them need no decoder."""
        while count:
            ahead = np.frombuffer(self._ahead(min(count, _NUMBERS)), np.uint8)
            large = np.flatnonzero(ahead >= _SMALLEST)
            run = int(large[0]) if len(large) else len(ahead)
            if run >= min(_RUN, count):
                self._at += run
                yield ahead[:run]
            else:
                run = min(count, _NUMBERS)
                values, self._at = self._decoder.items(run, self._at, SMALL)
                yield whole(values)
            count -= run

    def _follow(self, here: int) -> None:
        """Goes behind the item that began at ``here``, read or not."""
        if self._finished != here:
            self._at = here
            self.skip()

    def _values(self, count: int) -> list[Any]:
        """The next items; None for those that cannot be decoded, which are told."""
        here = self._at
        try:
            values, self._at = self._decoder.items(count, here, SMALL)
            return values
        except FormatError:
            self._at = here
            return [self._one() for _ in range(count)]

    def _one(self) -> Any:
        here = self._at
        try:
            return self.value()
        except FormatError as error:
            self._problems.add(
                "warning", "records that cannot be decoded", here, f"this record is left out: {error.text}"
            )
            self._at = here
            self.skip()
            return None

    def _pass_head(self) -> int:
        """Goes behind the header at hand; how many items it holds (-1: up to a break)."""
        major, count = self._head()
        if major == _MAP:
            return 2 * count if count > 0 else count
        if major in (_BYTES, _TEXT):
            self._at += max(count, 0)
            return min(count, 0)
        if major == _TAG:
            return 1
        return count if major == _ARRAY else 0

    def _runs(self, major: int, what: str, most: int) -> Iterator[int]:
        """The items of a container in runs that can be decoded together; the user goes over each run."""
        count = self._count(major, what)
        if count < 0:
            while self._byte() != _BREAK:
                yield 1
            self._at += 1
            return
        for done in range(0, count, most):
            yield min(most, count - done)

    def _enter(self, major: int, what: str) -> Iterator[None]:
        """As often as the container has items; the user reads each."""
        for _ in self._runs(major, what, 1):
            yield None

    def _count(self, major: int, what: str) -> int:
        """How many items the container at hand has, -1 if it ends with a break; the walk then stands at the first."""
        if self._byte() >> 5 != major:
            raise FormatError(f"{what} is expected here", offset=self._at)
        return self._head()[1]

    def _head(self) -> tuple[int, int]:
        """(major type, argument; -1 for indefinite length) of the item at hand; the walk then stands behind it."""
        first = self._byte()
        if first < 0:
            raise self._broken("")
        begin, info = self._at, first & 31
        size = 1 << info - 24 if 24 <= info <= 27 else 0
        self._at += 1 + size
        if self._at > self._source.size:
            raise Broken("the file ends too early", offset=self._source.size)
        if info == 31:
            return first >> 5, -1
        if info > 27:
            raise Broken("this is not valid CBOR", offset=begin)
        argument = int.from_bytes(self._source.read(begin + 1, size), "big") if size else info
        if first >> 5 in (_BYTES, _TEXT, _ARRAY, _MAP) and argument > self._source.size - self._at:
            raise Broken(f"the file ends too early: {argument:,} items or bytes should follow", offset=begin)
        return first >> 5, argument

    def _byte(self) -> int:
        """The byte at hand, -1 at the end of the file."""
        place = self._at - self._base
        if not 0 <= place < len(self._buffer):
            self._fill()
            place = 0
        return self._buffer[place] if self._buffer else -1

    def _ahead(self, count: int) -> memoryview:
        """The next bytes, up to ``count`` or to the end of the file."""
        place = self._at - self._base
        if not 0 <= place <= len(self._buffer) - count:
            self._fill()
            place = 0
        return memoryview(self._buffer)[place : place + count]

    def _fill(self) -> None:
        self._buffer = self._source.read(self._at, max(0, min(_BUFFER, self._source.size - self._at)))
        self._base = self._at

    def _item(self, limit: int) -> tuple[Any, int]:
        try:
            return self._decoder.item(self._at, limit)
        except FormatError as error:
            raise Broken(error.text, offset=error.offset) from error

    def _broken(self, text: str) -> Broken:
        if self._at >= self._source.size:
            return Broken("the file ends too early", offset=self._source.size)
        return Broken(text, offset=self._at)


def _record(value: Any, shape: type[T], rescue: Callable[[Any], T]) -> T | None:
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError:
        try:
            return rescue(value)
        except (ValueError, TypeError):
            return None
