"""The two tables of the source panel with a baseline. Imported only when there is one."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from app.analysis.ascend.cores import core_in, core_names
from app.analysis.ascend.typed_columns import Parts, parts_of
from app.analysis.compare.alignment import Check
from app.analysis.compare.codes import file_name
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.sources import (
    AFTER,
    BEFORE,
    CHANGE,
    DIFFERENCE,
    ComparedRows,
    ComparedSource,
    Opened,
    SourcePair,
    compared_instructions,
    compared_source,
    core_of,
)
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE
from app.language import plural, tr
from app.panels.source.stalls import StallCell
from app.profile.arrays import I64, Bool
from app.views.look import Theme
from app.views.units import change, percent_change, plain
from app.widgets.code.table import BothTexts, CodeModel
from app.widgets.table.delegate import CellDrawing, DifferenceCell
from app.widgets.table.model import SidedModel
from app.widgets.table.view import TableView

NARROW = 34
ONLY_BEFORE_SIGN = "\0"
"""Before the path of a source that only the baseline has, so that no path after is the same."""


class Request(Struct, frozen=True, eq=False):
    """What the panel is to show. ``core``: by its name; ``opened``: text and place of
    each side's source, if the user opened it."""

    comparison: Comparison
    pair: SourcePair | None
    core: str
    largest_first: bool
    opened: tuple[tuple[str, str], tuple[str, str]]

    def same(self, other: Request | None) -> bool:
        """Whether another request is for the same."""
        return (
            other is not None
            and self.comparison is other.comparison
            and (self.pair, self.core, self.largest_first) == (other.pair, other.core, other.largest_first)
            and self.opened == other.opened
        )


class Result(Struct, frozen=True, eq=False):
    """``lines``, ``listing``: None if neither profile has any."""

    request: Request
    lines: ComparedSource | None
    listing: ComparedRows | None


def compute(request: Request, check: Check) -> Result:
    """Both tables of a request; for a thread."""
    lines = None
    if request.pair is not None:
        lines = compared_source(
            request.comparison,
            request.pair,
            request.core,
            opened=(Opened(*request.opened[0]), Opened(*request.opened[1])),
            largest_first=request.largest_first,
            check=check,
        )
    listing = compared_instructions(request.comparison, request.core, largest_first=request.largest_first, check=check)
    return Result(request, lines, listing)


def value_of(pair: SourcePair) -> str:
    """What stands for a pair in the chooser: the path after."""
    return pair.after or f"{ONLY_BEFORE_SIGN}{pair.before}"


def title_of(pair: SourcePair, name: str) -> str:
    """The entry of the chooser; ``name``: of the file, or its whole path."""
    if not pair.before:
        return tr("{name} (only in the comparison)", name=name)
    if not pair.after:
        return tr("{name} (only in the baseline)", name=name)
    return name if pair.before == pair.after or file_name(pair.before) == name else f"{name} ← {file_name(pair.before)}"


def show_texts(model: CodeModel, lines: ComparedSource) -> None:
    """Tells the model which lines of which text its rows are, and which have figures."""
    model.texts = BothTexts(
        _lines(lines.rows.rows_before, lines.before.text), _lines(lines.rows.rows_after, lines.after.text)
    )
    model.sides = lines.measured


def show_sides(view: TableView, rows: ComparedRows) -> None:
    """Marks rows that only one side has, and sets the bars of costs."""
    model = view.items
    if isinstance(model, SidedModel) and not isinstance(model, CodeModel):
        model.sides = rows.rows_before >= 0, rows.rows_after >= 0
    view.cell_delegate.statuses = rows.status
    view.cell_delegate.bars = rows.full


def narrow(view: TableView) -> None:
    """Leaves the room of the columns of signs and line numbers to the code."""
    digits = view.cell_delegate.width_of(0, "00000")
    for place, column in enumerate(view.items.table.columns):
        if column.key in ("line_before", "line", CHANGE):
            view.setColumnWidth(place, digits if column.is_key else NARROW)
    view.give_rest()


def end(*views: TableView) -> None:
    """Removes what only a comparison has."""
    for view in views:
        view.cell_delegate.statuses = None
        model = view.items
        if isinstance(model, SidedModel):
            model.sides = None
        if isinstance(model, CodeModel):
            model.texts = None


def difference_cells(view: TableView, rows: ComparedRows) -> dict[int, CellDrawing]:
    """The cells of the columns of differences."""
    columns = {column.key: column for column in rows.table.columns}
    cells: dict[int, CellDrawing] = {}
    for place, full in rows.spans.items():
        own = rows.table.columns[place]
        key = own.key.removesuffix(DIFFERENCE)
        sides = columns[f"{key}{BEFORE}"], columns[f"{key}{AFTER}"]
        cells[place] = DifferenceCell(own, full, view.columnWidth(place), sides)
    return cells


def stall_cells(
    view: TableView, request: Request, rows: ComparedRows, places: tuple[I64, I64], *, lines: bool
) -> dict[int, StallCell]:
    """The cells that break percentages down by reason, on both sides. ``places``: int64[rows] of each side, the row of
    its table of ``lines`` or else of its instructions, -1 none."""
    comparison, core = request.comparison, request.core
    cells: dict[int, StallCell] = {}
    for suffix, profile, name, own in (
        (BEFORE, comparison.before, core_of(comparison.before, core, comparison.after), places[0]),
        (AFTER, comparison.after, core, places[1]),
    ):
        section = profile.lines if lines else profile.instructions
        if section is not None and name is not None:
            parts = parts_of(section.columns, core_in(core_names(profile), name), own)
            cells |= _cells_of(view, rows, parts, suffix)
    return cells


def _cells_of(view: TableView, rows: ComparedRows, parts: dict[str, Parts], suffix: str) -> dict[int, StallCell]:
    font = view.cell_delegate.numbers.font
    return {
        place: StallCell(parts[key], column.title, font)
        for place, column in enumerate(rows.table.columns)
        if (key := column.key.removesuffix(suffix)) in parts and column.key.endswith(suffix)
    }


def line_rows(lines: ComparedSource) -> tuple[I64, I64]:
    """int64[rows] each: the row of each side's line table, -1 none."""
    sides = ((lines.before, lines.rows.rows_before), (lines.after, lines.rows.rows_after))
    before, after = (
        np.where(rows >= 0, view.table.keys[np.maximum(rows, 0)], -1)
        if view.table.keys is not None and len(view.table.keys)
        else np.full(len(rows), -1, np.int64)
        for view, rows in sides
    )
    return before, after


class MovedCell:
    """The cells of a column whose rows are those of another table: ``rows`` says which, -1 for none."""

    def __init__(self, cell: CellDrawing, rows: I64) -> None:
        self._cell = cell
        self._rows = rows
        self.width = cell.width

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        own = int(self._rows[row])
        return self._cell.draw(painter, rect, own, theme) if own >= 0 else None

    def tip(self, row: int) -> str:
        own = int(self._rows[row])
        return self._cell.tip(own) if own >= 0 else ""


def _lines(rows: I64, text: str) -> I64:
    """int64: the lines of a text that rows of its view are, -1 for none; measured lines beyond the end have none."""
    count = text.count("\n") + 1 if text else 0
    inside: Bool = (rows >= 0) & (rows < count)
    return np.where(inside, rows, -1)


def about_differences(lines: ComparedSource | None, listing: ComparedRows | None) -> str:
    """``Cycles: 1,234 → 1,300 (+66, +5.3 %) · 12 lines differ · 3 only in the baseline``."""
    rows = listing if lines is None else lines.rows
    if rows is None:
        return ""
    counts = [int(np.count_nonzero(rows.status == status)) for status in (ONLY_BEFORE, ONLY_AFTER)]
    both = int(np.count_nonzero(rows.status[rows.stops] == BOTH))
    parts = [_total(rows)]
    if lines is None:
        parts.append(plural("{count:,} instruction differs", "{count:,} instructions differ", count=both))
    else:
        parts.append(plural("{count:,} line differs", "{count:,} lines differ", count=both))
    parts.append(tr("{count:,} only in the baseline", count=counts[0]) if counts[0] else "")
    parts.append(tr("{count:,} only in the comparison", count=counts[1]) if counts[1] else "")
    return " · ".join(part for part in parts if part)


def _total(rows: ComparedRows) -> str:
    total, column = rows.total, rows.ranking
    if total is None or column is None or total.before is None or total.after is None or total.difference is None:
        return ""
    return tr(
        "{title}: {before} → {after} ({difference}{share})",
        title=column.title,
        before=plain(total.before),
        after=plain(total.after),
        difference=change(total.difference, ""),
        share=f", {percent_change(total.difference, total.before)}" if total.before else "",
    )
