"""The three sizes of text: headlines, text, and notes."""

from __future__ import annotations

from PySide6.QtGui import QFont

HEADLINE, NOTE = 1.5, 0.9
"""Of the size of text."""


def sized(font: QFont, factor: float) -> QFont:
    """``font`` in another size; one that is given in pixels stays as it is."""
    other = QFont(font)
    if font.pointSizeF() > 0:
        other.setPointSizeF(font.pointSizeF() * factor)
    return other
