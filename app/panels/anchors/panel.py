"""The anchors panel."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.tables.popef_data import anchors
from app.document.document import Update
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

SOURCE = "anchors"


class AnchorsPanel(QWidget):
    """A table of all anchors, group by group."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self._refresh = Refresh(self, self._show)
        context.document.updated.connect(self._updated)
        self._refresh.request()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("model"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        table = None if profile is None else anchors(profile)
        if table is not None:
            self._link.show(table)
