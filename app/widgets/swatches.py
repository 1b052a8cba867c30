"""A one-line colour legend."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.language import labelled, tr
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.texts import advance
from app.widgets.tips import set_tip

PAD, SIDE, GAP = 8, 10, 6
FLAGS = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value


class Swatches(QWidget):
    """A one-line legend: entries that do not fit are counted, and all are in the tool tip. Hidden while there are no
    entries."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self._title = ""
        self._entries: list[tuple[str, str]] = []
        display.changed.connect(self.update)
        self.hide()

    def show_entries(self, title: str, entries: Mapping[str, str]) -> None:
        """Shows ``entries`` (name to colour ``#RRGGBB``) in their order."""
        self._title, self._entries = title, list(entries.items())
        names = ", ".join(entries)
        set_tip(self, labelled(title, names))
        self.setAccessibleName(shown_line(labelled(title, names)))
        self.setVisible(bool(entries))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + GAP)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height() + GAP)

    def fitting(self) -> int:
        """Number of entries that fit."""
        metrics, x = self.fontMetrics(), PAD + advance(self._title, self.fontMetrics()) + GAP
        more = advance(tr("and {count} more", count=99), metrics)
        for number, (name, _) in enumerate(self._entries):
            x += SIDE + GAP + advance(name, metrics) + 2 * GAP
            last = number == len(self._entries) - 1
            if x + (0 if last else more) > self.width() - PAD:
                return number
        return len(self._entries)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme, metrics, count = self._display.theme, self.fontMetrics(), self.fitting()
        with QPainter(self) as painter:
            painter.setPen(QColor(theme.muted))
            painter.drawText(QRect(PAD, 0, self.width() - 2 * PAD, self.height()), FLAGS, shown_line(self._title))
            x = PAD + advance(self._title, metrics) + GAP
            for name, colour in self._entries[:count]:
                painter.fillRect(x, (self.height() - SIDE) // 2, SIDE, SIDE, QColor(colour))
                width = advance(name, metrics)
                painter.drawText(QRect(x + SIDE + GAP, 0, width + 1, self.height()), FLAGS, shown_line(name))
                x += SIDE + width + 3 * GAP
            if count < len(self._entries):
                box = QRect(x, 0, self.width() - x, self.height())
                painter.drawText(box, FLAGS, tr("and {count} more", count=len(self._entries) - count))
