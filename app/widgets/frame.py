"""Layouts that panels are made of: a bar of controls, columns, halves with a handle between them, pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.widgets.tips import set_tip

MARGIN, GAP = 8, 4


def bar_of(*items: QWidget | tuple[QWidget, int] | int) -> QHBoxLayout:
    """Controls side by side; a number is room that stretches by that share, a pair a control that does."""
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
    """A box to tick; ``about`` is its tool tip."""
    box = QCheckBox(text)
    box.setChecked(on)
    set_tip(box, about)
    return box


def column_of(*parts: QLayout | QWidget | tuple[QWidget, int]) -> QWidget:
    """Parts one below the other, without gaps; a pair is a part that stretches by that share."""
    column = QWidget()
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
    """Parts side by side (or one ``below`` the other) with a handle between them, each with its share of the room."""
    splitter = QSplitter(Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal)
    for part, _ in parts:
        splitter.addWidget(part)
    splitter.setChildrenCollapsible(False)
    splitter.setSizes([share for _, share in parts])
    return splitter


def pages_of(panel: QWidget, pages: Sequence[QWidget]) -> QStackedWidget:
    """One of ``pages`` at a time, such as a picture and its table twin."""
    stack = QStackedWidget(panel)
    for page in pages:
        stack.addWidget(page)
    return stack
