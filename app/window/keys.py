"""Gives bare keys (W, ?, Esc, Backspace) to commands by what has the focus: never to one while a text is typed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenuBar, QTabBar, QWidget
from shiboken6 import isValid

from app.widgets.canvas import Canvas
from app.window.command import Command, CommandContext
from app.window.key_names import HEAVY, combination, is_bare
from app.window.text_fields import is_text_field, takes_letters, takes_space

if TYPE_CHECKING:
    from app.window.keyboard import Keyboard

Press: TypeAlias = tuple[int, bool]
"""A key (Qt.Key) and whether Shift is held; for signs, which need Shift on some keyboards, always False."""

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
"""Keys of a person who works with what has the keyboard. Letters may be meant for a picture that is yet to come."""
ROWS = ((0x10, "QWERTYUIOP"), (0x1E, "ASDFGHJKL"), (0x2C, "ZXCVBNM,."))
PLACES = {first + i: letter for first, letters in ROWS for i, letter in enumerate(letters)}
"""US letters by scan code (set 1; Linux' key codes are the same, X11's and Wayland's are 8 more)."""
MAC_PLACES = {0: "A", 1: "S", 2: "D", 13: "W", 12: "Q", 6: "Z", 43: ","}
"""The same by macOS' virtual key codes, which follow the place, too."""
MOVING = frozenset("WASD")


class KeyContext(CommandContext, Protocol):
    """Who is told of keys, besides the commands."""

    @property
    def keyboard(self) -> Keyboard: ...


class KeyDispatcher(QObject):
    """Listens at the widget that has the focus (and at the window, when none has), so nothing else pays for it.
    Remembers which widget and which canvas of the panels were used last."""

    def __init__(self, context: KeyContext, commands: Iterable[Command]) -> None:
        super().__init__(context.main)
        self._context = context
        self._canvas_keys: dict[Press, Command] = {}
        self._keys: dict[Press, Command] = {}
        self._watched: list[QWidget] = []
        self._released = 0, 0  # the key that was let up last, and when
        self._last_focus: QWidget | None = None
        self._last_canvas: QWidget | None = None
        for command in commands:
            for key in filter(is_bare, command.keys):
                found = combination(key)
                (self._canvas_keys if command.canvas else self._keys)[
                    _press(found.key(), found.keyboardModifiers())
                ] = command
        context.main.installEventFilter(self)
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
            return False  # it is inside of everything else: its keys are its own
        if is_text_field(focus):
            given_up = event.key() == Qt.Key.Key_Escape and watched.isWindow()
            if given_up:
                self._context.keyboard.leave(focus)
            return given_up
        if event.key() in WORKING:
            self._context.keyboard.used()
        command = self._command(event, focus)
        if command is None or not command.enabled(self._context):
            return False
        # A key that X repeats is let up and pressed at one moment; Qt does not always see that both belong together.
        self._run(command, held=event.isAutoRepeat() or _together(self._released, event))
        return True

    def _uses_enter(self, event: QKeyEvent, focus: QWidget) -> bool:
        """Enter does what the space bar does; on tabs it goes into what they show."""
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
        """Keys of a canvas are its own; what can be typed reaches it from buttons beside it, too."""
        if canvas_of(focus) is not None:
            return True
        return 0x20 < press[0] < 0x7F and not takes_letters(focus) and self._canvas_beside(focus) is not None

    def _canvas_beside(self, focus: QWidget) -> QWidget | None:
        """The canvas of the panel that ``focus`` stands in: the one used last, else the first."""
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
        """What of a panel has the keyboard; not where Qt puts it when its holder is hidden, or moved to a window that
        is no longer there."""
        if old is None:
            lost = self._last_focus is not None and not self._context.in_panel(now) and not is_text_field(now)
        else:
            lost = isValid(old) and not old.isVisible() and not old.isWindow() and self._context.holds(old)
        if lost:
            self._context.keyboard.strayed(now)
            return
        self._context.keyboard.note(now)
        if self._context.in_panel(now):
            self._last_focus = now
            self._last_canvas = canvas_of(now) or self._canvas_beside(now) or self._last_canvas


def _together(released: tuple[int, int], event: QKeyEvent) -> bool:
    """Whether a key was let up and pressed at one moment (0: nobody knows when)."""
    return event.timestamp() > 0 and released == (event.key(), event.timestamp())


def _press_space(widget: QWidget) -> None:
    """As if the space bar had been pressed and let go."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        if isValid(widget):
            QApplication.sendEvent(widget, QKeyEvent(kind, Qt.Key.Key_Space, Qt.KeyboardModifier.NoModifier, " "))


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
