"""A line above the timeline while anything is left out of it: a chip for each filter, which a click removes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.views.timeline.filters import ActingFilter
from app.widgets.labels import Label
from app.widgets.tips import set_tip

PICTURE_ONLY = tr("Click to remove this filter. Statistics include hidden slices.")
WITH_STATISTICS = tr("Click to remove this filter.")


class FilterChips(QWidget):
    """The line, hidden without a filter. Signals: ``removed`` (kind of the filter), ``all_removed``."""

    removed = Signal(str)
    all_removed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._filters: tuple[ActingFilter, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 4)
        self._row.setSpacing(6)
        self._row.addWidget(Label(tr("Active filters:"), self))
        self.chips: list[QPushButton] = []
        self.everything = self._chip(tr("Show everything"))
        self.everything.clicked.connect(self.all_removed)
        self._row.addWidget(self.everything)
        self._row.addStretch(1)
        self.hide()

    def show_filters(self, filters: tuple[ActingFilter, ...]) -> None:
        """Shows a chip for each filter, or nothing without any."""
        if filters == self._filters:
            return
        self._filters = filters
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [self._of(acting) for acting in filters]
        for place, chip in enumerate(self.chips):
            self._row.insertWidget(place + 1, chip)
        self.everything.setVisible(len(filters) > 1)
        self.setVisible(bool(filters))

    def _of(self, acting: ActingFilter) -> QPushButton:
        chip = self._chip(tr("{filter}  ✕", filter=acting.text))
        chip.setAccessibleName(shown_line(tr("Remove filter: {filter}", filter=acting.text)))
        set_tip(chip, "\n".join((acting.tip, WITH_STATISTICS if acting.kind == "pipes" else PICTURE_ONLY)))
        chip.clicked.connect(partial(self.removed.emit, acting.kind))
        return chip

    def _chip(self, text: str) -> QPushButton:
        chip = QPushButton(shown_line(text), self)
        chip.setObjectName("chip")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.setFlat(True)
        return chip
