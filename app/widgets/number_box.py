"""A field for a number that shows no more decimals than the number has."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

MARGIN = 4
"""Pixels between frame and text."""


class NumberBox(QDoubleSpinBox):
    """Shows 10 as "10" and 2.5 as "2.5", whatever number of decimals can be typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)  # style sheets do not pad the text of such a field

    def textFromValue(self, value: float) -> str:
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text
