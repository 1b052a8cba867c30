"""Reads the tree of live bytes: ``memory.liveness.notAlwaysLive.byProgram``.

The vendor's documentation names it without a layout; the vendor's readers show nodes with ``bytes`` and ``children``.
Nodes may also list their variables (see ``variable_lists``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats.errors import FormatError
from app.formats.poplar.fields import indices
from app.formats.poplar.live_variables import LiveVariablesReader
from app.formats.poplar.report import Report
from app.formats.poplar.variable_lists import LIST_KEYS
from app.formats.walk import Walk
from app.language import plural, tr
from app.profile.arrays import sealed
from app.profile.poplar import Liveness
from app.profile.strings import Interner

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
        for _ in self.walk.items():
            self._node(parent, depth)
            self.report.allow(len(self.bytes), _ROW_BYTES)

    def _node(self, parent: int, depth: int) -> None:
        try:
            self._decoded(self.walk.value(WHOLE), parent, depth)
            return
        except FormatError as error:
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

    def _decoded(self, value: Any, parent: int, depth: int) -> None:
        """Adds a decoded node and its descendants."""
        stack = [(value, parent, depth)]
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
        for column in (self.bytes, self.name, self.program):
            column.append(-1)
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
