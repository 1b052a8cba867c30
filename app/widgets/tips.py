"""Tool tips: the one function that makes them. Qt takes a text that looks like HTML for HTML."""

from __future__ import annotations

import html
import re

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.widgets.texts import paragraph

LONGEST_WORD = 80
"""A longer one would make the tool tip as wide; it may break behind so many characters."""

_MARKUP = re.compile("[<&]")
_LONG = re.compile(rf"(\S{{{LONGEST_WORD}}})(?=\S)")


def tip(text: str) -> str:
    """``text`` for a tool tip: escaped, cut, and wrapped."""
    if len(text) <= LONGEST_WORD and not _MARKUP.search(text) and text.isprintable():
        return text  # Qt takes it for plain text, and so do assistive tools
    breakable = _LONG.sub("\\1\u200b", paragraph(text))
    return f"<div style='white-space: pre-wrap'>{html.escape(breakable)}</div>"


def set_tip(shown: QWidget | QAction, text: str) -> None:
    """Gives a widget a tool tip, and assistive tools the same text without markup (they would be told the tool tip as
    it is written)."""
    shown.setToolTip(tip(text))
    if isinstance(shown, QWidget):
        shown.setAccessibleDescription(paragraph(text))
