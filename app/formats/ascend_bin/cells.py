"""Collects the cells of one column piece by piece, in any form the file has."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import orjson
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_bin.values import NO_DATA, parse
from app.formats.integers import narrow
from app.profile.arrays import F64, I32, I64, Array
from app.profile.strings import Interner

_NUMBERS = frozenset({int, float})
_SCALARS = frozenset({int, float, str, bool, type(None)})


class Parts(Struct, frozen=True, eq=False):
    """The breakdown of percentages. ``count``: int64[cells], number of parts of each; ``reason`` (int32, text ids) and
    ``samples`` (float64) of all parts, concatenated."""

    count: I64
    reason: I32
    samples: F64


class Run(Struct, frozen=True, eq=False):
    """The concatenated cells of some rows. ``width``: cells per row; ``lengths``: int64[rows] where rows differ in
    length, else None; ``number``: float64[cells], NaN where a cell is not a number, or where all are whole numbers,
    these in a narrow type; ``text``: int32[cells], text ids of cells that are strings or JSON, -1 for others, or None
    where no cell is."""

    rows: int
    width: int
    lengths: I64 | None
    number: Array
    text: I32 | None
    parts: Parts | None = None


class CellsPart(Struct, frozen=True, eq=False):
    """What ``Cells`` collected, for another ``Cells`` to join. Text ids stand for ``texts`` and ``reasons``."""

    runs: list[Run]
    texts: list[str]
    reasons: list[str]
    json: bool
    details: bool


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

    def part(self) -> CellsPart:
        """What was added."""
        return CellsPart(self.runs, list(self.texts.ids), list(self.reasons.ids), self.json, self.details)

    def join(self, part: CellsPart) -> None:
        """Adds the rows of ``part``, with the same result as if their values had been added."""
        texts = np.array([*map(self.texts, part.texts), -1], np.int32)
        reasons = np.array([*map(self.reasons, part.reasons), -1], np.int32)
        for run in part.runs:
            self.rows += run.rows
            text = None if run.text is None else texts[run.text]
            parts = None if run.parts is None else replace(run.parts, reason=reasons[run.parts.reason])
            self.runs.append(replace(run, text=text, parts=parts))
        self.json |= part.json
        self.details |= part.details

    def _ragged(self, rows: list[list[Any]]) -> None:
        lengths = np.fromiter(map(len, rows), np.int64, len(rows))
        flat = list(chain.from_iterable(rows))
        width = int(lengths[0])
        uniform = bool((lengths == width).all())
        self._flat(len(rows), width, None if uniform else lengths, flat, set(map(type, flat)))

    def _flat(self, rows: int, width: int, lengths: I64 | None, cells: Sequence[Any], kinds: set[type]) -> None:
        if kinds <= _NUMBERS:
            self.runs.append(Run(rows, width, lengths, _numbers(cells, kinds), None))
        elif kinds == {str}:
            ids = np.fromiter(map(self.texts, cells), np.int32, len(cells))
            self.runs.append(Run(rows, width, lengths, np.full(len(cells), np.nan), ids))
        else:
            self.runs.append(self._mixed(rows, width, lengths, cells))

    def _mixed(self, rows: int, width: int, lengths: I64 | None, cells: Sequence[Any]) -> Run:
        number = np.full(len(cells), np.nan)
        ids = np.full(len(cells), -1, np.int32)
        parts = _Parts()
        for index, cell in enumerate(cells):
            before = len(parts.reason)
            if isinstance(cell, str):
                ids[index] = self.texts(cell)
            elif isinstance(cell, int | float):  # True and False count as 1 and 0
                number[index] = _as_float(cell)
            elif isinstance(cell, dict) and "Percent" in cell:
                number[index] = self._percentage(cell, parts)
            elif cell is not None:
                self.json = True
                ids[index] = self.texts(_dumped(cell))
            parts.count.append(len(parts.reason) - before)
        return Run(rows, width, lengths, number, ids, parts.done() if parts.reason else None)

    def _percentage(self, cell: dict[str, Any], parts: _Parts) -> float:
        self.details = True
        reasons = cell.get("Details")
        for reason, count in reasons.items() if isinstance(reasons, dict) else ():
            samples = as_number(count)
            if samples == samples:
                parts.reason.append(self.reasons(str(reason)))
                parts.samples.append(samples)
        return 100 * as_number(cell["Percent"])


class _Parts:
    """``Parts`` that are being collected."""

    def __init__(self) -> None:
        self.count: list[int] = []
        self.reason: list[int] = []
        self.samples: list[float] = []

    def done(self) -> Parts:
        return Parts(np.array(self.count, np.int64), np.array(self.reason, np.int32), np.array(self.samples))


def _numbers(cells: Sequence[Any], kinds: set[type]) -> Array:
    """The numbers ``cells``, of these types; whole numbers in a narrow type."""
    try:
        if kinds == {int}:
            return narrow(np.frombuffer(array("q", cells), np.int64))
        return np.frombuffer(array("d", cells), np.float64)
    except OverflowError:
        return np.array([_as_float(cell) for cell in cells], np.float64)


def _as_float(cell: float) -> float:
    """``cell`` as a float; NaN for integers beyond the range of floats."""
    try:
        return float(cell)
    except OverflowError:
        return math.nan


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
    return _as_float(value) if isinstance(value, int | float) else np.nan
