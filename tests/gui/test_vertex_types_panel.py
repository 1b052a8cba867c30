"""The panel of vertex types and the document it is tied to."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.poplar.vertices import of, thread_use
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.plots import PLOTS
from app.panels.registry import PANELS
from app.panels.vertex_types.panel import VertexTypesPanel
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TimeRange
from app.views.look import LIGHT
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from generators import poplar


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("model"), poplar.Scale(mode="IPU_MODEL")))
    return profile


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("vertices"), poplar.Scale(mode="VERTICES")))
    return profile


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile) -> None:
        self.document = Document()
        self.panel = VertexTypesPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 360)
        self.panel.show()
        self.open(profile)

    def open(self, profile: Profile) -> None:
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    def turn(self, page: str) -> None:
        self.panel.chooser.setCurrentIndex(self.panel.chooser.findData(page))


def test_it_is_registered_with_its_plots(qapp: QApplication, model: Profile, measured: Profile) -> None:
    spec = next(spec for spec in PANELS if spec.id == "vertex_types")
    assert spec.offered(model)
    plots = {plot.id: plot for plot in PLOTS}
    assert plots["thread-use"].offered(model)
    assert not plots["thread-use"].offered(measured)
    assert plots["vertex-cycles"].offered(measured)
    assert not plots["vertex-cycles"].offered(model)
    for plot, profile in ((plots["thread-use"], model), (plots["vertex-cycles"], measured)):
        image = QImage(500, 260, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            plot.draw(painter, QRectF(0, 0, 500, 260), profile, LIGHT)
        assert len({image.pixelColor(x, 200).name() for x in range(0, 500, 3)}) > 1


def test_pages_are_those_that_the_file_fills(qtbot: QtBot, model: Profile, measured: Profile) -> None:
    desk = Desk(qtbot, model)
    assert [desk.panel.chooser.itemData(row) for row in range(desk.panel.chooser.count())] == ["types", "threads"]
    desk.turn("threads")
    desk.open(measured)
    assert [desk.panel.chooser.itemData(row) for row in range(desk.panel.chooser.count())] == ["types", "vertices"]
    assert desk.panel.page == "types"
    assert isinstance(desk.panel, Tabular)
    assert isinstance(desk.panel, HasPicture)


def test_the_table_has_all_that_is_known_of_a_type(qtbot: QtBot, model: Profile) -> None:
    desk = Desk(qtbot, model)
    table = desk.panel.shown_table()
    assert table is not None
    keys = {column.key for column in table.columns}
    kinds = {"code_bytes", "copy_pointer_bytes", "descriptor_bytes", "edge_pointer_bytes", "padding_bytes"}
    assert kinds | {"size", "vertices", "vertex_data_bytes", "total_bytes", "active", "run_active"} <= keys
    desk.panel.types.view.selectRow(2)
    assert desk.document.selection.value == Selection("vertex_type", (2,), "vertex_types")


def test_threads_follow_the_selected_compute_sets(qtbot: QtBot, model: Profile) -> None:
    desk = Desk(qtbot, model)
    desk.turn("threads")
    canvas = desk.panel.threads.canvas
    assert canvas.scene is not None
    assert "compute set" not in canvas.scene.picture.title
    desk.document.selection.set(Selection("compute_set", (3,), "heat"))
    assert "in 1 compute set" in canvas.scene.picture.title
    sets = model.compute_sets
    assert sets is not None
    assert sets.cycles is not None
    assert sets.active_cycles is not None
    share = np.where(sets.cycles[3] > 0, 100.0 * sets.active_cycles[3] / np.maximum(sets.cycles[3], 1), np.nan)
    assert np.allclose(canvas.scene.picture.totals, share, equal_nan=True)
    desk.document.selection.set(Selection("tile", (5,), "tile_memory"))
    assert "in 1 compute set" in canvas.scene.picture.title
    assert canvas.marks.selected.tolist() == [5]


def test_threads_as_a_table_and_of_one_run(qtbot: QtBot, model: Profile) -> None:
    desk = Desk(qtbot, model)
    desk.turn("threads")
    desk.panel.as_table.setChecked(True)
    assert desk.panel.threads.pages.currentWidget() is desk.panel.threads.table
    table = desk.panel.shown_table()
    assert table is not None
    assert table.id == "thread-use"
    desk.panel.all_runs.setChecked(False)
    again = desk.panel.shown_table()
    assert again is not None
    sums = [float(np.sum(made.columns[-1].values)) for made in (table, again)]  # type: ignore[arg-type]
    assert sums[0] > sums[1]
    assert "of their cycles" in desk.panel.threads.readout.text


def test_threads_of_all_runs_are_those_of_the_range(qtbot: QtBot, model: Profile) -> None:
    desk = Desk(qtbot, model)
    desk.turn("threads")
    assert model.steps is not None
    end = float(model.steps.cycles_to.max())
    desk.document.ranges.set(Ranges(time=TimeRange(0.0, end / 2)))
    desk.panel._later.now()
    half, whole = desk.panel.threads.shown_table(), thread_use(model)
    assert half is not None
    assert whole is not None
    runs = np.bincount(model.steps.compute_set[(model.steps.cycles_from < end / 2) & (model.steps.compute_set >= 0)])
    assert model.compute_sets is not None
    assert model.compute_sets.cycles is not None
    expected = runs @ model.compute_sets.cycles[: len(runs)].astype(np.int64)
    cycles = next(column for column in half.columns if column.key == "cycles")
    assert [cycles.value(row) for row in range(half.rows)] == expected.tolist()
    assert np.all(expected <= whole.cycles)
    assert desk.panel.threads.canvas.scene is not None
    assert "runs in the range" in desk.panel.threads.canvas.scene.picture.title


def test_the_histogram_is_of_the_selected_type(qtbot: QtBot, measured: Profile) -> None:
    desk = Desk(qtbot, measured)
    desk.turn("vertices")
    assert measured.execution is not None
    vertices = measured.execution.vertices
    assert vertices is not None
    histogram = desk.panel.vertices.histogram
    assert histogram.picture is not None
    assert histogram.picture.bins.counts.sum() + histogram.picture.bins.zeros == len(vertices.cycles)
    desk.document.selection.set(Selection("vertex_type", (1,), "tree"))
    assert histogram.picture.bins.counts.sum() == len(of(vertices, types=np.array([1])))
    assert "ConvPartialnx1" in histogram.picture.title
    desk.document.selection.set(Selection("compute_set", (0, 1), "tree"))
    assert histogram.picture.bins.counts.sum() == len(of(vertices, sets=np.array([0, 1])))
    desk.panel.by_set.setChecked(True)
    table = desk.panel.shown_table()
    assert table is not None
    assert "compute_set" in [column.key for column in table.columns]
    assert desk.panel.rows_text() == ""
    desk.panel.vertices.table.search_for("Conv")
    assert "Conv" in desk.panel.rows_text()


def test_without_vertex_types_it_says_why(qtbot: QtBot, model: Profile) -> None:
    desk = Desk(qtbot, replace(model, vertex_types=None, compute_sets=None))
    assert desk.panel.stack.is_empty
