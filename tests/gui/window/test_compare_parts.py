"""Two parts of a profile are chosen in a dialog and shown as profiles of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.document.state_saver import StateSaver
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from app.profile.selection import Ranges, TimeRange
from app.window.commands import COMMANDS
from app.window.commands.compare import opener_of
from app.window.input_dialogs import PartsDialog
from app.window.main_window import MainWindow
from fakes.dialogs import dialog
from fakes.shell import FakeLoader, ascend, make_window
from generators import ascend_sample


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("operator") / "operator.bin"
    path.write_bytes(ascend_sample.operator())
    jobs, _ = plan([path])
    (profile,) = read(jobs[0].format, jobs[0].paths)
    return profile


def opened(qtbot: QtBot, profile: Profile) -> tuple[MainWindow, int]:
    window = make_window()
    qtbot.addWidget(window)
    window.show()
    entry = window.document.add(profile, job=1)
    window.document.finish(entry)
    return window, entry


def asked(qtbot: QtBot, window: MainWindow) -> PartsDialog:
    command = next(command for command in COMMANDS if command.id == "compare.parts")
    assert command.enabled(window)
    command.run(window)
    shown = dialog(qtbot, PartsDialog)
    qtbot.waitUntil(lambda: not opener_of(window).busy)
    return shown


def test_the_chosen_blocks_are_opened_and_compared(qtbot: QtBot, operator: Profile, tmp_path: Path) -> None:
    window, entry = opened(qtbot, operator)
    saver = StateSaver(window.document, tmp_path, window)
    shown = asked(qtbot, window)
    assert shown.kinds.currentText() == "Blocks"
    titles = [shown.kinds.itemText(place) for place in range(shown.kinds.count())]
    assert titles[:3] == ["Blocks", "Cores", "Sub-cores"]
    assert [shown.after.item(row).text().partition(" · ")[0] for row in range(2)] == ["block 0", "block 1"]
    assert shown.ok.isEnabled()
    shown.before.setCurrentRow(shown.after.currentRow())
    assert not shown.ok.isEnabled(), "a part is not compared with itself"
    shown.before.setCurrentRow(0)
    shown.after.setCurrentRow(1)
    QTest.mouseClick(shown.ok, Qt.MouseButton.LeftButton)
    document = window.document
    qtbot.waitUntil(lambda: document.baselines.comparison is not None)
    comparison = document.baselines.comparison
    assert comparison is not None
    assert [side.name for side in (comparison.before, comparison.after)] == [
        f"{operator.name}, block 0",
        f"{operator.name}, block 1",
    ]
    parts = [one for one in document.entries if one.is_part]
    assert [one.job for one in parts] == [1, 1], "they hold the columns of the load"
    assert all(one.done for one in parts)
    assert not next(command for command in COMMANDS if command.id == "file.reload").enabled(window)
    assert "part of an open profile" in window.tabs.tabToolTip(1)
    assert window.tabs.tabText(1) == f"{operator.name}, block 0", "without the family, so that the part is at the end"
    qtbot.waitUntil(lambda: not saver.busy)
    window.document.show(entry)
    again = asked(qtbot, window)
    again.before.setCurrentRow(0)
    again.after.setCurrentRow(1)
    again.accept()
    qtbot.waitUntil(lambda: not opener_of(window).busy)
    assert len(document.entries) == 3, "open parts are used again"
    document.close(parts[0].id)
    assert document.baselines.comparison is None


def test_the_range_is_compared_with_what_lies_before_it(qtbot: QtBot, operator: Profile) -> None:
    window, _ = opened(qtbot, operator)
    assert operator.timeline is not None
    end = float((operator.timeline.slices.start + operator.timeline.slices.duration).max())
    window.document.ranges.set(Ranges(time=TimeRange(end / 2, 0.75 * end)))
    shown = asked(qtbot, window)
    place = [shown.kinds.itemText(place) for place in range(shown.kinds.count())].index("Time ranges")
    shown.kinds.setCurrentIndex(place)
    names = [shown.after.item(row).text().partition(" · ")[0] for row in range(shown.after.count())]
    assert names == [
        "the selected range",
        "same length before it",
        "everything before it",
        "same length after it",
        "everything after it",
    ]
    assert (shown.before.currentRow(), shown.after.currentRow()) == (1, 0)
    shown.accept()
    qtbot.waitUntil(lambda: window.document.baselines.comparison is not None)
    profile = window.document.profile
    assert profile is not None
    assert profile.timeline is not None
    assert float((profile.timeline.slices.start + profile.timeline.slices.duration).max()) <= end / 4


def test_a_profile_without_parts_says_so(qtbot: QtBot) -> None:
    window, _ = opened(qtbot, ascend("only"))
    shown = asked(qtbot, window)
    assert shown.help.text().startswith("No parts")
    assert not shown.ok.isEnabled()
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert len(window.document.entries) == 1


def test_a_part_is_never_read_again(qtbot: QtBot, operator: Profile) -> None:
    window, entry = opened(qtbot, operator)
    shown = asked(qtbot, window)
    shown.accept()
    qtbot.waitUntil(lambda: window.document.baselines.comparison is not None)
    (one, other) = [part.id for part in window.document.entries if part.is_part]
    loader = window.loader
    assert isinstance(loader, FakeLoader)
    for part in (one, other):
        super(FakeLoader, loader).reload(part)
    assert not loader.jobs
    window.document.baselines.set(entry, one)
    assert window.document.states.view(entry, "baseline") is None, "a part is not remembered as a file"
