"""Figures in columns that line up, each row with a label."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

GAP = 12
NARROW_GAP = 8
"""The same where labels would have no room."""
LABEL = 64
"""Pixels beside the figures that are enough for any label, which wraps."""
ABOVE = 8
"""Pixels above a heading."""


class FigureColumns(QWidget):
    """Rows of a label and ``count`` figures. A label that has no room beside its figures stands above."""

    def __init__(self, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._count = count
        self._labels: list[tuple[int, QWidget, int]] = []
        self._widths = [0] * count
        self._room = LABEL
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, 1)

    def add_heading(self, heading: QWidget) -> None:
        """Adds a heading over the following rows."""
        row = self._grid.rowCount()
        self._grid.setRowMinimumHeight(row, ABOVE)
        self._grid.addWidget(heading, row + 1, 0, 1, self._count + 1)

    def add_row(self, label: QWidget | None, figures: Sequence[QWidget | None], wanted: int = 0) -> None:
        """Adds a row; without ``figures`` it is only a label, None is an empty place. A single value has the room of
        all figures, without widening their columns. ``wanted``: pixels of the label on one line."""
        row = self._grid.rowCount()
        if label is not None:
            self._labels.append((row, label, wanted))
            self._place(row, label, wanted)
        if len(figures) == 1 and figures[0] is not None:
            policy = figures[0].sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            figures[0].setSizePolicy(policy)
            self._grid.addWidget(figures[0], row + 1, 1, 1, self._count)
            return
        for place, figure in enumerate(figures):
            if figure is None:
                continue
            self._widths[place] = max(self._widths[place], figure.sizeHint().width())
            self._grid.addWidget(figure, row + 1, place + 1, Qt.AlignmentFlag.AlignTop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._room = self.width() - sum(self._widths) - GAP * self._count
        gap = GAP if self._room >= LABEL else NARROW_GAP
        self._room += (GAP - gap) * self._count
        self._grid.setHorizontalSpacing(gap)
        for row, label, wanted in self._labels:
            self._place(row, label, wanted)

    def _place(self, row: int, label: QWidget, wanted: int) -> None:
        if self._room >= max(min(wanted, LABEL), label.minimumSizeHint().width()):  # else it would narrow the figures
            self._grid.addWidget(label, row + 1, 0, Qt.AlignmentFlag.AlignTop)
        else:
            self._grid.addWidget(label, row, 0, 1, self._count + 1)
