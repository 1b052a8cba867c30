"""The liveness panel and the document it is tied to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.poplar.liveness import peaks
from app.analysis.relations import translate
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.liveness.panel import LivenessPanel
from app.panels.liveness.picture import live, stations_of
from app.panels.plots import PLOTS
from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import DARK, LIGHT, Look
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from generators import poplar

SCALE = poplar.Scale(compute_sets=20, loops=2)


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("live"), SCALE))
    return profile


class Desk:
    def __init__(self, qtbot: QtBot) -> None:
        self.document = Document()
        self.display = Display()
        self.panel = LivenessPanel(Context(self.document, self.display))
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 400)
        self.panel.show()

    def open(self, profile: Profile) -> None:
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()

    @property
    def chosen(self) -> Selection:
        assert self.document.selection.value is not None
        return self.document.selection.value


@pytest.fixture
def desk(qtbot: QtBot, profile: Profile) -> Desk:
    desk = Desk(qtbot)
    desk.open(profile)
    return desk


def test_it_is_registered_with_its_plot(qapp: QApplication, profile: Profile) -> None:
    spec = next(spec for spec in PANELS if spec.id == "liveness")
    assert spec.offered(profile)
    assert not spec.offered(replace(profile, liveness=None))
    plot = next(plot for plot in PLOTS if plot.id == "liveness")
    for theme in (LIGHT, DARK):
        image = QImage(600, 300, QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            plot.draw(painter, QRectF(0, 0, 600, 300), profile, theme)
        colours = {image.pixelColor(x, y).name().upper() for x in range(60, 500, 7) for y in range(30, 270, 7)}
        assert {"#0072B2", "#E69F00"} <= colours


def test_it_has_the_abilities(desk: Desk) -> None:
    assert isinstance(desk.panel, Tabular)
    assert isinstance(desk.panel, HasPicture)
    table = desk.panel.shown_table()
    assert table is not None
    assert table.id == "liveness"


def test_the_bars_are_the_figures(desk: Desk, profile: Profile) -> None:
    shown = desk.panel.shown
    assert shown is not None
    found, tree = peaks(profile), profile.liveness
    assert found is not None
    assert tree is not None
    assert float(shown.picture.totals.max()) == found.program
    assert shown.flags
    assert shown.flags[0].amount == found.program
    desk.panel.always.setChecked(False)
    besides = desk.panel.shown
    assert besides is not None
    assert besides.picture.totals.tolist() == tree.bytes[besides.curve.nodes].tolist()
    assert besides.picture.names == ("Temporarily live",)


def test_both_peaks_are_said_and_explained(desk: Desk) -> None:
    assert "Peak of the program" in desk.panel.peaks.text
    assert "sum of tile peaks" in desk.panel.peaks.text
    assert "an upper bound" in desk.panel.peaks.toolTip().replace("\n", " ")


def test_the_peak_is_one_click_away(desk: Desk, profile: Profile) -> None:
    desk.panel.peak.click()
    assert profile.liveness is not None
    assert desk.chosen.kind == "liveness"
    assert profile.liveness.bytes[desk.chosen.first] == profile.liveness.bytes.max()
    tree = desk.panel.tree.view
    assert tree.items.item(tree.currentIndex()) == desk.chosen.first
    assert desk.panel.canvas.marks.selected.tolist() == [desk.panel.shown.curve.peak]  # type: ignore[union-attr]


def test_a_click_on_a_bar_selects_its_node(desk: Desk) -> None:
    canvas = desk.panel.canvas
    layout = canvas.layout_now()
    assert layout is not None
    assert desk.panel.shown is not None
    at = QPoint(int(layout.x_of(5.5)), int(layout.plot.bottom()) - 10)
    QTest.mouseMove(canvas, at)
    assert "program step 5, node " in desk.panel.readout.text
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    node = int(desk.panel.shown.curve.nodes[5])
    assert desk.chosen == Selection("liveness", (node,), "liveness")
    assert desk.panel.tree.view.items.item(desk.panel.tree.view.currentIndex()) == node


def test_a_row_of_the_tree_marks_all_moments_below(desk: Desk, profile: Profile) -> None:
    view = desk.panel.tree.view
    index = view.items.index(0, 0)
    view.setCurrentIndex(index)
    assert desk.chosen == Selection("liveness", (0,), "liveness-tree")
    assert profile.liveness is not None
    shown = desk.panel.shown
    assert shown is not None
    inside = shown.curve.nodes < profile.liveness.end[0]
    assert desk.panel.canvas.marks.selected.tolist() == np.flatnonzero(inside).tolist()


def test_a_program_selected_elsewhere_is_marked_and_a_tile_is_not(desk: Desk, profile: Profile) -> None:
    shown = desk.panel.shown
    assert shown is not None
    program = int(translate(profile, Selection("liveness", (int(shown.curve.nodes[4]),)), "program")[0])
    desk.document.selection.set(Selection("program", (program,), "tree"))
    assert 4 in desk.panel.canvas.marks.selected
    desk.document.selection.set(Selection("tile", (3,), "tile_memory"))
    assert len(desk.panel.canvas.marks.selected) == 0


def test_moments_below_nodes_are_those_of_a_loop(profile: Profile) -> None:
    tree = profile.liveness
    found = live(profile)
    assert tree is not None
    assert found is not None
    random = np.random.default_rng(3)
    for _ in range(20):
        nodes = random.integers(0, len(tree), 4)
        want = [
            place
            for place, node in enumerate(found.curve.nodes.tolist())
            if any(top <= node < tree.end[top] for top in nodes.tolist())
        ]
        assert stations_of(found.curve, tree, nodes).tolist() == want
    assert stations_of(found.curve, tree, np.array([-1, 10**6])).tolist() == []


def test_without_liveness_it_says_why(qtbot: QtBot, profile: Profile) -> None:
    desk = Desk(qtbot)
    desk.open(replace(profile, liveness=None))
    assert "no live bytes by program" in desk.panel.stack.empty.text


def test_units_follow_the_look(desk: Desk) -> None:
    desk.display.set(bytes_as="B")
    desk.panel._refresh.now()
    shown = desk.panel.shown
    assert shown is not None
    assert shown.flags
    assert shown.flags[0].name == f"Peak {int(shown.flags[0].amount):,} B"
    assert live(replace_memory(desk), look=Look()) is not None


def replace_memory(desk: Desk) -> Profile:
    """Without memory per tile there is no floor of what is always live."""
    profile = desk.document.profile
    assert profile is not None
    return replace(profile, tile_memory=None)


def test_files_without_memory_per_tile_show_the_tree_alone(desk: Desk) -> None:
    found = live(replace_memory(desk))
    assert found is not None
    assert found.picture.names == ("Temporarily live",)
    assert found.curve.always is None


def test_it_can_be_opened_again_and_again(desk: Desk, profile: Profile, tmp_path: Path) -> None:
    (other,) = read(FORMAT, poplar.write_pair(tmp_path, replace(SCALE, compute_sets=9)))
    desk.open(other)
    assert desk.panel.shown is not None
    assert other.liveness is not None
    assert desk.panel.shown.curve.nodes.max() < len(other.liveness)
    assert profile.liveness is not None
