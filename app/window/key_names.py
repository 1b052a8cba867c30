"""Keys of commands as people read them, and which of them are bare letters and signs."""

from __future__ import annotations

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from app.window.command import Command

HEAVY = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def combination(key: str) -> QKeyCombination:
    """A key in portable text as Qt's combination."""
    sequence = QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText)
    found: QKeyCombination = sequence[0]  # type: ignore[index]  # PySide6's types leave it out
    return found


def is_bare(key: str) -> bool:
    """Whether it could be typed into a text: no Ctrl, Alt or Meta, no function key. Such keys are no Qt
    shortcuts; the key dispatcher gives them out by what has the focus."""
    found = combination(key)
    function = Qt.Key.Key_F1.value <= found.key().value <= Qt.Key.Key_F35.value
    return not function and not found.keyboardModifiers() & HEAVY


def shown(key: str) -> str:
    """The key as this system writes it."""
    return QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText).toString(
        QKeySequence.SequenceFormat.NativeText
    )


def shown_key(command: Command) -> str:
    """The first key, or ""."""
    return shown(command.keys[0]) if command.keys else ""


def shown_keys(command: Command) -> str:
    """All keys, for the key help."""
    return ", ".join(shown(key) for key in command.keys)
