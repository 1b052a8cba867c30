"""The text of a source that a profile only names: asked for, then shown beside its figures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from app.formats.ascend_report import FORMAT
from app.formats.collect import read
from app.panels.source.panel import NO_INSTRUCTIONS_IN_REPORT, SourcePanel
from app.profile.profile import Profile
from app.widgets.context import Context
from fakes.dialogs import answer, cancel, save_as
from fakes.panels import Opened
from generators.ascend_report import write

TEXT = "".join(f"line {number}\n" for number in range(1, 14))


@pytest.fixture
def profile(tmp_path: Path) -> Profile:
    """A core whose lines 12 and 14 of a source have figures."""
    source = tmp_path / "src" / "add_custom.cpp"
    table = f"code,call_count,cycles,running_time(us)\n{source}:12,3,90,0.05\n{source}:14,4,89,0.04\n"
    folder = write(tmp_path / "OPPROF_1", {"core0.veccore0/core0.veccore0_code_exe.csv": table.encode()})
    (profile,) = read(FORMAT, sorted(folder.rglob("*.csv")))
    return profile


def lines(panel: SourcePanel) -> list[object]:
    table = panel.left.shown_table()
    assert table is not None
    place = [column.key for column in table.columns].index("text")
    return [table.columns[place].value(row) for row in range(table.rows)]


def test_a_source_is_opened_when_asked_for(qtbot: QtBot, opened: Opened, profile: Profile, tmp_path: Path) -> None:
    source = tmp_path / "src" / "add_custom.cpp"
    panel = opened(SourcePanel, profile)
    assert panel.open.isVisible()
    assert "Open source file…" in panel.left.note.text()
    assert panel.sides[1].empty.text == NO_INSTRUCTIONS_IN_REPORT
    assert lines(panel) == [None, None]
    panel.open.click()
    assert answer(qtbot, "Open") == f"Open the source file {source}?"
    assert "no such file" in answer(qtbot, "Cancel")
    source.parent.mkdir()
    source.write_text(TEXT)
    assert lines(panel) == [None, None]  # never followed unasked
    panel.open.click()
    answer(qtbot, "Open")
    qtbot.waitUntil(lambda: lines(panel)[0] == "line 1")
    assert lines(panel)[11:] == ["line 12", "line 13", None]
    assert "1 line with figures is beyond its 13 lines" in panel.left.note.text()


def test_another_place_is_remembered_for_the_folder(
    qtbot: QtBot, opened: Opened, context: Context, profile: Profile, tmp_path: Path
) -> None:
    here = tmp_path / "mine" / "add_custom.cpp"
    here.parent.mkdir()
    here.write_text(TEXT + "line 14\n")
    panel = opened(SourcePanel, profile)
    panel.open.click()
    cancel(qtbot, QMessageBox)
    panel.open.click()
    answer(qtbot, "Choose file…")
    save_as(qtbot, here)
    qtbot.waitUntil(lambda: lines(panel)[0] == "line 1")
    assert panel.left.note.text().startswith(f"Current text of {here}")
    assert context.document.source_files.folders == {str(tmp_path / "src"): str(here.parent)}
    panel.open.click()
    assert answer(qtbot, "Cancel") == f"Open the source file {here}?"
