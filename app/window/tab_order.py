"""The tab order of the window: reading order, visible widgets only. Qt's own order is that of creation, and includes
panels hidden behind others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cmp_to_key
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTabBar,
    QWidget,
)

if TYPE_CHECKING:
    from app.window.central_widget import CentralWidget
    from app.window.dock_area import DockArea
    from app.window.footer import Footer

WHOLE = (QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTabBar)
"""Widgets that are one stop: the widgets inside them are implementation details."""


class HasStops(Protocol):
    """A window with the parts that Tab goes through."""

    central: CentralWidget
    footer: Footer
    docks: DockArea | None


def stops(window: HasStops) -> list[QWidget]:
    """Returns everything that Tab reaches: header, notices, start page or panels (in the order of their keys, each
    after its tab bar), status bar."""
    middle, docks = window.central, window.docks
    order = [*reading_order(middle.header), *reading_order(middle.notices)]
    if docks is None or middle.shown() is not docks:
        order += reading_order(middle.shown())
    else:
        bars = {docks.tabs.dock_of(bar, bar.currentIndex()): bar for bar in docks.tabs.bars() if bar.isVisible()}
        for dock in docks.shown():
            if dock.on_screen and not dock.isFloating():
                order += [bars[dock]] if dock in bars else []
                order += reading_order(dock)
    return [*order, *reading_order(window.footer), *reading_order(window.footer.jobs.panel)]


def step(window: HasStops, focus: QWidget, *, forward: bool) -> bool:
    """Moves the focus from ``focus`` to the next or previous stop; returns False if there are no stops."""
    order = stops(window)
    if not order:
        return False
    if focus in order:
        place = order.index(focus) + (1 if forward else -1)
    else:
        inside = _inside(focus, order)
        place = inside if forward else inside - 1
    target = order[place % len(order)]
    target.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _bring_to_view(target)
    return True


def reading_order(root: QWidget) -> Iterator[QWidget]:
    """Yields ``root`` and its descendants that are visible and focusable, from the top left on."""
    if not root.isVisible() or not root.isEnabled():
        return
    if root.focusPolicy() & Qt.FocusPolicy.TabFocus and root.focusProxy() is None:
        yield root
    if isinstance(root, WHOLE):
        return
    inside = [child for child in root.children() if isinstance(child, QWidget) and not child.isWindow()]
    for child in sorted(inside, key=cmp_to_key(_before)):
        yield from reading_order(child)


def _before(a: QWidget, b: QWidget) -> int:
    """Compares two siblings: negative if ``a`` is read first, from left to right on one line, else from top to
    bottom."""
    first, second = a.geometry(), b.geometry()
    shared = min(first.bottom(), second.bottom()) - max(first.top(), second.top())
    if shared * 2 > min(first.height(), second.height()):
        return first.left() - second.left()
    return first.top() - second.top()


def _inside(focus: QWidget, order: list[QWidget]) -> int:
    """Returns the index of the first stop within the closest ancestor of ``focus`` that has any; 0 if there is none."""
    around: QWidget | None = focus
    while around is not None:
        place = next((place for place, stop in enumerate(order) if around.isAncestorOf(stop)), None)
        if place is not None:
            return place
        around = around.parentWidget()
    return 0


def _bring_to_view(target: QWidget) -> None:
    here = target.parentWidget()
    while here is not None:
        if isinstance(here, QScrollArea):
            here.ensureWidgetVisible(target)
        here = here.parentWidget()
