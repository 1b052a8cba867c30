"""The interface for reading a tree of values once, in file order, without loading it whole; the same for JSON and
CBOR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from app.formats.errors import FormatError
from app.profile.arrays import I64, Integers, Ragged

Kind: TypeAlias = Literal["object", "array", "text", "number", "other", "end"]

SMALL = 4 << 20
"""The largest value in bytes that is decoded in one piece. An empty list takes one byte of CBOR and 80 of memory."""

T = TypeVar("T")


class Broken(FormatError):
    """Parsing cannot continue after this position (the file is truncated, or its structure is damaged)."""


class Batch(Struct, Generic[T], frozen=True):
    """Consecutive records of an array. ``ordinals``: int64[records], the index of each in the array; ``keys``: in the
    first batches, all keys of their records, known or not; empty in later ones."""

    records: list[T]
    ordinals: I64
    keys: frozenset[str] = frozenset()


class Walk(Protocol):
    """A cursor at one value of the file. Every method except ``kind`` reads that value and moves behind it.

    A method raises FormatError where the value is not of the type it reads; the walk can continue, because
    ``members`` skips values that were not read or failed. It raises Broken where parsing cannot continue.
    """

    def kind(self) -> Kind:
        """The type of the value, without reading it."""

    def members(self) -> Iterator[str]:
        """Yields the keys of an object; after each, the walk is at its value."""

    def items(self) -> Iterator[None]:
        """Yields once for each item of an array; the walk is then at that item."""

    def several(self, limit: int = SMALL) -> Iterator[list[Any] | FormatError]:
        """Yields the items of an array as plain Python objects, one or more at a time; for one that cannot be decoded,
        or takes more than ``limit`` bytes, the reason. The walk is then at that item."""

    def value(self, limit: int = SMALL) -> Any:
        """The value as plain Python objects; FormatError if it takes more than ``limit`` bytes."""

    def numbers(self) -> Integers:
        """An array of integers, in a narrow type."""

    def rows(self) -> Ragged:
        """An array of arrays of integers, in one narrow type."""

    def records(self, shape: type[T], rescue: Callable[[Any], T]) -> Iterator[Batch[T]]:
        """The objects of an array as ``shape`` (a msgspec structure). ``rescue`` makes one from a plain value that does
        not fit it, or raises ValueError. Unreadable records are reported and skipped."""

    def skip(self) -> None:
        """Skips the value."""
