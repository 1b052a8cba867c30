"""How a panel is laid out: a bar of controls, one of several pages, what stands below, or a sentence why not."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.widgets.display import Display
from app.widgets.empty import OrEmpty

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


def pages_of(panel: QWidget, pages: Sequence[QWidget]) -> QStackedWidget:
    """One of ``pages`` at a time, such as a picture and its table twin."""
    stack = QStackedWidget(panel)
    for page in pages:
        stack.addWidget(page)
    return stack


def fill(panel: QWidget, display: Display, bar: QHBoxLayout, body: QWidget, *below: QWidget) -> OrEmpty:
    """Fills ``panel`` with ``bar`` over ``body`` over ``below``; the stack returned can say why there is nothing."""
    content = QWidget(panel)
    inside = QVBoxLayout(content)
    inside.setContentsMargins(0, 0, 0, 0)
    inside.setSpacing(0)
    inside.addLayout(bar)
    inside.addWidget(body, 1)
    for widget in below:
        inside.addWidget(widget)
    stack = OrEmpty(display, content, panel)
    layout = QVBoxLayout(panel)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.addWidget(stack)
    return stack
