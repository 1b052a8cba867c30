"""Two PopEF files: what differs is shown in each panel, a file against itself differs nowhere, and ending restores."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.analysis.popef.flow import compared_flow, flow
from app.analysis.popef.values import difference, first_slice
from app.panels.anchors.panel import AnchorsPanel
from app.panels.blobs.panel import BlobsPanel
from app.panels.content.image import FIRST, LAST, ZERO, picture
from app.panels.content.panel import ContentPanel
from app.panels.content.tensor_bar import AFTER, BEFORE, BYTES, DIFFERENCE
from app.panels.model.panel import ModelPanel
from app.panels.tensors import TensorsPanel
from app.profile.profile import Profile
from app.store.payload import Values
from app.widgets.context import Context
from app.widgets.sheet import Sheet
from app.widgets.table.widget import TableWidget
from fakes.compared_panels import caught_up, cells, end_comparison
from fakes.popef_files import context_of, select, written
from generators import popef

F32, S32 = 3, 9


def floats(*values: float) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def model(*, slow: bool) -> popef.Model:
    """The second has another option, another main program and a larger input."""
    anchors = (popef.Anchor("image", shape=(4, 3) if slow else (2, 3)), popef.Anchor("label", popef.OUTPUT, (2,)))
    flow_ = ((0,), (1, 2) if slow else (1,), (3,))
    named = ((0, "load"), (1, "run"), (2, "sync"), (3, "save"))
    return popef.Model(
        "net", anchors, engine=(("tiles", "32" if slow else "16"), ("o", "1")), flow=flow_, programs=named
    )


def blobs(*, after: bool) -> list[bytes]:
    weights = (1, 2.5, 3, 4) if after else (1, 2, 3, 6)
    made = [
        popef.metadata(model(slow=after)),
        popef.executable("net", b"compiled " + (b"again" if after else b"first")),
        popef.tensor("bias", (2,), F32, floats(0.5, 0.5)),
        popef.tensor("weights", (2, 2), F32, floats(*weights)),
        popef.tensor("counts", (3,), F32 if after else S32),
    ]
    return [*made, popef.tensor("new", (1,), F32)] if after else made


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Profile, Profile]:
    before = written(tmp_path / "before.popef", *blobs(after=False))
    return before, written(tmp_path / "after.popef", *blobs(after=True))


def shown(qtbot: QtBot, kind: Callable[[Context], Any], after: Profile, before: Profile) -> tuple[Any, Context]:
    """The panel, which compares."""
    context = context_of(after)
    panel = kind(context)
    qtbot.addWidget(panel)
    panel.resize(800, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    document = context.document
    assert document.current_id is not None
    document.baselines.set(document.current_id, document.add(before, 2, show=False))
    caught_up(panel)
    return panel, context


def compares(qtbot: QtBot, table: TableWidget) -> None:
    qtbot.waitUntil(
        lambda: table.view.items.table.columns[:1] != () and table.view.items.table.columns[0].key == "status"
    )


def test_shapes_types_and_values_of_tensors(qtbot: QtBot, sides: tuple[Profile, Profile]) -> None:
    panel, context = shown(qtbot, TensorsPanel, sides[1], sides[0])
    compares(qtbot, panel.table)
    assert set(cells(panel.table, "status", "name")) == {("in both", "counts"), ("only in the comparison", "new")}
    qtbot.waitUntil(lambda: not panel.contents.busy)
    rows = cells(panel.contents.table, "name", "content", "different", "largest", "mean")
    assert rows == [
        ("counts · F32 · [3]", "different: the types are different", None, None, None),
        ("weights · F32 · [2, 2]", "different", 2.0, 2.0, 0.625),
        ("bias · F32 · [2]", "the same", 0.0, 0.0, 0.0),
    ]
    assert panel.contents.state.text() == "2 of 3 contents differ."
    panel.compared.choice.button(1).click()
    assert panel.tabular() is panel.contents.table
    panel.contents.table.view.selectRow(1)
    selection = context.document.selection.value
    assert selection is not None
    assert (selection.kind, selection.indices) == ("tensor", (1,))
    end_comparison(context.document, panel)
    assert [name for (name,) in cells(panel.table, "name")] == ["bias", "weights", "counts", "new"]
    assert panel.tabular() is panel.table


def test_a_file_against_itself_differs_nowhere(qtbot: QtBot, tmp_path: Path) -> None:
    one, other = (written(tmp_path / name, *blobs(after=True)) for name in ("a.popef", "b.popef"))
    panel, _ = shown(qtbot, TensorsPanel, one, other)
    compares(qtbot, panel.table)
    assert not panel.table.view.items.table.rows
    qtbot.waitUntil(lambda: not panel.contents.busy)
    assert {text for (text,) in cells(panel.contents.table, "content")} == {"the same"}
    assert panel.contents.state.text() == "0 of 4 contents differ."
    strip, _ = shown(qtbot, BlobsPanel, one, other)
    compares(qtbot, strip.table)
    assert not strip.table.view.items.table.rows
    qtbot.waitUntil(lambda: not strip.contents.busy)
    assert cells(strip.contents.table, "kind", "content") == [("executable", "the same")]


def test_blobs_of_both_files_and_executables_by_content(qtbot: QtBot, sides: tuple[Profile, Profile]) -> None:
    panel, context = shown(qtbot, BlobsPanel, sides[1], sides[0])
    compares(qtbot, panel.table)
    assert ("only in the comparison", "new") in cells(panel.table, "status", "name")
    assert panel.before_strip.isVisible()
    assert panel.before_name.text().startswith("Baseline: ")
    qtbot.waitUntil(lambda: not panel.contents.busy)
    assert cells(panel.contents.table, "kind", "name", "content") == [("executable", "net", "different")]
    end_comparison(context.document, panel)
    assert not panel.before_strip.isVisible()
    assert len(cells(panel.table, "name")) == 6


def test_anchors_of_another_shape(qtbot: QtBot, sides: tuple[Profile, Profile]) -> None:
    panel, context = shown(qtbot, AnchorsPanel, sides[1], sides[0])
    compares(qtbot, panel.table)
    assert cells(panel.table, "status", "name", "size_difference") == [("in both", "image", 24)]
    select(context, "anchor", 0)
    assert panel.details.compared.text() == "Baseline: F32 [2, 3]"
    select(context, "anchor", 1)
    assert panel.details.compared.text() == "The baseline has the same type and shape."
    end_comparison(context.document, panel)
    assert [name for (name,) in cells(panel.table, "name")] == ["image", "label"]
    assert not panel.details.compared.isVisible()


def test_options_flow_and_data_of_a_model(qtbot: QtBot, sides: tuple[Profile, Profile]) -> None:
    panel, context = shown(qtbot, ModelPanel, sides[1], sides[0])
    panel.choice.button(2).click()
    compares(qtbot, panel.options)
    assert cells(panel.options, "name", "value_before", "value_after") == [("tiles", "16", "32")]
    main = panel.flow.rows[1]
    assert [(step.name, step.change) for step in main.steps] == [("run", ""), ("sync", "added")]
    page = panel.facts.widget()
    assert isinstance(page, Sheet)
    assert "Tensors only in the comparison: new" in page.text
    assert sides[0].model is not None
    assert sides[1].model is not None
    back = compared_flow(flow(sides[1].model, 0), flow(sides[0].model, 0))
    assert [(step.title, step.change) for step in back[1].steps] == [("1 run", ""), ("− 2 sync", "removed")]
    end_comparison(context.document, panel)
    assert [step.change for step in panel.flow.rows[1].steps] == ["", ""]
    page = panel.facts.widget()
    assert isinstance(page, Sheet)
    assert "baseline" not in page.text


def settled(qtbot: QtBot, panel: ContentPanel) -> None:
    caught_up(panel)
    qtbot.waitUntil(lambda: not panel.busy)


def values(panel: ContentPanel) -> list[list[str]]:
    items = panel.tensor.values.items
    return [[items.text(row, column) for column in range(items.columnCount())] for row in range(items.rowCount())]


def test_values_before_after_and_their_difference(qtbot: QtBot, sides: tuple[Profile, Profile]) -> None:
    panel, context = shown(qtbot, ContentPanel, sides[1], sides[0])
    select(context, "tensor", 1)
    settled(qtbot, panel)
    bar = panel.tensor.bar
    assert bar.side == DIFFERENCE
    assert values(panel) == [["0.00000", "+0.50000"], ["0.00000", "−2.00000"]]
    assert bar.compared.text() == "2 (50.0 %) of 4 values differ · largest difference 2 · mean difference 0.625"
    items = panel.tensor.values.items
    assert "2.0 before, 2.5 after, difference +0.50000" in items._tip(items.values, 0, 1)
    table = panel.tensor.values.shown_table()
    assert table is not None
    assert table.title == "Differences [0:2, 0:2]"
    assert panel.tensor.image.scene is not None
    image = panel.tensor.image.scene.picture
    assert (image.low, image.high) == (-2, 2)
    assert image.codes.tolist() == [[ZERO, image.codes[0, 1]], [ZERO, FIRST]]
    assert image.codes[0, 1] > ZERO
    bar.sides.button(BEFORE).click()
    settled(qtbot, panel)
    assert values(panel) == [["1", "2"], ["3", "6"]]
    bar.sides.button(AFTER).click()
    settled(qtbot, panel)
    assert values(panel)[0] == ["1.00000", "2.50000"]
    bar.choice.button(BYTES).click()
    settled(qtbot, panel)
    assert panel.tensor.difference.text.text() == "First different byte: 6 (0x6)"
    assert panel.tensor.bytes.lines()[0].differs == (6, 14)
    panel.tensor.difference.button.click()
    for tensor, text in (
        (0, "The baseline has the same values."),
        (2, "Not compared by value: the types are different."),
        (3, "The baseline has no tensor of this name."),
    ):
        select(context, "tensor", tensor)
        settled(qtbot, panel)
        assert bar.compared.text() == text
    select(context, "tensor", 1)
    settled(qtbot, panel)
    end_comparison(context.document, panel)
    settled(qtbot, panel)
    assert values(panel)[0] == ["1.00000", "2.50000"]
    assert bar.compared.isHidden()
    assert not panel.tensor.bytes.lines()[0].differs


def test_bytes_of_an_executable(qtbot: QtBot, sides: tuple[Profile, Profile]) -> None:
    panel, context = shown(qtbot, ContentPanel, sides[1], sides[0])
    select(context, "blob", 1)
    settled(qtbot, panel)
    assert panel.bytes.difference.text.text() == "First different byte: 9 (0x9)"
    qtbot.waitUntil(lambda: panel.bytes.hex.lines()[0].differs == (9, 10, 11, 12, 13))
    select(context, "blob", 0)
    settled(qtbot, panel)
    end_comparison(context.document, panel)
    assert panel.bytes.difference.isHidden()


def test_no_difference_but_zero_has_the_colour_of_zero() -> None:
    numbers = np.array([[-1.0, -1e-12, 0.0, 1e-12, 1.0, np.nan, np.inf]])
    codes = picture(Values(first_slice(numbers.shape), numbers, None), signed=True).codes[0].tolist()
    assert codes == [FIRST, ZERO - 1, ZERO, ZERO + 1, LAST, 0, 1]


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", "i1", "u1", "i4", "u4", "i8", "u8"])
def test_differences_are_exact(kind: str) -> None:
    random = np.random.default_rng(3)
    if kind[0] == "f":
        before, after = (random.normal(0, 100, 50).astype(kind) for _ in range(2))
        before[:3] = after[:3] = [np.nan, np.inf, -np.inf]
        wanted = [float(b) - float(a) for a, b in zip(before[3:], after[3:], strict=True)]
        assert difference(before, after).tolist() == [0.0, 0.0, 0.0, *wanted]
        return
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    before, after = (random.integers(low // 2, high // 2, 50).astype(kind) for _ in range(2))
    assert difference(before, after).tolist() == [int(b) - int(a) for a, b in zip(before, after, strict=True)]
    far = difference(np.array([low], kind), np.array([high], kind))
    assert float(far[0]) == float(high - low)
