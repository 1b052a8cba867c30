"""Reads the memory of a graph profile (Poplar profiling data format, 7.1.8), with the tree of live bytes:
``memory.liveness.notAlwaysLive.byProgram``."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from app.formats.errors import FormatError
from app.formats.poplar.live_variables import LIST_KEYS, LiveVariablesReader
from app.formats.poplar.report import Handlers, MatrixGroup, Report, indices, members, numbers
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
from app.profile.strings import Interner

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


WHOLE = 4 << 20
"""The largest subtree in bytes that is decoded in one piece; larger ones are read node by node."""
MAX_LEVELS = 64
_ROW_BYTES = 110
"""Memory per node while the columns are built."""

_KNOWN = frozenset(("bytes", "children", "name", "program"))


def read_liveness(walk: Walk, report: Report, path: str, variables: LiveVariablesReader) -> Liveness:
    """All nodes in preorder; the lists of their variables go to ``variables``."""
    tree = _Tree(walk, report, path, variables)
    tree.list_of_nodes(-1, 0)
    return tree.done()


def _is_count(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 2**62 and value == int(value)


class _Tree:
    def __init__(self, walk: Walk, report: Report, path: str, variables: LiveVariablesReader) -> None:
        self.walk = walk
        self.variables = variables
        self.report = report
        self.path = path
        self.ids = Interner()
        self.bytes: list[int] = []
        self.depth: list[int] = []
        self.parent: list[int] = []
        self.name: list[int] = []
        self.program: list[int] = []
        self.wrong = 0

    def list_of_nodes(self, parent: int, depth: int) -> None:
        for nodes in self.walk.several(WHOLE):
            if isinstance(nodes, FormatError):
                self._by_member(nodes, parent, depth)
            else:
                self._decoded(nodes, parent, depth)
            self.report.allow(len(self.bytes), _ROW_BYTES)

    def _by_member(self, error: FormatError, parent: int, depth: int) -> None:
        """Reads the node at the walk, which cannot be decoded in one piece because of ``error``."""
        if depth > MAX_LEVELS or self.walk.kind() != "object":
            raise FormatError(tr("the tree is too deeply nested or damaged"), offset=error.offset) from error
        here = self._add({}, parent, depth)
        for key in self.walk.members():
            if key == "children":
                self.list_of_nodes(here, depth + 1)
            elif key in _KNOWN:
                self._set(here, key, self.walk.value())
            elif key in LIST_KEYS:
                self.variables.read_node(here, f"{self.path}[].{key}")
            else:
                self.report.unknown(f"{self.path}[].{key}")

    def _decoded(self, nodes: list[Any], parent: int, depth: int) -> None:
        """Adds decoded nodes and their descendants."""
        stack = [(node, parent, depth) for node in reversed(nodes)]
        while stack:
            node, above, level = stack.pop()
            if not isinstance(node, dict):
                self.wrong += 1
                continue
            here = self._add(node, above, level)
            children = node.get("children")
            if isinstance(children, list):
                stack.extend((child, here, level + 1) for child in reversed(children))

    def _add(self, node: dict[str, Any], parent: int, depth: int) -> int:
        here = len(self.bytes)
        self.depth.append(depth)
        self.parent.append(parent)
        self.bytes.append(-1)
        self.name.append(-1)
        self.program.append(-1)
        for key, value in node.items():
            if key in _KNOWN:
                self._set(here, key, value)
            elif key in LIST_KEYS:
                self.variables.add(here, value)
            else:
                self.report.unknown(f"{self.path}[].{key}")
        return here

    def _set(self, here: int, key: str, value: Any) -> None:
        if key == "name" and isinstance(value, str):
            self.name[here] = self.ids(value) if value else -1
        elif key in ("bytes", "program") and _is_count(value):
            (self.bytes if key == "bytes" else self.program)[here] = int(value)
        elif key != "children" and value is not None:
            self.wrong += 1

    def done(self) -> Liveness:
        if self.wrong:
            text = plural(
                "{count:,} value has the wrong type or is out of range, and is ignored",
                "{count:,} values have the wrong type or are out of range, and are ignored",
                count=self.wrong,
            )
            self.report.issue("warning", self.path, text)
        size = [1] * len(self.parent)
        for node in range(len(size) - 1, -1, -1):
            if self.parent[node] >= 0:
                size[self.parent[node]] += size[node]
        end = np.arange(len(size)) + np.array(size, np.int64)
        return Liveness(
            strings=self.ids.strings(),
            bytes=sealed(np.array(self.bytes, np.int64)),
            depth=sealed(np.array(self.depth, np.int32)),
            parent=sealed(np.array(self.parent, np.int32)),
            end=sealed(end.astype(np.int32)),
            name=sealed(np.array(self.name, np.int32)),
            program=indices(np.array(self.program, np.int64)),
        )
