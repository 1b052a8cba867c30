"""Roofline, memory accesses, on-chip memory, cache and stall reasons as a person meets them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.formats.ascend_bin import FORMAT
from app.formats.ascend_memory_info import FORMAT as PLAN
from app.panels.cache.panel import CachePanel
from app.panels.cache.picture import MapGrid
from app.panels.memory_accesses import panel as panel_module
from app.panels.memory_accesses.panel import MemoryAccessesPanel
from app.panels.onchip.panel import OnchipPanel
from app.panels.picture import plots, save
from app.panels.registry import SPECS
from app.panels.roofline.panel import RooflinePanel
from app.panels.stall_reasons import StallReasonsPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import DARK, LIGHT
from app.widgets.abilities import HasPicture
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import Hit
from app.widgets.tabular import Tabular
from generators import ascend_details as details
from generators import memory_plan
from generators.ascend_bin import Program, block, core_names, small, source_blocks
from generators.ascend_details import Shape
from generators.reading import profile_of

LEFT = Qt.MouseButton.LeftButton
PLANES = ("roofline", "memory_accesses", "onchip", "cache", "stall_reasons")
PLAIN, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture(scope="module")
def kernel() -> Profile:
    return profile_of(FORMAT, small())


@pytest.fixture(scope="module")
def triton() -> Profile:
    return profile_of(PLAN, orjson.dumps(memory_plan.plan(12, scopes=3)))


class Desk:
    """A panel with its document."""

    def __init__(self, qtbot: QtBot, panel: str) -> None:
        self.document = Document()
        self.display = Display()
        self.panel: Any = SPECS[panel].make(Context(self.document, self.display))
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 420)
        self.panel.show()

    def open(self, shown: Profile) -> None:
        self.document.add(shown, 1)
        QApplication.processEvents()

    def close(self) -> None:
        assert self.document.current is not None
        self.document.close(self.document.current.id)
        QApplication.processEvents()


Make = Callable[[str], Desk]


@pytest.fixture
def desk(qtbot: QtBot) -> Make:
    return lambda panel: Desk(qtbot, panel)


def spot(canvas: PlaneCanvas[Any], item: int) -> QPoint:
    """The middle of an item on the screen."""
    layout, scene = canvas.layout_now(), canvas.scene
    assert layout is not None
    assert scene is not None
    extent = scene.extent(layout, np.array([item], np.int64))
    assert extent is not None
    assert extent.x is not None
    assert extent.y is not None
    return QPointF(layout.x_of(sum(extent.x) / 2), layout.y_of(sum(extent.y) / 2)).toPoint()


def opened(panel: str, desk: Make, kernel: Profile, triton: Profile) -> Desk:
    made = desk(panel)
    made.open(triton if panel == "onchip" else kernel)
    return made


def canvases(panel: QWidget) -> list[PlaneCanvas[Any]]:
    return [canvas for canvas in panel.findChildren(PlaneCanvas) if canvas.scene is not None]


# -- all of them ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("panel", PLANES)
def test_each_has_the_abilities_and_draws_in_both_themes(
    desk: Make, kernel: Profile, triton: Profile, panel: str
) -> None:
    made = opened(panel, desk, kernel, triton)
    assert [isinstance(made.panel, ability) for ability in (Tabular, HasPicture)] == [True, True]
    assert all(isinstance(canvas, Canvas) for canvas in canvases(made.panel))
    shown = made.panel.shown_table()
    assert shown is not None
    assert shown.rows
    pictures = []
    for theme in (LIGHT, DARK):
        made.display.set(theme=theme)
        image = QImage(700, 320, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.surface))
        before = image.copy()
        with QPainter(image) as painter:
            made.panel.draw_picture(painter, QRectF(0, 0, 700, 320), theme)
        assert image != before
        pictures.append(made.panel.grab().toImage())
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize("panel", PLANES)
def test_each_is_offered_for_its_section_and_empties_with_the_document(
    desk: Make, kernel: Profile, triton: Profile, panel: str
) -> None:
    made = opened(panel, desk, kernel, triton)
    spec = SPECS[panel]
    assert spec.offered(triton if panel == "onchip" else kernel)
    assert not spec.offered(kernel if panel == "onchip" else triton)
    made.close()
    assert canvases(made.panel) == []
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        made.panel.draw_picture(painter, QRectF(0, 0, 10, 10), LIGHT)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_plot_is_written_as_lines_and_pixels(kernel: Profile, triton: Profile, tmp_path: Path, theme: str) -> None:
    names = set()
    for profile in (kernel, triton):
        for plot in plots(profile):
            names.add(plot.id)
            save(plot, profile, tmp_path / f"{plot.id}.svg", (900, 500), theme)
            save(plot, profile, tmp_path / f"{plot.id}.png", (450, 250), theme)
            assert (tmp_path / f"{plot.id}.svg").stat().st_size > 2000
            assert not QImage(str(tmp_path / f"{plot.id}.png")).isNull()
    assert {"roofline", "memory-accesses", "onchip", "cache-lines", "cache-sets", "stall-reasons"} <= names
    assert "<image" not in (tmp_path / "roofline.svg").read_text()
    assert "<image" not in (tmp_path / "onchip.svg").read_text()


def test_over_an_axis_only_that_axis_zooms(desk: Make, kernel: Profile) -> None:
    made = desk("memory_accesses")
    made.open(kernel)
    canvas = made.panel.canvas
    layout, whole = canvas.layout_now(), canvas.history.view
    canvas.wheelEvent(_wheel(QPointF(layout.plot.center().x(), layout.axis.center().y()), 120, CONTROL))
    assert canvas.history.view.y == whole.y
    assert canvas.history.view.x.width < whole.x.width
    canvas.fit()
    canvas.wheelEvent(_wheel(QPointF(layout.scale.center().x(), layout.plot.center().y()), 120, CONTROL))
    assert canvas.history.view.x == whole.x
    assert canvas.history.view.y.width < whole.y.width


def test_a_drag_moves_and_does_not_choose(desk: Make, kernel: Profile) -> None:
    made = desk("memory_accesses")
    made.open(kernel)
    canvas = made.panel.canvas
    canvas.zoom(4.0)
    start = canvas.history.view.x.start
    middle = canvas.layout_now().plot.center().toPoint()
    QTest.mousePress(canvas, LEFT, PLAIN, middle)
    QTest.mouseMove(canvas, middle + QPoint(40, 10))
    QTest.mouseRelease(canvas, LEFT, PLAIN, middle + QPoint(40, 10))
    assert canvas.history.view.x.start < start
    assert made.document.selection.value is None


# -- roofline ---------------------------------------------------------------------------------------------


def test_points_are_chosen_and_marked(desk: Make, kernel: Profile) -> None:
    made = desk("roofline")
    made.open(kernel)
    panel: RooflinePanel = made.panel
    QTest.mouseClick(panel.charts.canvases[0], LEFT, PLAIN, spot(panel.charts.canvases[0], 1))
    assert made.document.selection.value == Selection("roof", (1,), "roofline")
    assert panel.charts.canvases[0].selected == {1}
    assert panel.selected_rows().tolist() == [1]
    made.document.selection.set(Selection("roof", (0,), "tables"))
    assert panel.charts.canvases[0].selected == {0}
    QTest.mouseMove(panel.charts.canvases[0], spot(panel.charts.canvases[0], 1))
    assert made.document.hover.value == Selection("roof", (1,), "roofline")


def test_the_legend_hides_and_shows_lines(desk: Make, kernel: Profile) -> None:
    made = desk("roofline")
    made.open(kernel)
    panel: RooflinePanel = made.panel
    panel.charts.canvases[0].legend_clicked.emit(0)
    assert [series.item for series in panel.charts.chart(0).shown] == [1]
    assert len(panel.charts.chart(0).series) == 2
    panel.charts.canvases[0].legend_clicked.emit(0)
    assert len(panel.charts.chart(0).shown) == 2


def test_tabs_lead_to_all_charts_whatever_the_width(desk: Make, kernel: Profile) -> None:
    made = desk("roofline")
    made.open(kernel)
    panel: RooflinePanel = made.panel
    assert [panel.groups.tabText(place) for place in range(panel.groups.count())] == ["Memory unit", "Pipeline"]
    assert [scene.title for scene in panel.charts.scenes] == ["Roofline GM/L2", "Roofline Memory Unit(Cube)"]
    panel.resize(500, 300)
    QApplication.processEvents()
    assert [scene.title for scene in panel.charts.scenes] == ["Roofline GM/L2"]
    panel.titles.setCurrentIndex(1)
    assert [scene.title for scene in panel.charts.scenes] == ["Roofline Memory Unit(Cube)"]
    panel.groups.setCurrentIndex(1)
    assert [scene.title for scene in panel.charts.scenes] == ["Roofline Pipeline(Vector)"]
    assert "The file's verdict: latency bound, memory caused" in panel.readout.text
    panel.as_table.setChecked(True)
    assert panel.twin.currentWidget() is panel.table


def test_a_roofline_that_cannot_be_drawn_leads_to_its_table(desk: Make) -> None:
    made = desk("roofline")
    content = orjson.dumps({"multiple_rooflines": [{"title": "GM/L2", "rooflines": [{"bw": 0, "point": [1, 1]}]}]})
    made.open(profile_of(FORMAT, block(0x0D, content)))
    assert made.panel.stack.is_empty
    made.panel.stack.empty._run()
    assert made.panel.twin.currentWidget() is made.panel.table
    assert not made.panel.stack.is_empty


# -- memory accesses --------------------------------------------------------------------------------------


def mixed() -> Profile:
    shape = Shape()
    content = bytearray(details.memory_accesses(shape, 60))
    for record in range(60):
        content[8 + 32 * record + 2] = 6 if record % 3 == 0 else 1
    parts = b"".join(source_blocks(Program(tuple(core_names(1)))))
    return profile_of(FORMAT, parts + block(0x0A, bytes(content)))


def test_the_commonest_space_comes_first_and_filters_cut(desk: Make) -> None:
    made = desk("memory_accesses")
    made.open(mixed())
    panel: MemoryAccessesPanel = made.panel
    assert panel.filters.space.currentText() == "GM"
    assert panel.count.text == "40 of 60 accesses"
    panel.filters.space.setCurrentIndex(panel.filters.space.findText("All spaces"))
    assert panel.count.text == "60 accesses"
    panel.filters.core.setCurrentIndex(panel.filters.core.findData(1))
    assert panel.count.text == "15 of 60 accesses"
    shown = panel.shown_table()
    assert shown is not None
    assert set(np.asarray(shown.columns[2].values).tolist()) == {1}
    assert "Only the accesses that match the filters above." in shown.note
    panel.as_table.setChecked(True)
    assert panel.table.view.items.table.rows == 15


def test_the_legend_of_accesses_hides_kinds_but_never_all(desk: Make, kernel: Profile) -> None:
    made = desk("memory_accesses")
    made.open(kernel)
    panel: MemoryAccessesPanel = made.panel
    total = len(kernel.memory_accesses.record) if kernel.memory_accesses is not None else 0
    for kind in (1, 2, 4):
        panel.canvas.legend_clicked.emit(kind)
    assert panel.count.text == f"{total:,} accesses"


def test_accesses_are_chosen_told_and_lead_to_instructions(desk: Make) -> None:
    made = desk("memory_accesses")
    profile = mixed()
    made.open(profile)
    panel: MemoryAccessesPanel = made.panel
    place = spot(panel.canvas, 7)
    told = panel.canvas.describe(QPointF(place))
    assert "Call stack (matmul_leaky.o):" in told
    QTest.mouseClick(panel.canvas, LEFT, PLAIN, place)
    chosen = made.document.selection.value
    assert chosen is not None
    assert chosen.kind == "access"
    assert f"Record {chosen.first}:" in told
    assert profile.memory_accesses is not None
    assert profile.instructions is not None
    pc = int(profile.memory_accesses.pc[chosen.first])
    (instruction,) = np.flatnonzero(profile.instructions.address == pc)
    made.document.selection.set(Selection("instruction", (int(instruction),), "tables"))
    assert panel._scene is not None
    rows = panel._scene.bars.records.row[sorted(panel.canvas.selected)]
    assert set(profile.memory_accesses.pc[rows].tolist()) == {pc}


def test_accesses_are_stepped_through_in_their_order(desk: Make, kernel: Profile) -> None:
    made = desk("memory_accesses")
    made.open(kernel)
    for expected in (0, 1, 2):
        made.panel.canvas.step_item(1)
        assert made.document.selection.value == Selection("access", (expected,), "memory_accesses")
    made.panel.canvas.focus_selection()
    assert made.panel.canvas.history.view.x.width < 200


def test_many_accesses_are_placed_in_the_background(
    desk: Make, kernel: Profile, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel_module, "SMALL", 10)
    made = desk("memory_accesses")
    made.open(kernel)
    panel: MemoryAccessesPanel = made.panel
    assert panel.count.text == "Laying out 200 accesses…"
    qtbot.waitUntil(lambda: panel.canvas.scene is not None)
    assert panel.count.text == "200 accesses"
    panel.compact.setChecked(False)
    assert panel.canvas.scene.compact  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: not panel.canvas.scene.compact)  # type: ignore[union-attr]
    panel.compact.setChecked(True)
    made.close()
    qtbot.waitUntil(lambda: not panel._background.busy)
    assert panel.canvas.scene is None


def test_a_block_without_accesses_says_so(desk: Make) -> None:
    made = desk("memory_accesses")
    made.open(profile_of(FORMAT, block(0x0A, details.memory_accesses(Shape(), 0))))
    assert made.panel.stack.is_empty


# -- on-chip memory ---------------------------------------------------------------------------------------


def test_each_block_with_an_address_has_its_box(desk: Make, triton: Profile) -> None:
    made = desk("onchip")
    made.open(triton)
    panel: OnchipPanel = made.panel
    plan = triton.onchip
    assert plan is not None
    assert panel._scene is not None
    boxes = panel._scene.boxes
    assert boxes.block.tolist() == list(range(len(plan.blocks)))
    for band in boxes.bands:
        own = plan.blocks.scope[boxes.block] == band.scope
        assert boxes.low[own].min() == pytest.approx(band.low)
        assert boxes.high[own].max() == pytest.approx(band.low + 1)
    assert (boxes.right - boxes.left == plan.blocks.end - plan.blocks.start + 1).all()
    panel.memory.setCurrentIndex(2)
    assert {band.name for band in panel._scene.boxes.bands} == {"cbuf"}


def test_blocks_are_chosen_and_told(desk: Make, triton: Profile) -> None:
    made = desk("onchip")
    made.open(triton)
    panel: OnchipPanel = made.panel
    for item in range(len(triton.onchip.blocks) if triton.onchip is not None else 0):
        point = spot(panel.canvas, item)
        assert "Lives from step" in panel.canvas.describe(QPointF(point))
    QTest.mouseClick(panel.canvas, LEFT, PLAIN, spot(panel.canvas, 4))
    chosen = made.document.selection.value
    assert chosen is not None
    assert (chosen.kind, panel.selected_rows().tolist()) == ("onchip_block", [chosen.first])
    made.document.selection.set(Selection("onchip_block", (2, 3), "tables"))
    assert panel.canvas.selected == {2, 3}


# -- cache ------------------------------------------------------------------------------------------------


def test_a_cell_leads_to_the_instructions_of_its_ranges(desk: Make, kernel: Profile) -> None:
    made = desk("cache")
    made.open(kernel)
    panel: CachePanel = made.panel
    lines, instructions = kernel.cache.lines if kernel.cache is not None else None, kernel.instructions
    assert lines is not None
    assert instructions is not None
    assert [scene.shown.id for scene in panel.grid.scenes] == ["hit"]
    panel.maps.setCurrentIndex(panel.maps.findText("Lines: hits and misses"))
    cell = int(np.flatnonzero(np.diff(lines.misses.first_range) > 0)[5])
    canvas = panel.grid.canvases[1]
    point = spot(canvas, cell)
    told = canvas.describe(QPointF(point))
    assert f"Cache line {int(lines.line[cell]):,} (cell {cell:,}): misses" in told
    first = int(lines.misses.first_range[cell])
    low, high = int(lines.misses.range_start[first]), int(lines.misses.range_end[first])
    assert f"{low:#x} to {high:#x}" in told
    QTest.mouseClick(canvas, LEFT, PLAIN, point)
    assert made.document.selection.value == Selection("cache_miss", (cell,), "cache")
    inside = np.flatnonzero((instructions.address >= low) & (instructions.address <= high))
    assert len(inside)
    assert f"Click to select it with {len(inside)} instruction" in told
    made.document.selection.set(Selection("instruction", (int(inside[0]),), "source"))
    assert cell in canvas.selected


def test_the_maps_have_128_columns_and_every_cell_its_place(desk: Make, kernel: Profile) -> None:
    made = desk("cache")
    made.open(kernel)
    panel: CachePanel = made.panel
    titles = [panel.maps.itemText(place) for place in range(panel.maps.count())]
    assert titles[:4] == ["Lines: hits and misses", "Lines: hits", "Lines: misses", "Sets: all seven events"]
    assert len(titles) == 11
    for item in (0, 127, 128, 511):
        canvas = panel.grid.canvases[0]
        assert canvas.scene is not None
        layout = canvas.layout_now()
        assert layout is not None
        assert canvas.scene.hit(layout, QPointF(spot(canvas, item))) == Hit(item)
    panel.maps.setCurrentIndex(3)
    assert len(canvases(panel)) == 7
    panel.maps.setCurrentIndex(5)
    assert len(canvases(panel)) == 1
    panel.as_table.setChecked(True)
    shown = panel.shown_table()
    assert shown is not None
    assert shown.id == "cache-sets"


def test_counts_instead_of_shares(desk: Make, kernel: Profile) -> None:
    made = desk("cache")
    made.open(kernel)
    panel: CachePanel = made.panel
    assert panel.grid.scenes[0].picture.scale.high == 100
    panel.figure.setCurrentIndex(1)
    lines = kernel.cache.lines if kernel.cache is not None else None
    assert lines is not None
    assert panel.grid.scenes[0].picture.scale.high == pytest.approx(np.nanmax(lines.hits.count))


def test_lines_without_events_or_ranges_say_so(desk: Make) -> None:
    sides = {"Hit": {"Value": [0, 0], "Address Range": []}, "Miss": {"Value": [None, None], "Address Range": []}}
    content = orjson.dumps({"Cacheline Records": [{"Cacheline Id": 9, **sides}]})
    made = desk("cache")
    made.open(profile_of(FORMAT, block(0x0E, content)))
    made.panel.maps.setCurrentIndex(0)
    hits, misses = made.panel.grid.canvases[:2]
    told = hits.describe(QPointF(spot(hits, 0)))
    assert "Hits: 0" in told
    assert "No instructions: the file has no address range" in told
    assert "Misses: no data" in misses.describe(QPointF(spot(misses, 0)))
    layout = hits.layout_now()
    assert hits.scene.item_at(layout, QPointF(layout.x_of(64), layout.y_of(0.5))) == -1


# -- stall reasons ----------------------------------------------------------------------------------------


def test_bars_and_rows_mark_one_another(desk: Make, kernel: Profile) -> None:
    made = desk("stall_reasons")
    made.open(kernel)
    panel: StallReasonsPanel = made.panel
    picture, found = panel.bars.canvas.picture, kernel.stall_reasons
    assert picture is not None
    assert found is not None
    amounts = [bar.amount for bar in picture.bars]
    assert amounts == sorted(found.count.tolist(), reverse=True)
    panel.bars.canvas.chosen.emit(np.array([1]), False)
    (row,) = panel.table.selected_rows().tolist()
    assert found.reasons[row] == picture.bars[1].name
    panel.table.view.step(0)
    panel.table.view.chosen.emit()
    (marked,) = panel.bars.canvas.selected
    assert picture.bars[marked].name == found.reasons[int(panel.table.selected_rows()[0])]
    share = 100 * amounts[0] / sum(amounts)
    assert f"{share:.1f} % of all" in picture.bars[0].tip


def _wheel(point: QPointF, up: int, modifiers: Qt.KeyboardModifier) -> QWheelEvent:
    phase, none = Qt.ScrollPhase.NoScrollPhase, Qt.MouseButton.NoButton
    return QWheelEvent(point, point, QPoint(), QPoint(0, up), none, modifiers, phase, False)


def test_a_map_that_is_gone_says_nothing(qtbot: QtBot) -> None:
    grid = MapGrid(Display())
    qtbot.addWidget(grid)
    heard: list[object] = []
    grid.pointed.connect(lambda *what: heard.append(what))
    grid.chosen.connect(lambda *what: heard.append(what))
    grid.show_scenes([])
    grid.canvases[0].pointed.emit(-1, "")
    grid.canvases[0].chosen.emit(np.array([0]), False)
    assert heard == []
