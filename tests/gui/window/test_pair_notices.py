"""What the window says of a graph without its execution, of files that do not belong together, and where it lists
pairs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Loader
from app.widgets.display import Display
from app.window.file_notices import PairNotices
from app.window.main_window import MainWindow
from app.window.recent import listed
from app.window.settings import SettingsFile
from fakes.shell import PANELS
from generators import ascend_report, poplar
from generators.trees import write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=3, tiles_per_ipu=4, loops=1)


@pytest.fixture
def reading(qtbot: QtBot, looks: None) -> Iterator[MainWindow]:
    """A window that reads files."""
    document = Document()
    loader = Loader(document)
    window = MainWindow(SettingsFile(), lambda: PANELS)
    window.fill(loader, document, Display())
    qtbot.addWidget(window)
    window.resize(1000, 700)
    window.show()
    yield window
    loader.close()


def open_(qtbot: QtBot, window: MainWindow, notices: PairNotices, *paths: Path) -> None:
    with qtbot.waitSignal(window.loader.idle):
        window.open(paths)
    qtbot.waitUntil(lambda: not notices.partners.busy)


def recent(window: MainWindow) -> list[list[Path]]:
    settings = window.settings.value
    return [file.paths for file in listed(settings.recent, settings.recent_together)]


def test_the_other_file_is_offered_and_the_pair_is_one_recent_file(
    qtbot: QtBot, reading: MainWindow, tmp_path: Path
) -> None:
    graph, run = poplar.write_pair(tmp_path, SCALE)
    notices = PairNotices(reading)
    open_(qtbot, reading, notices, graph)
    assert "execution.json seems to be its execution profile" in reading.notices.text
    assert recent(reading) == [[graph]]
    with qtbot.waitSignal(reading.loader.idle):
        reading.notices.steps["Open with execution.json"].click()
    assert reading.notices.text == ""
    (entry,) = reading.document.entries
    assert entry.profile.steps is not None
    assert recent(reading) == [[graph, run]]

    reading.close_profile(entry.id)
    reading.show_start(True)
    (button,) = (
        b for b in reading.start.findChildren(QPushButton) if b.text().startswith("graph.json + execution.json")
    )
    with qtbot.waitSignal(reading.loader.idle):
        button.click()
    (entry,) = reading.document.entries
    assert entry.profile.origin.paths == (graph, run)
    assert recent(reading) == [[graph, run]]
    run.unlink()
    settings = reading.settings.value
    assert [file.exists for file in listed(settings.recent, settings.recent_together)] == [False]
    reading.recent_files.forget([graph])
    assert recent(reading) == [[run]]


def test_files_that_do_not_belong_together_are_told_and_listed_apart(
    qtbot: QtBot, reading: MainWindow, tmp_path: Path
) -> None:
    graph, run = poplar.write_pair(tmp_path, SCALE)
    write_json(run, poplar.execution(replace(SCALE, tiles_per_ipu=6)))
    notices = PairNotices(reading)
    open_(qtbot, reading, notices, run, graph)
    assert len(reading.document.entries) == 2
    (line,) = reading.notices.text.splitlines()
    assert (
        "graph.json and execution.json do not belong together: the execution has 6 tiles, but the graph has 4" in line
    )
    assert reading.notices.steps == {}
    assert recent(reading) == [[graph], [run]]
    reading.close_profile(reading.document.entries[0].id)
    assert reading.notices.text == line
    reading.close_profile(reading.document.entries[0].id)
    assert reading.notices.text == ""


def test_the_folder_around_single_files_of_a_report_is_offered_and_opened_once(
    qtbot: QtBot, reading: MainWindow, tmp_path: Path
) -> None:
    folder = ascend_report.write(tmp_path / "OPPROF_1", ascend_report.device_files())
    notices = PairNotices(reading)
    open_(qtbot, reading, notices, folder / "trace.json", folder / "Memory.csv")
    assert reading.notices.text.count(f"The folder {folder} contains more files of the same report") == 2
    with qtbot.waitSignal(reading.loader.idle):
        reading.notices.steps["Open folder"].click()
    assert reading.notices.text == ""
    *_, whole = reading.document.entries
    assert [len(entry.profile.origin.paths) for entry in reading.document.entries] == [1, 1, 4]
    assert reading.document.current is whole
    open_(qtbot, reading, notices, folder / "OpBasicInfo.csv")
    assert reading.notices.text == ""
