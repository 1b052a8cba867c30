"""The program flow as a widget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.analysis.popef.flow import Change, Row, Step
from app.language import plural, tr
from app.panels.model.draw import draw_flow, height_of, lay_out
from app.views.look import Theme
from app.widgets.abilities import HasPicture
from app.widgets.announce import announce
from app.widgets.display import Display
from app.widgets.heat.draw import outline
from app.widgets.plane.cursor import draw_cursor
from app.widgets.tips import tip

WAYS: Final = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
CHANGES: Final[dict[Change, str]] = {
    "": "",
    "added": tr("Only the comparison runs it here."),
    "removed": tr("Only the baseline runs it here."),
}


class FlowView(QWidget, HasPicture):
    """The program flow; arrow keys move through the programs, and it can be exported as a picture. Signal ``chosen``
    (program)."""

    chosen = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.rows: Sequence[Row] = ()
        self.marked: frozenset[int] = frozenset()
        self._hovered: tuple[int, int] | None = None
        self._stepped: tuple[int, int] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Program flow"))
        self.setAccessibleDescription(tr("The table of programs shows the same."))
        display.changed.connect(self.update)

    def show_rows(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._hovered = self._stepped = None
        self.updateGeometry()
        self.update()

    def mark(self, programs: frozenset[int]) -> None:
        """Shows these programs as selected."""
        self.marked = programs
        self.update()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        draw_flow(painter, place, self.rows, theme, self.marked)

    def sizeHint(self) -> QSize:
        return QSize(300, height_of(QFontMetricsF(self.font(), self)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._display.theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(theme.surface))
            layout = draw_flow(painter, QRectF(self.rect()), self.rows, theme, self.marked)
            for box in layout.boxes:
                if (box.row, box.step) == self._hovered:
                    outline(painter, box.place, theme)
                if (box.row, box.step) == self._stepped and self.hasFocus():
                    draw_cursor(painter, box.place, theme)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        box = self._at(event.position())
        if box != self._hovered:
            self._hovered = box
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        box = self._at(event.position())
        if box is not None and event.button() == Qt.MouseButton.LeftButton:
            self._stepped = box
            self._choose(box)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        every = [(row, step) for row, one in enumerate(self.rows) for step in range(len(one.steps))]
        way = {**WAYS, Qt.Key.Key_Home: -len(every), Qt.Key.Key_End: len(every)}.get(Qt.Key(event.key()))
        if way is None or not every:
            super().keyPressEvent(event)
            return
        now = every.index(self._stepped) if self._stepped in every else -1 if way > 0 else len(every)
        self._stepped = every[min(max(now + way, 0), len(every) - 1)]
        self._choose(self._stepped)
        announce(self, self._about(self._stepped))
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hovered = None
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.describe(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """The tool tip of the program under ``point``; "" if there is none."""
        box = self._at(point)
        return "" if box is None else self._about(box)

    def _about(self, box: tuple[int, int]) -> str:
        step, row = self._step(box), self.rows[box[0]]
        anchors = plural("{count:,} anchor uses it", "{count:,} anchors use it", count=step.anchors)
        text = tr(
            "Program {program}: {step}\n{word}: {when}\n{anchors}",
            program=step.program,
            step=step.name or tr("not in the programs map"),
            word=row.word,
            when=row.when,
            anchors=anchors,
        )
        return f"{text}\n{CHANGES[step.change]}" if step.change else text

    def _at(self, point: QPointF) -> tuple[int, int] | None:
        layout = lay_out(QRectF(self.rect()), self.rows, QFontMetricsF(self.font(), self))
        return next(((box.row, box.step) for box in layout.boxes if box.place.contains(point)), None)

    def _choose(self, place: tuple[int, int]) -> None:
        """Emits the program, unless only the baseline runs it here."""
        step = self._step(place)
        if step.change != "removed":
            self.chosen.emit(step.program)

    def _step(self, place: tuple[int, int]) -> Step:
        return self.rows[place[0]].steps[place[1]]
