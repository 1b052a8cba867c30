"""Bands of a timeline: horizontal stretches for processes, lanes and counters, as a table of integers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, overload

import numpy as np
from msgspec import Struct

from app.profile.arrays import I64

Kind: TypeAlias = Literal["process", "lane", "counter"]
KINDS: Final[tuple[Kind, ...]] = ("process", "lane", "counter")
PROCESS, LANE, COUNTER = range(3)


class Band(Struct, frozen=True):
    """One horizontal stretch of the picture. ``index`` is that of the group, lane or counter track; ``y`` and
    ``height`` are pixels from the top of all rows; rows first_row .. first_row + rows - 1 are drawn in it, each
    ``row_height`` high from ``rows_y`` on (folded: all of them together squeezed into so many pixels)."""

    kind: Kind
    index: int
    y: int
    height: int
    first_row: int = 0
    rows: int = 0
    row_height: int = 0
    rows_y: int = 0
    folded: bool = False
    pinned: bool = False

    @property
    def bottom(self) -> int:
        return self.y + self.height

    def holds(self, row: int) -> bool:
        return self.first_row <= row < self.first_row + self.rows


class _Column:
    """A column of the table of ``Bands``: int64[bands], a view that can be written to."""

    def __init__(self, field: str) -> None:
        self._place = Band.__struct_fields__.index(field)

    def __get__(self, bands: Bands, _: type[Bands]) -> I64:
        column: I64 = bands.table[:, self._place]
        return column


@dataclass(frozen=True, slots=True, eq=False)
class Bands(Sequence[Band]):
    """``table``: int64[bands, 10], the fields of ``Band`` in their order. ``kinds``: indices into KINDS; ``folded`` and
    ``pinned``: 0 or 1."""

    table: I64
    kinds = _Column("kind")
    indices = _Column("index")
    y = _Column("y")
    height = _Column("height")
    first_row = _Column("first_row")
    rows = _Column("rows")
    row_height = _Column("row_height")
    rows_y = _Column("rows_y")
    folded = _Column("folded")
    pinned = _Column("pinned")

    @classmethod
    def blank(cls, count: int, kind: int, index: I64) -> Bands:
        """Bands of one kind without place or rows."""
        bands = cls(np.zeros((count, len(Band.__struct_fields__)), np.int64))
        bands.kinds[:], bands.indices[:] = kind, index
        return bands

    @property
    def bottom(self) -> int:
        """The pixel below all of them."""
        return int(self.y[-1] + self.height[-1]) if len(self.table) else 0

    def stacked(self, y: int) -> Bands:
        """The same below each other from pixel ``y`` on; ``rows_y`` counts from there instead of from each one's
        top."""
        bands = Bands(self.table.copy())
        bands.y[:] = y + np.cumsum(bands.height) - bands.height
        bands.rows_y[:] = np.where(bands.kinds == COUNTER, 0, bands.y + bands.rows_y)
        return bands

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> Band: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Band, ...]: ...
    def __getitem__(self, index: int | slice) -> Band | tuple[Band, ...]:
        if isinstance(index, slice):
            return tuple(map(_band, self.table[index].tolist()))
        return _band(self.table[index].tolist())

    def __iter__(self) -> Iterator[Band]:
        return map(_band, self.table.tolist())


def _band(fields: list[int]) -> Band:
    kind, index, y, height, first_row, rows, row_height, rows_y, folded, pinned = fields
    return Band(KINDS[kind], index, y, height, first_row, rows, row_height, rows_y, bool(folded), bool(pinned))


@dataclass(frozen=True, slots=True, eq=False)
class LaneBands(Mapping[int, Band]):
    """The band that a lane shows in, folded or not. ``place``: int64[lanes], an index into ``bands``, -1 where the
    lane is left out."""

    bands: Bands
    place: I64

    def __getitem__(self, lane: int) -> Band:
        place = int(self.place[lane]) if 0 <= lane < len(self.place) else -1
        if place < 0:
            raise KeyError(lane)
        return self.bands[place]

    def __len__(self) -> int:
        return int((self.place >= 0).sum())

    def __iter__(self) -> Iterator[int]:
        return iter(np.flatnonzero(self.place >= 0).tolist())
