"""A search for slices in a row of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.widgets.timeline.search_controls import SearchControls

FIELD = 100
"""Share of the room that the field gets up to its greatest width; then the rest of the row stays empty, and the buttons
beside the field."""


class SearchBar(QWidget):
    """``search``: its controls; ``hint``: what the empty field says."""

    def __init__(self, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.search = SearchControls(hint, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.search.field, FIELD)
        for widget in self.search.others:
            row.addWidget(widget)
        row.addStretch(1)
