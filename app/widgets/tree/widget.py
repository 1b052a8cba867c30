"""A tree with its search bar: hits are counted and can be stepped through."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.matching import BadPattern, matching_rows
from app.analysis.table import Table
from app.analysis.trees import Hierarchy
from app.language import plural, tr
from app.profile.arrays import I64
from app.views.texts import shown_line
from app.views.tree.nodes import TOP
from app.widgets.abilities import Copies, CopiesCell, HandlesEscape, Searchable
from app.widgets.buttons import icon_button
from app.widgets.controls import Controls
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.fields import SearchField, mark_invalid
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.tree.model import TreeModel
from app.widgets.tree.view import TreeView

PENDING = -1
MOST_STATES = 64
"""Number of trees whose state is remembered."""
COUNT = 72
"""Pixels for the number of items or matches; with less room it folds away."""


class TreeWidget(QWidget, Tabular, Copies, CopiesCell, Searchable, HandlesEscape):
    """Signal ``match_selected`` (item) when the search went to an item. Abilities: Tabular, Copies, CopiesCell,
    Searchable, HandlesEscape. ``bar``: its controls, which the heading of a panel may take."""

    match_selected = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = TreeView(display, self)
        self.stack = OrEmpty(display, self.view, self)
        self.field = SearchField(tr("Find by name or type"), self)
        self.case = self.field.toggle("case-sensitive", tr("Match case"))
        self.regex = self.field.toggle("regex", tr("Regular expression"))
        self.count = Readout(display, self, pad=4, least=COUNT)
        self.hits: I64 = np.empty(0, np.int64)
        self.place = PENDING
        self._hierarchy: Hierarchy | None = None
        self._key: Hashable = None
        self._states: dict[Hashable, TreeState] = {}
        self._arranged = True
        self._idle = QTimer(self, singleShot=True, interval=0)
        self._idle.timeout.connect(self._arrange)
        self._build()
        self.field.textChanged.connect(self._search)
        self.case.toggled.connect(self._search)
        self.regex.toggled.connect(self._search)
        self.field.stepped.connect(self.find_step)
        self.field.left.connect(self.view.setFocus)

    def _build(self) -> None:
        self._steps = before, after = (
            icon_button("chevron-left", tr("Previous match"), self),
            icon_button("chevron-right", tr("Next match"), self),
        )
        before.clicked.connect(self._previous)
        after.clicked.connect(self._next)
        folds = self.count, before, after
        self.bar = Controls(self, (self.field, 3), before, after, (self.count, 1), folds=folds, spacing=4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.stack, 1)
        self.setFocusProxy(self.view)

    def set_hierarchy(
        self, hierarchy: Hierarchy | None, *, empty: str, clock_hz: float | None = None, key: Hashable = None
    ) -> None:
        """Shows a tree, or the message ``empty`` if there is none. ``key`` identifies the tree: its state and search
        text are restored when it is shown again with the same key."""
        self._leave()
        self._key, self._hierarchy = key, hierarchy
        self.view.set_hierarchy(hierarchy, clock_hz)
        self.view.setAccessibleName(
            shown_line("" if hierarchy is None else tr("Tree of {table}", table=hierarchy.table.title.lower()))
        )
        if hierarchy is None:
            self.stack.show_empty(empty)
        else:
            self.stack.show_content()
            self._restore()
        self._search()

    def _leave(self) -> None:
        if self._key is not None and self._hierarchy is not None:
            self._states.pop(self._key, None)
            self._states[self._key] = tree_state(self.view, self.field.text())
            if len(self._states) > MOST_STATES:
                del self._states[next(iter(self._states))]

    def _restore(self) -> None:
        left = None if self._key is None else self._states.get(self._key)
        if left is not None:
            restore(self.view, left)
            self.field.blockSignals(True)
            self.field.setText(left.text)
            self.field.blockSignals(False)

    def set_table(self, table: Table, clock_hz: float | None = None) -> None:
        """Replaces the values of the same items; expansion, selection and hits are kept."""
        if self._hierarchy is not None:
            self._hierarchy = self._hierarchy.with_table(table)
            self.view.set_table(table, clock_hz)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        return None if self._hierarchy is None else self._hierarchy.table

    def shown_rows(self) -> I64 | None:
        return None

    def selected_rows(self) -> I64:
        return self.view.chosen_items()

    def copy_text(self) -> str:
        return self.view.copy_text()

    def cell_text(self) -> str:
        index, items = self.view.currentIndex(), self.view.items
        item = items.item(index)
        value = items.column(index.column()).value(item) if item >= 0 else None
        return "" if value is None else str(value)

    def cell_name(self) -> str:
        index, items = self.view.currentIndex(), self.view.items
        return self.cell_text() if index.isValid() and not items.column(index.column()).numeric else ""

    def start_find(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def handle_escape(self) -> bool:
        """Clears the search."""
        searched = bool(self.field.text())
        self.field.clear()
        return searched

    def find_step(self, direction: int) -> None:
        """Expands the tree to the next or previous hit and selects it."""
        self._arrange()
        if not len(self.hits):
            return
        self.place = (self.place + direction) % len(self.hits) if self.place >= 0 else 0 if direction > 0 else -1
        self.place %= len(self.hits)
        item = int(self.hits[self.place])
        self.view.reveal(item)
        self._say()
        self.match_selected.emit(item)

    # -- inside -------------------------------------------------------------------------------------------

    def _next(self) -> None:
        self.find_step(1)

    def _previous(self) -> None:
        self.find_step(-1)

    def _search(self) -> None:
        text, hierarchy = self.field.text(), self._hierarchy
        self.hits, self.place = np.empty(0, np.int64), PENDING
        self.view.highlight(None)
        mark_invalid(self.field, "")
        if text and hierarchy is not None:
            try:
                rows = matching_rows(hierarchy.table, text, case=self.case.isChecked(), regex=self.regex.isChecked())
            except BadPattern as error:
                self.count.say(str(error)[:60])
                mark_invalid(self.field, str(error))
                return
            self.hits, self._arranged = np.flatnonzero(rows), False
            self.view.highlight(rows)
            self._idle.start()  # hits are ordered in idle time, while the user is still typing
        self._say()

    def _arrange(self) -> None:
        """Sorts the hits into display order, without those that no root reaches."""
        self._idle.stop()
        if not self._arranged and self._hierarchy is not None:
            self.hits, self._arranged = self._hierarchy.in_order(self.hits), True
            self._say()

    def _say(self) -> None:
        for button in self._steps:
            button.setVisible(bool(self.field.text()))
        if self.field.text():
            self.count.say(_counted(len(self.hits), self.place), muted=True)
        else:
            table = None if self._hierarchy is None else self._hierarchy.table
            self.count.say("" if table is None else f"{table.rows:,} {table.title.lower()}", muted=True)


def _counted(hits: int, place: int) -> str:
    """The number of matches, and which of them (from 0) is current; -1: none."""
    if not hits:
        return tr("No matches")
    if place >= 0:
        return tr("{place:,} of {count:,}", place=place + 1, count=hits)
    return plural("{count:,} match", "{count:,} matches", count=hits)


MOST_OPENED = 5000
MOST_SEARCHED = 2000
"""Rows to search for one that has moved."""

Step: TypeAlias = tuple[int, str]
"""Row number and label: after a reload, or for another range, the row may have moved."""


class TreeState(Struct, frozen=True):
    """Paths from the roots to the expanded nodes (parents first) and to the current row; ``top``: scroll position in
    pixels; ``text``: the search text."""

    opened: tuple[tuple[Step, ...], ...]
    current: tuple[Step, ...]
    top: int
    text: str = ""


def tree_state(view: TreeView, text: str) -> TreeState:
    items = view.items
    opened = [node for node in items.nodes.opened() if view.isExpanded(items.node_index(node))][:MOST_OPENED]
    current = view.currentIndex()
    way = _way(items, current.internalId()) if current.isValid() else ()
    return TreeState(tuple(_way(items, node) for node in opened), way, view.verticalScrollBar().value(), text)


def restore(view: TreeView, left: TreeState) -> None:
    """Restores the saved state as far as its nodes still exist; the selection is not changed."""
    items = view.items
    view.collapseAll()
    for way in left.opened:
        node = _node(items, way)
        if node != TOP:
            view.expand(items.node_index(node))
    current = _node(items, left.current)
    if current != TOP:
        view.set_current_quietly(items.node_index(current))
    view.executeDelayedItemsLayout()
    view.verticalScrollBar().setValue(left.top)


def _way(items: TreeModel, node: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    while node != TOP:
        steps.append((items.nodes.row(node), items.label(node)))
        node = items.nodes.parent(node)
    return tuple(reversed(steps))


def _node(items: TreeModel, way: tuple[Step, ...]) -> int:
    """The node at the end of a path; TOP if it no longer exists."""
    node = TOP
    for row, label in way:
        count = items.nodes.count(node)
        rows = [row, *range(min(count, MOST_SEARCHED))]
        below = (items.nodes.child(node, place) for place in rows if place < count)
        match = next((child for child in below if items.label(child) == label), None)
        if match is None:
            return TOP
        node = match
    return node
