"""The views of tile memory: sorted, by IPU, histogram, grid, figures, and tiles that are typed."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from app.analysis.memory import GAPS_HELP, series, verdict
from app.analysis.poplar.names import meaning
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.plots import PLOTS
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.tile_memory.picture import fullest
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.views.axis import TileAxis
from app.views.look import DARK, LIGHT, Look
from app.views.plot import GAPS, OTHERS, Limit, plot_picture
from app.views.tile_memory.places import VIEWS, Places
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.fields import PROPERTY
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.outline import Flag, flag_at, flag_boxes
from app.widgets.plot.scene import PlotScene
from fakes.pictures import plot_shown
from generators import poplar
from generators.poplar_memory import CATEGORIES

LEFT, PLAIN, SHIFT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
SCALE = poplar.Scale(ipus=2, tiles_per_ipu=64, over=1)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("tiles"), SCALE))
    return profile


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.profile = profile
        self.panel = TileMemoryPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 360)
        self.panel.show()
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    def turn(self, view: str) -> None:
        self.panel.bar.views.setCurrentIndex(list(VIEWS).index(view))  # type: ignore[arg-type]

    def show(self, figure: str) -> None:
        ids = [choice.id for choice in self.panel.bar._choices]
        self.panel.bar.figure.setCurrentIndex(ids.index(figure))

    @property
    def total(self) -> np.ndarray:
        found = series(self.profile)
        assert found is not None
        return found.total

    def chosen(self) -> tuple[int, ...]:
        assert self.document.selection.value is not None
        assert self.document.selection.value.kind == "tile"
        return self.document.selection.value.indices


def flags_shown(desk: Desk) -> tuple[Flag, ...]:
    scene = desk.panel.canvas.scene
    assert scene is not None
    return scene.flags


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile)


def test_sorted_bars_fall_and_keep_their_tiles(desk: Desk) -> None:
    desk.turn("sorted")
    picture = plot_shown(desk.panel.canvas)
    assert picture.totals.tolist() == sorted(desk.total.tolist(), reverse=True)
    fullest = int(np.argmax(desk.total))
    assert picture.axis.name(0).startswith(f"tile {fullest:,} (IPU ")
    desk.document.selection.set(Selection("tile", (fullest,), "test"))
    assert desk.panel.canvas.marks.selected.tolist() == [0]
    desk.panel.canvas.chosen.emit(np.arange(3), False)
    order = np.argsort(-desk.total, kind="stable")
    assert desk.chosen() == tuple(sorted(order[:3].tolist()))
    desk.panel.canvas.range_wanted.emit(0, 2)
    assert desk.document.ranges.value.tiles == TileRange(desk.chosen())
    desk.panel.canvas.pointed.emit(1, "x")
    assert desk.document.hover.value == Selection("tile", (int(order[1]),), "tile_memory")


def test_ipus_are_sums_of_their_tiles(desk: Desk) -> None:
    desk.show("none")
    desk.turn("ipu")
    picture = plot_shown(desk.panel.canvas)
    assert picture.totals.tolist() == [int(desk.total[:64].sum()), int(desk.total[64:].sum())]
    assert picture.limit is not None
    assert picture.limit.value == 64 * SCALE.bytes_per_tile
    desk.panel.canvas.chosen.emit(np.array([1]), False)
    assert desk.chosen() == tuple(range(64, 128))
    assert desk.panel.canvas.marks.selected.tolist() == [1]
    table = desk.panel.shown_table()
    assert table is not None
    assert table.id == "tile-memory-ipus"
    cells = {column.key: column.value(1) for column in table.columns}
    assert cells["max_tile"] == desk.total[64:].max()
    assert cells["fullest"] == 64 + int(np.argmax(desk.total[64:]))


@pytest.mark.parametrize("view", ["tile", "sorted", "ipu"])
def test_the_fullest_tile_has_a_mark_that_selects_it(desk: Desk, view: str) -> None:
    desk.turn(view)
    (flag,) = flags_shown(desk)
    fullest = int(np.argmax(desk.total))
    assert flag.over == (view != "ipu")
    assert flag.amount == plot_shown(desk.panel.canvas).totals.max()
    assert flag.name == (f"IPU {flag.place}" if view == "ipu" else f"fullest: tile {fullest:,}")
    boxes = flag_boxes(desk.panel.canvas.layout_now(), flag)
    assert boxes is not None
    for box in boxes:
        desk.document.selection.clear()
        QTest.mouseMove(desk.panel.canvas, box.center().toPoint())
        QTest.mouseClick(desk.panel.canvas, LEFT, PLAIN, box.center().toPoint())
        assert fullest in desk.chosen()
        assert len(desk.chosen()) == (64 if view == "ipu" else 1)
        tip = desk.panel.canvas.describe(QPointF(box.center()))
        assert tip.startswith(plot_shown(desk.panel.canvas).axis.name(flag.place))


def test_the_mark_is_seen_among_very_many_tiles() -> None:
    values = np.full(94_208, 100.0)
    values[70_000] = 101.0
    picture = plot_picture("x", "B", TileAxis(len(values)), [("a", values)], limit=Limit(120.0, "Memory of a tile"))
    where = Places(picture.axis, np.arange(94_208), np.arange(94_209), np.arange(94_208))
    flag = fullest(picture, where, picture.totals, limited=True)
    assert flag is not None
    assert (flag.place, flag.name, flag.over) == (70_000, "fullest: tile 70,000", False)
    images = []
    for flags in ((), (flag,)):
        image = QImage(900, 300, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            layout = draw_whole(painter, QRectF(0, 0, 900, 300), PlotScene(picture, flags), Look(theme=LIGHT))
        images.append(image)
    mark, name = flag_boxes(layout, flag) or (QRectF(), QRectF())
    ink = sum(
        images[1].pixelColor(x, y).name() == LIGHT.text.lower()
        for x in range(int(mark.left()), int(mark.right()) + 1)
        for y in range(int(mark.top()), int(mark.bottom()) + 1)
    )
    assert ink > 15  # pixels of the triangle
    assert not name.intersects(mark)
    assert fullest(picture, where, np.full(94_208, 1.0), limited=True) is None
    assert flag_at(layout, (flag,), mark.center()) is flag
    assert flag_at(layout, (flag,), QPointF(0, 0)) is None


def test_a_bar_of_the_histogram_selects_its_tiles(desk: Desk) -> None:
    desk.turn("histogram")
    picture = desk.panel.histogram.picture
    assert picture is not None
    assert picture.bins.counts.sum() == 128
    assert picture.limit is not None
    last = int(np.flatnonzero(picture.bins.counts)[-1])
    desk.panel.histogram.chosen.emit(np.array([last]), False)
    low = picture.bins.edges[last]
    assert desk.chosen() == tuple(np.flatnonzero(desk.total >= low).tolist())
    table = desk.panel.shown_table()
    assert table is not None
    assert table.id == "histogram"
    desk.show("category")
    assert not desk.panel.bar.parts.isHidden()
    desk.panel.bar.parts.setCurrentIndex(desk.panel.bar.parts.findText("variable"))
    part = desk.panel.histogram.picture
    assert part is not None
    assert part.title.endswith(": variable")
    assert part.limit is None


def test_the_grid_selects_by_click_drag_and_key(desk: Desk) -> None:
    desk.turn("floor")
    floor = desk.panel.floor
    assert desk.panel.pages.currentWidget() is floor
    layout = floor.layout_now().cells
    assert layout.blocks == 2
    at = layout.cell_rect(70).center().toPoint()
    QTest.mouseMove(floor, at)
    assert desk.panel.readout.text.startswith("tile 70 (IPU 1): ")
    assert desk.document.hover.value == Selection("tile", (70,), "tile_memory")
    QTest.mouseClick(floor, LEFT, PLAIN, at)
    assert desk.chosen() == (70,)
    QTest.mouseClick(floor, LEFT, SHIFT, layout.cell_rect(3).center().toPoint())
    assert desk.chosen() == (3, 70)
    start, end = (layout.cell_rect(tile).center().toPoint() for tile in (0, layout.columns + 1))
    QTest.mousePress(floor, LEFT, PLAIN, start)
    QTest.mouseMove(floor, end)
    QTest.mouseRelease(floor, LEFT, PLAIN, end)
    assert desk.chosen() == (0, 1, layout.columns, layout.columns + 1)
    floor.walk(1, 0)
    floor.choose(adding=False)
    assert desk.chosen() == (1,)
    floor.walk(0, 1)
    assert desk.panel.readout.text.startswith(f"tile {1 + layout.columns} ")
    floor.choose(adding=False)
    assert desk.chosen() == (1 + layout.columns,)
    QTest.mouseClick(floor, LEFT, PLAIN, QPoint(1, 1))
    assert desk.chosen() == (1 + layout.columns,)


def test_the_grid_is_coloured_by_any_part(desk: Desk) -> None:
    desk.turn("floor")
    desk.show("category")
    desk.panel.bar.parts.setCurrentIndex(1)
    assert desk.panel.floor.scene is not None
    found = series(desk.profile, "category")
    assert found is not None
    assert desk.panel.floor.scene.picture.heat.title.endswith(f": {found.parts[0].title}")
    assert np.array_equal(desk.panel.floor.scene.picture.heat.pyramid.values[0], found.parts[0].values)
    desk.document.ranges.set(Ranges(tiles=TileRange(tuple(range(10)))))
    desk.document.selection.set(Selection("tile", tuple(range(0, 128, 2)), "test"))
    assert not desk.panel.grab().isNull()


def test_typed_tiles_are_selected(desk: Desk) -> None:
    field = desk.panel.bar.tiles
    field.setFocus()
    QTest.keyClicks(field, "0-3, 100")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.chosen() == (0, 1, 2, 3, 100)
    assert field.text() == "0-3,100"
    field.setText("ipu 1")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.chosen() == tuple(range(64, 128))
    field.setText("900")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert desk.chosen() == tuple(range(64, 128))
    assert "the last one is 127" in field.toolTip()
    assert field.property(PROPERTY)
    QTest.keyClicks(field, "x")
    assert not field.property(PROPERTY)


def test_figures_are_those_of_the_selected_tiles(desk: Desk) -> None:
    desk.turn("figures")
    desk.show("region")
    desk.document.selection.set(Selection("tile", (4, 5, 6, 90), "test"))
    table = desk.panel.table.shown_table()
    assert table is not None
    cells = {column.key: column for column in table.columns}
    found = series(desk.profile, "region")
    assert found is not None
    tiles = [4, 5, 6, 90]
    for row, values in enumerate([found.total, *(part.values for part in found.parts)]):
        own = values[tiles]
        assert cells["total"].value(row) == own.sum()
        assert cells["mean"].value(row) == pytest.approx(own.mean())
        assert cells["median"].value(row) == pytest.approx(np.median(own))
        assert cells["most"].value(row) == own.max()
        if own.mean():
            assert cells["ratio"].value(row) == pytest.approx(own.max() / own.mean())
            assert cells["tile"].value(row) == tiles[int(np.argmax(own))]
    assert "4 tiles selected" in table.note
    desk.document.selection.clear()
    desk.document.ranges.set(Ranges(tiles=TileRange((1, 2))))
    assert "2 tiles in the range" in (desk.panel.table.shown_table() or table).note


def test_other_figures_per_tile_are_shown_too(desk: Desk) -> None:
    desk.show("sync-delay")
    picture = plot_shown(desk.panel.canvas)
    assert (picture.unit, picture.limit) == ("cycles", None)
    assert picture.totals.tolist() == [113.0 + tile % 40 for tile in (*range(64), *range(64))]
    assert "sum" not in desk.panel.readout.text
    desk.turn("ipu")
    assert desk.panel.canvas.scene is not None
    assert plot_shown(desk.panel.canvas).totals.tolist() == [pytest.approx(picture.totals[:64].mean())] * 2
    desk.show("thread-use")
    desk.turn("tile")
    assert desk.panel.canvas.scene is not None
    assert plot_shown(desk.panel.canvas).unit == "%"


def test_bytes_that_variables_share_are_a_choice(desk: Desk) -> None:
    desk.show("category-shared")
    found = series(desk.profile, "category", overlapped=True)
    assert found is not None
    picture = plot_shown(desk.panel.canvas)
    assert picture.totals.tolist() == found.total.tolist()
    table = desk.panel.shown_table()
    assert table is not None
    assert "several categories may count the same byte" in table.note


def test_overlapped_or_not_is_a_breakdown(desk: Desk) -> None:
    desk.show("overlap")
    picture = plot_shown(desk.panel.canvas)
    assert picture.names == ("Not overlapped", "Overlapped")
    for layer, overlapped in zip(picture.layers, (False, True), strict=True):
        found = series(desk.profile, "category", gaps=False, overlapped=overlapped)
        assert found is not None
        assert layer.tolist() == found.total.tolist()
    assert "several categories may count the same byte" in picture.helps[1]


def test_lines_in_place_of_bars(desk: Desk) -> None:
    desk.show("region")
    bars = desk.panel.grab().toImage()
    desk.panel.bar.lines.setChecked(True)
    picture = plot_shown(desk.panel.canvas)
    assert picture.lines
    assert picture.totals.tolist() == desk.total.tolist()
    assert desk.panel.grab().toImage() != bars
    desk.turn("floor")
    assert not desk.panel.bar.lines.isEnabled()


def test_the_parts_of_the_chooser_say_what_they_are(desk: Desk) -> None:
    desk.turn("floor")
    desk.show("category")
    parts = desk.panel.bar.parts
    for name in CATEGORIES:
        place = parts.findText(name)
        assert place > 0
        assert meaning(name) in html.unescape(parts.itemData(place, Qt.ItemDataRole.ToolTipRole))


def shown_tip(canvas: PlaneCanvas[PlotScene], point: QPointF, qtbot: QtBot) -> str:
    """What the tool tip says there."""
    QToolTip.hideText()
    place = point.toPoint()
    event = QHelpEvent(QEvent.Type.ToolTip, place, canvas.mapToGlobal(place))
    QApplication.sendEvent(canvas, event)
    qtbot.waitUntil(QToolTip.isVisible)
    return html.unescape(re.sub("<[^>]*>", "", QToolTip.text()))


def test_tool_tips_have_the_documents_meaning_of_each_category(desk: Desk, qtbot: QtBot) -> None:
    """Of those that are drawn at the name, of those that are joined at the name of the rest, and over the bars."""
    desk.show("category")
    desk.panel.resize(1100, 500)
    QApplication.processEvents()
    canvas = desk.panel.canvas
    picture, layout = plot_shown(canvas), canvas.layout_now()
    assert picture is not None
    assert layout is not None
    line = QFontMetricsF(canvas.font(), canvas).height() + 4
    for number, name in enumerate(reversed(picture.names)):
        text = shown_tip(canvas, layout.legend.topLeft() + QPointF(3, (number + 0.5) * line), qtbot)
        assert text.startswith(name)
        if name == GAPS:
            assert GAPS_HELP in text
        elif name != OTHERS:
            assert meaning(name) in text
    layer = picture.names.index("variable")
    below = sum(float(values[20]) for values in picture.layers[:layer])
    middle = layout.y_of(below + float(picture.layers[layer][20]) / 2)
    text = shown_tip(canvas, QPointF(layout.x_of(20.5), middle), qtbot)
    assert text.splitlines()[0] == "tile 20 (IPU 0)"
    assert text.splitlines()[1].startswith("variable: ")
    assert text.splitlines()[2] == meaning("variable")
    QToolTip.hideText()


def test_every_view_of_every_figure_draws(desk: Desk) -> None:
    for figure in [choice.id for choice in desk.panel.bar._choices]:
        desk.show(figure)
        for view in VIEWS:
            desk.turn(view)
            for table in (True, False):
                desk.panel.as_table.setChecked(table)
                assert desk.panel.shown_table() is not None
            assert not desk.panel.grab().isNull()


def test_a_file_without_some_of_it_offers_less(qtbot: QtBot, profile: Profile) -> None:
    assert profile.tile_memory is not None
    bare = replace(
        profile,
        target=None,
        exchanges=None,
        compute_sets=None,
        tile_memory=replace(profile.tile_memory, categories=None, always_live=None, temporary_max=None),
    )
    desk = Desk(qtbot, bare)
    assert [choice.id for choice in desk.panel.bar._choices] == ["none", "region"]
    for view in VIEWS:
        desk.turn(view)
        assert not desk.panel.grab().isNull()


def test_the_worst_tile_is_named(desk: Desk) -> None:
    found = verdict(desk.profile)
    assert found is not None
    assert f"fullest tile {found.worst[0].tile:,}: " in desk.panel.readout.text
    assert "over the limit" in desk.panel.readout.text
    assert "max / mean" in desk.panel.readout.text


def test_the_plots_are_drawn(qapp: QApplication, profile: Profile) -> None:
    plots = {plot.id: plot for plot in PLOTS}
    for name in ("tile-memory-histogram", "tile-floor-plan", "sync-delay"):
        assert plots[name].offered(profile)
        assert not plots[name].offered(replace(profile, tile_memory=None, target=None))
        for theme in (LIGHT, DARK):
            image = QImage(600, 300, QImage.Format.Format_RGB32)
            image.fill(0)
            with QPainter(image) as painter:
                plots[name].draw(painter, QRectF(0, 0, 600, 300), profile, theme)
            colours = {image.pixelColor(x, y).name() for x in range(40, 590, 9) for y in range(40, 280, 9)}
            assert len(colours) > 2
