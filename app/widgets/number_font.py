"""The font of numbers and code."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase


def number_font(font: QFont) -> QFont:
    """The system's monospaced font in the size of ``font``, so that digits line up."""
    fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if font.pointSizeF() > 0:
        fixed.setPointSizeF(font.pointSizeF())
    else:
        fixed.setPixelSize(font.pixelSize())
    return fixed
