"""File blocks: to look into, and to save."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.formats.ascend_bin import FORMAT
from app.formats.ascend_report import FORMAT as REPORT
from app.formats.collect import read
from app.formats.registry import plan
from app.panels.raw_blocks import MOST, RawBlocksPanel
from app.profile.profile import Profile
from app.widgets.context import Context
from fakes.dialogs import answer, cancel, save_as
from fakes.panels import Opened
from generators.ascend_bin import block
from generators.ascend_report import device_files, pack_of, write

BASE = b'{"name":"x","op_type":"cube"}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "visualize_data.bin"
    parts = [block(0x05, BASE), block(0x77, bytes(range(200))), block(0x01, b"a" * (MOST + 9), path="/src/a.cpp")]
    path.write_bytes(b"".join(parts))
    return path


@pytest.fixture
def profile(file: Path) -> Profile:
    (found,) = read(FORMAT, [file])
    return found


def choose(qtbot: QtBot, panel: RawBlocksPanel, row: int) -> None:
    panel.table.view.selectRow(row)
    qtbot.waitUntil(lambda: not panel.busy)


def test_a_block_shows_how_it_begins(qtbot: QtBot, opened: Opened, profile: Profile) -> None:
    panel = opened(RawBlocksPanel, profile)
    assert panel.save.isEnabled()  # the first block is shown until one is selected
    qtbot.waitUntil(lambda: not panel.busy)
    assert panel.text.toPlainText().splitlines()[1] == '  "name": "x",'
    assert panel.title.text == f"0x05 base information: {len(BASE)} B at byte 12"
    choose(qtbot, panel, 1)
    assert panel.text.toPlainText().startswith("00000000  00 01 02")
    choose(qtbot, panel, 2)
    assert len(panel.text.toPlainText()) == MOST
    assert panel.title.text.endswith("the first 64.0 KiB")
    assert "1 of 3 blocks have an unknown type" in panel.table.note.text()


def test_blocks_are_saved_one_file_each(
    qtbot: QtBot, opened: Opened, profile: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(RawBlocksPanel, profile)
    choose(qtbot, panel, 1)
    panel.save.click()
    assert save_as(qtbot, tmp_path / "mine.bin") == "block-2-0x77-unknown.bin"
    qtbot.waitUntil(lambda: not panel.busy)
    assert (tmp_path / "mine.bin").read_bytes() == bytes(range(200))
    assert panel.title.text == f"Saved {tmp_path / 'mine.bin'}"
    folder = tmp_path / "all"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    panel.table.view.selectAll()
    panel.save.click()
    qtbot.waitUntil(lambda: panel.title.text == f"Saved 3 blocks in {folder}")
    assert sorted(path.name for path in folder.iterdir()) == [
        "block-1-0x05-base-information.json",
        "block-2-0x77-unknown.bin",
        "block-3-a.cpp",
    ]
    assert (folder / "block-1-0x05-base-information.json").read_bytes() == BASE
    (folder / "block-3-a.cpp").write_bytes(b"mine")
    (folder / "block-1-0x05-base-information.json").unlink()
    panel.save.click()
    assert answer(qtbot, "Cancel") == f"2 of these files already exist in {folder}. Do you want to replace it?"
    assert (folder / "block-3-a.cpp").read_bytes() == b"mine"
    panel.save.click()
    answer(qtbot, "Replace")
    qtbot.waitUntil(lambda: (folder / "block-1-0x05-base-information.json").exists() and not panel.busy)
    assert (folder / "block-3-a.cpp").read_bytes() != b"mine"


def test_a_lost_file_says_so(qtbot: QtBot, opened: Opened, profile: Profile, file: Path, tmp_path: Path) -> None:
    panel = opened(RawBlocksPanel, profile)
    file.unlink()
    choose(qtbot, panel, 0)
    assert "cannot be read" in panel.shown.empty.text
    panel.saver.save(panel._chosen(), [tmp_path / "out"])
    qtbot.waitUntil(lambda: not panel.busy)
    assert panel.title.text.startswith("The block could not be saved")


def test_a_row_without_content_has_no_title(
    qtbot: QtBot, opened: Opened, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = opened(RawBlocksPanel, profile)
    choose(qtbot, panel, 1)
    assert panel.title.text
    monkeypatch.setattr("app.panels.raw_blocks.stored_part", lambda *_: None)  # as of a row of the baseline
    choose(qtbot, panel, 0)
    assert (panel.shown.is_empty, panel.title.text, panel.save.isEnabled()) == (True, "", False)


def test_nothing_is_asked_when_the_person_changes_their_mind(qtbot: QtBot, opened: Opened, profile: Profile) -> None:
    panel = opened(RawBlocksPanel, profile)
    choose(qtbot, panel, 0)
    panel.save.click()
    cancel(qtbot)
    assert not panel.busy
    panel.saver.ask([])
    assert not panel.busy


def test_closing_empties_it(opened: Opened, context: Context, profile: Profile) -> None:
    panel = opened(RawBlocksPanel, profile)
    entry = context.document.current
    assert entry is not None
    context.document.close(entry.id)
    panel._refresh.now()
    assert panel.stack.is_empty


@pytest.fixture(params=["folder", "pack"])
def report(request: pytest.FixtureRequest, tmp_path: Path) -> Profile:
    files = {"visualize_data.bin": block(0x05, BASE) + block(0x77, bytes(9)), **device_files()}
    path = tmp_path / "report.rep"
    if request.param == "pack":
        path.write_bytes(pack_of(files))
    else:
        path = write(tmp_path / "OPPROF_1", files)
    ((job,), _) = plan([path])
    (profile,) = read(job.format, job.paths)
    return profile


def test_files_of_a_report_and_the_blocks_of_its_operator_file(
    qtbot: QtBot, opened: Opened, report: Profile, tmp_path: Path
) -> None:
    panel = opened(RawBlocksPanel, report)
    assert [panel.parts.itemText(place) for place in range(2)] == [
        "Files of the report",
        "Blocks of visualize_data.bin",
    ]
    assert not panel.parts.isHidden()
    choose(qtbot, panel, 1)
    assert panel.title.text.startswith("Memory.csv (table (CSV)): 254 B at byte ")
    assert panel.text.toPlainText().startswith("block_id,sub_block_id,")
    panel.save.click()
    assert save_as(qtbot, tmp_path / "mine.csv") == "Memory.csv"
    qtbot.waitUntil(lambda: not panel.busy)
    assert (tmp_path / "mine.csv").read_bytes() == device_files()["Memory.csv"]
    panel.parts.setCurrentIndex(1)
    choose(qtbot, panel, 1)
    assert panel.title.text.startswith("0x77 unknown: 9 B")
    panel.save.click()
    assert save_as(qtbot, tmp_path / "inside.bin") == "block-2-0x77-unknown.bin"
    qtbot.waitUntil(lambda: not panel.busy)
    assert (tmp_path / "inside.bin").read_bytes() == bytes(9)


def test_a_database_in_a_pack_is_shown_as_bytes(qtbot: QtBot, opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "report.npu-rep"
    path.write_bytes(pack_of({**device_files(), "events.db": b"SQLite format 3\0" + bytes(80)}, "160"))
    (profile,) = read(REPORT, [path])
    panel = opened(RawBlocksPanel, profile)
    assert panel.parts.isHidden()
    assert "The layout of npu-rep was not verified" in panel.table.note.text()
    choose(qtbot, panel, 4)
    assert panel.title.text.startswith("events.db (database (SQLite)): 96 B at byte ")
    assert panel.text.toPlainText().startswith("00000000  53 51 4c 69 74 65")
