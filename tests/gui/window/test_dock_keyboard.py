"""A dock gives the keyboard to its panel's picture, also if that appears later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.panels.panel import Panel
from app.panels.spec import PanelSpec
from app.profile.ascend import Sources
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.display import Display
from app.window.dock import Dock

SPEC = PanelSpec("late", "Late", lambda: Late, ("sources",), "a file with sources", "A picture below a field.")
PROFILE = Profile(name="one", origin=Origin("any", (Path("/one"),))).with_section(
    Sources(Strings.of(["a.cpp"]), Strings.of([""]))
)


class Picture(QWidget, Canvas):
    """Does nothing but take the keyboard."""

    def zoom(self, factor: float) -> None: ...

    def pan(self, fraction: float) -> None: ...

    def scroll_rows(self, rows: int) -> None: ...

    def fit(self) -> None: ...

    def focus_selection(self) -> None: ...

    def back(self) -> None: ...

    def forward(self) -> None: ...

    def step_item(self, direction: int) -> str:
        return ""

    def walk(self, across: int, down: int) -> bool:
        return False

    def walk_to_end(self, direction: int) -> None: ...

    def choose(self, *, adding: bool) -> None: ...

    def selection_to_range(self) -> None: ...


class Late(Panel):
    """A field, and a picture that is hidden until the panel is filled."""

    spec = SPEC

    def build(self) -> None:
        self.field = QLineEdit(self)
        self.canvas = Picture(self)
        self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.canvas.hide()
        self.lay_out(self.field, self.canvas)

    def fill(self, _: Profile) -> None:
        self.canvas.show()


@pytest.fixture
def dock(qtbot: QtBot) -> Iterator[Dock]:
    """Visible, with its panel filled."""
    document, display, window = Document(), Display(), QMainWindow()
    qtbot.addWidget(window)
    document.add(PROFILE, 1)
    dock = Dock(SPEC, Context(document, display), window)
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    dock.fill(at_once=False)
    panel = dock.widget()
    assert isinstance(panel, Late)
    qtbot.waitUntil(lambda: not panel.refill_due)
    yield dock
    document.deleteLater()
    display.deleteLater()


def unfilled(dock: Dock) -> Late:
    """The panel, which will be filled in the next turn of the event loop, until then without its picture."""
    panel = dock.widget()
    assert isinstance(panel, Late)
    panel.canvas.hide()
    panel.refill()
    assert panel.refill_due
    return panel


def test_the_keyboard_goes_on_to_the_picture_that_appears(dock: Dock, qtbot: QtBot) -> None:
    panel = unfilled(dock)
    dock.take_keyboard()
    assert QApplication.focusWidget() is not panel.canvas
    qtbot.waitUntil(lambda: not panel.refill_due)
    assert QApplication.focusWidget() is panel.canvas
    panel.field.setFocus()
    panel.refill()
    qtbot.waitUntil(lambda: not panel.refill_due)
    assert QApplication.focusWidget() is panel.field  # filled before: the keyboard stays where it is


def test_it_stays_where_the_user_puts_it_meanwhile(dock: Dock, qtbot: QtBot) -> None:
    panel = unfilled(dock)
    dock.take_keyboard()
    panel.canvas.show()
    other = QLineEdit(panel)
    other.show()
    other.setFocus()
    qtbot.waitUntil(lambda: not panel.refill_due)
    assert QApplication.focusWidget() is other
