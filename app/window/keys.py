"""Dispatches bare keys (W, ?, Esc, Backspace) to commands depending on the focus, never while the user types text; and
how keys are named."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QMenuBar,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

from app.widgets.canvas import Canvas
from app.window.command import Command, CommandContext
from app.window.key_names import HEAVY, combination, is_bare
from app.window.keyboard import is_text_field

if TYPE_CHECKING:
    from app.window.keyboard import Keyboard


Press: TypeAlias = tuple[int, bool]
"""A key (Qt.Key) and whether Shift is pressed; always False for punctuation, which needs Shift on some keyboards."""

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
WORKING = frozenset(
    (
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_PageUp,
        Qt.Key.Key_PageDown,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_Space,
        *ENTER,
    )
)
"""Keys that show that the user works with the focused widget. Letters may be meant for a canvas still to appear."""
ROWS = ((0x10, "QWERTYUIOP"), (0x1E, "ASDFGHJKL"), (0x2C, "ZXCVBNM,."))
PLACES = {first + i: letter for first, letters in ROWS for i, letter in enumerate(letters)}
"""US letters by scan code (set 1; Linux key codes are the same, those of X11 and Wayland are 8 higher)."""
MAC_PLACES = {0: "A", 1: "S", 2: "D", 13: "W", 12: "Q", 6: "Z", 43: ","}
"""The same by macOS virtual key codes, which are positional too."""
MOVING = frozenset("WASD")


class KeyContext(CommandContext, Protocol):
    """The command context plus the focus manager, which is notified of keys."""

    @property
    def keyboard(self) -> Keyboard: ...


class KeyDispatcher(QObject):
    """Filters the events of the focused widget and of its window only, so that no other widget has the overhead.
    Remembers which widget and which canvas of the panels had the focus last."""

    def __init__(self, context: KeyContext, commands: Iterable[Command]) -> None:
        super().__init__(context.main)
        self._context = context
        self._canvas_keys: dict[Press, Command] = {}
        self._keys: dict[Press, Command] = {}
        self._watched: list[QWidget] = []
        self._released = 0, 0  # key and timestamp of the last release
        self._last_focus: QWidget | None = None
        self._last_canvas: QWidget | None = None
        for command in commands:
            for key in filter(is_bare, command.keys):
                pressed = combination(key)
                (self._canvas_keys if command.canvas else self._keys)[
                    _press(pressed.key(), pressed.keyboardModifiers())
                ] = command
        context.main.installEventFilter(self)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    @property
    def last_focus(self) -> QWidget | None:
        """The widget of a panel that has the focus or had it last."""
        return self._last_focus if self._last_focus is not None and isValid(self._last_focus) else None

    @property
    def canvas(self) -> Canvas | None:
        """The canvas that has the focus or had it last, if visible; else the first visible one."""
        last = self._last_canvas
        docks = self._context.docks
        others = [dock.canvas for dock in docks.shown()] if docks is not None else []
        for canvas in (last, *others):
            if canvas is not None and isValid(canvas) and canvas.isVisible():
                return canvas if isinstance(canvas, Canvas) else None
        return None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.KeyRelease:
            self._released = event.key(), event.timestamp()
        if event.type() != QEvent.Type.KeyPress:
            return False
        if not isinstance(watched, QWidget) or QApplication.activeModalWidget() is not None:
            return False
        focus = (QApplication.focusWidget() or watched) if watched.isWindow() else watched
        if watched is focus and self._uses_enter(event, focus):
            return True
        if QApplication.activePopupWidget() is not None or isinstance(focus, QMenuBar):
            return False  # popups and the menu bar handle their own keys
        if is_text_field(focus):
            if self._context.in_panel(focus):
                self._context.keyboard.used()
            given_up = event.key() == Qt.Key.Key_Escape and watched.isWindow()
            if given_up:
                self._context.keyboard.leave(focus)
            return given_up
        if event.key() in WORKING:
            self._context.keyboard.used()
        command = self._command(event, focus)
        if command is None or not command.enabled(self._context):
            return False
        # X11 auto-repeat sends release and press with one timestamp; Qt does not always recognise it as a repeat.
        self._run(command, held=event.isAutoRepeat() or _together(self._released, event))
        return True

    def _uses_enter(self, event: QKeyEvent, focus: QWidget) -> bool:
        """Handles Enter: like the space bar on buttons; on a tab bar it moves the focus into the panel."""
        if event.key() not in ENTER or event.modifiers() & (HEAVY | Qt.KeyboardModifier.ShiftModifier):
            return False
        if isinstance(focus, QTabBar):
            self._context.keyboard.enter(focus)
            return True
        if not takes_space(focus):
            return False
        if not event.isAutoRepeat():
            _press_space(focus)
        return True

    def _run(self, command: Command, *, held: bool) -> None:
        canvas = self.canvas if command.canvas and held else None
        if canvas is None:
            command.run(self._context)
            return
        canvas.held = True
        try:
            command.run(self._context)
        finally:
            canvas.held = False

    def _command(self, event: QKeyEvent, focus: QWidget) -> Command | None:
        if event.modifiers() & HEAVY:
            return None
        press = _press(key_by_place(event, QGuiApplication.platformName()), event.modifiers())
        if press in self._canvas_keys and self._reaches_canvas(press, focus):
            return self._canvas_keys[press]
        if isinstance(focus, QAbstractItemView) and Qt.Key.Key_A <= press[0] <= Qt.Key.Key_Z:
            return None  # letters search in tables and trees
        return self._keys.get(press)

    def _reaches_canvas(self, press: Press, focus: QWidget) -> bool:
        """Whether a canvas key applies: the canvas has the focus, or the key is a character and the focused widget, in
        the same panel as a canvas, does not use letters."""
        if canvas_of(focus) is not None:
            return True
        return 0x20 < press[0] < 0x7F and not takes_letters(focus) and self._canvas_beside(focus) is not None

    def _canvas_beside(self, focus: QWidget) -> QWidget | None:
        """Returns the canvas of the panel that contains ``focus``: the one used last, else the first; None if there is
        none."""
        dock = self._context.docks.at(focus) if self._context.docks is not None else None
        last = self._last_canvas
        if dock is not None and last is not None and isValid(last) and dock.isAncestorOf(last):
            return last
        return None if dock is None else dock.canvas

    def _follow(self, old: QWidget | None, now: QWidget | None) -> None:
        for widget in self._watched:
            if isValid(widget):
                widget.removeEventFilter(self)
        self._watched = []
        if now is None or not self._context.holds(now):
            return
        self._watched = [widget for widget in {now, now.window()} if widget is not self._context.main]
        for widget in self._watched:
            widget.installEventFilter(self)
        if now.window().windowType() != Qt.WindowType.Popup:
            self._remember(old, now)
        self._context.refresh_soon()

    def _remember(self, old: QWidget | None, now: QWidget) -> None:
        """Remembers the focused widget of a panel, except where Qt moved the focus because its owner was hidden or its
        window was closed."""
        if old is None:
            lost = self._last_focus is not None and not self._context.in_panel(now) and not is_text_field(now)
        else:
            lost = isValid(old) and not old.isVisible() and not old.isWindow() and self._context.holds(old)
        if lost:
            self._context.keyboard.strayed(now)
            return
        self._context.keyboard.note(old, now)
        if self._context.in_panel(now):
            self._last_focus = now
            self._last_canvas = canvas_of(now) or self._canvas_beside(now) or self._last_canvas


def _together(released: tuple[int, int], event: QKeyEvent) -> bool:
    """Whether a key was released and pressed at the same timestamp (0: unknown)."""
    return event.timestamp() > 0 and released == (event.key(), event.timestamp())


def _press_space(widget: QWidget) -> None:
    """Sends ``widget`` a press and release of the space bar."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        if isValid(widget):
            QApplication.sendEvent(widget, QKeyEvent(kind, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " "))


def canvas_of(widget: QWidget) -> QWidget | None:
    """Returns the canvas that ``widget`` is or is inside of, or None."""
    here: QWidget | None = widget
    while here is not None:
        if isinstance(here, Canvas):
            return here
        here = None if here.isWindow() else here.parentWidget()
    return None


def key_by_place(event: QKeyEvent, platform: str) -> int:
    """Returns the Qt.Key of an event, with W A S D by physical position if the platform reports it: on AZERTY or Dvorak
    they stay the same four keys, and letters displaced from there act as the key whose position they took."""
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


def takes_letters(widget: QWidget) -> bool:
    """Whether ``widget`` uses typed letters: a text field, list, table, tree or combo box."""
    return is_text_field(widget) or isinstance(widget, (QAbstractItemView, QComboBox))


def takes_space(widget: QWidget) -> bool:
    """Whether ``widget`` uses the space bar: to press a button, open a combo box or toggle a check box."""
    if isinstance(widget, QAbstractItemView):
        return bool(widget.model() and widget.currentIndex().flags() & Qt.ItemFlag.ItemIsUserCheckable)
    return isinstance(widget, QAbstractButton) or (isinstance(widget, QComboBox) and not widget.isEditable())
