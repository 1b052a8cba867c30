"""The blobs panel."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.tables.popef_blobs import blobs
from app.document.document import Update
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

SOURCE = "blobs"


class BlobsPanel(QWidget):
    """The strip above, the table below; what is chosen in one is marked in the other."""

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
        if update.profile is None or update.touches("blobs"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        table = None if profile is None else blobs(profile)
        if table is not None:
            self._link.show(table, empty="The file holds no whole blob.")
