"""Going through a tree of values in a file once, in order, without holding it: the same for JSON and CBOR."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from app.formats.errors import FormatError
from app.profile.arrays import I64, Integers
from app.profile.ragged import Ragged

Kind: TypeAlias = Literal["object", "array", "text", "number", "other", "end"]

SMALL = 16 << 20
"""Bytes that a value may take which is decoded in one piece."""

T = TypeVar("T")


class Broken(FormatError):
    """The file cannot be followed beyond this place (it ends too early, or its structure is broken)."""


@dataclass(frozen=True, slots=True)
class Batch(Generic[T]):
    """Some records of an array that follow one another; ``ordinals``: int64, the number of each in the array.
    ``keys``: in the first batches all keys that their records have, known or not; empty in later ones."""

    records: list[T]
    ordinals: I64
    keys: frozenset[str] = frozenset()


class Walk(Protocol):
    """Stands at one value of the file. Each method but ``kind`` reads that value and goes on behind it.

    A method raises FormatError where the value is not what it reads (the walk can go on: ``members`` passes
    over what its user did not read, or failed to), and Broken where nothing can follow.
    """

    def kind(self) -> Kind:
        """What the value is, without reading it."""

    def members(self) -> Iterator[str]:
        """The keys of an object; when a key is given, the walk stands at its value."""

    def items(self) -> Iterator[None]:
        """As often as an array has items; the walk then stands at one."""

    def value(self, limit: int = SMALL) -> Any:
        """The value in plain Python objects, if it takes at most ``limit`` bytes."""

    def numbers(self) -> Integers:
        """An array of whole numbers, in a narrow type."""

    def rows(self) -> Ragged:
        """An array of arrays of whole numbers, in one narrow type."""

    def records(self, shape: type[T], rescue: Callable[[Any], T]) -> Iterator[Batch[T]]:
        """The objects of an array as ``shape`` (a msgspec structure); ``rescue`` makes one of a plain value
        that does not fit it, or raises ValueError. Records that cannot be read are told and left out."""

    def skip(self) -> None:
        """Passes over the value."""
