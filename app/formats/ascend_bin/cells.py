"""The cells of one column, gathered piece by piece in whatever form they come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
import orjson

from app.formats.ascend_bin.values import NO_DATA, parse
from app.profile.arrays import F64, I32, I64
from app.profile.strings import Interner

_NUMBERS = frozenset({int, float})
_SCALARS = frozenset({int, float, str, bool, type(None)})


@dataclass(slots=True)
class Parts:
    """What percentages are made of: ``count`` parts of each cell (int64[cells]) and, end to end, their reasons
    and samples."""

    count: list[int] = field(default_factory=list)
    reason: list[int] = field(default_factory=list)
    samples: list[float] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Run:
    """The cells of some rows, end to end. ``width``: cells a row, or ``lengths`` (int64[rows]) where rows differ.
    ``number``: NaN where a cell is none; ``text``: ids of cells that are texts or JSON, -1 else, or None where no
    cell is."""

    rows: int
    width: int
    lengths: I64 | None
    number: F64
    text: I32 | None
    parts: Parts | None = None


class Cells:
    """Collects a column. Absent cells are given as None. ``json`` tells that some cell was an array or object
    other than a percentage with details, ``details`` that one was."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows = 0
        self.runs: list[Run] = []
        self.texts = Interner()
        self.reasons = Interner()
        self.json = False
        self.details = False

    def add(self, values: Sequence[Any]) -> None:
        """The cells of the next ``len(values)`` rows: each a value, or a list with one value a core."""
        if not values:
            return
        self.rows += len(values)
        kinds = set(map(type, values))
        if list not in kinds:
            self._flat(len(values), 1, None, values, kinds)
            return
        width = len(values[0]) if kinds == {list} else 0
        flat = list(chain.from_iterable(values)) if width else []
        inner = set(map(type, flat))
        if width and inner <= _SCALARS and len(flat) == width * len(values) and set(map(len, values)) == {width}:
            self._flat(len(values), width, None, flat, inner)
        else:
            self._ragged([_cells_of(value) for value in values])

    def skip(self, rows: int) -> None:
        """``rows`` rows without this column."""
        if rows:
            self.rows += rows
            self.runs.append(Run(rows, 1, None, np.full(rows, np.nan), None))

    def _ragged(self, rows: list[list[Any]]) -> None:
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        flat = list(chain.from_iterable(rows))
        width = int(lengths[0])
        uniform = bool((lengths == width).all())
        self._flat(len(rows), width, None if uniform else lengths, flat, set(map(type, flat)))

    def _flat(self, rows: int, width: int, lengths: I64 | None, cells: Sequence[Any], kinds: set[type]) -> None:
        if kinds <= _NUMBERS:
            self.runs.append(Run(rows, width, lengths, np.array(cells, np.float64), None))
        elif kinds == {str}:
            ids = np.fromiter(map(self.texts, cells), np.int32, len(cells))
            self.runs.append(Run(rows, width, lengths, np.full(len(cells), np.nan), ids))
        else:
            self.runs.append(self._mixed(rows, width, lengths, cells))

    def _mixed(self, rows: int, width: int, lengths: I64 | None, cells: Sequence[Any]) -> Run:
        number = np.full(len(cells), np.nan)
        ids = np.full(len(cells), -1, np.int32)
        parts = Parts()
        for index, cell in enumerate(cells):
            before = len(parts.reason)
            if isinstance(cell, str):
                ids[index] = self.texts(cell)
            elif isinstance(cell, int | float):  # True and False count as 1 and 0
                number[index] = cell
            elif isinstance(cell, dict) and "Percent" in cell:
                number[index] = self._percentage(cell, parts)
            elif cell is not None:
                self.json = True
                ids[index] = self.texts(_dumped(cell))
            parts.count.append(len(parts.reason) - before)
        return Run(rows, width, lengths, number, ids, parts if parts.reason else None)

    def _percentage(self, cell: dict[str, Any], parts: Parts) -> float:
        self.details = True
        reasons = cell.get("Details")
        for reason, count in reasons.items() if isinstance(reasons, dict) else ():
            samples = as_number(count)
            if samples == samples:
                parts.reason.append(self.reasons(str(reason)))
                parts.samples.append(samples)
        return 100 * as_number(cell["Percent"])


def _cells_of(value: Any) -> list[Any]:
    """The cells of one row. A list of plain objects, or an empty one, is one cell: the register states of an
    instruction."""
    if not isinstance(value, list):
        return [value]
    if not value:
        return [None]
    first = value[0]
    return [value] if isinstance(first, dict) and "Percent" not in first else value


def _dumped(cell: Any) -> str:
    """The cell as JSON text; what is nested too deep for the encoder is left out."""
    try:
        return orjson.dumps(cell).decode()
    except orjson.JSONEncodeError:
        return ""


def as_number(value: Any) -> float:
    """A JSON value as a number, NaN if it is none."""
    if isinstance(value, str):
        return np.nan if value.strip().upper() in NO_DATA else parse(value)
    return float(value) if isinstance(value, int | float) else np.nan
