"""The saved state of a tree, restored when its profile is shown again: expanded nodes, current row, scroll position."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from app.views.tree.nodes import TOP
from app.widgets.tree.model import TreeModel
from app.widgets.tree.view import TreeView

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
