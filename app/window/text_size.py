"""The size of all texts: the system's font, larger or smaller by the user's choice."""

from __future__ import annotations

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from app.widgets.dialog_size import USUAL

SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""The sizes offered, in percent."""


def stepped(percent: int, direction: int) -> int:
    """Returns the next larger (+1) or smaller (-1) size; the same if there is none."""
    others = [size for size in SIZES if (size - percent) * direction > 0]
    return min(others, key=lambda size: abs(size - percent), default=percent)


def set_text_size(app: QApplication, percent: int) -> bool:
    """Gives the application the system's font in this size; returns whether that changes anything."""
    usual = app.property(USUAL)
    if not isinstance(usual, QFont):
        usual = QFont(app.font())
        app.setProperty(USUAL, usual)
    font = sized(usual, percent)
    if font == app.font():
        return False
    app.setFont(font)
    return True


def sized(usual: QFont, percent: int) -> QFont:
    """Returns a font ``percent`` as large as the usual one."""
    font = QFont(usual)
    if usual.pointSizeF() > 0:
        font.setPointSizeF(usual.pointSizeF() * percent / 100)
    else:
        font.setPixelSize(max(round(usual.pixelSize() * percent / 100), 1))
    return font
