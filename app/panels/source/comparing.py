"""Shows two profiles in the tables of the source panel. Imported only when there is a baseline."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.analysis.compare.sources import ComparedRows
from app.analysis.table import Table
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.source import compared
from app.panels.source.compared import MovedCell, Request, Result
from app.panels.source.stalls import StallCell
from app.profile.profile import Profile
from app.widgets.code.table import CodeModel
from app.widgets.table.delegate import CellDrawing
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

Registers: TypeAlias = Callable[[Profile, Table], dict[int, CellDrawing]]
NOTHING_DIFFERS = tr("No cost differs.")


class Halves(Struct, frozen=True):
    """The two tables of the panel, with their links to the selection. ``registers`` returns the cells of life lines, by
    row of the instructions."""

    left: TableWidget
    right: TableWidget
    links: tuple[LinkedTable, LinkedTable]
    registers: Registers

    @property
    def code(self) -> CodeModel:
        model = self.left.view.items
        assert isinstance(model, CodeModel)
        return model


class SourceComparison(QObject):
    """Matches lines and instructions in the background, then shows them; the former rows stay until then. ``result``:
    what is shown, None before. Signals: ``shown``, and ``failed`` (why)."""

    shown = Signal()
    failed = Signal(str)

    def __init__(self, halves: Halves, parent: QWidget) -> None:
        super().__init__(parent)
        self._halves = halves
        self._background = Background(self)
        self._request: Request | None = None
        self.result: Result | None = None

    @property
    def busy(self) -> bool:
        return self._background.busy

    def compare(self, request: Request) -> bool:
        """Starts to show what is requested; False if that is shown, or started, already."""
        if request.same(self._request):
            return False
        self._request = request
        self._background.run(Task(lambda token, _: compared.compute(request, token.check), self._take, self._fail))
        return True

    def forget(self) -> None:
        """Cancels the comparison; the rows stay until others are shown."""
        self._request = self.result = None
        self._background.cancel()

    def end(self) -> None:
        """Removes what only a comparison shows."""
        self.forget()
        compared.end(self._halves.left.view, self._halves.right.view)

    @property
    def sides(self) -> tuple[ComparedRows | None, ComparedRows | None]:
        """The rows of lines and of instructions, None if neither profile has any."""
        result = self.result
        if result is None:
            return None, None
        return None if result.lines is None else result.lines.rows, result.listing

    @property
    def differs(self) -> bool:
        """Whether there are differences to go through."""
        return any(rows is not None and len(rows.stops) > 0 for rows in self.sides)

    def step(self, direction: int) -> None:
        """Selects the next difference of the table with the focus: of the source, unless the instructions have it."""
        (lines, listing), halves = self.sides, self._halves
        if halves.right.view.hasFocus() or lines is None or not len(lines.stops):
            if listing is not None:
                halves.right.view.step_to(listing.stops, direction)
        else:
            halves.left.view.step_to(lines.stops, direction)

    def summary(self) -> str:
        """What differs in all."""
        result = self.result
        return "" if result is None else compared.about_differences(result.lines, result.listing)

    def draw_cells(self) -> dict[int, StallCell]:
        """Sets up cells other than plain text and bars; returns those of stall reasons (of instructions at places below
        0)."""
        result, halves = self.result, self._halves
        if result is None:
            return {}
        request, lines, listing = result.request, result.lines, result.listing
        left, right, reasons = halves.left.view, halves.right.view, dict[int, StallCell]()
        if lines is not None:
            stalls = compared.stall_cells(left, request, lines.rows, compared.line_rows(lines), lines=True)
            left.draw_cells({**compared.difference_cells(left, lines.rows), **stalls})
            reasons |= stalls
        if listing is not None:
            rows = listing.rows_before, listing.rows_after
            stalls = compared.stall_cells(right, request, listing, rows, lines=False)
            registers = {
                place: MovedCell(cell, listing.rows_after)
                for place, cell in halves.registers(request.comparison.after, listing.table).items()
            }
            right.draw_cells({**compared.difference_cells(right, listing), **stalls, **registers})
            reasons |= {-1 - place: cell for place, cell in stalls.items()}
        return reasons

    def _take(self, result: Result) -> None:
        if result.request is not self._request:
            return
        before, self.result = self.result, result
        self._show_lines(result, new_text=before is None or before.request.pair != result.request.pair)
        listing, right = result.listing, self._halves.right
        if listing is not None:
            self._halves.links[1].show(listing.table, empty=NOTHING_DIFFERS)
            compared.show_sides(right.view, listing)
        self.shown.emit()

    def _show_lines(self, result: Result, *, new_text: bool) -> None:
        lines, pair, code, left = result.lines, result.request.pair, self._halves.code, self._halves.left
        if lines is None or pair is None:
            return
        compared.show_texts(code, lines)
        fresh = [column.key for column in code.table.columns] != [one.key for one in lines.rows.table.columns]
        self._halves.links[0].show(lines.rows.table, empty=NOTHING_DIFFERS)
        if fresh:
            compared.narrow(left.view)
        compared.show_sides(left.view, lines.rows)
        if new_text:
            code.colouring.start(lines.after.text, pair.after)
            code.baseline.start(lines.before.text, pair.before)
            if not len(left.selected_rows()) and lines.rows.largest >= 0:
                left.view.show_row(lines.rows.largest)

    def _fail(self, error: FormatError) -> None:
        self.failed.emit(tr("The sources cannot be compared: {error}", error=error))
