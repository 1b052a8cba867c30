"""Turns collected cells into a typed column, by the type declared in the file or the types of the cells."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.formats.ascend_bin.cells import Cells, Parts, Run, as_number
from app.formats.ascend_bin.values import LEAST, MOST
from app.formats.ascend_bin.width import most_columns
from app.formats.json.problems import Problems
from app.language import tr
from app.profile.arrays import F64, I32, I64, Array, Bool, expand, sealed
from app.profile.ascend import Details, TypedColumn, ValueKind
from app.profile.strings import Interner

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
