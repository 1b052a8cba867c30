"""Builds columns from records: those of a frozen Struct row by row, and those of decoded records in bulk, without a
step of Python for each value.

A msgspec structure whose numbers are all floats has the same layout in every record when it is packed again, so that
the packed records are an array of numpy: faster by far than asking each record for each of its attributes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final, Generic, Protocol, TypeVar, cast, get_args, get_type_hints

import msgspec
import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I32, I64, Array, Bool, Ragged, sealed

_TOGETHER: Final = 256

Columns = TypeVar("Columns", bound=Struct)


class Growing(Protocol):
    """A column under construction."""

    def extend(self, values: Sequence[Any]) -> None: ...

    def column(self) -> Any: ...


class Numbers:
    """A column of numbers of one type, stored as packed values (Python ints would take ten times as much)."""

    def __init__(self, code: str, dtype: type) -> None:
        self._values = array(code)
        self._dtype = dtype
        self.extend: Callable[[Sequence[Any]], None] = self._values.extend

    def join(self, values: Array) -> None:
        self._values.frombytes(values.astype(self._values.typecode, copy=False).tobytes())

    def column(self) -> Any:
        values = np.frombuffer(self._values, self._values.typecode)  # the same memory
        return sealed(values.astype(self._dtype, copy=False))


class Lists:
    """A column with a list of integers in each row."""

    def __init__(self) -> None:
        self._lengths = array("q")
        self._items = array("q")

    def extend(self, lists: Sequence[array[int]]) -> None:
        self._lengths.extend(map(len, lists))
        for numbers in lists:
            self._items.extend(numbers)

    def column(self) -> Ragged:
        return Ragged.of(np.array(self._lengths, np.int64), np.array(self._items, np.int64))


GROWING: dict[Any, Callable[[], Growing]] = {
    I32: lambda: Numbers("i", np.int32),
    I64: lambda: Numbers("q", np.int64),
    F64: lambda: Numbers("d", np.float64),
    Bool: lambda: Numbers("B", np.bool_),
    Ragged: Lists,
}


@cache
def _types(columns: type[Any]) -> dict[str, Any]:
    """The types of the fields of one of the few classes of columns, each of which is needed for every profile."""
    return get_type_hints(columns)


class Rows(Generic[Columns]):
    """Builds a Struct whose fields are int32, int64, float64, bool or ragged columns, row by row; its other fields
    are passed to ``finish``."""

    def __init__(self, columns: type[Columns]) -> None:
        self._type = columns
        hints = _types(columns)
        self._columns = {name: GROWING[hint]() for name, hint in hints.items() if hint in GROWING}
        self._waiting: list[tuple[Any, ...]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, *values: Any) -> None:
        """Appends one row: a value for each column, in the order of the fields."""
        self._waiting.append(values)
        self._count += 1
        if len(self._waiting) == _TOGETHER:
            self._store()

    def extend(self, *columns: Sequence[Any]) -> None:
        """Appends rows: the values of each column, in the order of the fields."""
        self._store()
        for column, values in zip(self._columns.values(), columns, strict=True):
            column.extend(values)
        self._count += len(columns[0])

    def join(self, *columns: Array) -> None:
        """Appends rows: the values of each column, none ragged, as an array, in the order of the fields."""
        self._store()
        for column, values in zip(self._columns.values(), columns, strict=True):
            assert isinstance(column, Numbers)
            column.join(values)
        self._count += len(columns[0])

    def finish(self, **others: Any) -> Columns:
        """The Struct with its columns sealed; ``others`` are its fields that are not columns."""
        self._store()
        return self._type(**others, **{name: column.column() for name, column in self._columns.items()})

    def _store(self) -> None:
        """Moves the rows that wait into the columns: many together take a quarter of the time."""
        for column, values in zip(self._columns.values(), zip(*self._waiting, strict=True), strict=bool(self._waiting)):
            column.extend(values)
        self._waiting.clear()


Texts = tuple[str | None, ...]
_MARKED: Final = 1
"""The byte before a packed float that says what it is."""
_SHORT_TEXTS: Final = ((32, 1), (1 << 8, 2), (1 << 16, 3), (1 << 32, 5))
"""Lengths of texts in bytes, and the bytes of the header of a shorter text (MessagePack, str format family)."""
_FEW: Final = ((16, 1), (1 << 16, 3), (1 << 32, 5))
"""The same for the number of items of a list."""


class Packed:
    """Takes the columns of records of ``shape``: a structure of at least 16 fields, first its numbers
    (``float | None``, NaN by default), then its texts (``str | None``), at least two of each."""

    def __init__(self, shape: type[msgspec.Struct]) -> None:
        fields = msgspec.structs.fields(shape)
        hints = get_type_hints(shape)
        of_text = [field for field in fields if str in get_args(hints[field.name])]
        self._numbers = [field for field in fields if field not in of_text]
        self.texts_of: Any = attrgetter(*(field.name for field in of_text))
        self._slowly: Any = attrgetter(*(field.name for field in self._numbers))
        self._encoder = msgspec.msgpack.Encoder()
        self._packed = bytearray()
        places, at = [], _header(len(fields), _FEW)
        for field in self._numbers:
            at += _text_size(field.encode_name) + _MARKED
            places.append(at)
            at += 8
        self._width = at
        self._layout = np.dtype(
            {"names": self.keys, "formats": [">f8"] * len(places), "offsets": places, "itemsize": at}
        )
        self._keys_of_texts = sum(_text_size(field.encode_name) for field in of_text)

    @property
    def keys(self) -> list[str]:
        """The names of the numbers, in the order of ``numbers``."""
        return [field.name for field in self._numbers]

    def numbers(self, records: Sequence[Any], sizes: I64) -> F64:
        """float64[numbers, records], NaN where a record has none. ``sizes``: int64[records], ``sizes_of`` the texts
        of each, added."""
        packed = self._packed
        self._encoder.encode_into(records, packed)
        ends = np.cumsum(sizes + (self._width + self._keys_of_texts)) + _header(len(records), _FEW)
        if not len(records) or int(ends[-1]) != len(packed):  # a number is null, which is shorter
            rows = np.array(list(map(self._slowly, records)), np.float64)
            return np.ascontiguousarray(rows.reshape(len(records), len(self._numbers)).T)
        begins = ends - (sizes + (self._width + self._keys_of_texts))
        every = np.ndarray(len(packed) - self._width + 1, f"V{self._width}", packed, strides=(1,))
        rows = every[begins].view(self._layout)
        out = np.empty((len(self._numbers), len(records)))
        for number, key in enumerate(self.keys):
            out[number] = rows[key]
        return out


def sizes_of(texts: Sequence[str | None]) -> I64:
    """int64[texts]: the bytes that each takes when packed; null takes as many as an empty text."""
    plain = [text or "" for text in texts] if None in texts else cast("Sequence[str]", texts)
    encoded: Iterable[Any] = plain if "".join(plain).isascii() else map(str.encode, plain)
    return packed_sizes(np.fromiter(map(len, encoded), np.int64, len(plain)))


def packed_sizes(sizes: I64) -> I64:
    """int64[texts]: the bytes that texts of these sizes (in UTF-8) take when packed."""
    out: I64 = sizes + 1
    for (most, header), (_, longer) in pairwise(_SHORT_TEXTS):
        out += (sizes >= most) * np.int64(longer - header)
    return out


def _text_size(text: str) -> int:
    size = len(text) if text.isascii() else len(text.encode())
    return size + _header(size, _SHORT_TEXTS)


def _header(count: int, sizes: tuple[tuple[int, int], ...]) -> int:
    return next(size for most, size in sizes if count < most)
