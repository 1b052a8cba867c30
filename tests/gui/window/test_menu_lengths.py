"""No menu has more than twelve entries: menus of the menu bar and of "⋯" for each family, and of items."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.registry import plan
from app.panels.registry import PANELS
from app.profile.selection import Kind, Selection
from app.window.command import LONGEST
from app.window.main_window import MainWindow
from app.window.menus import ANYWHERE, ON_CANVAS, SELECTED, show_more_menu
from app.window.samples import samples
from fakes.shell import make_window

ITEMS: tuple[Kind, ...] = ("slice", "lane", "step", "tile", "host_event")


@pytest.fixture(params=[sample.id for sample in samples()])
def family(request: pytest.FixtureRequest, qtbot: QtBot, looks: None) -> MainWindow:
    """A window with a sample, and a second one that it is compared with."""
    sample = next(sample for sample in samples() if sample.id == request.param)
    jobs, _ = plan(sample.paths())
    (profile,) = read(jobs[0].format, jobs[0].paths)
    window = make_window(panels=PANELS)
    qtbot.addWidget(window)
    window.show()
    entries = [window.document.add(profile, number) for number in (1, 2)]
    for entry in entries:
        window.document.finish(entry)
    window.document.baselines.set(entries[1], entries[0])
    return window


def test_no_menu_is_longer_than_twelve_entries(family: MainWindow) -> None:
    menus = [menu for action in family.menuBar().actions() if isinstance(menu := action.menu(), QMenu)]
    long = [(title, count) for menu in menus for title, count in lengths(menu) if count > LONGEST]
    for name in family.prepare().offered:
        show_more_menu(family, name, QPoint(0, 0))
        shown = [menu for menu in family.findChildren(QMenu) if menu.isVisible()]
        assert shown, name
        long += [(f"⋯ of {name}", entries(menu)) for menu in shown if entries(menu) > LONGEST]
        for menu in shown:
            menu.close()
    assert long == []


def test_no_menu_of_an_item_is_longer_than_twelve_entries(family: MainWindow) -> None:
    """While a slice is selected, if there are any."""
    profile = family.document.profile
    if profile is not None and profile.timeline is not None:
        family.document.selection.set(Selection("slice", (0,), "test"))
    for kind in ITEMS:
        for places in ((kind,), ("cell", kind), ("note", "range", "time")):
            menu = family.actions_.place_menu(*places, SELECTED, panel=("timeline", ON_CANVAS, ANYWHERE))
            assert entries(menu) <= LONGEST, (places, [action.text() for action in menu.actions()])
            menu.deleteLater()


def entries(menu: QMenu) -> int:
    return sum(not action.isSeparator() for action in menu.actions())


def lengths(menu: QMenu) -> Iterator[tuple[str, int]]:
    """The entries of a menu and its submenus, as they are when they open; lists of recent files may be longer."""
    menu.aboutToShow.emit()
    yield menu.title(), entries(menu)
    for action in menu.actions():
        inside = action.menu()
        if isinstance(inside, QMenu):
            yield from lengths(inside)
