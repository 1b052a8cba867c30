"""Cells of register states: the life lines of the registers across instructions, and how they are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from app.analysis.ascend import registers
from app.analysis.ascend.registers import BEGIN, END, IN_USE, READ, READ_WRITE, RegisterLives
from app.analysis.ascend.typed_columns import parts_of
from app.analysis.table import Table
from app.document.background import Background, Task
from app.language import tr
from app.panels.source.stalls import StallCell
from app.profile.arrays import I64
from app.profile.ascend import Instructions, TypedColumn, state_column
from app.views.colours import fitted
from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.table.delegate import PADDING, CellDrawing
from app.widgets.texts import NOTE, sized

STEP = 34.0
NAMED = 26.0
"""From this distance of lanes on, registers are named where their lines begin."""
NARROWEST = 5.0
WIDEST = 420
MOST_LANES = 128
"""So many lanes always fit, beyond WIDEST if necessary: a thread has up to 127 registers."""
DOT = 3.5
WORKING = tr("Computing life lines…")
LEFT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value


class RegisterCell:
    """A lane per register: a filled dot where it is written, a hollow one where it is read, both combined where both.
    While ``lives`` is None, the cell shows ``status``."""

    def __init__(self, lives: RegisterLives | None, font: QFont, status: str = WORKING) -> None:
        self._lives = lives
        self._said = status
        self._font = sized(font, NOTE)
        lanes = 0 if lives is None else lives.lanes
        least = min(lanes, MOST_LANES) * NARROWEST + 2 * PADDING
        self.width = round(max(min(max(lanes * STEP, 120) + 2 * PADDING, WIDEST), least))

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        lives = self._lives
        if lives is None:
            painter.setPen(QColor(theme.muted))
            painter.setFont(self._font)
            painter.drawText(rect.adjusted(PADDING, 0, -PADDING, -1), LEFT, shown_line(self._said))
            return None
        step = max((rect.width() - 2 * PADDING) / max(lives.lanes, 1), NARROWEST)
        painter.save()
        painter.setClipRect(rect)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        for entry in lives.of_row(row):
            self._draw_entry(painter, rect, lives, entry, min(step, STEP), theme)
        painter.restore()
        return None

    def _draw_entry(
        self, painter: QPainter, rect: QRect, lives: RegisterLives, entry: int, step: float, theme: Theme
    ) -> None:
        lane, phase, use = int(lives.lane[entry]), int(lives.phase[entry]), int(lives.use[entry])
        colour = QColor(fitted(theme.categories[lane % len(theme.categories)], theme))
        x, middle = rect.left() + PADDING + DOT + lane * step, rect.top() + rect.height() / 2
        top = middle if phase == BEGIN else float(rect.top())
        ends = phase == END or (phase == BEGIN and int(lives.length[entry]) == 1)
        bottom = middle if ends else float(rect.bottom() + 1)
        painter.setPen(QPen(colour, 1.5))
        painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        if use != IN_USE:
            painter.setBrush(QColor(theme.surface) if use == READ else colour)
            painter.drawEllipse(QPointF(x, middle), DOT, DOT)
            if use == READ_WRITE:
                painter.setBrush(QColor(theme.surface))
                painter.drawEllipse(QPointF(x, middle), DOT / 2 - 0.5, DOT / 2 - 0.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if phase == BEGIN and step >= NAMED:
            painter.setPen(QColor(theme.muted))
            box = QRect(round(x + DOT + 2), rect.top(), round(step - 2 * DOT), rect.height() - 1)
            painter.drawText(box, LEFT, shown_line(lives.names.get(int(lives.name[entry]))))

    def tip(self, row: int) -> str:
        return "" if self._lives is None else self._lives.describe(row) or tr("No register is listed here.")


class RegisterLines(QObject):
    """Computes the life lines in the background and caches those of the last request. Signal ``ready``: they are
    computed."""

    ready = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._background = Background(self)
        self._requested: tuple[Instructions, int] | None = None
        self._lives: RegisterLives | None = None
        self._said = WORKING

    def cell(self, instructions: Instructions, core: int, font: QFont) -> RegisterCell:
        """The cell for the register states of ``instructions`` on ``core``; ``ready`` announces more of them."""
        column = state_column(instructions.columns)
        if column is not None and (
            self._requested is None or self._requested[0] is not instructions or self._requested[1] != core
        ):
            self._requested, self._lives, self._said = (instructions, core), None, WORKING
            self._compute(instructions, column, core)
        return RegisterCell(self._lives, font, self._said)

    def _compute(self, instructions: Instructions, column: TypedColumn, core: int) -> None:
        self._background.run(
            Task(
                lambda token, _report: registers.lives(instructions, column, core, token.check),
                self._take,
                lambda error: self._fail(str(error)),
            )
        )

    def _take(self, lives: RegisterLives) -> None:
        self._lives = lives
        self.ready.emit()

    def _fail(self, why: str) -> None:
        self._said = tr("Life lines could not be computed: {why}", why=why)
        self.ready.emit()


def stall_cells(
    table: Table, columns: Sequence[TypedColumn], core: int, font: QFont, rows: I64 | None = None
) -> dict[int, StallCell]:
    """Cells of the columns that break a percentage down by reason; ``rows``: the row of ``columns`` that each table row
    shows."""
    parts = parts_of(columns, core, rows)
    return {
        place: StallCell(parts[column.key], column.title, font)
        for place, column in enumerate(table.columns)
        if column.key in parts
    }


def register_cells(table: Table, key: str, cell: RegisterCell) -> dict[int, CellDrawing]:
    """Cells of the column of register states."""
    return {place: cell for place, column in enumerate(table.columns) if column.key == key}


def reasons(cells: Mapping[int, StallCell], theme: Theme) -> dict[str, str]:
    """All reasons in the cells, with their colours."""
    return {reason: colour.name() for cell in cells.values() for reason, colour in cell.colours(theme).items()}
