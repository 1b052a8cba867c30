"""A label that wraps anywhere: words that do not fit break, so it never widens its page."""

from __future__ import annotations

import re

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views.texts import shown_line
from app.views.theme import TextColour
from app.widgets.display import Display
from app.widgets.texts import advance
from app.widgets.tips import set_tip

LEAST = 24
BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMGT]i?B|kB|B|[num\u00b5]?s|min|h|%|cycles|[kMG]?Hz)(?![\w/]))")
"""The space between a figure and its unit."""


class Wrapped(QWidget):
    """Shows ``text`` in the widget's font and a colour of the theme; ``indent`` in pixels."""

    def __init__(
        self,
        display: Display,
        text: str,
        parent: QWidget | None = None,
        *,
        colour: TextColour = "text",
        indent: int = 0,
    ) -> None:
        super().__init__(parent)
        self._display = display
        self._colour: TextColour = colour
        self._indent = indent
        self._text = shown_line(text)
        set_tip(self, text)
        self.setAccessibleName(shown_line(text))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        display.changed.connect(self.update)

    @property
    def text(self) -> str:
        return self._text

    def heightForWidth(self, width: int) -> int:
        return text_height(self._laid_out(width))

    def sizeHint(self) -> QSize:
        return QSize(self._indent + advance(self._text, self.fontMetrics()) + 1, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST, self.fontMetrics().height())

    def paintEvent(self, _: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(QColor(self._display.theme.of(self._colour)))
            self._laid_out(self.width()).draw(painter, QPointF(self._indent, 0))

    def _laid_out(self, width: int) -> QTextLayout:
        return wrapped_text(self._text, self.font(), width - self._indent)


def unbroken(text: str) -> str:
    """``text`` with a space that does not break between a figure and its unit."""
    return BEFORE_UNIT.sub("\u00a0", text)


def wrapped_text(text: str, font: QFont, width: int) -> QTextLayout:
    """``text`` in lines of this width, at least LEAST; a figure stays with its unit."""
    layout = QTextLayout(unbroken(shown_line(text)), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, LEAST))
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    return layout


def text_height(layout: QTextLayout) -> int:
    return round(sum(layout.lineAt(number).height() for number in range(layout.lineCount())))
