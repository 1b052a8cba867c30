"""Comparing from the menu: another open profile or a file, swapping, ending, and the chip that says so."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from app.analysis.compare.keeping import kept_of
from app.document.baselines import BaselineDocument
from app.profile.profile import Origin
from app.window.central_widget import reading_order
from app.window.commands import COMMANDS
from app.window.commands.compare import baseline_menu, fill_recent_pairs
from app.window.comparing import SHARE
from app.window.file_notices import UnusedBaselines
from app.window.main_window import MainWindow
from app.window.settings import FilePair, SettingsFile
from fakes.shell import ascend, loader_of, make_window

MNEMONIC = re.compile("(?<!&)&(?!&)")


def run(window: MainWindow, name: str) -> None:
    command = next(command for command in COMMANDS if command.id == name)
    assert command.enabled(window)
    command.run(window)


def enabled(window: MainWindow, name: str) -> bool:
    return next(command for command in COMMANDS if command.id == name).enabled(window)


def opened(qtbot: QtBot, *names: str) -> tuple[MainWindow, list[int]]:
    window = make_window()
    qtbot.addWidget(window)
    entries = [window.document.add(ascend(name), job=1, show=False) for name in names]
    for entry in entries:
        window.document.finish(entry)
    return window, entries


def choices(menu: QMenu | None) -> list[str]:
    assert menu is not None
    return [MNEMONIC.sub("", action.text()) for action in menu.actions() if not action.isSeparator()]


def test_an_open_profile_is_chosen_swapped_and_ended(qtbot: QtBot) -> None:
    window, (after, before) = opened(qtbot, "after", "be&fore")
    assert not enabled(window, "compare.swap")
    menu = baseline_menu(window)
    assert choices(menu) == ["be&&fore", "Open a file…"]
    assert menu is not None
    menu.actions()[0].trigger()
    chip = window.chip
    assert window.document.baselines.of(after) == before
    assert chip.pair.accessibleName() == "after vs. be&fore (baseline)"
    assert chip.isVisibleTo(window)
    window.actions_.refresh()
    chip.swap.click()
    assert (window.document.current_id, window.document.baselines.of(before)) == (before, after)
    assert chip.pair.accessibleName() == "be&fore vs. after (baseline)"
    window.actions_.refresh()
    chip.end.click()
    assert window.document.baselines.of(before) is None
    assert not chip.isVisibleTo(window)
    assert not enabled(window, "compare.end")


def test_the_command_offers_the_menu(qtbot: QtBot) -> None:
    window, _ = opened(qtbot, "only")
    window.show()
    run(window, "compare.with")
    menus = [menu for menu in window.findChildren(QMenu) if menu.isVisible()]
    assert [choices(menu) for menu in menus] == [["Open a file…"]]
    menus[0].close()


def test_a_file_becomes_the_baseline_as_soon_as_it_is_read(qtbot: QtBot) -> None:
    window, (after,) = opened(qtbot, "after")
    path = Path("/data/runs/before.bin")
    window.baseline_opener.wait(after, [Path("/data/runs")])
    other = window.document.add(ascend("another"), job=2, show=False)
    window.document.finish(other)
    assert window.document.baselines.of(after) is None
    before = window.document.add(replace(ascend("before"), origin=Origin("ascend-bin", (path,))), job=3)
    assert window.document.baselines.of(after) is None
    window.document.finish(before)
    assert window.document.baselines.of(after) == before
    assert window.document.current_id == after


def test_all_files_of_the_command_line_are_compared_with_its_baseline(qtbot: QtBot) -> None:
    window, (one, other) = opened(qtbot, "one", "other")
    path = Path("/data/before.bin")
    baseline = window.document.add(replace(ascend("before"), origin=Origin("ascend-bin", (path,))), job=3)
    window.baseline_opener.compare_all(Path("/data/elsewhere.bin"))
    assert window.document.baselines.of(one) is None
    window.baseline_opener.compare_all(path)
    assert [window.document.baselines.of(entry) for entry in (one, other, baseline)] == [baseline, baseline, None]
    assert window.document.current_id == one


def document_of(name: str, *beside: str) -> BaselineDocument:
    kept, path = kept_of(ascend(name)), Path(f"/data/{name}.json")
    return BaselineDocument(path, kept, kept.profile(path), frozenset(map(Path, beside)))


def test_a_baseline_document_is_used_for_the_profile_that_is_shown(qtbot: QtBot) -> None:
    window, (shown, other) = opened(qtbot, "shown", "other")
    window.loader.baseline_read.emit(document_of("small"))
    baselines = window.document.baselines
    assert [baselines.has(entry) for entry in (shown, other)] == [True, False]
    assert window.chip.pair.accessibleName() == "shown vs. small.json (baseline)"
    assert (enabled(window, "compare.swap"), enabled(window, "compare.end")) == (False, True)
    baselines.set(shown, other)  # the profile takes the place of the document
    assert baselines.document_of(shown) is None
    assert window.chip.pair.accessibleName() == "shown vs. other (baseline)"
    window.loader.baseline_read.emit(document_of("small"))
    assert baselines.of(shown) is None
    window.document.close(other)
    assert baselines.has(shown)
    run(window, "compare.end")
    assert not baselines.has(shown)
    assert not window.chip.isVisibleTo(window)


def test_a_baseline_document_waits_for_a_profile(qtbot: QtBot) -> None:
    window, _ = opened(qtbot)
    UnusedBaselines(window)
    window.loader.baseline_read.emit(document_of("small"))
    window.loader.idle.emit()
    assert window.notices.text.startswith("/data/small.json: this is a baseline of small, written by")
    later = window.document.add(ascend("later"), job=1)
    assert not window.document.baselines.has(later)
    window.document.finish(later)
    assert window.document.baselines.has(later)
    assert not window.notices.text


def test_a_baseline_document_is_used_for_what_asked_for_it_or_was_opened_with_it(qtbot: QtBot) -> None:
    window, (shown, waits) = opened(qtbot, "shown", "waits")
    window.baseline_opener.wait(waits, [Path("/data/small.json")])
    window.loader.baseline_read.emit(document_of("small"))
    assert [window.document.baselines.has(entry) for entry in (shown, waits)] == [False, True]
    window.loader.baseline_read.emit(document_of("another", "/data/with.bin"))
    beside = replace(ascend("with"), origin=Origin("ascend-bin", (Path("/data/with.bin"),)))
    window.document.finish(later := window.document.add(beside, job=2))
    assert [window.document.baselines.has(entry) for entry in (shown, waits, later)] == [False, True, True]
    window.baseline_opener.compare_all(Path("/data/another.json"))
    own = [window.document.baselines.document_of(entry) for entry in (shown, waits, later)]
    assert [None if one is None else one.path.name for one in own] == ["another.json"] * 3


def drag(window: MainWindow, start: int, end: int | None) -> None:
    """Drags a tab onto another one, or (None) beside all of them."""
    tabs = window.tabs
    there = QPoint(-30, 8) if end is None else tabs.tabRect(end).center()
    here = tabs.tabRect(start).center()
    QTest.mousePress(tabs, Qt.MouseButton.LeftButton, pos=here)
    for point in (here + QPoint(QApplication.startDragDistance() + 1, 0), there):
        send_move(tabs, point)
    QTest.mouseRelease(tabs, Qt.MouseButton.LeftButton, pos=there)


def send_move(widget: QWidget, point: QPoint) -> None:
    """With the left button held, which QTest.mouseMove does not say."""
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    place = QPointF(point)
    event = QMouseEvent(QEvent.Type.MouseMove, place, QPointF(widget.mapToGlobal(point)), left, left, none)
    QApplication.sendEvent(widget, event)


def is_marked(window: MainWindow) -> bool:
    return window.tabs.drop.mark.isVisible()


def test_a_tab_dropped_on_another_is_its_baseline(qtbot: QtBot, window: MainWindow) -> None:
    entries = [window.document.add(ascend(name), job=1, show=False) for name in "abc"]
    for entry in entries:
        window.document.finish(entry)
    tabs, baselines = window.tabs, window.document.baselines
    QTest.mousePress(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    send_move(tabs, tabs.tabRect(1).center())
    assert tabs.drop.mark.geometry() == tabs.tabRect(1)
    assert is_marked(window)
    assert QToolTip.text() == "Compare b · Ascend with a · Ascend (baseline)"
    QTest.keyClick(tabs, Qt.Key.Key_Escape)
    assert not is_marked(window)
    QTest.mouseRelease(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    drag(window, 0, 0)
    drag(window, 0, None)
    assert [baselines.of(entry) for entry in entries] == [None, None, None]
    drag(window, 0, 2)
    assert [baselines.of(entry) for entry in entries] == [None, None, entries[0]]
    assert window.document.current_id == entries[2]
    assert not is_marked(window)


def test_the_menu_of_a_tab_names_the_others(qtbot: QtBot) -> None:
    window, (after, before) = opened(qtbot, "after", "before")
    menu = window.actions_.place_menu("tab")
    (inside,) = (action.menu() for action in menu.actions() if action.menu() is not None)
    assert isinstance(inside, QMenu)
    assert (inside.title(), choices(inside)) == ("Compare with…", ["before", "Open a file…"])
    inside.actions()[0].trigger()
    assert window.document.baselines.of(after) == before
    asked = window.actions_.place_menu("baseline")
    assert choices(asked) == ["before", "Open a file…"]
    assert asked.actions()[0].isChecked()
    around = asked.parent()
    asked.aboutToHide.emit()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(around)


def test_an_open_profile_that_is_still_read_is_compared_as_soon_as_it_is_complete(qtbot: QtBot) -> None:
    window, (after,) = opened(qtbot, "after")
    before = window.document.add(ascend("before"), job=2, show=False)
    menu = baseline_menu(window)
    assert menu is not None
    menu.actions()[0].trigger()
    assert window.document.baselines.of(after) is None
    window.document.finish(before)
    assert window.document.baselines.of(after) == before


def test_compared_files_are_remembered_as_a_pair_that_opens_both(qtbot: QtBot, tmp_path: Path) -> None:
    window, _ = opened(qtbot)
    paths = [tmp_path / f"{name}.bin" for name in ("after", "before")]
    profiles = [replace(ascend(path.stem), origin=Origin("ascend-bin", (path,))) for path in paths]
    for path in paths:
        path.write_bytes(b"")
    after, before = (window.document.add(profile, job=1, show=False) for profile in profiles)
    for entry in (after, before):
        window.document.finish(entry)
    window.document.baselines.set(after, before)
    (pair,) = window.settings.value.recent_pairs
    assert (pair.after, pair.before) == ((str(paths[0]),), (str(paths[1]),))
    menu = QMenu(window)
    fill_recent_pairs(window, menu)
    assert choices(menu) == ["after.bin vs. before.bin (baseline)"]
    window.document.close(after)
    window.document.close(before)
    loader = loader_of(window)
    (button,) = (button for button in window.start.findChildren(QPushButton) if "vs." in button.text())
    button.click()
    assert loader.asked == [(paths[1],), (paths[0],)]
    again = [window.document.add(profile, job=2, show=False) for profile in reversed(profiles)]
    for entry in again:
        window.document.finish(entry)
    assert window.document.baselines.of(again[1]) == again[0]
    paths[1].unlink()
    menu.clear()
    fill_recent_pairs(window, menu)
    assert [(action.text(), action.isEnabled()) for action in menu.actions()] == [
        ("after.bin vs. before.bin (baseline)    (missing)", False)
    ]
    window.settings.update(recent_pairs=(FilePair((), ("/b",)), pair))
    assert window.recent_pairs.pairs == (pair,)
    run(window, "compare.clear_recent")
    assert window.settings.value.recent_pairs == ()


def test_what_is_ignored_in_names_is_a_setting(qtbot: QtBot) -> None:
    settings = SettingsFile()
    settings.update(compared_names="exact")
    window = make_window(settings)
    qtbot.addWidget(window)
    entries = [window.document.add(ascend(name), job=1, show=False) for name in "ab"]
    window.document.baselines.set(*entries)
    comparison = window.document.baselines.comparison
    assert comparison is not None
    assert comparison.names == "exact"
    run(window, "compare.names_numbers")
    again = window.document.baselines.comparison
    assert again is not None
    assert again.names == "numbers"
    assert settings.value.compared_names == "numbers"


def test_the_chip_elides_names_and_its_menu_has_everything(qtbot: QtBot, window: MainWindow) -> None:
    long = "a_very_long_name_of_a_run_" * 4
    entries = [window.document.add(ascend(name), job=1, show=False) for name in (long, "short")]
    for entry in entries:
        window.document.finish(entry)
    window.document.baselines.set(*entries)
    chip = window.chip
    qtbot.waitUntil(lambda: "short (baseline)" in chip.pair.text())
    assert chip.pair.width() <= window.width() // SHARE
    assert "…" in chip.pair.text()
    assert chip.pair.accessibleName() == f"{long} vs. short (baseline)"
    assert {chip.pair, chip.swap, chip.end} <= set(reading_order(window))  # by the Tab key
    assert [chip.swap.accessibleName(), chip.end.accessibleName()] == ["Swap baseline", "End comparison"]
    chip.menu.aboutToShow.emit()
    assert choices(chip.menu) == [
        "Compare with another baseline",
        "Recent comparisons",
        "Names in comparisons",
        "Clear manual pairs",
        "Swap baseline",
        "End comparison",
    ]
