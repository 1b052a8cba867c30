"""A row of controls in a narrow place: what gives way, in which order, and how the menu stands for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QMenu, QStackedWidget, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.controls import Controls, list_controls
from app.widgets.fields import ChoiceBox, Chooser, SearchField
from app.widgets.homing import belongs_to, home_of, is_offered, outwards
from app.widgets.tabs import TabChoice, Tabs
from app.window.nearest import nearest

WIDE, HIGH = 900, 40


class Desk(QWidget):
    """A panel with pages; its controls stand beside it, as in the heading of a dock."""

    def __init__(self, place: QWidget) -> None:
        super().__init__(place)
        self.place = place
        self.pages = QStackedWidget(self)
        self.first, self.second = QWidget(self), QWidget(self)
        for page in (self.first, self.second):
            self.pages.addWidget(page)
        self.field = SearchField("Find", self)
        self.sides = Chooser("Sides", self)
        self.sides.offer(["Before", "After"])
        self.log, self.table = QCheckBox("Log colours", self), QCheckBox("Table", self)
        self.tabs = Tabs("Pages", self, ("The first", "The second", "The third"))
        self.inner = Controls(self.second, SearchField("Filter rows", self.second))
        self.rare = QCheckBox("Rare", self)
        items = self.sides, self.log, self.table, self.tabs, (self.inner, 1), (self.field, 1)
        self.controls = Controls(self, *items, folds=(self.log, self.table), rare=(self.rare,))
        self.first.setFocusPolicy(self.focusPolicy())
        self.setFocusProxy(self.first)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    place = QWidget()
    qtbot.addWidget(place)
    desk = Desk(place)
    desk.setGeometry(0, 100, WIDE, 100)
    desk.controls.setParent(place)
    desk.controls.be_inside()
    desk.controls.show()
    place.resize(WIDE, 200)
    place.show()
    narrow(desk, WIDE)
    return desk


def narrow(desk: Desk, width: int) -> list[str]:
    """Gives the row a width; returns what is not in it then."""
    desk.controls.resize(QSize(width, HIGH))
    return [control.text() for control in desk.controls.folded() if isinstance(control, QCheckBox)]


def test_controls_fold_in_the_stated_order_and_come_back(desk: Desk) -> None:
    comfort = desk.controls.comfort
    assert narrow(desk, comfort) == ["Rare"]
    assert narrow(desk, comfort - 1) == ["Log colours", "Rare"]
    assert not desk.log.isVisible()
    assert desk.table.isVisible()
    least = desk.controls.minimumSizeHint().width()
    assert least < comfort - 100
    assert narrow(desk, least) == ["Log colours", "Table", "Rare"]
    assert desk.field.isVisible()
    assert narrow(desk, WIDE) == ["Rare"]
    assert desk.log.isVisible()


def test_what_a_panel_hides_stays_hidden_whatever_the_room(desk: Desk) -> None:
    narrow(desk, desk.controls.comfort - 1)
    desk.log.hide()
    assert narrow(desk, WIDE) == ["Rare"]
    assert not desk.log.isVisible()
    narrow(desk, 200)
    desk.log.show()
    assert not desk.log.isVisible()
    assert narrow(desk, 200) == ["Log colours", "Table", "Rare"]
    assert is_offered(desk.log, desk)


def test_the_controls_of_a_page_show_while_the_page_does(desk: Desk) -> None:
    assert not desk.inner.isVisible()
    desk.pages.setCurrentWidget(desk.second)
    assert desk.inner.isVisible()
    desk.pages.setCurrentWidget(desk.first)
    assert not desk.inner.isVisible()


def test_tabs_become_a_box_where_they_do_not_fit(desk: Desk) -> None:
    (choice,) = desk.controls.findChildren(TabChoice)
    narrow(desk, WIDE)
    assert desk.tabs.isVisible()
    desk.tabs.setCurrentIndex(2)
    narrow(desk, desk.controls.minimumSizeHint().width())
    assert choice.as_box
    assert not desk.tabs.isVisible()
    (box,) = choice.findChildren(ChoiceBox)
    assert box.currentText() == "The third"
    desk.tabs.rename(1, "Another & one")
    assert box.itemText(1) == "Another & one"
    box.activated.emit(1)
    assert desk.tabs.chosen == "Another & one"
    desk.tabs.hide()
    assert not choice.isVisible()


def test_the_menu_does_what_the_folded_controls_do(desk: Desk) -> None:
    menu = QMenu(desk)
    list_controls(menu, (desk.sides, desk.log, desk.tabs))
    sides, log, tabs = menu.actions()
    inside = sides.menu()
    assert isinstance(inside, QMenu)
    assert [(entry.text(), entry.isChecked()) for entry in inside.actions()] == [("Before", True), ("After", False)]
    inside.actions()[1].trigger()
    assert desk.sides.currentText() == "After"
    log.trigger()
    assert desk.log.isChecked()
    chosen = tabs.menu()
    assert isinstance(chosen, QMenu)
    chosen.actions()[1].trigger()
    assert desk.tabs.chosen == "The second"


def test_lent_controls_belong_to_their_panel(desk: Desk) -> None:
    assert desk.controls.parentWidget() is desk.parentWidget()
    assert belongs_to(desk.field, desk)
    assert nearest(desk.log, Desk) is desk
    assert outwards(desk.inner) is desk.second
    assert home_of(desk.field) is desk.first
    assert not is_offered(desk.inner, desk)
    desk.controls.hide()
    assert not is_offered(desk.field, desk)
