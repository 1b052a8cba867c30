"""Colours by an argument in the timeline panel: the list of arguments, what is restored, and a baseline."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.analysis.view_links.view_link import ViewState
from app.document.document import Document
from app.document.entry import Entry
from app.document.loaded_files import LoadedFiles
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.panels.timeline.arguments import ArgumentDialog
from app.panels.timeline.panel import TimelinePanel
from app.widgets.context import Context
from app.widgets.display import Display


class Desk:
    """A timeline panel that shows traces of files, whose slices have these values of "Task Type" (and "Stream Id")."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.folder, self.qtbot = folder, qtbot
        self.document = Document()
        files = self.files = LoadedFiles()
        self.document.records = files.records
        self.panel = TimelinePanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(1400, 420)
        self.panel.show()

    def open(self, name: str, *values: str) -> Entry:
        events = [
            {"ph": "X", "pid": 1, "tid": 1, "ts": 10 * place, "dur": 5, "name": f"op{place}"}
            | ({"args": {"Task Type": value, "Stream Id": place}} if value else {})
            for place, value in enumerate(values)
        ]
        path = self.folder / name
        path.write_text(json.dumps(events))
        entry = self.document.add(read(FORMAT, [path])[0], 1)
        self.document.finish(entry)
        self.settle()
        found = self.document.entry(entry)
        assert found is not None
        return found

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: self.panel.canvas.shown is not None and not self.panel.canvas.preparation.active)
        self.panel._refresh.now()

    @property
    def labels(self) -> tuple[str, ...]:
        return self.panel.line.legend.labels

    def ask(self) -> ArgumentDialog:
        """The list of arguments, when it is there."""
        self.panel.canvas.set_colour_by("argument")
        dialog = self.panel.canvas.findChildren(ArgumentDialog)[-1]
        self.qtbot.waitUntil(lambda: dialog.about.text().endswith("arguments"))
        return dialog


def rows(dialog: ArgumentDialog) -> list[str]:
    items = [dialog.list.item(row) for row in range(dialog.list.count())]
    return [item.text() for item in items if not item.isHidden()]


def test_an_argument_is_searched_chosen_and_shown(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(qtbot, tmp_path)
    desk.open("a.json", "AI_CORE", "MIX", "AI_CORE", "")
    dialog = desk.ask()
    assert rows(dialog) == ["Stream Id · 3 slices", "Task Type · 3 slices"]
    dialog.field.setText("nothing")
    assert rows(dialog) == []
    assert not dialog.ok.isEnabled()
    dialog.field.setText("task")
    assert rows(dialog) == ["Task Type · 3 slices"]
    QTest.keyClick(dialog.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: desk.panel.bar.colour.text() == "Colour: Task Type ▾")
    assert desk.labels == ("AI_CORE", "MIX", "no value")
    assert desk.panel.canvas.colour_by == "argument"
    again = desk.ask()
    assert again.list.currentItem().text() == "Task Type · 3 slices"
    again.reject()
    assert desk.labels == ("AI_CORE", "MIX", "no value")
    desk.panel.canvas.set_colour_by("name")
    assert desk.panel.bar.colour.text() == "Colour: name ▾"


def test_a_file_that_is_gone_says_so_and_a_file_without_arguments_too(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(qtbot, tmp_path)
    desk.open("a.json", "", "")
    desk.panel.canvas.set_colour_by("argument")
    dialog = desk.panel.canvas.findChildren(ArgumentDialog)[-1]
    qtbot.waitUntil(lambda: dialog.about.text() == "The slices of this file have no arguments.")
    assert not dialog.ok.isEnabled()
    dialog.reject()
    (tmp_path / "a.json").unlink()
    desk.panel.canvas.set_colour_by("argument")
    other = desk.panel.canvas.findChildren(ArgumentDialog)[-1]
    qtbot.waitUntil(lambda: not other._background.busy)
    assert other.about.text().startswith("a.json cannot be read again: ")


def test_colours_are_restored_and_a_baseline_has_them(qtbot: QtBot, tmp_path: Path) -> None:
    desk = Desk(qtbot, tmp_path)
    before = desk.open("a.json", "AI_CORE", "OLD")
    after = desk.open("b.json", "MIX", "AI_CORE")
    saved: ViewState = {"colour_by": "argument", "colour_argument": "Task Type", "colours": ["MIX"]}
    desk.panel.canvas.restore_view(saved)
    qtbot.waitUntil(lambda: desk.labels == ("AI_CORE", "MIX"))
    assert [chip.text() for chip in desk.panel.chips.chips] == ["Only colour “MIX”  ✕"]
    assert desk.panel.canvas.view_state() == saved
    desk.panel.canvas.filtering.show_colours()
    desk.document.baselines.set(after.id, before.id)
    desk.settle()
    below = desk.panel.comparing.below
    assert below is not None
    qtbot.waitUntil(lambda: below.contents.colours.labels[2:] == ("AI_CORE", "OLD"))
    desk.panel.canvas.set_colour_by("name")
    assert below.contents.colours.by == "name"
    qtbot.waitUntil(lambda: not desk.panel.comparing.matching.busy)
