"""Anchors by group and model, the shape of the selected one, and the tensors beside them."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.analysis.table import Table
from app.analysis.tables.popef import anchors
from app.panels.anchors import panel as panel_module
from app.panels.anchors.panel import AnchorsPanel
from app.panels.tensors import TensorsPanel
from app.profile.arrays import Bool
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.context import Context
from fakes.popef_files import context_of, select, written
from generators import popef, popef_network


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_of(written(tmp_path / "model.popef", *popef_network.blobs()))


def shown(qtbot: QtBot, context: Context) -> AnchorsPanel:
    panel = AnchorsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(600, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def names(panel: AnchorsPanel) -> list[object]:
    table = panel.table.shown_table()
    assert table is not None
    column = next(column for column in table.columns if column.key == "name")
    return [column.value(row) for row in range(table.rows)]


def offered(panel: AnchorsPanel) -> list[str]:
    return [button.text() for button in panel.choice._buttons.buttons() if not button.isHidden()]


def click(panel: AnchorsPanel, text: str) -> None:
    button = next(button for button in panel.choice._buttons.buttons() if button.text() == text)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_groups_are_counted_and_chosen(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    assert offered(panel) == ["All 33", "In, user 1", "In, PopEF 30", "Out, user 2"]
    assert len(names(panel)) == 33
    click(panel, "Out, user 2")
    assert names(panel) == ["probabilities", "histogram"]
    click(panel, "All 33")
    assert len(names(panel)) == 33


def test_a_chosen_group_still_selects_the_right_anchors(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    click(panel, "Out, user 2")
    panel.table.view.selectRow(0)
    selected = context.document.selection.value
    assert selected is not None
    assert (selected.kind, selected.source) == ("anchor", "anchors")
    profile = context.document.profile
    assert profile is not None
    assert profile.model is not None
    assert profile.model.strings.get(int(profile.model.anchors.name[selected.first])) == "probabilities"
    assert "probabilities" in panel.details.title.text()


def test_the_shape_is_explained_and_the_elements_counted(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    assert panel.details.isHidden()
    select(context, "anchor", 0)
    assert panel.details.isVisible()
    assert panel.details.shape.text().index("replicas") < panel.details.shape.text().index("micro-batch")
    assert (
        "8 device iterations × 2 replicas × 4 micro-batch = 64 (set in the metadata)" in panel.details.inference.text()
    )
    panel.details.accumulation.setValue(16)
    assert panel.details.before.text() == "Training: 64 ×"
    assert panel.details.behind.text() == "gradient accumulation = 1,024"


def test_a_tensor_shows_its_anchor_and_a_weight_is_not_fed(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    select(context, "tensor", 2)
    assert "stage2/block0/bn1/scale_offset" in panel.details.title.text()
    assert "loaded once" in panel.details.inference.text()
    assert panel.details.accumulation.isHidden()
    select(context, "blob", 1)  # the executable of all of them: none is meant
    assert panel.details.isHidden()
    select(context, "blob", 3)
    assert "conv1/weights" in panel.details.title.text()


def test_outputs_have_a_shape_but_no_elements(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    select(context, "anchor", 31)
    assert "probabilities" in panel.details.title.text()
    assert panel.details.inference.isHidden()


@pytest.mark.parametrize(
    ("anchor", "model", "text"),
    [
        (popef.Anchor("a", shape=()), {}, "no dimensions"),
        (popef.Anchor("a", shape=(5,), per_replica=True), {"replication": 2}, "does not start with 2 replicas"),
        (popef.Anchor("<i>a", shape=(5,)), {}, "<b>5</b>"),
        (popef.Anchor("a", shape=(1,) * 99), {}, "…"),
    ],
)
def test_shapes_of_all_kinds(
    qtbot: QtBot, tmp_path: Path, anchor: popef.Anchor, model: dict[str, int], text: str
) -> None:
    blob = popef.metadata(popef.Model(anchors=[anchor], **model))  # type: ignore[arg-type]
    context = context_of(written(tmp_path / "a.popef", blob))
    panel = shown(qtbot, context)
    select(context, "anchor", 0)
    assert text in panel.details.shape.text()
    assert "<i>" not in panel.details.title.text()


def test_iterations_that_are_not_said(qtbot: QtBot, tmp_path: Path) -> None:
    blob = popef.metadata(popef.Model(anchors=[popef.Anchor("a")], iterations=0))
    context = context_of(written(tmp_path / "a.popef", blob))
    panel = shown(qtbot, context)
    select(context, "anchor", 0)
    assert "do not state the device iterations" in panel.details.inference.text()
    assert panel.details.accumulation.isHidden()


def test_several_models_are_told_apart(qtbot: QtBot, tmp_path: Path) -> None:
    models = [popef.metadata(popef.Model(name, (popef.Anchor(f"of {name}"),))) for name in ("A", "B")]
    panel = shown(qtbot, context_of(written(tmp_path / "two.popef", *models)))
    assert [panel.choice.models.itemText(row) for row in range(3)] == ["All models", "1: A", "2: B"]
    panel.choice.models.setCurrentIndex(2)
    panel.choice.models.activated.emit(2)
    assert names(panel) == ["of B"]


def test_files_without_anchors_say_why(qtbot: QtBot, tmp_path: Path) -> None:
    panel = shown(qtbot, context_of(written(tmp_path / "v.popef", popef.tensor("t", (2,), 3))))
    assert panel.stack.is_empty
    assert "no metadata" in panel.stack.empty.text
    panel = shown(qtbot, context_of(written(tmp_path / "m.popef", popef.metadata(popef.Model()))))
    assert panel.stack.empty.text == "The metadata name no anchors."


def test_tensors_and_feeds_stand_in_one_table(qtbot: QtBot, context: Context) -> None:
    panel = TensorsPanel(context)
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    table = panel.table.shown_table()
    assert table is not None
    assert [column.key for column in table.columns[:5]] == ["kind", "name", "type", "shape", "count"]
    assert [table.columns[0].value(row) for row in (0, table.rows - 1)] == ["tensor", "feed"]
    panel.table.view.selectRow(table.rows - 1)
    assert context.document.selection.value == Selection("tensor", (table.rows - 1,), "tensors")
    select(context, "anchor", 1)
    assert panel.table.selected_rows().tolist() == [0]


def test_a_model_without_data_says_so(qtbot: QtBot, tmp_path: Path) -> None:
    panel = TensorsPanel(context_of(written(tmp_path / "m.popef", popef.metadata(popef.Model()))))
    qtbot.addWidget(panel)
    with qtbot.waitExposed(panel):
        panel.show()
    assert panel.table.stack.is_empty
    assert "contains no tensors or feeds" in panel.table.stack.empty.text


def test_very_many_anchors_are_listed_in_the_background(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []

    def watched(profile: Profile, within: Bool | None) -> Table | None:
        threads.append(threading.current_thread().name)
        return anchors(profile, within)

    monkeypatch.setattr(panel_module, "anchors", watched)
    panel = shown(qtbot, context_of(written(tmp_path / "many.popef", *popef.many_anchor_blobs(panel_module.SMALL + 1))))
    qtbot.waitUntil(lambda: panel.table.shown_table() is not None and not panel.stack.is_empty)
    assert len(names(panel)) == panel_module.SMALL + 1
    assert threads == ["background"]
