"""The data that come along with PopEF models: tensors and feeds."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.tables.popef_data import data
from app.document.document import Update
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

SOURCE = "tensors"
EMPTY = "There are no tensors and no feeds in this file: all data come from whoever runs the model."


class TensorsPanel(QWidget):
    """One table of tensors and feeds; the content panel shows the values of the selected one."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.table)
        self.setFocusProxy(self.table)
        self._refresh = Refresh(self, self._show)
        context.document.updated.connect(self._updated)
        self._refresh.request()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("model", "blobs"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        table = None if profile is None else data(profile)
        if table is not None:
            self._link.show(table, empty=EMPTY)
