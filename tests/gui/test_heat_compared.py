"""The heat table beside a baseline: differences around zero, either side in one scale, and rows of one side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import app.panels.heat_table.panel as heat_panel
from app.document.document import Document
from app.panels.heat_table.panel import HeatPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.heat.scale import ZERO
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.heat.picture import HeatPicture
from fakes.pictures import heat_shown, rows_marked
from fakes.poplar_pairs import Tree, changed, compare, end, profile_of, settle, tree_of
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=16, compute_sets=6, loops=2, estimates=True)
SLOWER, RENAMED, TILE, MORE = 2, 4, 7, 500


def plant(tree: Tree) -> None:
    """A compute set is slower on one tile, and another has another name altogether."""
    tree["computeSets"]["cycleEstimates"]["cyclesByTile"][SLOWER][TILE] += MORE
    tree["computeSets"]["names"][RENAMED] = "another/name"


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Profile, Profile]:
    folder: Path = tmp_path_factory.mktemp("heat")
    tree = tree_of(SCALE)
    return profile_of(folder, tree), profile_of(folder, changed(tree, plant))


class Desk:
    def __init__(self, qtbot: QtBot, after: Profile) -> None:
        self.document = Document()
        self.panel = HeatPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 400)
        self.panel.show()
        self.document.finish(self.document.add(after, 1))
        settle(self.panel)
        ids = [entry.id for entry in self.panel._matrices]
        self.panel.chooser.setCurrentIndex(ids.index("compute-set-cycles"))

    @property
    def picture(self) -> HeatPicture:
        return heat_shown(self.panel.canvas)

    def show(self, side: str) -> None:
        self.panel.sides.setCurrentIndex(self.panel.sides.place_of(side))


def test_the_map_shows_exactly_the_planted_difference(qtbot: QtBot, pair: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, pair[1])
    alone = desk.picture
    assert not desk.panel.sides.isVisible()
    compare(desk.document, desk.panel, pair[0])
    picture = desk.picture
    assert picture.scale.signed
    names = [picture.row_name(row) for row in range(picture.rows)]
    row = names.index(alone.row_name(SLOWER))
    (added,) = (row for row, name in enumerate(names) if name == "another/name (only in the comparison)")
    (gone,) = (row for row, name in enumerate(names) if name.endswith("(only in the baseline)"))
    values = picture.pyramid.values[:]
    values[[added, gone]] = 0
    assert np.argwhere(values != 0).tolist() == [[row, TILE]]
    assert picture.amount(row, TILE) == MORE
    look = desk.panel.context.display.look
    assert "difference +500 cycles" in picture.describe(range(row, row + 1), range(TILE, TILE + 1), look)
    assert picture.margins is not None
    assert picture.margins.rows[row] == MORE
    assert "difference +500 cycles" in picture.describe_row(range(row, row + 1), look)

    desk.panel.row_order.choose("largest")
    order = [abs(int(sum_)) for sum_ in desk.picture.margins.rows]  # type: ignore[union-attr]
    assert order == sorted(order, reverse=True)
    desk.panel.row_order.choose("file")

    scales = {}
    for side, own in (("before", pair[0]), ("after", pair[1])):
        desk.show(side)
        scales[side] = desk.picture.scale
        assert own.compute_sets is not None
        assert own.compute_sets.cycles is not None
        assert desk.picture.amount(row, TILE) == own.compute_sets.cycles[SLOWER, TILE]
    assert scales["before"] == scales["after"]
    assert desk.picture.amount(gone, 0) is None

    desk.document.selection.set(Selection("compute_set", (SLOWER,), "elsewhere"))
    assert rows_marked(desk.panel.canvas) == [row]
    desk.panel.canvas.chosen.emit(np.array([gone]), False)
    assert desk.document.selection.value == Selection("compute_set", (SLOWER,), "elsewhere")
    desk.panel.canvas.chosen.emit(np.array([added]), False)
    assert desk.document.selection.value == Selection("compute_set", (RENAMED,), "heat")

    end(desk.document, desk.panel)
    assert not desk.panel.sides.isVisible()
    assert desk.picture.title == alone.title
    assert np.array_equal(desk.picture.pyramid.values[:], alone.pyramid.values[:])


def test_its_table_is_compared(qtbot: QtBot, pair: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, pair[1])
    compare(desk.document, desk.panel, pair[0])
    desk.panel.as_table.setChecked(True)
    assert not desk.panel.sides.isVisible()
    qtbot.waitUntil(lambda: "sum_difference" in {c.key for c in desk.panel.table.view.items.table.columns})
    table = desk.panel.table.view.items.table
    columns = {column.key: column for column in table.columns}
    differences = {columns["name"].value(row): columns["sum_difference"].value(row) for row in range(table.rows)}
    assert len(differences) == 3
    assert MORE in differences.values()
    desk.panel.by_column.setChecked(True)
    qtbot.waitUntil(lambda: "column" in {c.key for c in desk.panel.table.view.items.table.columns})


def test_a_profile_against_itself_is_zero_everywhere(qtbot: QtBot, pair: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, pair[0])
    compare(desk.document, desk.panel, pair[0])
    for number in range(desk.panel.chooser.count()):
        desk.panel.chooser.setCurrentIndex(number)
        picture = desk.picture
        assert picture.scale.signed
        codes = picture.scale.codes(picture.pyramid.values[:])
        assert set(np.unique(codes).tolist()) <= {0, ZERO}


def test_large_matrices_are_compared_in_the_background(
    qtbot: QtBot, pair: tuple[Profile, Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heat_panel, "FEW_CELLS", 1)
    desk = Desk(qtbot, pair[1])
    before = desk.picture
    compare(desk.document, desk.panel, pair[0])
    assert desk.picture is before
    qtbot.waitUntil(lambda: desk.picture.scale.signed)
    desk.show("before")
    end(desk.document, desk.panel)
    QApplication.processEvents()
    assert not desk.picture.scale.signed
    assert desk.picture.title == before.title
