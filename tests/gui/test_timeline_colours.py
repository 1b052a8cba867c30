"""What colours go by, in the timeline panel: the heading, the legend, the chip, and a baseline."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QSignalSpy, QTest
from pytestqt.qtbot import QtBot

from app.views.timeline.legend_entries import Entry
from app.widgets.timeline.legend import Legend, place_entries
from fakes.timeline_desk import LINE, Desk
from generators.timelines import random_timeline


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    made = Desk(qtbot)
    made.panel.resize(1400, 420)
    return made


def place_of(legend: Legend, label: str) -> QPoint:
    placed = place_entries(legend._entries, QFontMetrics(legend.font()), legend.width())
    return next(QPoint(int(x) + 4, legend.height() // 2) for x, entry in placed if entry.label == label)


def click(legend: Legend, label: str) -> None:
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=place_of(legend, label))


def left(desk: Desk) -> list[int] | None:
    """The slices that are drawn; None: all."""
    origin = desk.shown.contents.rows.origin
    return None if origin is None else origin.tolist()


def test_the_heading_says_what_colours_go_by(desk: Desk) -> None:
    desk.open()
    bar, canvas = desk.panel.bar, desk.panel.canvas
    assert bar.colour.text() == "Colour: category ▾"
    assert bar.colour.accessibleDescription().endswith("\nSlices without a category are coloured by name.")
    assert canvas.colour_by == "auto"
    canvas.set_colour_by("process")
    assert bar.colour.text() == "Colour: process ▾"
    assert desk.panel.line.legend.labels == ("core0", "core1")
    wanted = QSignalSpy(desk.panel.commands_wanted)
    bar.colour.click()
    assert wanted.at(0)[0] == "colour_by"
    assert canvas.can_colour_by("duration")


def test_a_click_on_the_legend_leaves_one_colour_and_again_all(desk: Desk) -> None:
    desk.open()
    legend, chips = desk.panel.line.legend, desk.panel.chips
    click(legend, "CUBE")
    assert left(desk) == [2]
    assert [chip.text() for chip in chips.chips] == ["Only colour “CUBE”  ✕"]
    click(legend, "SCALAR")
    assert left(desk) == [0, 1, 4]
    click(legend, "SCALAR")
    assert not chips.chips
    assert left(desk) is None
    click(legend, "CUBE")
    chips.chips[0].click()
    assert not desk.shown.contents.only_slots
    click(legend, "CUBE")
    desk.panel.canvas.show_all()
    assert not desk.shown.contents.only_slots


def test_another_choice_ends_the_filter_and_keeps_the_selection(desk: Desk) -> None:
    desk.open(random_timeline(2000, 40))
    canvas = desk.panel.canvas
    click(desk.panel.line.legend, "CUBE")
    desk.panel.canvas.choosing.chosen.emit(7)
    canvas.set_colour_by("duration")
    assert not desk.shown.contents.only_slots
    assert canvas.selected.tolist() == [7]


def test_several_selected_slices_follow_the_colours(desk: Desk) -> None:
    desk.open()
    canvas = desk.panel.canvas
    canvas.set_selected(np.array([0, 2]))
    canvas.set_colour_by("process")
    chosen = desk.shown.contents.chosen
    assert chosen is not None
    assert chosen.rows.slots is desk.shown.contents.colours.slots


def test_the_search_goes_on_in_other_colours(desk: Desk) -> None:
    desk.open()
    desk.panel.bar.search.field.setText("LOAD")
    desk.panel.search.now()
    assert desk.shown.contents.hits is not None
    desk.panel.canvas.set_colour_by("name")
    assert desk.shown.contents.hits is not None
    assert desk.shown.contents.hits.rows.slots is desk.shown.contents.colours.slots


def test_keys_choose_an_entry(desk: Desk) -> None:
    desk.open()
    legend = desk.panel.line.legend
    legend.setFocus()
    QTest.keyClick(legend, Qt.Key.Key_Right)
    assert legend.accessibleName().startswith("LOAD_2D (Colours: ")
    QTest.keyClick(legend, Qt.Key.Key_Space)
    assert left(desk) == [3]
    QTest.keyClick(legend, Qt.Key.Key_Left)
    QTest.keyClick(legend, Qt.Key.Key_Space)
    assert left(desk) == [2]


def test_entries_without_room_are_in_a_menu(desk: Desk, qtbot: QtBot) -> None:
    desk.open(LINE)
    legend = desk.panel.line.legend
    many = tuple(Entry("#AE3236", f"entry {at}", f"entry {at}", slots=frozenset((2 + at,))) for at in range(90))
    legend.set_entries(many)
    clicked = QSignalSpy(legend.clicked)
    placed = place_entries(many, QFontMetrics(legend.font()), legend.width())
    QTest.mouseClick(legend, Qt.MouseButton.LeftButton, pos=QPoint(legend.width() - 30, legend.height() // 2))
    menu = next(child for child in legend.children() if child.inherits("QMenu"))
    actions = menu.actions()  # type: ignore[attr-defined]
    assert len(actions) == len(many) - len(placed)
    actions[0].trigger()
    assert clicked.at(0)[0].label == f"entry {len(placed)}"
    menu.close()  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: not any(child.inherits("QMenu") for child in legend.children()))


def test_each_profile_keeps_its_colours(desk: Desk) -> None:
    first = desk.open()
    desk.panel.canvas.set_colour_by("name")
    desk.open(random_timeline(500, 5))
    assert desk.panel.bar.colour.text() == "Colour: category ▾"
    desk.document.show(first)
    desk.settle()
    assert desk.panel.bar.colour.text() == "Colour: name ▾"


def test_a_chip_that_takes_room_folds_nothing(desk: Desk) -> None:
    """A click on the legend used to fold the process that had just room."""
    desk.open(random_timeline(4000, 9))
    desk.shown.lanes.fold_all(False)
    missing = desk.shown.layout.height - int(desk.shown.place.body.height)
    desk.shown.lanes.own_folds = False
    desk.panel.resize(1400, desk.panel.height() + missing)
    open_ = desk.shown.lanes.choice.folded_groups
    click(desk.panel.line.legend, "CUBE")
    desk.settle()
    assert desk.panel.chips.isVisible()
    assert desk.shown.layout.height > desk.shown.place.body.height
    assert desk.shown.lanes.choice.folded_groups == open_ == frozenset()
