"""Who has the keyboard while a profile arrives one section after the other, and the user is elsewhere meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.panels.spec import PanelSpec
from app.profile.profile import Target
from app.widgets.context import Context
from app.window.dock import Dock
from fakes.pointer import release_buttons
from fakes.shell import CanvasPanel, ascend, build_panels, make_window, spec

BEGUN = replace(ascend(), timeline=None, sources=None, target=Target(kind="Ascend"))
FURTHER = replace(ascend(), timeline=None)
"""What a profile is like before its sources and its timeline have been read."""


class FieldPanel(QLineEdit):
    def __init__(self, context: Context) -> None:
        super().__init__()


def panels(name: str, first: Callable[[Context], QWidget]) -> Sequence[PanelSpec]:
    """One that is there from the beginning; that of the sources and the timeline, of which one covers the other. They
    cover the first, too, if that is in the place of the roofline."""
    return (
        spec("timeline", "Timeline", CanvasPanel, "timeline"),
        spec("memory_paths", "Memory paths", CanvasPanel, "sources"),
        spec(name, "First", first),
    )


class Reading:
    """A window in which a profile is being read, and another window."""

    def __init__(self, qtbot: QtBot, name: str, first: Callable[[Context], QWidget]) -> None:
        self.qtbot, self.first = qtbot, name
        self.window = make_window(panels=panels(name, first))
        self.other = QWidget()
        for one in (self.window, self.other):
            qtbot.addWidget(one)
            one.show()
        self.go_to(self.window)
        release_buttons(self.other)
        self.entry = self.window.document.add(BEGUN, 1)
        self.settle()

    def go_to(self, window: QWidget) -> None:
        window.activateWindow()
        self.qtbot.waitUntil(window.isActiveWindow)

    def settle(self) -> None:
        QCoreApplication.processEvents()
        build_panels(self.window)
        QCoreApplication.processEvents()
        QCoreApplication.processEvents()

    def dock(self, name: str) -> Dock:
        assert self.window.docks is not None
        return self.window.docks.docks[name]

    def panel(self, name: str) -> CanvasPanel:
        panel = self.dock(name).widget()
        assert isinstance(panel, CanvasPanel)
        return panel

    def canvas(self, name: str) -> QWidget:
        return self.panel(name).canvas

    @property
    def field(self) -> QLineEdit:
        """That of the first panel."""
        return self.panel(self.first).field

    def read_timeline(self) -> None:
        self.window.document.grow(self.entry, ascend(), frozenset({"timeline"}))
        self.window.document.finish(self.entry)
        self.settle()


@pytest.fixture
def reading(qtbot: QtBot) -> Iterator[Reading]:
    """The timeline will cover the first panel."""
    desk = Reading(qtbot, "roofline", CanvasPanel)
    assert QApplication.focusWidget() is desk.canvas("roofline")
    yield desk
    desk.window.loader.close()


@pytest.fixture
def beside(qtbot: QtBot) -> Iterator[Reading]:
    """The timeline will be above the first panel."""
    desk = Reading(qtbot, "source", CanvasPanel)
    assert QApplication.focusWidget() is desk.canvas("source")
    yield desk
    desk.window.loader.close()


def test_the_timeline_gets_it_after_the_user_was_elsewhere(reading: Reading) -> None:
    reading.go_to(reading.other)
    reading.go_to(reading.window)
    assert QApplication.focusWidget() is reading.canvas("roofline")
    reading.read_timeline()
    assert QApplication.focusWidget() is reading.canvas("timeline")


def test_the_timeline_gets_it_when_the_user_comes_back(reading: Reading) -> None:
    reading.go_to(reading.other)
    reading.read_timeline()
    reading.go_to(reading.window)
    reading.settle()
    assert QApplication.focusWidget() is reading.canvas("timeline")


def test_what_was_overtaken_while_the_user_was_elsewhere_does_not_keep_it(reading: Reading) -> None:
    reading.go_to(reading.other)
    reading.window.document.grow(reading.entry, FURTHER, frozenset({"sources"}))
    reading.settle()
    reading.canvas("roofline").setFocus()  # as if the panel in front had not been visible yet when it was its turn
    reading.go_to(reading.window)
    reading.settle()
    assert QApplication.focusWidget() is reading.canvas("memory_paths")
    reading.read_timeline()
    assert QApplication.focusWidget() is reading.canvas("timeline")


@pytest.mark.parametrize("work", ["click", "tab", "backtab"])
def test_it_stays_where_the_user_works(beside: Reading, work: str) -> None:
    canvas = beside.canvas("source")
    match work:
        case "click":
            QTest.mouseClick(beside.field, Qt.MouseButton.LeftButton)
        case "tab":
            QTest.keyClick(canvas, Qt.Key.Key_Tab)
        case _:
            QTest.keyClick(canvas, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    chosen = QApplication.focusWidget()
    assert chosen not in (None, canvas)
    beside.read_timeline()
    assert QApplication.focusWidget() is chosen


def test_a_text_field_keeps_it_only_if_the_user_types(qtbot: QtBot) -> None:
    for typed, stays in (("", False), ("x", True)):
        desk = Reading(qtbot, "source", FieldPanel)
        field = desk.dock("source").widget()
        assert QApplication.focusWidget() is field
        QTest.keyClicks(field, typed)
        desk.read_timeline()
        assert (QApplication.focusWidget() is field) == stays
        desk.window.loader.close()
        desk.window.close()
        desk.other.close()


def test_a_panel_that_moves_it_inside_itself_does_not_keep_it(beside: Reading) -> None:
    beside.field.setFocus()
    beside.read_timeline()
    assert QApplication.focusWidget() is beside.canvas("timeline")


def test_it_does_not_stay_in_a_panel_that_another_one_covers(reading: Reading) -> None:
    reading.read_timeline()
    assert reading.window.docks is not None
    reading.window.docks.bring("memory_paths")
    reading.settle()
    assert QApplication.focusWidget() is reading.canvas("memory_paths")
    reading.window.docks.bring("timeline")
    reading.settle()
    assert QApplication.focusWidget() is reading.canvas("timeline")


def test_it_is_left_alone_where_others_cover_each_other(reading: Reading) -> None:
    reading.read_timeline()
    bar = reading.window.tabs
    bar.setFocus()
    assert reading.window.docks is not None
    reading.window.docks.bring("memory_paths")
    reading.settle()
    assert QApplication.focusWidget() is bar
