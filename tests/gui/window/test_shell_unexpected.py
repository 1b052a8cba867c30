"""An error nobody foresaw: exactly one dialog with a report to copy, and the window lives on."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.mnemonics import plain
from app.window.main_window import MainWindow
from app.window.unexpected import KEPT, QUIET, ErrorDialog, UnexpectedErrors


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Broken(QWidget):
    """Each way in which Python is called by Qt, each of which fails while ``failing``."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.failing = ""
        self.paints = self.events = 0
        self.setGeometry(0, 0, 40, 40)
        self.show()

    def fail(self, what: str) -> None:
        if self.failing == what:
            raise RuntimeError(f"broken {what}")

    def paintEvent(self, event: QPaintEvent) -> None:
        self.paints += 1
        self.fail("paint")

    def lives(self, happened: Callable[[], bool]) -> None:
        """An event loop as the program's until something has happened: an error in what Python itself asks for
        (``repaint``, ``sendEvent``) would be raised where it asked."""
        loop = QEventLoop()
        timer = QTimer(loop, interval=0)
        timer.timeout.connect(lambda: loop.quit() if happened() else None)
        timer.start()
        loop.exec()

    def painted(self) -> None:
        before = self.paints
        self.update()
        self.lives(lambda: self.paints > before)

    def sent(self, target: QObject, event: QEvent) -> None:
        before = self.events
        QCoreApplication.postEvent(target, event)
        self.lives(lambda: self.events > before)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.events += 1
        self.fail("event")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.User:
            self.events += 1
            self.fail("filter")
        return False


@pytest.fixture
def hooked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the hook that was there before has heard."""
    before: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: before.append(error))
    return before


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def errors(window: MainWindow, hooked: list[object], clock: Clock) -> Iterator[UnexpectedErrors]:
    made = UnexpectedErrors(window, clock)
    yield made
    made.release()


@pytest.fixture
def broken(window: MainWindow) -> Broken:
    return Broken(window)


def dialogs() -> list[ErrorDialog]:
    """All that are open, whoever made them."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [
        widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ErrorDialog) and widget.isVisible()
    ]


def press(window: MainWindow, broken: Broken) -> None:
    broken.sent(broken, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_F9, Qt.KeyboardModifier.NoModifier))


def paint(window: MainWindow, broken: Broken) -> None:
    broken.painted()


def slot(window: MainWindow, broken: Broken) -> None:
    button = QPushButton(broken)
    button.clicked.connect(lambda: broken.fail("slot"))
    button.click()


def timer(window: MainWindow, broken: Broken) -> None:
    QTimer.singleShot(0, broken, lambda: broken.fail("timer"))


def event_filter(window: MainWindow, broken: Broken) -> None:
    window.installEventFilter(broken)
    broken.sent(window, QEvent(QEvent.Type.User))
    window.removeEventFilter(broken)


def thread(window: MainWindow, broken: Broken) -> None:
    made = threading.Thread(target=lambda: broken.fail("thread"))
    made.start()
    made.join()


WAYS: dict[str, Callable[[MainWindow, Broken], None]] = {
    "event": press,
    "paint": paint,
    "slot": slot,
    "timer": timer,
    "filter": event_filter,
    "thread": thread,
}


@pytest.mark.parametrize("what", WAYS)
def test_an_error_anywhere_is_one_dialog_and_the_window_lives(
    qtbot: QtBot, window: MainWindow, errors: UnexpectedErrors, broken: Broken, hooked: list[object], what: str
) -> None:
    broken.failing = what
    WAYS[what](window, broken)
    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    broken.failing = ""
    (dialog,) = dialogs()
    assert dialog is errors.dialog
    assert f"RuntimeError: broken {what}" in dialog.text.toPlainText()
    copy = next(button for button in dialog.findChildren(QPushButton) if plain(button.text()) == "Copy report")
    copy.click()
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("Tilesight 0.")
    assert f"RuntimeError: broken {what}" in copied
    assert hooked
    dialog.reject()
    assert dialogs() == []
    WAYS[what](window, broken)
    window.actions_.commands["help.start"].run(window)
    assert window.isVisible()
    assert dialogs() == []


def test_a_storm_is_one_dialog_and_none_after_it_was_closed(
    errors: UnexpectedErrors, broken: Broken, clock: Clock
) -> None:
    broken.failing = "paint"
    for _ in range(50):
        clock.now += 0.016
        broken.painted()
    (dialog,) = dialogs()
    assert dialog.text.toPlainText().count("broken paint") == 1
    assert "50 errors" in errors.report()
    assert "(50 times)" in errors.report()
    dialog.reject()
    for _ in range(100):
        clock.now += 0.016
        broken.painted()
    assert dialogs() == []


def test_another_error_is_told_in_spite_of_a_storm(
    window: MainWindow, errors: UnexpectedErrors, broken: Broken, clock: Clock
) -> None:
    broken.failing = "paint"
    broken.painted()
    dialogs()[0].reject()
    broken.painted()
    broken.failing = "slot"
    slot(window, broken)
    (dialog,) = dialogs()
    assert "broken slot" in dialog.text.toPlainText()
    assert "broken paint" not in dialog.text.toPlainText()


def test_an_error_that_comes_again_later_is_told_again_less_and_less_often(
    errors: UnexpectedErrors, broken: Broken, clock: Clock
) -> None:
    broken.failing = "paint"
    told = []
    for second in range(30):
        clock.now = 1000.0 + second * 2 * QUIET
        broken.painted()
        for dialog in dialogs():
            told.append(second)
            dialog.reject()
    assert told == [0, 1, 2]


def test_many_different_errors_are_counted(errors: UnexpectedErrors) -> None:
    for number in range(KEPT + 10):
        code = compile("\n" * number + f"raise ValueError('number {number}')", "made_up.py", "exec")
        try:
            exec(code, {})
        except ValueError as error:
            sys.excepthook(ValueError, error, error.__traceback__)
    (dialog,) = dialogs()
    text = dialog.text.toPlainText()
    assert f"number {KEPT - 1}" in text
    assert f"number {KEPT}" not in text
    assert errors.report().splitlines()[1] == f"{KEPT + 10} errors"
    dialog.reject()


def test_an_error_while_the_dialog_is_made_makes_no_other(
    errors: UnexpectedErrors, monkeypatch: pytest.MonkeyPatch, hooked: list[object]
) -> None:
    def fails(*_: object) -> None:
        error = OSError("no dialog")
        sys.excepthook(OSError, error, None)
        raise error

    monkeypatch.setattr("app.window.unexpected.ErrorDialog", fails)
    with pytest.raises(OSError, match="no dialog"):
        sys.excepthook(ValueError, ValueError("first"), None)
    assert len(hooked) == 2
    monkeypatch.undo()


def test_the_hooks_come_back_and_an_interrupt_is_no_error(
    window: MainWindow, hooked: list[object], clock: Clock
) -> None:
    before = sys.excepthook, threading.excepthook
    errors = UnexpectedErrors(window, clock)
    assert (sys.excepthook, threading.excepthook) != before
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert dialogs() == []
    assert len(hooked) == 1
    errors.release()
    assert (sys.excepthook, threading.excepthook) == before
