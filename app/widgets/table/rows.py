"""The visible rows and columns of a table or tree, as its cells are painted."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QHeaderView


class Row(Struct, frozen=True):
    """A visible row. ``identity``: what the hover mark is matched with (the row of the model, or the node of a tree);
    ``source``: the row of the table, -1 for none; ``top``: in pixels of the viewport. In a tree ``level`` is the number
    of ancestors, and ``opened`` whether it is expanded (None without children)."""

    identity: int
    source: int
    top: int
    selected: bool
    level: int = 0
    opened: bool | None = None


class Strip(Struct, frozen=True):
    """A visible column: its place in the table, and its extent in pixels of the viewport."""

    place: int
    left: int
    width: int


def visible_strips(head: QHeaderView, area: QRect) -> list[Strip]:
    """The columns that intersect ``area``, from left to right as the user arranged them, without hidden ones."""
    first, last = head.visualIndexAt(area.left()), head.visualIndexAt(area.right())
    if first < 0:
        return []
    places = map(head.logicalIndex, range(first, head.count() if last < 0 else last + 1))
    return [
        Strip(place, head.sectionViewportPosition(place), head.sectionSize(place))
        for place in places
        if not head.isSectionHidden(place)
    ]
