"""Creates tool tips, in one place: Qt interprets a text that looks like HTML as HTML."""

from __future__ import annotations

import html
import re

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.views.texts import paragraph

LONGEST_WORD = 80
"""Characters: a longer word would widen the tool tip, so it may break after this many."""

_MARKUP = re.compile("[<&]")
_LONG = re.compile(rf"(\S{{{LONGEST_WORD}}})(?=\S)")


def tip(text: str) -> str:
    """``text`` for a tool tip: truncated, escaped and wrapped."""
    if len(text) <= LONGEST_WORD and not _MARKUP.search(text) and text.isprintable():
        return text  # plain text for Qt as well as for assistive tools
    breakable = _LONG.sub("\\1\u200b", paragraph(text))
    return f"<div style='white-space: pre-wrap'>{html.escape(breakable)}</div>"


def set_tip(shown: QWidget | QAction, text: str) -> None:
    """Sets a tool tip, and for assistive tools the same text without markup (they would read out the HTML)."""
    shown.setToolTip(tip(text))
    if isinstance(shown, QWidget):
        shown.setAccessibleDescription(paragraph(text))
