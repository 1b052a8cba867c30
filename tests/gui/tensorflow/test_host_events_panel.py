"""The host events panel: tables, what an event carries, opening, looking for and saving it."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import Loader
from app.formats.collect import read
from app.formats.source import Source
from app.formats.tensorflow_events import FORMAT
from app.panels.host_events import EMPTY, HostEventsPanel
from app.profile.profile import Origin, Profile
from app.profile.selection import Kind, Selection
from app.views.look import DARK
from app.widgets.context import Context
from app.widgets.display import Display
from fakes.dialogs import save_as
from generators import poplar, tensor_map
from generators import tensorflow_events as log
from generators.tensorflow_events import BEGAN, COMPILE_END, EXECUTE, Event
from generators.tfrecord import records
from generators.trees import plain

LEFT = Qt.MouseButton.LeftButton
SCALE = poplar.Scale(mode="COMPUTE_SETS", compute_sets=9)
MAP = tensor_map.tensor_map(tensor_map.network(2, machine=8))


def written(folder: Path, *steps: list[Event]) -> Profile:
    path = folder / "events.out.tfevents.1.host"
    path.write_bytes(log.log(steps))
    return read(FORMAT, [path])[0]


def real_reports(executions: int = 4) -> list[Event]:
    graph, run = (orjson.dumps(plain(tree)) for tree in (poplar.graph(SCALE), poplar.execution(SCALE)))
    return log.run(graph=graph, execution=run, executions=executions, every=2, tensor_map=MAP, ml_types={"dot": 2})


def shown(qtbot: QtBot, profile: Profile) -> tuple[HostEventsPanel, Document]:
    document, display = Document(), Display()
    document.finish(document.add(profile, job=1))
    panel = HostEventsPanel(Context(document, display))
    document.setParent(panel)
    display.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(900, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    panel._refresh.now()
    return panel, document


def select(document: Document, kind: Kind, index: int) -> None:
    document.selection.set(Selection(kind, (index,), "test"))


def click(button: QAbstractButton) -> None:
    assert button.isEnabled()
    assert not button.isHidden()
    QTest.mouseClick(button, LEFT)


def wanted(document: Document) -> list[tuple[Path, ...]]:
    asked: list[tuple[Path, ...]] = []
    document.open_wanted.connect(asked.append)
    return asked


def test_events_are_listed_and_chosen_by_type_and_module(qtbot: QtBot, tmp_path: Path) -> None:
    panel, document = shown(qtbot, written(tmp_path, log.run(), log.run("cluster_2", BEGAN + 9, executions=1)))
    assert panel.table.view.items.table.rows == 18
    panel.types.setCurrentIndex(panel.types.findText("EXECUTE", Qt.MatchFlag.MatchStartsWith))
    panel.types.activated.emit(panel.types.currentIndex())
    assert panel.table.view.items.table.rows == 4
    panel.modules.setCurrentIndex(panel.modules.findText("cluster_2", Qt.MatchFlag.MatchStartsWith))
    panel.modules.activated.emit(panel.modules.currentIndex())
    table = panel.table.view.items.table
    assert table.rows == 1
    panel.table.view.selectRow(0)
    assert document.selection.value == Selection("host_event", (table.key(0),), "host_events")
    assert document.selection.value.first == 16


def test_every_page_shows_its_table(qtbot: QtBot, tmp_path: Path) -> None:
    panel, _ = shown(qtbot, written(tmp_path, real_reports()))
    found = []
    for button in panel.pages.buttons():
        click(button)
        found.append(panel.table.view.items.table.id)
        assert panel.types.isHidden() == (button.text() != "Events")
    assert found == ["events", "event-reports", "modules", "transfers", "ml-types"]


def test_pages_that_a_log_does_not_fill_cannot_be_chosen(qtbot: QtBot, tmp_path: Path) -> None:
    panel, _ = shown(qtbot, written(tmp_path, [Event(EXECUTE)]))
    assert [button.isEnabled() for button in panel.pages.buttons()] == [True, False, True, False, False]


def test_an_event_tells_what_it_carries(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(tmp_path, real_reports())
    panel, document = shown(qtbot, profile)
    assert panel.parts.title.text == "Select an event to see its reports and data."
    select(document, "host_event", 1)
    assert panel.parts.title.text == "COMPILE_END · cluster_1 · after 2.50 s"
    lines = [row.text.text for row in panel.parts.rows if not row.isHidden()]
    assert [line.split(",")[0] for line in lines] == [
        "Compilation report: JSON",
        "Tensor map: JSON",
        "Instruction information: JSON",
    ]
    assert [not row.open.isHidden() for row in panel.parts.rows[:3]] == [True, True, False]
    assert all(row.look.isHidden() and not row.save.isHidden() for row in panel.parts.rows[:3])
    select(document, "host_event", 7)
    assert panel.parts.parts == []
    assert panel.parts.why.text().startswith("Not selected: one of 2 executions")
    assert panel.parts.together.isHidden()
    document.selection.clear()
    assert panel.parts.why.isHidden()


def test_a_slice_and_a_report_lead_to_their_event(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(tmp_path, real_reports())
    panel, document = shown(qtbot, profile)
    assert profile.timeline is not None
    compiled = int(profile.timeline.slices.duration.argmax())
    select(document, "slice", compiled)
    assert panel.parts.title.text.startswith("COMPILE_END")
    assert panel.table.view.selected_source_rows().tolist() == [0, 1]
    select(document, "report", 3)
    assert panel.parts.title.text.startswith("EXECUTE")
    select(document, "tile", 3)
    assert panel.parts.title.text.startswith("Select an event")


def test_a_report_opens_alone_or_with_what_belongs_to_it(qtbot: QtBot, tmp_path: Path) -> None:
    panel, document = shown(qtbot, written(tmp_path, real_reports()))
    asked = wanted(document)
    select(document, "host_event", 1)
    click(panel.parts.rows[0].open)
    click(panel.parts.together)
    names = ["cluster_1.compile_report.json", "cluster_1.execute_report.json", "cluster_1.tensor_map.json"]
    assert [[path.name for path in paths] for paths in asked] == [names[:1], names]
    assert "cluster_1.execute_report.json" in panel.parts.together.toolTip()


def test_it_is_read_as_a_profile_once_and_shown_the_second_time(qtbot: QtBot, tmp_path: Path) -> None:
    panel, document = shown(qtbot, written(tmp_path, real_reports()))
    loader = Loader(document)
    try:
        select(document, "host_event", 1)
        with qtbot.waitSignal(loader.idle):
            click(panel.parts.together)
        log_entry, entry = document.entries
        assert document.current == entry
        assert entry.profile.origin.format == "poplar"
        assert entry.profile.name == "cluster_1"
        assert {"programs", "execution", "tensor_map"} <= set(entry.profile.filled())
        with qtbot.waitSignal(loader.idle):
            loader.reload(entry.id)
        assert document.entries[1].done
        document.show(log_entry.id)
        select(document, "host_event", 1)
        panel._refresh.now()
        click(panel.parts.together)
        assert not loader.busy
        assert document.current == document.entries[1]
    finally:
        loader.close()


def test_a_path_is_only_followed_when_the_person_agrees(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = tmp_path / "away" / "m.compile_report.json"
    panel, document = shown(qtbot, written(tmp_path, [Event(COMPILE_END, report=str(away))]))
    asked = wanted(document)
    touched: list[Path] = []

    class Watched(Source):
        def __init__(self, path: Path) -> None:
            touched.append(path)
            super().__init__(path)

    monkeypatch.setattr("app.store.event_parts.Source", Watched)
    select(document, "host_event", 0)
    row = panel.parts.rows[0]
    assert row.text.text == f"Compilation report: in a file, {away}"
    assert row.open.isHidden()
    click(row.look)
    question = panel.parts.question.text()
    assert question.index(str(away)) < question.index(str(tmp_path / away.name))
    click(panel.parts.refuse)
    assert panel.parts.question.isHidden()
    assert touched == []
    click(row.look)
    click(panel.parts.agree)
    qtbot.waitUntil(lambda: not panel.busy)
    assert touched == [away, tmp_path / away.name]
    assert panel.parts.said.text().startswith("There is no such file: ")
    assert asked == []
    (tmp_path / away.name).write_text("{}")
    click(row.look)
    click(panel.parts.agree)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [(tmp_path / away.name,)]


def test_a_part_is_saved_where_the_person_says(qtbot: QtBot, tmp_path: Path) -> None:
    panel, document = shown(qtbot, written(tmp_path, [Event(COMPILE_END, module="a/b", report='{"target": {}}')]))
    select(document, "host_event", 0)
    target = tmp_path / "saved.json"
    click(panel.parts.rows[0].save)
    assert save_as(qtbot, target) == "a_b.compile_report.json"
    qtbot.waitUntil(lambda: not panel.busy)
    assert target.read_text() == '{"target": {}}'
    assert panel.parts.said.text() == f"Saved {target}"
    click(panel.parts.rows[0].save)
    save_as(qtbot, tmp_path / "no" / "folder.json")
    qtbot.waitUntil(lambda: not panel.busy)
    assert "No such file" in panel.parts.said.text()
    panel.parts.display.set(theme=DARK)
    assert panel.parts.said.palette().windowText().color().name().upper() == DARK.error


def test_a_log_without_ipu_events_says_how_they_are_written(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "events.out.tfevents.1.host"
    path.write_bytes(records([log.version()]))
    panel, _ = shown(qtbot, read(FORMAT, [path])[0])
    assert panel.stack.is_empty
    assert panel.stack.empty.text == EMPTY


def test_rows_are_chosen_after_another_profile_was_shown_meanwhile(qtbot: QtBot, tmp_path: Path) -> None:
    panel, document = shown(qtbot, written(tmp_path, real_reports(2)))
    own = document.current_id
    panel.hide()
    other = document.add(Profile(name="other", origin=Origin("popef", ())), job=2)
    document.finish(other)
    assert own is not None
    document.show(own)
    panel.show()
    panel._refresh.now()
    panel.table.view.selectRow(1)
    assert document.selection.value == Selection("host_event", (1,), "host_events")
