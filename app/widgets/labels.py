"""Labels: plain text except for our own markup, of bounded length, and never wider than a panel."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.views.markup import Markup, plain
from app.views.texts import paragraph

WIDEST = 640
"""Most pixels of a label's size hint; a longer word is cut off."""


class Label(QLabel):
    """Shows its text literally, truncated by ``paragraph``."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(paragraph(text))

    def sizeHint(self) -> QSize:
        return _bounded(super().sizeHint())

    def minimumSizeHint(self) -> QSize:
        return _bounded(super().minimumSizeHint())


class MarkupLabel(QLabel):
    """A label for ``Markup`` only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)

    def show_markup(self, markup: Markup) -> None:
        super().setText(markup.html)

    def setText(self, text: str) -> None:
        """Shows ``text`` without markup."""
        self.show_markup(plain(text))


def paint_text(label: QLabel, colour: str) -> None:
    """Text in ``colour``, by the palette: a style sheet for each label costs more than all the rest of it."""
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
    label.setPalette(palette)


AnyLabel = TypeVar("AnyLabel", bound=QLabel)


def selectable(label: AnyLabel) -> AnyLabel:
    """``label``, made selectable with the mouse and unable to widen the panel."""
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label


def _bounded(size: QSize) -> QSize:
    return QSize(min(size.width(), WIDEST), size.height())
