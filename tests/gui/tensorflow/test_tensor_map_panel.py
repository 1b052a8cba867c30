"""The tensor map panel: the map, the table, a tensor's tiles, a tile's tensors, search."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.formats import collect, registry
from app.formats.tensor_map import FORMAT
from app.panels.tensor_map.panel import EMPTY, NO_MATCH, TensorMapPanel
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.views.look import DARK
from app.widgets.context import Context
from app.widgets.display import Display
from fakes.pictures import block_hovered, choose_columns, rows_marked
from generators import poplar, tensor_map
from generators.reading import profile_of
from generators.tensor_map import Tensor

MAP = {
    "entry": [
        Tensor("small.1", [(0, 10), (3, 6)], (4, 4), "half", name="XLA_Args/x"),
        Tensor("large.2", [(3, 100)], (100,), "float", constant=True),
        Tensor("odd.3", [(5, 2)], (2,), "complex", output=1, aliases=True),
    ],
    "region": [Tensor("small.4", [(1, 1)], (1,), "int")],
}


def read(computations: dict[str, list[Tensor]]) -> Profile:
    return profile_of(FORMAT, tensor_map.tensor_map(computations).encode(), "m.tensor_map.json")


def shown(
    qtbot: QtBot, computations: dict[str, list[Tensor]] | None = None, profile: Profile | None = None
) -> tuple[TensorMapPanel, Document]:
    document, display = Document(), Display()
    document.finish(document.add(profile or read(MAP if computations is None else computations), job=1))
    panel = TensorMapPanel(Context(document, display))
    document.setParent(panel)
    display.setParent(panel)
    qtbot.addWidget(panel)
    panel.resize(800, 500)
    with qtbot.waitExposed(panel):
        panel.show()
    panel._refresh.now()
    return panel, document


def names(panel: TensorMapPanel) -> list[str]:
    picture = None if panel.heat.scene is None else panel.heat.scene.picture
    return [] if picture is None else [picture.row_name(row) for row in range(picture.rows)]


def test_the_largest_tensors_stand_first_or_the_file_decides(qtbot: QtBot) -> None:
    panel, _ = shown(qtbot)
    assert names(panel) == ["large.2", "small.1", "small.4", "odd.3:1"]
    panel.largest.setChecked(False)
    assert names(panel) == ["small.1", "large.2", "odd.3:1", "small.4"]
    assert panel.heat.scene is not None
    assert panel.heat.scene.picture.pyramid.values[0].tolist() == [20, 0, 0, 12, 0, 0]
    assert panel.heat.scene.picture.axis.group == 1216


def test_a_row_leads_to_the_tiles_of_its_tensor(qtbot: QtBot) -> None:
    panel, document = shown(qtbot)
    panel.heat.chosen.emit(np.array([1]), False)
    assert document.selection.value == Selection("mapped_tensor", (0,), "tensor_map")
    assert panel.below.currentWidget() is panel.bars
    assert panel.bars.scene is not None
    assert panel.bars.scene.picture.totals.tolist() == [20, 0, 0, 12, 0, 0]
    assert rows_marked(panel.heat) == [1]
    line = "small.1 · XLA_Args/x · half · 16 elements · 32 B · 2 tiles · imbalance 1.25 (max: 10 on tile 0)"
    assert panel.readout.text == line
    document.selection.set(Selection("mapped_tensor", (2,), "test"))
    assert panel.bars.scene.picture.title == "odd.3:1, elements"
    assert "bytes unknown" in panel.readout.text
    assert panel.readout.text.endswith("aliases")
    document.selection.clear()
    assert panel.bars.scene.picture.title == "All mapped tensors"
    assert panel.readout.text.startswith("4 tensors on 4 tiles · ")


def test_tiles_lead_to_the_tensors_on_them(qtbot: QtBot) -> None:
    panel, document = shown(qtbot)
    choose_columns(panel.heat, 3, 4)
    assert document.selection.value == Selection("tile", (3, 4), "tensor_map")
    assert panel.below.currentWidget() is panel.on_tiles
    table = panel.on_tiles.view.items.table
    assert [table.columns[1].value(row) for row in range(table.rows)] == ["small.1", "large.2"]
    assert panel.readout.text == "2 tiles · 412 B of mapped tensors"
    assert panel.on_tiles.view.selected_source_rows().tolist() == []
    panel.on_tiles.view.selectRow(1)
    assert document.selection.value == Selection("mapped_tensor", (1,), "tensor_map/tiles")
    assert panel.below.currentWidget() is panel.on_tiles
    panel.bars.chosen.emit(np.array([5]), False)
    assert document.selection.value == Selection("tile", (5,), "tensor_map")


def test_search_leaves_the_tensors_that_are_called_so(qtbot: QtBot) -> None:
    panel, document = shown(qtbot)
    QTest.keyClicks(panel.field, "small")
    assert names(panel) == ["small.1", "small.4"]
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    assert document.selection.value == Selection("mapped_tensor", (0,), "tensor_map")
    panel.field.setText("xla_ARGS")
    assert names(panel) == ["small.1"]
    panel.field.setText("nothing")
    assert panel.heat.scene is None
    document.selection.clear()
    assert panel.readout.text == NO_MATCH
    panel.field.clear()
    panel.computation.setCurrentIndex(2)
    panel.computation.activated.emit(2)
    assert names(panel) == ["small.4"]


def test_the_table_is_the_same_tensors(qtbot: QtBot) -> None:
    panel, document = shown(qtbot)
    panel.field.setText("small")
    panel.as_table.setChecked(True)
    table = panel.table.view.items.table
    assert [table.columns[0].value(row) for row in range(table.rows)] == ["small.1", "small.4"]
    panel.table.view.selectRow(1)
    assert document.selection.value == Selection("mapped_tensor", (3,), "tensor_map")
    assert panel.selected_rows().tolist() == [1]
    shown_table = panel.shown_table()
    assert shown_table is not None
    assert shown_table.rows == 2
    panel.as_table.setChecked(False)
    assert panel.selected_rows().tolist() == [1]


def test_ranges_and_hover_are_shared(qtbot: QtBot) -> None:
    panel, document = shown(qtbot)
    document.ranges.set(Ranges(tiles=TileRange((3, 4, 99))))
    assert panel.heat.marks.within is not None
    assert panel.heat.marks.within.tolist() == [3, 4]
    panel.heat.range_wanted.emit(0, 2)
    assert document.ranges.value.tiles == TileRange((0, 1, 2))
    document.hover.set(Selection("mapped_tensor", (3,), "test"))
    assert block_hovered(panel.heat) == (range(2, 3), range(6))
    document.hover.set(Selection("tile", (5,), "test"))
    assert block_hovered(panel.heat) == (range(4), range(5, 6))
    panel.bars.pointed.emit(3, "tile 3: x")
    assert document.hover.value == Selection("tile", (3,), "tensor_map")
    assert panel.readout.text == "tile 3: x"


def test_bars_lie_over_the_memory_of_the_tiles_where_a_graph_is_beside(qtbot: QtBot, tmp_path: Path) -> None:
    scale = poplar.Scale(mode="COMPUTE_SETS", compute_sets=9)
    poplar.write_pair(tmp_path, scale)
    (tmp_path / "tensor_map.json").write_text(tensor_map.tensor_map(MAP))
    jobs, _ = registry.plan([tmp_path])
    (profile,) = collect.read(jobs[0].format, jobs[0].paths)
    panel, document = shown(qtbot, profile=profile)
    assert profile.tile_memory is not None
    assert profile.tile_memory.total_with_gaps is not None
    assert not panel.over.isHidden()
    panel.over.setChecked(True)
    assert panel.bars.scene is not None
    assert panel.bars.scene.picture.names == ("All mapped tensors", "Other memory in use")
    assert panel.bars.scene.picture.totals.tolist() == profile.tile_memory.total_with_gaps.tolist()
    assert panel.bars.scene.picture.limit is not None
    document.selection.set(Selection("mapped_tensor", (1,), "test"))
    assert panel.bars.scene.picture.title == "large.2 in the memory of the tiles"
    assert panel.bars.scene.picture.layers[0][3] == 400
    panel.over.setChecked(False)
    assert len(panel.bars.scene.picture.layers) == 1


def test_an_empty_map_says_so(qtbot: QtBot) -> None:
    panel, _ = shown(qtbot, {})
    assert panel.stack.is_empty
    assert panel.stack.empty.text == EMPTY


def test_tensors_without_tiles_are_no_picture(qtbot: QtBot) -> None:
    panel, document = shown(qtbot, {"c": [Tensor("a", [], (0,))]})
    assert panel.heat.scene is None
    document.selection.set(Selection("mapped_tensor", (0,), "test"))
    assert panel.bars.scene is None


def test_the_picture_is_drawn_in_the_theme_that_is_asked_for(qtbot: QtBot) -> None:
    panel, _ = shown(qtbot, tensor_map.network(3))
    image = QImage(600, 300, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    with QPainter(image) as painter:
        panel.draw_picture(painter, QRectF(0, 0, 600, 300), DARK)
    colours = {image.pixel(x, y) for x in range(0, 600, 5) for y in range(0, 300, 5)}
    assert len(colours) > 10
    assert panel.selected_rows().dtype == np.int64


def test_the_axes_of_tiles_line_up(qtbot: QtBot) -> None:
    panel, document = shown(qtbot)
    for tensor in (None, 1):
        if tensor is not None:
            document.selection.set(Selection("mapped_tensor", (tensor,)))
        above, below = panel.heat.layout_now().plot, panel.bars.layout_now().plot
        assert (above.left(), above.right()) == (below.left(), below.right())
