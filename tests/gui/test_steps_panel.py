"""The panel of steps and the document it is tied to."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.relations import translate
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.plots import PLOTS
from app.panels.registry import PANELS
from app.panels.steps.pages import TITLES
from app.panels.steps.panel import StepsPanel
from app.panels.steps.tiles_scene import TilesScene
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.look import DARK, LIGHT
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from generators import poplar


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    scale = poplar.Scale(compute_sets=20, loops=3)
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("run"), scale))
    return profile


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.display = Display()
        self.panel = StepsPanel(Context(self.document, self.display))
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 400)
        self.panel.show()
        self.document.finish(self.document.add(profile, 1))
        self.settle()

    def settle(self) -> None:
        QApplication.processEvents()
        self.panel._refresh.now()
        self.panel._figures.now()

    def front(self) -> str:
        return self.panel.page

    def turn(self, page: str) -> None:
        self.panel.tabs.setCurrentIndex(self.panel._pages.index(page))  # type: ignore[arg-type]
        self.settle()


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile)


def test_it_is_registered_with_its_plot(qapp: QApplication, profile: Profile) -> None:
    spec = next(spec for spec in PANELS if spec.id == "steps")
    assert spec.offered(profile)
    assert not spec.offered(replace(profile, steps=None))
    plot = next(plot for plot in PLOTS if plot.id == "flame")
    assert plot.offered(profile)
    assert not plot.offered(replace(profile, timeline=None))
    for theme in (LIGHT, DARK):
        image = QImage(800, 300, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            plot.draw(painter, QRectF(0, 0, 800, 300), profile, theme)
        assert len({image.pixelColor(x, y).name() for x in range(160, 800, 9) for y in range(60, 260, 7)}) > 3


def test_pages_and_abilities(desk: Desk) -> None:
    alone = [page for page in TITLES if page != "differences"]
    tabs = desk.panel.tabs
    assert [tabs.tabText(place) for place in range(tabs.count())] == [TITLES[page] for page in alone]
    assert isinstance(desk.panel, Tabular)
    assert isinstance(desk.panel, HasPicture)
    ids = []
    for page in alone:
        desk.turn(page)
        table = desk.panel.shown_table()
        assert table is not None
        ids.append(table.id)
    by = [*["steps-by-name"] * 3, "steps-by-compute-set", "steps-by-vertex-type", "steps-by-type"]
    assert ids == [*by, "tile-time", "tile-cycles"]


def test_the_flame_stays_in_front_while_sections_arrive(qtbot: QtBot, profile: Profile) -> None:
    desk = Desk(qtbot, replace(profile, timeline=None))
    assert desk.front() == "names"
    entry = desk.document.current
    assert entry is not None
    desk.document.grow(entry.id, profile, frozenset({"timeline"}))
    desk.settle()
    assert desk.front() == "flame"
    desk.turn("kinds")
    desk.document.grow(entry.id, profile, frozenset({"programs"}))
    desk.settle()
    assert desk.front() == "kinds"


def test_a_slice_of_the_flame_selects_its_steps(desk: Desk, profile: Profile) -> None:
    view = desk.panel.flame
    assert view.flame is not None
    record = view.flame.timeline.slices.record
    group = int(np.flatnonzero(record < 0)[0])
    view.canvas.chosen.emit(group)
    chosen = desk.document.selection.value
    assert chosen is not None
    assert chosen.kind == "step"
    assert chosen.indices == tuple(view.flame.steps_of(group).tolist())
    assert view.canvas.selected.tolist() == [group]
    view.canvas.chosen.emit(None)
    assert desk.document.selection.value is None


def test_the_flame_is_searched_with_the_share_of_the_hits(desk: Desk) -> None:
    view = desk.panel.flame
    shown = view.canvas.shown
    assert view.flame is not None
    assert shown is not None
    slices, strings = view.flame.timeline.slices, view.flame.timeline.strings
    name = strings.get(int(slices.name[int(np.flatnonzero(slices.record < 0)[0])]))
    view.start_find()
    view.bar.search.field.setText(name)
    hits = shown.contents.hits
    assert hits is not None
    assert 0 < len(hits.rows.start) < len(slices.start)
    before = view.bar.search.count.text()
    assert before.endswith("%")
    assert f"{len(hits.rows.start):,} match · " in before
    view.find_step(1)
    chosen = desk.document.selection.value
    assert chosen is not None
    assert chosen.kind == "step"
    assert view.bar.search.count.text().startswith(f"1 of {len(hits.rows.start):,} · ")
    view.bar.search.field.setText("(")
    view.bar.search.regex.setChecked(True)
    assert not view.bar.search.after.isVisibleTo(view)
    assert view.handle_escape()
    assert shown.contents.hits is None
    assert not view.handle_escape()


def test_what_is_selected_elsewhere_is_marked(desk: Desk, profile: Profile) -> None:
    view = desk.panel.flame
    assert view.flame is not None
    desk.document.selection.set(Selection("compute_set", (3,), "heat"))
    steps = translate(profile, Selection("compute_set", (3,)), "step")
    assert view.flame.timeline.slices.record[view.canvas.selected].tolist() == sorted(
        steps.tolist(),
        key=lambda step: view.canvas.selected.tolist().index(view.flame.slices_of(np.array([step]))[0]),  # type: ignore[union-attr]
    )
    desk.document.selection.set(Selection("tile", (3,), "tile_memory"))
    assert len(view.canvas.selected) == 0


def test_pointing_tells_the_whole_path(desk: Desk, profile: Profile) -> None:
    view = desk.panel.flame
    assert view.flame is not None
    assert profile.steps is not None
    step = int(np.flatnonzero(profile.steps.name >= 0)[5])
    slice_ = int(view.flame.slices_of(np.array([step]))[0])
    view.canvas.pointed.emit(slice_)
    assert view.readout.text.startswith(f"{profile.steps.strings[int(profile.steps.name[step])]}: ")
    assert "cycles (" in view.readout.text
    assert desk.document.hover.value == Selection("step", (step,), "flame")
    group = int(np.argmax(view.flame.after - view.flame.first))
    view.canvas.pointed.emit(group)
    assert " steps" in view.readout.text
    assert desk.document.hover.value is None


def test_figures_follow_the_range(desk: Desk) -> None:
    desk.turn("sets")
    before = desk.panel.shown_table()
    assert before is not None
    desk.document.ranges.set(Ranges(TimeRange(0.0, 150_000.0)))
    desk.settle()
    after = desk.panel.shown_table()
    assert after is not None
    columns = [{column.key: column for column in table.columns} for table in (before, after)]
    cycles = [float(np.sum(own["cycles"].values)) for own in columns]  # type: ignore[arg-type]
    assert 0 < cycles[1] < cycles[0]
    assert "the part inside counts" in after.note
    desk.turn("flame")
    assert desk.panel.flame.canvas.shown is not None
    assert desk.panel.flame.canvas.stage.range == TimeRange(0.0, 150_000.0)
    desk.panel.flame.canvas.range_chosen.emit(TimeRange(1.0, 2.0))
    assert desk.document.ranges.value.time == TimeRange(1.0, 2.0)


def test_a_name_selects_its_steps_and_steps_mark_their_names(desk: Desk) -> None:
    desk.turn("names")
    tree = desk.panel._tree
    assert tree is not None
    view = desk.panel.tree.view
    view.setCurrentIndex(view.items.index(0, 0))
    node = int(tree.hierarchy.roots[0])
    chosen = desk.document.selection.value
    assert chosen is not None
    assert chosen.kind == "step"
    assert chosen.indices == tuple(tree.steps_of(np.array([node])).tolist())
    step = chosen.indices[-1]
    desk.document.selection.set(Selection("step", (step,), "timeline"))
    assert view.items.item(view.currentIndex()) == tree.totals.paths.of_step[step]
    desk.panel.tree.match_selected.emit(node)
    assert desk.document.selection.value is not None
    assert len(desk.document.selection.value.indices) > 1


def test_rows_of_figures_select_what_they_stand_for(desk: Desk) -> None:
    desk.turn("sets")
    desk.panel.table.view.selectRow(0)
    chosen = desk.document.selection.value
    assert chosen is not None
    assert chosen.kind == "compute_set"
    desk.document.selection.clear()
    desk.turn("types")
    desk.panel.table.view.selectRow(0)
    assert desk.document.selection.value is not None
    assert desk.document.selection.value.kind == "vertex_type"
    assert desk.panel.selected_rows().tolist() == [0]


def test_an_execution_alone_has_fewer_pages(qtbot: QtBot, profile: Profile) -> None:
    desk = Desk(qtbot, replace(profile, compute_sets=None, vertex_types=None, programs=None, target=None))
    titles = [desk.panel.tabs.tabText(place) for place in range(desk.panel.tabs.count())]
    assert titles == ["Flame", "Flat", "By name", "By compute set", "By kind", "Tiles over time", "Cycles of all tiles"]
    desk.panel.tabs.setCurrentIndex(3)
    table = desk.panel.shown_table()
    assert table is not None
    assert str(table.columns[1].value(0)).startswith("compute set ")


def test_the_tree_says_which_steps_it_is_of(desk: Desk) -> None:
    desk.turn("names")
    assert desk.panel.scope.text == "Cycles of one step, over all steps of the run."
    desk.document.ranges.set(Ranges(time=TimeRange(10.0, 50_000.0)))
    desk.settle()
    assert desk.panel.scope.text.startswith("Steps of the range, cycles 10 to 50,000.")
    desk.turn("flame")
    assert desk.panel.scope.text == ""


def test_flat_has_all_steps_in_one_row(desk: Desk, profile: Profile) -> None:
    desk.turn("flat")
    found, steps, line = desk.panel.flat.flame, profile.steps, profile.timeline
    assert found is not None
    assert steps is not None
    assert line is not None
    slices = found.timeline.slices
    assert len(slices.first) == 2
    assert sorted(slices.record.tolist()) == sorted(line.slices.record.tolist())
    end = slices.start + slices.duration
    assert np.all(slices.start[1:] >= end[:-1])
    step = int(steps.of_type("OnTileExecute")[3])
    place = int(np.flatnonzero(slices.record == step)[0])
    strings = found.timeline.strings
    assert strings.get(int(slices.name[place])) == steps.strings.get(int(steps.name[step]))
    assert strings.get(int(slices.category[place])) == "OnTileExecute"
    desk.panel.flat.canvas.chosen.emit(place)
    assert desk.document.selection.value == Selection("step", (step,), "steps-flat")
    desk.turn("flame")
    assert desk.panel.flame.flame is not None
    chosen = desk.panel.flame.canvas.selected
    assert desk.panel.flame.flame.timeline.slices.record[chosen].tolist() == [step]


def test_tiles_over_time(desk: Desk, profile: Profile) -> None:
    desk.turn("tiles")
    view = desk.panel.tiles
    scene, layout = view.canvas.scene, view.canvas.layout_now()
    assert isinstance(scene, TilesScene)
    assert layout is not None
    assert profile.steps is not None
    assert view.readout.text.startswith("OnTileExecute: estimate")
    part = scene.tile_time.parts[0]
    place = int(np.argmax(part.stop - part.start))
    tile = int(np.argmax(part.matrix[part.row[place]]))
    x = layout.x_of((part.start[place] + part.stop[place]) / 2)
    point = QPointF(x, layout.y_of(scene.tile_time.tiles - tile - 0.5))
    assert scene.item_at(layout, point) == tile
    assert f"step {part.step[place]:,}" in view.canvas.describe(point)
    view.canvas.chosen.emit(np.array([tile]), False)
    assert desk.document.selection.value == Selection("tile", (tile,), "steps-tiles")
    assert view.canvas.selected == {tile}
    view.canvas.chosen.emit(np.array([0]), True)
    assert desk.panel.selected_rows().tolist() == sorted({0, tile})
    desk.document.selection.set(Selection("tile", (3,), "heat"))
    assert view.canvas.selected == {3}
    stretch = TimeRange(1000.0, 90_000.0)
    desk.document.ranges.set(Ranges(time=stretch))
    assert isinstance(view.canvas.scene, TilesScene)
    assert view.canvas.scene.stretch == stretch
    assert view.canvas.scene.sums is scene.sums
    table = desk.panel.shown_table()
    assert table is not None
    assert "cycles 1,000 to 90,000" in table.note
    for theme in (LIGHT, DARK):
        image = QImage(900, 300, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            desk.panel.draw_picture(painter, QRectF(0, 0, 900, 300), theme)
        assert len({image.pixelColor(x, y).name() for x in range(100, 900, 5) for y in range(40, 260, 5)}) > 8


def test_cycles_of_all_tiles_stand_by_kind_and_add_up(desk: Desk, profile: Profile) -> None:
    desk.turn("spent")
    assert profile.execution is not None
    picture, told = desk.panel.spent.bars.canvas.picture, profile.execution.tile_cycles
    assert picture is not None
    assert "whole run, from the file" in picture.title
    shares = {bar.name: bar.amount for bar in picture.bars}
    assert sum(share for kind, share in shares.items() if kind != "activeCompute") == pytest.approx(100)
    whole = sum(cycles for kind, cycles in told.items() if kind != "activeCompute")
    assert shares["compute"] == pytest.approx(100 * told["compute"] / whole)
    assert desk.panel.spent.readout.text.startswith("Sum matches: ")
    desk.panel.spent.bars.canvas.chosen.emit(np.array([list(shares).index("compute")]), False)
    chosen = desk.document.selection.value
    assert chosen is not None
    assert profile.steps is not None
    assert chosen.indices == tuple(profile.steps.of_type("OnTileExecute").tolist())
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, 50_000.0)))
    desk.settle()
    ranged = desk.panel.spent.bars.canvas.picture
    assert ranged is not None
    assert "the range, from its steps" in ranged.title
    assert "50,000 cycles x" in desk.panel.spent.readout.text
    image = QImage(600, 300, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        desk.panel.draw_picture(painter, QRectF(0, 0, 600, 300), LIGHT)
    assert len({image.pixelColor(x, y).name() for x in range(0, 600, 7) for y in range(0, 300, 7)}) > 3
    desk.document.close(desk.document.entries[0].id)
    desk.settle()
    assert desk.panel.spent._profile is None


def test_a_range_without_steps_shows_no_figures_of_another(desk: Desk) -> None:
    desk.turn("spent")
    table = desk.panel.spent.table.shown_table()
    assert table is not None
    assert table.rows
    desk.document.ranges.set(Ranges(time=TimeRange(1e12, 2e12)))
    desk.settle()
    assert "No step in the range" in desk.panel.spent.readout.text
    table = desk.panel.spent.table.shown_table()
    assert table is not None
    assert not table.rows
    desk.document.ranges.set(Ranges())
    desk.settle()
    table = desk.panel.spent.table.shown_table()
    assert table is not None
    assert table.rows


def test_a_run_that_does_not_add_up_says_by_how_much(qtbot: QtBot, profile: Profile) -> None:
    assert profile.execution is not None
    told = dict(profile.execution.tile_cycles)
    told["sync"] -= 1000
    desk = Desk(qtbot, replace(profile, execution=replace(profile.execution, tile_cycles=told)))
    desk.turn("spent")
    assert "1,000 cycles" in desk.panel.spent.readout.text
    assert " below " in desk.panel.spent.readout.text
    del told["streamCopy"]
    desk = Desk(qtbot, replace(profile, execution=replace(profile.execution, tile_cycles=told)))
    desk.turn("spent")
    assert "debug.instrumentHostExchange" in desk.panel.spent.readout.text
    picture = desk.panel.spent.bars.canvas.picture
    assert picture is not None
    bar = next(bar for bar in picture.bars if bar.name == "streamCopy")
    assert np.isnan(bar.amount)
    assert "not measured" in bar.tip


def test_other_colours_and_no_steps(qtbot: QtBot, desk: Desk, profile: Profile) -> None:
    desk.display.set(theme=DARK, cycles_as="time")
    assert not desk.panel.grab().isNull()
    bare = Desk(qtbot, replace(profile, steps=None, timeline=None))
    assert "no steps" in bare.panel.stack.empty.text
    assert bare.panel.shown_table() is None
