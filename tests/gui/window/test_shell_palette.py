"""The palette lists commands, panels, tables, recent files and open profiles, and knows what else people call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.window.main_window import MainWindow
from app.window.offers import Entry, Offer, palette_offers
from fakes.shell import ascend, bare, loader_of, make_window


@pytest.fixture
def real(qtbot: QtBot, looks: None) -> MainWindow:
    """With all panels, and a profile with a timeline and a source."""
    window = make_window(panels=PANELS)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.document.finish(window.document.add(ascend(), 1))
    with qtbot.waitSignal(window.tables.changed):
        window.tables.get()
    return window


def first(window: MainWindow, typed: str) -> Offer:
    return palette_offers(typed, window)[0]


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("dark mode", "Appearance: Dark"),
        ("mode dark", "Appearance: Dark"),
        ("screenshot", "Export…"),
        ("gantt", "Timeline"),
        ("disassembly", "Source"),
        ("diagnostics", "Issues"),
        ("properties", "Details"),
        ("slices by name", "Slices by name"),
        ("jump", "Go to…"),
        ("default layout", "Reset layout"),
    ],
)
def test_other_words_find_it(real: MainWindow, typed: str, text: str) -> None:
    assert first(real, typed).text == text


def test_every_panel_is_listed_with_what_is_missing(real: MainWindow) -> None:
    offers = palette_offers("", real)
    docks = real.prepare()
    listed = {offer.text: offer for offer in offers if "panel" in offer.detail}
    assert set(listed) == {spec.title for spec in PANELS}
    assert listed["Timeline"].enabled
    assert not listed["Roofline"].enabled
    assert listed["Roofline"].detail.startswith("panel, needs an Ascend operator file")
    docks.toggle("timeline")
    closed = next(offer for offer in palette_offers("timeline", real) if offer.text == "Timeline")
    assert closed.detail.startswith("closed panel")
    closed.run()
    assert docks.in_sight("timeline")


def test_tables_open_on_their_table(real: MainWindow, qtbot: QtBot) -> None:
    offer = next(offer for offer in palette_offers("table lanes", real) if offer.text == "Lanes")
    assert offer.detail == "table, 2 rows"
    offer.run()
    panel = real.prepare().docks["tables"].widget()
    qtbot.waitUntil(lambda: panel.shown_table() is not None and panel.shown_table().id == "lanes")  # type: ignore[attr-defined]


def test_tables_are_listed_once_they_are_known(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    window.actions_.commands["tools.commands"].run(window)
    qtbot.waitUntil(window.omnibox.hasFocus)
    QTest.keyClicks(window.omnibox, "source texts")
    rows = window.omnibox.popup.list
    qtbot.waitUntil(lambda: rows.topLevelItemCount() > 0 and rows.topLevelItem(0).text(0) == "Source texts")  # type: ignore[union-attr]
    assert rows.topLevelItem(0).text(1) == "table, 1 row"  # type: ignore[union-attr]


def test_recent_files_and_open_profiles(window: MainWindow, tmp_path: Path) -> None:
    here = tmp_path / "kernel.bin"
    here.write_bytes(b"x")
    window.settings.update(recent=(str(here), str(tmp_path / "gone.bin")))
    offer = first(window, "kernel")
    assert (offer.text, offer.enabled) == ("kernel.bin", True)
    offer.run()
    assert loader_of(window).asked == [(here,)]
    gone = first(window, "gone.bin")
    assert not gone.enabled
    assert gone.detail.endswith("(missing)")
    one = window.document.add(ascend("alpha"), 1)
    window.document.add(bare("beta"), 2)
    offer = first(window, "alpha")
    assert offer.detail == "open profile"
    offer.run()
    current = window.document.current
    assert current is not None
    assert current.id == one


def test_a_profile_that_is_closed_lists_no_tables(window: MainWindow, qtbot: QtBot) -> None:
    profile: Profile = ascend()
    entry = window.document.add(profile, 1)
    with qtbot.waitSignal(window.tables.changed):
        window.tables.get()
    assert window.tables.get()
    window.document.close(entry)
    assert window.tables.get() == ()


def test_words_count_only_as_they_are_written() -> None:
    entry = Entry("Heat table", "", lambda: None, ("heat map", "matrix"))
    assert (entry.fit("heat") or 0) > (entry.fit("matrix") or 0) > 0
    assert entry.fit("mtrx") is None
    assert entry.fit("zz") is None


def test_nothing_open_leaves_commands_and_recent_files(window: MainWindow, qtbot: QtBot) -> None:
    window.omnibox.start("dark")
    assert window.omnibox.popup.list.topLevelItem(0).text(0) == "Appearance: Dark"  # type: ignore[union-attr]
    QTest.keyClick(window.omnibox, Qt.Key.Key_Return)
    assert window.display.theme.dark
