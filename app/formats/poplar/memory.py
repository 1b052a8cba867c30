"""Reads the memory of a graph profile (Poplar profiling data format, 7.1.8)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from app.formats.poplar.live_variables import LiveVariablesReader
from app.formats.poplar.liveness import read_liveness
from app.formats.poplar.matrices import MatrixGroup, numbers
from app.formats.poplar.report import Handlers, Report, members
from app.formats.poplar.variable_lists import LIST_KEYS
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import Integers, sealed
from app.profile.poplar import (
    BYTE_KINDS,
    REGIONS,
    TOTAL_BYTES,
    Categories,
    ComputeSetBytes,
    Liveness,
    TileMemory,
    VertexTypeBytes,
)
from app.profile.profile import Section

_BY_TILE: Final = {
    "interleaved": "interleaved",
    "interleavedIncludingGaps": "interleaved_with_gaps",
    "nonInterleaved": "non_interleaved",
    "nonInterleavedIncludingGaps": "non_interleaved_with_gaps",
    "overflowed": "overflowed",
    "overflowedIncludingGaps": "overflowed_with_gaps",
    "total": "total",
    "totalIncludingGaps": "total_with_gaps",
}
_OVERLAPS: Final = {"nonOverlapped": False, "overlapped": True}
_MOST_CATEGORIES: Final = 1000


class MemoryReader:
    """Reads the object ``memory`` and delivers its sections; adds the lengths of its arrays per tile to ``entries``."""

    def __init__(self, walk: Walk, report: Report, deliver: Callable[[Section], None], entries: set[int]) -> None:
        self._walk = walk
        self._report = report
        self._deliver = deliver
        self._entries = entries
        self._tiles: int | None = None
        self._arrays: dict[str, Integers] = {}
        self._parts: list[tuple[int, int, bool, Integers]] = []
        self._totals: dict[int, Integers] = {}
        self._names: list[str] = []

    def read(self, path: str) -> None:
        handlers: Handlers = {
            "byTile": self._by_tile,
            "byCategory": self._by_category,
            "byComputeSet": partial(self._matrices, ComputeSetBytes),
            "byVertexType": partial(self._matrices, VertexTypeBytes),
            "liveness": self._liveness,
        }
        try:
            members(self._walk, self._report, path, handlers)
        finally:
            self._deliver_tiles()

    def _deliver_tiles(self) -> None:
        if self._tiles is not None:
            self._entries.add(self._tiles)
            self._deliver(TileMemory(tiles=self._tiles, categories=self._categories(), **self._arrays))

    def _by_tile(self, path: str) -> None:
        handlers = {key: partial(self._array, name) for key, name in _BY_TILE.items()}
        members(self._walk, self._report, path, handlers)

    def _array(self, name: str, path: str) -> None:
        values = self._per_tile(path)
        if values is not None:
            self._arrays[name] = values

    def _per_tile(self, path: str) -> Integers | None:
        """An array per tile; None, with an issue, if its length differs from the previous ones."""
        values = numbers(self._walk)
        if self._tiles is None:
            self._tiles = len(values)
        if len(values) == self._tiles:
            return values
        text = plural(
            "skipped: {count:,} entry, but the preceding arrays per tile have {tiles:,}",
            "skipped: {count:,} entries, but the preceding arrays per tile have {tiles:,}",
            count=len(values),
            tiles=self._tiles,
        )
        self._report.issue("error", path, text)
        return None

    def _by_category(self, path: str) -> None:
        for name in self._walk.members():
            number = len(self._names)
            if number < _MOST_CATEGORIES:
                self._names.append(name)
                self._category(number, f"{path}.{name}")
            else:
                self._report.unknown(f"{path}.{name}")

    def _category(self, number: int, path: str) -> None:
        handlers: dict[str, Callable[[str], None]] = {
            name: partial(self._region, number, region) for region, name in enumerate(REGIONS)
        }
        handlers["total"] = partial(self._total, number)
        members(self._walk, self._report, path, handlers)

    def _region(self, number: int, region: int, path: str) -> None:
        handlers = {key: partial(self._part, number, region, overlapped) for key, overlapped in _OVERLAPS.items()}
        members(self._walk, self._report, path, handlers)

    def _part(self, number: int, region: int, overlapped: bool, path: str) -> None:
        values = self._per_tile(path)
        if values is not None:
            self._parts.append((number, region, overlapped, values))

    def _total(self, number: int, path: str) -> None:
        values = self._per_tile(path)
        if values is not None:
            self._totals[number] = values

    def _categories(self) -> Categories | None:
        if not self._names:
            return None
        return Categories(
            names=tuple(self._names),
            category=sealed(np.array([part[0] for part in self._parts], np.int32)),
            region=sealed(np.array([part[1] for part in self._parts], np.int32)),
            overlapped=sealed(np.array([part[2] for part in self._parts], np.bool_)),
            bytes=self._stacked([part[3] for part in self._parts]),
            total_of=sealed(np.array(list(self._totals), np.int32)),
            totals=self._stacked(list(self._totals.values())),
        )

    def _stacked(self, rows: list[Integers]) -> Integers:
        if not rows:
            return sealed(np.empty((0, self._tiles or 0), np.uint8))
        return sealed(np.stack(rows))

    def _matrices(self, make: Callable[[dict[str, Integers]], Section], path: str) -> None:
        group = MatrixGroup(self._walk, self._report)
        keys = (*BYTE_KINDS, TOTAL_BYTES)
        members(self._walk, self._report, path, group.handlers(keys))
        rows = max((len(matrix) for matrix in group.matrices.values()), default=0)
        group.check_rows(rows, path, tr("the others"))
        width = group.check_columns(path, keys)
        if width is not None:
            self._entries.add(width)
        if group.matrices:
            self._deliver(make(group.matrices))

    def _liveness(self, path: str) -> None:
        variables = LiveVariablesReader(self._walk, self._report, path)
        tree: list[Liveness] = []

        def by_program(place: str) -> None:
            tree.append(read_liveness(self._walk, self._report, place, variables))
            self._deliver(tree[0])

        always: Handlers = {
            "bytesByTile": partial(self._array, "always_live"),
            **dict.fromkeys(LIST_KEYS, variables.read_always),
        }
        temporary: Handlers = {"maxBytesByTile": partial(self._array, "temporary_max"), "byProgram": by_program}
        handlers: Handlers = {
            "alwaysLive": lambda place: members(self._walk, self._report, place, always),
            "notAlwaysLive": lambda place: members(self._walk, self._report, place, temporary),
            **dict.fromkeys(LIST_KEYS[:2], variables.read_table),
        }
        try:
            members(self._walk, self._report, path, handlers)
        finally:
            section = variables.section(tree[0] if tree else None)
            if section is not None:
                self._deliver(section)
