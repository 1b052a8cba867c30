"""The anchors panel."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.tables.popef_data import anchors
from app.document.document import Update
from app.panels.anchors.choice import Choice
from app.panels.anchors.details import AnchorDetails
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

SOURCE = "anchors"
NO_METADATA = "There are no anchors: the file holds no metadata, only data or an executable. Open the model's file too."
NO_ANCHORS = "The metadata name no anchors."


class AnchorsPanel(QWidget):
    """Anchors by direction and by who provides the data; the selected one explained below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        inside = QWidget(self)
        self.choice = Choice(inside)
        self.table = TableWidget(context.display, inside)
        self.details = AnchorDetails(context.display, inside)
        self._link = LinkedTable(context, self.table, SOURCE)
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.choice)
        column.addWidget(self.table, 1)
        column.addWidget(self.details)
        self.stack = OrEmpty(context.display, inside, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.table)
        self._refresh = Refresh(self, self._show)
        self.choice.changed.connect(self._show)
        context.document.updated.connect(self._updated)
        context.document.selection.changed.connect(self._explain)
        self._refresh.request()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("model"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        model = None if profile is None else profile.model
        if profile is None or model is None:
            return
        self.choice.offer(model)
        table = anchors(profile, self.choice.within(model))
        if table is None:
            self.stack.show_empty(NO_ANCHORS if len(model.metadata) else NO_METADATA)
        else:
            self._link.show(table)
            self.stack.show_content()
        self._explain(self._context.document.selection.value)

    def _explain(self, selection: Selection | None) -> None:
        """The first anchor that the selection stands for; none where it stands for many by a wider link."""
        profile = self._context.document.profile
        model = None if profile is None else profile.model
        found: list[int] = []
        if profile is not None and selection is not None and selection.kind in ("anchor", "tensor", "blob"):
            found = translate(profile, selection, "anchor").tolist()
            if selection.kind == "blob" and not translate(profile, selection, "tensor").size:
                found = []  # metadata or an executable: all anchors belong to it, none is meant
        self.details.show_anchor(model, found[0] if found else -1)
