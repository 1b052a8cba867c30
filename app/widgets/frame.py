"""Layouts for panels: a toolbar, columns, splitters, pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.widgets.tips import set_tip

MARGIN, GAP = 8, 4


def bar_of(*items: QWidget | tuple[QWidget, int] | int) -> QHBoxLayout:
    """A horizontal bar of controls; a number is a stretch of that factor, a pair a control with its stretch factor."""
    bar = QHBoxLayout()
    bar.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
    bar.setSpacing(MARGIN)
    for item in items:
        if isinstance(item, int):
            bar.addStretch(item)
        elif isinstance(item, tuple):
            bar.addWidget(*item)
        else:
            bar.addWidget(item)
    return bar


def check_of(text: str, about: str, *, on: bool = False) -> QCheckBox:
    """A check box; ``about`` is its tool tip."""
    box = QCheckBox(text)
    box.setChecked(on)
    set_tip(box, about)
    return box


def row_of(first: QWidget, *others: QWidget) -> QWidget:
    """Parts side by side without gaps, of which the first gets the room."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    layout.addWidget(first, 1)
    for part in others:
        layout.addWidget(part)
    return row


def column_of(*parts: QLayout | QWidget | tuple[QWidget, int]) -> QWidget:
    """Parts stacked vertically without gaps; a pair is a part with its stretch factor."""
    return stack_in(QWidget(), *parts)


def stack_in(column: QWidget, *parts: QLayout | QWidget | tuple[QWidget, int]) -> QWidget:
    """The same in ``column``, which is returned. Whatever gets another parent is styled again with all inside, so large
    things are best put where they stay."""
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(0)
    for part in parts:
        if isinstance(part, QLayout):
            layout.addLayout(part)
        elif isinstance(part, tuple):
            layout.addWidget(*part)
        else:
            layout.addWidget(part)
    return column


def split_of(*parts: tuple[QWidget, int], below: bool = False) -> QSplitter:
    """Parts side by side (or stacked, if ``below``) in a splitter, each with its initial size as a share."""
    splitter = QSplitter(Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal)
    for part, _ in parts:
        splitter.addWidget(part)
    splitter.setChildrenCollapsible(False)
    splitter.setSizes([share for _, share in parts])
    return splitter


def pages_of(panel: QWidget, pages: Sequence[QWidget]) -> QStackedWidget:
    """A stack that shows one of ``pages`` at a time, such as a picture and its table view."""
    stack = QStackedWidget(panel)
    for page in pages:
        stack.addWidget(page)
    return stack
