"""The programs as they contain and call one another."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.hierarchy import programs
from app.analysis.links import translate
from app.analysis.table import Table
from app.document.document import Update
from app.profile.arrays import I64
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.tree.widget import TreeWidget

SOURCE = "tree"
EMPTY = "This file names no programs; a Poplar graph profile (graph.json) has them."


class ProgramTree(QWidget):
    """Control programs and functions at the top, calls resolved. Choosing a row selects the program; what is
    selected elsewhere is marked in every place where it stands."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.tree = TreeWidget(context.display, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)
        self.setFocusProxy(self.tree)
        self._refresh = Refresh(self, self._show)
        document = context.document
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.tree.view.chosen.connect(self._chosen)
        self.tree.view.pointed.connect(self._pointed)
        self.tree.found.connect(self._found)
        self._refresh.request()

    def shown_table(self) -> Table | None:
        return self.tree.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.tree.shown_rows()

    def selected_rows(self) -> I64:
        return self.tree.selected_rows()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("programs", "steps", "execution"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        hierarchy = None if profile is None else programs(profile)
        clock = None if profile is None or profile.target is None else profile.target.clock_hz
        self.tree.set_hierarchy(hierarchy, empty=EMPTY, clock_hz=clock)
        self._selected(self._context.document.selection.value)

    def _selected(self, selection: Selection | None) -> None:
        profile = self._context.document.profile
        if profile is None or selection is None:
            self.tree.view.mark(np.empty(0, np.int64))
        elif selection.source != SOURCE:
            items = translate(profile, selection, "program")
            if len(items):
                self.tree.view.reveal(int(items[0]))
            self.tree.view.mark(items)

    def _hovered(self, hover: Selection | None) -> None:
        own = hover is not None and hover.kind == "program" and hover.source != SOURCE
        self.tree.view.hover_item(hover.first if own and hover is not None else -1)

    def _chosen(self) -> None:
        items = self.tree.view.chosen_items()
        if len(items):
            self._context.document.selection.set(Selection("program", tuple(items.tolist()), SOURCE))
            self.tree.view.items.chosen = None

    def _found(self, item: int) -> None:
        self._context.document.selection.set(Selection("program", (item,), SOURCE))
        self.tree.view.mark(np.array([item], np.int64))

    def _pointed(self, item: int) -> None:
        self._context.document.hover.set(Selection("program", (item,), SOURCE) if item >= 0 else None)
