"""Collects the cells of one column piece by piece, in any form the file has, and turns them into a typed column, by
the type declared in the file or that of the cells."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import orjson
from msgspec import Struct
from msgspec.structs import replace

from app.formats.ascend_bin.part import LEAST, MOST, NO_DATA, parse
from app.formats.integers import narrow
from app.formats.json.problems import Problems
from app.language import tr
from app.profile.arrays import F64, I32, I64, Array, Bool, expand, sealed
from app.profile.ascend import Details, TypedColumn, ValueKind
from app.profile.strings import Interner

MAX_WIDTH = 1024
PADDING = 8
"""A padded table has at most PADDING times the cells of the file, plus ROOM."""
ROOM = 65536


def most_columns(rows: int, cells: int) -> int:
    """The largest number of columns of a table with ``rows`` rows and ``cells`` cells in the file; at least 1."""
    return max(1, min(MAX_WIDTH, (PADDING * cells + ROOM) // max(rows, 1)))


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


SKIP, INT, FLOAT, TEXT, PERCENT, JSON, DETAILS = 0, 1, 2, 3, 4, 5, 100
_KINDS: dict[int, ValueKind] = {
    INT: "int",
    FLOAT: "float",
    TEXT: "text",
    PERCENT: "percent",
    JSON: "json",
    DETAILS: "details",
}
_PERCENTAGES = frozenset({"L2Cache Hit Rate"})
"""Percentages that earlier writers declare as text (Ascend operator files, section 2.6)."""


def finish(cells: Cells, dtype: int | None, problems: Problems, place: int) -> TypedColumn | None:
    """The column; None for a hidden one. ``dtype``: the file's type code (section 2.6), None where undeclared."""
    if dtype == SKIP:
        return None
    kind = _KINDS.get(dtype) if dtype is not None else _natural(cells)
    if kind is None:
        problems.add(
            "info",
            tr("unknown column types"),
            place,
            tr('column "{cells}" has the unknown type {dtype}', cells=cells.name, dtype=dtype),
        )
        kind = _natural(cells)
    if kind == "text" and cells.name in _PERCENTAGES and _spells_numbers(cells):
        kind = "percent"
    shape = _Shape(cells, problems, place)
    if kind in ("text", "json"):
        return _texts(cells, kind, shape)
    number = shape.numbers(cells.runs, _parsed(cells))
    number[(number < 0) | (number > MOST)] = np.nan  # negative values such as -1 mean no data
    number[number < LEAST] = 0
    details = _details(cells, shape) if kind == "details" else None
    values = _narrow(number) if kind == "int" else number
    if kind == "int" and values.dtype.kind == "f":
        kind = "float"
    return TypedColumn(cells.name, kind, sealed(values), details=details)


class _Shape:
    """The layout of the cells of all runs as [rows, width]: a row with fewer cells than ``width`` repeats its first."""

    def __init__(self, cells: Cells, problems: Problems, place: int) -> None:
        self.rows = cells.rows
        widths = [int(run.lengths.max()) if run.lengths is not None else run.width for run in cells.runs]
        held = sum(len(run.number) for run in cells.runs)
        self.width = max(widths, default=1)
        self.even = all(run.lengths is None and run.width == self.width for run in cells.runs)
        if not self.even and self.width > most_columns(self.rows, held):
            text = tr(
                'column "{cells}" has rows of 1 to {width:,} values; only the first value of each is used',
                cells=cells.name,
                width=self.width,
            )
            problems.add("warning", tr("uneven columns"), place, text)
            self.width = 1
        self._index: I64 | None = None if self.even else self._gather(cells.runs)
        self.repeated: Bool | None = None if self.even else self._repeats(cells.runs)

    def numbers(self, runs: Iterable[Run], parsed: F64) -> F64:
        """float64[rows, width]: the numbers; ``parsed``: the number in each text, by text id."""
        parts = [run.number if run.text is None else _or_parsed(run, parsed) for run in runs]
        return self.laid(np.concatenate(parts, dtype=np.float64) if parts else np.empty(0))

    def laid(self, flat: Array) -> Array:
        """``flat``, one item per cell of the file, as [rows, width]."""
        flat = flat if self._index is None else flat[self._index]
        return flat.reshape(self.rows, self.width)

    def _gather(self, runs: Iterable[Run]) -> I64:
        """int64[rows * width]: the index of the file's cell for each position."""
        parts = []
        start = 0
        core = np.arange(self.width)
        for run in runs:
            lengths = _lengths(run)
            begins = np.cumsum(lengths) - lengths + start
            parts.append((begins[:, None] + np.where(core < lengths[:, None], core, 0)).ravel())
            start += len(run.number)
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def _repeats(self, runs: Iterable[Run]) -> Bool:
        """bool[rows * width]: positions that repeat the first cell of their row."""
        core = np.arange(self.width)
        parts = [(core >= _lengths(run)[:, None]).ravel() for run in runs]
        return np.concatenate(parts) if parts else np.empty(0, np.bool_)


def _lengths(run: Run) -> I64:
    return run.lengths if run.lengths is not None else np.full(run.rows, run.width, np.int64)


def _natural(cells: Cells) -> ValueKind:
    """The kind of an undeclared column, by its cells."""
    if cells.details:
        return "details"
    if cells.json:
        return "json"
    if cells.texts.ids and not _spells_numbers(cells):
        return "text"
    whole = all(bool((run.number % 1 == 0)[~np.isnan(run.number)].all()) for run in cells.runs)
    return "int" if whole else "float"


def _spells_numbers(cells: Cells) -> bool:
    """Whether all texts are numbers or markers for no data."""
    return not cells.json and not any(np.isnan(as_number(text)) and text.strip() for text in _words(cells))


def _words(cells: Cells) -> list[str]:
    return [text for text in cells.texts.ids if text.strip().upper() not in ("NA", "N/A")]


def _parsed(cells: Cells) -> F64:
    """float64[texts + 1]: the number in each text of the column, NaN where it has none; the last is for no text."""
    return np.array([*(as_number(text) for text in cells.texts.ids), np.nan])


def _or_parsed(run: Run, parsed: F64) -> F64:
    assert run.text is not None
    return np.where(np.isnan(run.number), parsed[run.text], run.number)


def _narrow(number: F64) -> Array:
    """``number`` as int32 or int64 with -1 for no data, in the narrower type that fits; unchanged where some value is
    not an integer or too large for float64 to be exact."""
    present = number[~np.isnan(number)]
    top = float(present.max(initial=0))
    if (present % 1 != 0).any() or top >= 2**53:
        return number
    return np.where(np.isnan(number), -1, number).astype(np.int32 if top < 2**31 else np.int64)


def _texts(cells: Cells, kind: ValueKind, shape: _Shape) -> TypedColumn:
    """A column of text ids; numbers in it are written as text."""
    words = Interner()
    for text in cells.texts.ids:
        words(text)
    parts: list[I32] = []
    for run in cells.runs:
        ids = np.full(len(run.number), -1, np.int32) if run.text is None else run.text.copy()
        for place in np.flatnonzero(~np.isnan(run.number)).tolist():
            ids[place] = words(f"{float(run.number[place]):.15g}")
        parts.append(ids)
    empty = words.ids.get("", -2)
    flat = np.concatenate(parts) if parts else np.empty(0, np.int32)
    flat[flat == empty] = -1
    return TypedColumn(cells.name, kind, sealed(shape.laid(flat)), strings=words.strings())


def _details(cells: Cells, shape: _Shape) -> Details:
    """The parts of each cell, in the order of the cells in the layout."""
    counts = [_counts(run) for run in cells.runs]
    count = np.concatenate(counts) if counts else np.empty(0, np.int64)
    parts = [run.parts for run in cells.runs if run.parts is not None]
    reason = np.concatenate([np.empty(0, np.int32), *(part.reason for part in parts)])
    samples = np.concatenate([np.empty(0), *(part.samples for part in parts)])
    begin = shape.laid(np.cumsum(count) - count).ravel()
    length = shape.laid(count).ravel()
    if shape.repeated is not None:
        length = np.where(shape.repeated, 0, length)  # repeated percentages do not repeat their parts
    first = np.concatenate((np.zeros(1, np.int64), np.cumsum(length)))
    if not shape.even:
        at = expand(begin, begin + length)
        reason, samples = reason[at], samples[at]
    return Details(cells.reasons.strings(), sealed(first), sealed(reason), sealed(samples))


def _counts(run: Run) -> I64:
    parts: Parts | None = run.parts
    return np.zeros(len(run.number), np.int64) if parts is None else parts.count
