"""The panel of steps with a baseline: the flame graph of differences, and tables of both."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.compare.tables import ONLY_BEFORE
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.steps.panel import StepsPanel
from app.profile.profile import Profile
from app.profile.selection import Ranges, TimeRange
from app.views.look import LIGHT
from app.views.steps.difference_frames import CLASSES, DifferenceFrames
from app.widgets.context import Context
from app.widgets.display import Display
from generators import poplar


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    folder: Path = tmp_path_factory.mktemp("run")
    (made,) = read(FORMAT, poplar.write_pair(folder, poplar.Scale(compute_sets=20, loops=3)))
    return made


def changed(profile: Profile) -> Profile:
    """Compute set 3 takes half as long again, and 5 has no name of its own any more."""
    steps = profile.steps
    assert steps is not None
    cycles, name = steps.cycles.copy(), steps.name.copy()
    cycles[steps.compute_set == 3] = cycles[steps.compute_set == 3] * 3 // 2
    name[steps.compute_set == 5] = name[np.flatnonzero(steps.compute_set == 6)[0]]
    return replace(profile, name="changed", steps=replace(steps, cycles=cycles, name=name))


class Desk:
    def __init__(self, qtbot: QtBot, before: Profile, after: Profile) -> None:
        self.document = Document()
        self.panel = StepsPanel(Context(self.document, Display()))
        self.qtbot = qtbot
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 500)
        self.panel.show()
        entries = [self.document.add(one, job) for job, one in enumerate((before, after), 1)]
        for entry in entries:
            self.document.finish(entry)
        self.after = entries[1]
        self.settle()
        self.document.baselines.set(self.after, entries[0])
        self.settle()

    def settle(self) -> None:
        QApplication.processEvents()
        self.panel._refresh.now()
        self.panel._figures.now()
        panel = self.panel
        self.qtbot.waitUntil(
            lambda: not (panel.differences.busy or panel._shown.busy or panel.compared._background.busy)
        )

    def turn(self, page: str) -> None:
        self.panel.tabs.setCurrentIndex(self.panel._pages.index(page))  # type: ignore[arg-type]
        self.settle()

    @property
    def frames(self) -> DifferenceFrames:
        assert self.panel.differences.frames is not None
        return self.panel.differences.frames

    def compared(self) -> bool:
        """Whether the tree of names shows differences."""
        return self.panel.compared.active

    def kind(self, frame: int) -> str:
        """What the colour of a frame stands for."""
        line = self.frames.timeline
        return line.strings.get(int(line.slices.category[frame]))


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    return Desk(qtbot, profile, changed(profile))


def test_the_flame_graph_shows_what_differs(desk: Desk) -> None:
    assert desk.panel.page == "differences"
    frames, canvas = desk.frames, desk.panel.differences.canvas
    longer = [frame for frame in range(len(frames.flame)) if desk.kind(frame) == CLASSES[-1][0]]
    assert longer
    label = frames.timeline.strings.get(int(frames.timeline.slices.name[longer[-1]]))
    assert "+50.0 % (+" in label
    gone = int(np.flatnonzero(frames.flame.status == ONLY_BEFORE)[-1])
    assert "only in the baseline" in frames.about(gone)[1]
    assert canvas.shown is not None
    assert canvas.shown.contents.alone is not None
    canvas.chosen.emit(longer[-1])
    chosen = desk.document.selection.value
    assert chosen is not None
    steps = desk.document.profile.steps  # type: ignore[union-attr]
    assert steps is not None
    assert set(steps.compute_set[list(chosen.indices)].tolist()) == {3}
    canvas.pointed.emit(longer[-1])
    assert "before" in desk.panel.differences.readout.text
    canvas.chosen.emit(gone)
    assert desk.document.selection.value is None
    desk.panel.differences.widths.setCurrentIndex(1)
    desk.settle()
    assert desk.frames.baseline
    assert desk.frames.flame.width.sum() < frames.flame.width.sum()
    image = QImage(800, 300, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        desk.panel.differences.draw_picture(painter, QRectF(0, 0, 800, 300), LIGHT)
    assert len({image.pixelColor(x, y).name() for x in range(200, 800, 7) for y in range(40, 200, 5)}) > 4


def test_tables_and_names_are_compared(desk: Desk) -> None:
    desk.turn("sets")
    table = desk.panel.table.view.items.table
    columns = {column.key: column for column in table.columns}
    assert columns["compute_set"].value(0) == 3
    assert columns["cycles_percent"].value(0) == pytest.approx(50, abs=0.1)
    desk.turn("names")
    assert desk.compared()
    assert {"cycles_before", "cycles_after"} <= {column.key for column in desk.panel.tree.view.items.table.columns}
    desk.document.ranges.set(Ranges(TimeRange(0.0, 150_000.0)))
    desk.settle()
    assert "In the baseline, the range covers" in desk.panel.scope.text
    desk.document.baselines.end(desk.after)
    desk.settle()
    assert desk.panel.page == "flame"
    desk.turn("names")
    assert not desk.compared()
    assert "cycles" in {column.key for column in desk.panel.tree.view.items.table.columns}


def test_itself_against_itself_differs_nowhere(qtbot: QtBot, profile: Profile) -> None:
    desk = Desk(qtbot, profile, replace(profile, name="again"))
    assert {desk.kind(frame) for frame in range(len(desk.frames.flame))} == {"the same"}
    desk.turn("sets")
    assert desk.panel.table.view.items.table.rows == 0


def test_tiles_over_time_are_shown_for_both_on_one_view(desk: Desk) -> None:
    desk.turn("tiles")
    view = desk.panel.tiles
    assert view.below is not None
    assert view.below.isVisible()
    assert view.below.scene is not None
    assert view.canvas.scene is not None
    comparison = desk.panel.comparison
    assert comparison is not None
    assert view.below.scene.title == f"Baseline: {comparison.before.name}"
    assert view.below.scene.shape == view.canvas.scene.shape
    for moved, other in ((view.canvas, view.below), (view.below, view.canvas)):
        moved.zoom(4.0)
        assert moved.history is not None
        assert other.history is not None
        assert other.history.view == moved.history.view != moved.scene.whole()  # type: ignore[union-attr]
        other.back()
        assert moved.history.view == moved.scene.whole()  # type: ignore[union-attr]
    table = view.shown_table()
    assert table is not None
    assert table.columns[0].key == "status"
    desk.document.baselines.end(desk.after)
    desk.settle()
    desk.turn("tiles")
    assert not view.below.isVisible()


def test_cycles_of_all_tiles_have_bars_for_both(desk: Desk) -> None:
    desk.turn("spent")
    desk.qtbot.waitUntil(lambda: not desk.panel.spent.busy)
    chart = desk.panel.spent.bars.canvas.picture
    assert chart is not None
    assert all(bar.before is not None for bar in chart.bars)
    assert "Baseline: " in chart.bars[0].tip
    assert desk.panel.spent.table.view.items.table.columns[0].key == "status"


def test_a_baseline_that_is_closed_is_held_by_no_page(qtbot: QtBot, profile: Profile) -> None:
    steps = profile.steps
    assert steps is not None
    cycles = steps.cycles.copy()
    held = weakref.ref(cycles)
    desk = Desk(qtbot, replace(profile, steps=replace(steps, cycles=cycles)), changed(profile))
    del cycles
    for page in list(desk.panel._pages):
        desk.turn(page)
    desk.qtbot.waitUntil(lambda: not desk.panel.spent.busy)
    desk.document.close(desk.document.entries[0].id)
    desk.settle()
    gc.collect()
    assert held() is None
