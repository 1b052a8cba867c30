"""Collects the cells of one column piece by piece, in any form the file has."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import orjson
from msgspec import Struct, field

from app.formats.ascend_bin.values import NO_DATA, parse
from app.profile.arrays import F64, I32, I64
from app.profile.strings import Interner

_NUMBERS = frozenset({int, float})
_SCALARS = frozenset({int, float, str, bool, type(None)})


class Parts(Struct):
    """The breakdown of percentages: ``count``: number of parts of each cell; ``reason`` (text ids) and ``samples`` of
    all parts, concatenated."""

    count: list[int] = field(default_factory=list)
    reason: list[int] = field(default_factory=list)
    samples: list[float] = field(default_factory=list)


class Run(Struct, eq=False):
    """The concatenated cells of some rows. ``width``: cells per row; ``lengths``: int64[rows] where rows differ in
    length, else None; ``number``: float64[cells], NaN where a cell is not a number; ``text``: int32[cells], text ids of
    cells that are strings or JSON, -1 for others, or None where no cell is."""

    rows: int
    width: int
    lengths: I64 | None
    number: F64
    text: I32 | None
    parts: Parts | None = None


class Cells:
    """Collects a column; absent cells are passed as None. ``json``: some cell was an array or an object other than a
    percentage with details; ``details``: some cell was a percentage with details."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rows = 0
        self.runs: list[Run] = []
        self.texts = Interner()
        self.reasons = Interner()
        self.json = False
        self.details = False

    def add(self, values: Sequence[Any]) -> None:
        """Adds the next ``len(values)`` rows: each a value, or a list with one value per core."""
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
        """Adds ``rows`` rows without a value."""
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
    """The cells of one row. A list of plain objects is one cell (the register states of an instruction), and an empty
    list is one absent cell."""
    if not isinstance(value, list):
        return [value]
    if not value:
        return [None]
    first = value[0]
    return [value] if isinstance(first, dict) and "Percent" not in first else value


def _dumped(cell: Any) -> str:
    """The cell as JSON text; "" where it is nested too deep for the encoder."""
    try:
        return orjson.dumps(cell).decode()
    except orjson.JSONEncodeError:
        return ""


def as_number(value: Any) -> float:
    """A JSON value, or the number in a string, as float; NaN for anything else."""
    if isinstance(value, str):
        return np.nan if value.strip().upper() in NO_DATA else parse(value)
    return float(value) if isinstance(value, int | float) else np.nan
