"""Keys of commands as displayed text, and which of them are bare (without Ctrl, Alt or Meta)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from app.window.command import Command

if TYPE_CHECKING:
    pass


HEAVY = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


def combination(key: str) -> QKeyCombination:
    """Returns the QKeyCombination of a key in portable text."""
    sequence = QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText)
    first: QKeyCombination = sequence[0]  # type: ignore[index]  # missing in PySide6's stubs
    return first


def is_bare(key: str) -> bool:
    """Whether ``key`` could be text input: no Ctrl, Alt or Meta, and no function key. Such keys are not Qt shortcuts;
    the key dispatcher handles them depending on the focus."""
    pressed = combination(key)
    function = Qt.Key.Key_F1.value <= pressed.key().value <= Qt.Key.Key_F35.value
    return not function and not pressed.keyboardModifiers() & HEAVY


def shown(key: str) -> str:
    """Returns the key in the notation of this system."""
    return QKeySequence.fromString(key, QKeySequence.SequenceFormat.PortableText).toString(
        QKeySequence.SequenceFormat.NativeText
    )


def shown_key(command: Command) -> str:
    """Returns the first key of the command in the notation of this system, or ""."""
    return shown(command.keys[0]) if command.keys else ""


def shown_keys(command: Command) -> str:
    """Returns all keys of the command, for the key help."""
    return ", ".join(shown(key) for key in command.keys)
