"""Mnemonics of menus and their entries."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from app.language import Message
from app.views.texts import has_ideographs
from app.widgets.mnemonics import MARK, marked

ENGLISH = "english"
"""The property of an action that has its text in English, whose letters a Chinese entry takes."""


def mark_menu(menu: QMenu) -> None:
    """Gives every entry of ``menu`` a mnemonic of its own, as far as letters are available."""
    entries = [action for action in menu.actions() if not action.isSeparator()]
    texts = [action.text() for action in entries]
    for action, text in zip(entries, marked(texts, [in_english(action) for action in entries]), strict=True):
        action.setText(text)


def name_in_english(action: QAction, text: str) -> None:
    """Remembers the English of ``text``, the name of ``action``, for its mnemonic in other languages."""
    action.setProperty(ENGLISH, text.english if isinstance(text, Message) else text)


def in_english(action: QAction) -> str:
    """What ``name_in_english`` remembered; "" if nothing."""
    return str(action.property(ENGLISH) or "")


def menu_title(text: str, letter: str) -> str:
    """Returns the title of a menu with its first letter marked; one in ideographs has ``letter`` in brackets."""
    return f"{text}({MARK}{letter})" if has_ideographs(text[:1]) else f"{MARK}{text}"
