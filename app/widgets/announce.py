"""What assistive tools say while a person moves through a picture by keys."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from app.views.texts import shown_line

MOST_LINES = 4
"""Lines of a tool tip that are spoken."""


def spoken(text: str) -> str:
    """The first lines of a tool tip as one line."""
    return ", ".join(filter(None, (line.strip() for line in text.splitlines()[:MOST_LINES])))


def announce(widget: QWidget, text: str) -> None:
    """Makes the first lines of ``text`` the description of ``widget``, and has them spoken if it has the keyboard."""
    line = spoken(text)
    widget.setAccessibleDescription(shown_line(line))
    if widget.hasFocus() and line:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, shown_line(line)))
