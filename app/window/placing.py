"""Arranges docks according to a layout."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from app.window.dock import Dock
from app.window.layouts import MAYBE_EMPTY, Column, Layout, PanelGroup, widths

AREA = Qt.DockWidgetArea.TopDockWidgetArea
"""All docks share one split area: four areas around an empty centre would compete for space."""


def place(area: QMainWindow, docks: Mapping[str, Dock], layout: Layout) -> None:
    """Places every dock that ``layout`` names and hides it; the dock area shows those that are offered."""
    for dock in docks.values():
        dock.setFloating(False)  # first: a dock removed while floating is later drawn over the others
        area.removeDockWidget(dock)
    previous: Dock | None = None
    heads: list[tuple[Dock, Column]] = []
    for column in layout.columns:
        head = docks[column.groups[0].panels[0]]
        if previous is None:
            area.addDockWidget(AREA, head, Qt.Orientation.Horizontal)
        else:
            area.splitDockWidget(previous, head, Qt.Orientation.Horizontal)
        heads.append((head, column))
        previous = head
    for head, column in heads:
        _fill_column(area, docks, head, column)
    for dock in docks.values():
        dock.hide()


def _fill_column(area: QMainWindow, docks: Mapping[str, Dock], head: Dock, column: Column) -> None:
    previous = head
    for group in column.groups[1:]:
        below = docks[group.panels[0]]
        area.splitDockWidget(previous, below, Qt.Orientation.Vertical)
        previous = below
    for group in column.groups:
        before = docks[group.panels[0]]
        for name in group.panels[1:]:
            area.tabifyDockWidget(before, docks[name])
            before = docks[name]


def proportion(area: QMainWindow, docks: Mapping[str, Dock], layout: Layout) -> None:
    """Resizes the visible docks in proportion to the weights of the layout, columns of text to what they need."""
    columns = [(column, shown) for column in layout.columns if (shown := _shown_groups(docks, column))]
    wide = widths([column for column, _ in columns], area.width(), area.fontMetrics().averageCharWidth())
    heads = [(shown[0][1], width) for (_, shown), width in zip(columns, wide, strict=True)]
    _resize(area, heads, Qt.Orientation.Horizontal)
    for _, shown in columns:
        high = sum(group.weight for group, _ in shown)
        sizes = [(dock, group.weight / high * area.height()) for group, dock in shown]
        _resize(area, sizes, Qt.Orientation.Vertical)


def to_front(docks: Mapping[str, Dock], layout: Layout) -> None:
    """Raises the first visible panel of each group, one that surely shows something if there is any."""
    for column in layout.columns:
        for _, shown in _visible(docks, column):
            next((dock for dock in shown if dock.spec.id not in MAYBE_EMPTY), shown[0]).raise_()


def _shown_groups(docks: Mapping[str, Dock], column: Column) -> list[tuple[PanelGroup, Dock]]:
    """Returns the groups with a visible dock, each with its first visible dock; floating docks do not count."""
    return [(group, shown[0]) for group, shown in _visible(docks, column)]


def _visible(docks: Mapping[str, Dock], column: Column) -> list[tuple[PanelGroup, list[Dock]]]:
    """Returns the groups with a visible dock, each with all of these; floating docks do not count."""
    groups = []
    for group in column.groups:
        shown = [docks[name] for name in group.panels if not docks[name].isHidden() and not docks[name].isFloating()]
        if shown:
            groups.append((group, shown))
    return groups


def _resize(area: QMainWindow, sizes: list[tuple[Dock, float]], orientation: Qt.Orientation) -> None:
    if len(sizes) > 1:
        area.resizeDocks([dock for dock, _ in sizes], [max(1, round(size)) for _, size in sizes], orientation)
