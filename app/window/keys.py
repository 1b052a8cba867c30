"""Gives bare keys (W, ?, Esc, Backspace) to commands by what has the focus: never to one while a text is typed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from app.widgets.canvas import Canvas
from app.window.command import Command
from app.window.key_names import HEAVY, combination, is_bare

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

Press: TypeAlias = tuple[int, bool]
"""A key (Qt.Key) and whether Shift is held; for signs, which need Shift on some keyboards, always False."""

TEXT_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox, QKeySequenceEdit)
ROWS = ((0x10, "QWERTYUIOP"), (0x1E, "ASDFGHJKL"), (0x2C, "ZXCVBNM,."))
PLACES = {first + i: letter for first, letters in ROWS for i, letter in enumerate(letters)}
"""US letters by scan code (set 1; Linux' key codes are the same, X11's and Wayland's are 8 more)."""
MAC_PLACES = {0: "A", 1: "S", 2: "D", 13: "W", 12: "Q", 6: "Z", 43: ","}
"""The same by macOS' virtual key codes, which follow the place, too."""
MOVING = frozenset("WASD")


class KeyDispatcher(QObject):
    """Listens at the widget that has the focus (and at the window, when none has), so nothing else pays for it.
    Remembers which widget and which canvas of the panels were used last."""

    def __init__(self, window: MainWindow, commands: Iterable[Command]) -> None:
        super().__init__(window)
        self._window = window
        self._canvas_keys: dict[Press, Command] = {}
        self._keys: dict[Press, Command] = {}
        self._watched: QWidget | None = None
        self._last_focus: QWidget | None = None
        self._last_canvas: QWidget | None = None
        for command in commands:
            for key in filter(is_bare, command.keys):
                found = combination(key)
                (self._canvas_keys if command.canvas else self._keys)[
                    _press(found.key(), found.keyboardModifiers())
                ] = command
        window.installEventFilter(self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    @property
    def last_focus(self) -> QWidget | None:
        """The widget of a panel that has the keyboard or had it last."""
        return self._last_focus if self._last_focus is not None and isValid(self._last_focus) else None

    @property
    def canvas(self) -> Canvas | None:
        """The canvas that has the keyboard or had it last, while it can be seen; else the first that can."""
        last = self._last_canvas
        docks = self._window.docks
        others = [dock.canvas for dock in docks.shown()] if docks is not None else []
        for canvas in (last, *others):
            if canvas is not None and isValid(canvas) and canvas.isVisible():
                return canvas if isinstance(canvas, Canvas) else None
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        focus = watched if isinstance(watched, QWidget) else None
        if focus is None or QApplication.activeModalWidget() is not None or is_text_field(focus):
            return False
        command = self._command(event, focus)
        if command is None or not command.enabled(self._window):
            return False
        command.run(self._window)
        return True

    def _command(self, event: QKeyEvent, focus: QWidget) -> Command | None:
        if event.modifiers() & HEAVY:
            return None
        press = _press(key_by_place(event, QGuiApplication.platformName()), event.modifiers())
        if press in self._canvas_keys and isinstance(canvas_of(focus), Canvas):
            return self._canvas_keys[press]
        if isinstance(focus, QAbstractItemView) and Qt.Key.Key_A <= press[0] <= Qt.Key.Key_Z:
            return None  # letters search in tables and trees
        return self._keys.get(press)

    def _follow(self, _old: QWidget | None, now: QWidget | None) -> None:
        if self._watched is not None and isValid(self._watched) and self._watched is not self._window:
            self._watched.removeEventFilter(self)
        self._watched = None
        if now is None or not self._window.holds(now):
            return
        if now is not self._window:
            now.installEventFilter(self)
            self._watched = now
        if self._window.in_panel(now):
            self._last_focus = now
            canvas = canvas_of(now)
            if canvas is not None:
                self._last_canvas = canvas
        self._window.refresh_soon()


def is_text_field(widget: QWidget) -> bool:
    """Whether letters belong to ``widget``: it is a field one types in (or the field inside one)."""
    if isinstance(widget, (QTextEdit, QPlainTextEdit)):
        return not widget.isReadOnly()
    return isinstance(widget, TEXT_FIELDS) or (isinstance(widget, QComboBox) and widget.isEditable())


def canvas_of(widget: QWidget) -> QWidget | None:
    """The canvas that ``widget`` is, or is a part of."""
    here: QWidget | None = widget
    while here is not None:
        if isinstance(here, Canvas):
            return here
        here = None if here.isWindow() else here.parentWidget()
    return None


def key_by_place(event: QKeyEvent, platform: str) -> int:
    """The key, W A S D by their place on the keyboard where the system tells it: on AZERTY or Dvorak they stay
    the same four keys, and the letters that moved away act as the key whose place they took."""
    letter = _letter_of_place(event, platform)
    typed = chr(event.key()) if 0x20 <= event.key() < 0x7F else ""
    if letter in MOVING or (letter and typed in MOVING):
        return ord(letter)
    return event.key()


def _letter_of_place(event: QKeyEvent, platform: str) -> str:
    if platform == "cocoa":
        return MAC_PLACES.get(event.nativeVirtualKey(), "") if sys.platform == "darwin" else ""
    code = event.nativeScanCode()
    if not code:
        return ""
    return PLACES.get(code if platform == "windows" else code - 8, "")


def _press(key: int, modifiers: Qt.KeyboardModifier) -> Press:
    sign = 0x20 < key < 0x7F and not Qt.Key.Key_A <= key <= Qt.Key.Key_Z
    return int(key), bool(modifiers & Qt.KeyboardModifier.ShiftModifier) and not sign
