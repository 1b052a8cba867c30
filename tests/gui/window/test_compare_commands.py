"""Comparing from the menu: another open profile or a file, swapping, ending, and the chip that says so."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.profile.profile import Origin
from app.window.commands import COMMANDS
from app.window.commands.compare import baseline_menu
from app.window.main_window import MainWindow
from fakes.shell import ascend, make_window


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
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_an_open_profile_is_chosen_swapped_and_ended(qtbot: QtBot) -> None:
    window, (after, before) = opened(qtbot, "after", "be&fore")
    assert not enabled(window, "compare.swap")
    menu = baseline_menu(window)
    assert choices(menu) == ["be&&fore", "Open a file…"]
    assert menu is not None
    menu.actions()[0].trigger()
    chip = window.footer.chips.baseline
    assert window.document.baselines.of(after) == before
    assert chip.text() == "after vs. be&&fore (baseline)  ✕"
    assert chip.isVisibleTo(window.footer)
    run(window, "compare.swap")
    assert (window.document.current_id, window.document.baselines.of(before)) == (before, after)
    chip.click()
    assert window.document.baselines.of(before) is None
    assert not chip.isVisibleTo(window.footer)
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
