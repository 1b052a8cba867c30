"""Tile memory beside a baseline: its outline, the difference by tile and part, marked tiles, and how that ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.panels.tile_memory.panel import TileMemoryPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.tile_memory.places import VIEWS
from app.widgets.context import Context
from app.widgets.display import Display
from fakes.pictures import plot_shown
from fakes.poplar_pairs import Tree, changed, compare, end, grow, profile_of, settle, tree_of
from generators import poplar

GROWN, MORE = 17, 4096
SCALE = poplar.Scale(ipus=2, tiles_per_ipu=16, compute_sets=4, loops=2)


@pytest.fixture(scope="module")
def tree() -> Tree:
    return tree_of(SCALE)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, tree: Tree) -> tuple[Profile, Profile]:
    """(before, after): a variable has grown on one tile."""
    folder: Path = tmp_path_factory.mktemp("tiles")
    return profile_of(folder, tree), profile_of(folder, changed(tree, lambda made: grow(made, GROWN, MORE)))


class Desk:
    def __init__(self, qtbot: QtBot, after: Profile) -> None:
        self.document = Document()
        self.panel = TileMemoryPanel(Context(self.document, Display()))
        qtbot.addWidget(self.panel)
        self.panel.resize(900, 400)
        self.panel.show()
        self.document.finish(self.document.add(after, 1))
        settle(self.panel)

    def turn(self, view: str) -> None:
        self.panel.bar.views.setCurrentIndex(list(VIEWS).index(view))  # type: ignore[arg-type]

    def show(self, figure: str) -> None:
        ids = [choice.id for choice in self.panel.bar._choices]
        self.panel.bar.figure.setCurrentIndex(ids.index(figure))

    def difference(self, wanted: bool = True) -> None:
        self.panel.bar.sides.setCurrentIndex(int(wanted))


def test_the_outline_is_the_baselines_and_the_difference_is_what_was_planted(
    qtbot: QtBot, pair: tuple[Profile, Profile]
) -> None:
    desk = Desk(qtbot, pair[1])
    desk.show("none")
    alone = plot_shown(desk.panel.canvas)
    assert not desk.panel.bar.sides.isVisible()
    compare(desk.document, desk.panel, pair[0])
    picture = plot_shown(desk.panel.canvas)
    assert pair[0].tile_memory is not None
    assert picture.sides is not None
    assert picture.sides.before.tolist() == np.asarray(pair[0].tile_memory.total_with_gaps).tolist()
    assert picture.totals.tolist() == alone.totals.tolist()
    assert desk.panel.canvas.scene is not None
    assert {flag.name for flag in desk.panel.canvas.scene.flags} >= {f"fullest: tile {int(np.argmax(alone.totals)):,}"}
    assert desk.panel.bar.sides.isVisible()
    assert not desk.panel.bar.sums.isVisible()
    assert f"largest increase on tile {GROWN}: +4.00 KiB" in desk.panel.readout.text

    desk.difference()
    for figure in ("none", "category", "liveness"):
        desk.show(figure)
        picture = plot_shown(desk.panel.canvas)
        assert picture.signed
        assert np.flatnonzero(picture.totals).tolist() == [GROWN]
        assert picture.totals[GROWN] == MORE
    desk.show("category")
    shown = plot_shown(desk.panel.canvas)
    moved = {name: np.flatnonzero(layer) for name, layer in zip(shown.names, shown.layers, strict=True)}
    assert [name for name, tiles in moved.items() if len(tiles)] == ["variable"]

    desk.panel.canvas.chosen.emit(np.array([GROWN]), False)
    assert desk.document.selection.value == Selection("tile", (GROWN,), "tile_memory")
    assert f"tile {GROWN}: +4.00 KiB" in desk.panel.readout.text
    end(desk.document, desk.panel)
    assert not desk.panel.bar.sides.isVisible()
    desk.show("none")
    assert plot_shown(desk.panel.canvas).sides is None
    assert plot_shown(desk.panel.canvas).title == alone.title
    assert desk.document.selection.value == Selection("tile", (GROWN,), "tile_memory")


def test_every_view_and_its_table_show_the_planted_tile(qtbot: QtBot, pair: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, pair[1])
    compare(desk.document, desk.panel, pair[0])
    desk.difference()
    desk.turn("sorted")
    assert desk.panel._places is not None
    assert int(desk.panel._places.tiles[0]) == GROWN
    desk.turn("ipu")
    assert plot_shown(desk.panel.canvas).totals.tolist() == [0, MORE]
    desk.turn("floor")
    scene = desk.panel.floor.scene
    assert scene is not None
    heat = scene.picture.heat
    assert heat.scale.signed
    assert [heat.amount(0, tile) for tile in (GROWN, 0)] == [MORE, 0]
    assert "difference +4.00 KiB" in scene.picture.describe(GROWN, desk.panel.context.display.look)
    desk.turn("histogram")
    histogram = desk.panel.histogram.picture
    assert histogram is not None
    assert int(histogram.bins.counts.sum()) == SCALE.tiles
    assert desk.panel._shown is not None
    last = len(histogram.bins.counts) - 1
    assert histogram.bins.members(desk.panel._shown.amounts(-1), last, last).tolist() == [GROWN]
    desk.difference(False)
    histogram = desk.panel.histogram.picture
    assert histogram is not None
    assert histogram.baseline is not None
    assert int(histogram.baseline.sum()) == SCALE.tiles
    desk.turn("tile")
    desk.panel.as_table.setChecked(True)
    qtbot.waitUntil(lambda: desk.panel.table.view.items.table.rows == 1)
    table = desk.panel.table.view.items.table
    cells = {column.key: column.value(0) for column in table.columns}
    assert (cells["tile"], cells["total_difference"]) == (GROWN, MORE)
    desk.turn("figures")
    qtbot.waitUntil(lambda: "part" in {column.key for column in desk.panel.table.view.items.table.columns})
    exported = desk.panel.shown_table()
    assert exported is not None
    assert "total_difference" in {column.key for column in exported.columns}


def test_a_profile_against_itself_is_zero_everywhere(qtbot: QtBot, pair: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, pair[0])
    compare(desk.document, desk.panel, pair[0])
    desk.difference()
    for figure in range(desk.panel.bar.figure.count()):
        desk.panel.bar.figure.setCurrentIndex(figure)
        picture = plot_shown(desk.panel.canvas)
        assert not np.nan_to_num(picture.totals).any()
        assert not any(np.nan_to_num(layer).any() for layer in picture.layers)
    assert "no tile differs" in desk.panel.readout.text


def test_tiles_that_only_one_side_has_are_marked_and_sums_are_per_tile(
    qtbot: QtBot, pair: tuple[Profile, Profile], tmp_path: Path
) -> None:
    larger = profile_of(tmp_path, tree_of(poplar.Scale(ipus=3, tiles_per_ipu=16, compute_sets=4, loops=2)))
    desk = Desk(qtbot, larger)
    compare(desk.document, desk.panel, pair[0])
    picture = plot_shown(desk.panel.canvas)
    assert picture.sides is not None
    assert np.flatnonzero(picture.sides.only_after).tolist() == list(range(32, 48))
    desk.difference()
    assert np.isnan(plot_shown(desk.panel.canvas).totals[32:]).all()
    assert desk.panel.bar.sums.isVisible()
    assert "16 tiles only in the comparison" in desk.panel.readout.text
    assert " · sum " in desk.panel.readout.text
    desk.panel.bar.sums.setCurrentIndex(1)
    assert " · mean " in desk.panel.readout.text
    smaller = Desk(qtbot, pair[0])
    compare(smaller.document, smaller.panel, larger)
    picture = plot_shown(smaller.panel.canvas)
    assert np.isnan(picture.totals[32:]).all()
    smaller.panel.canvas.chosen.emit(np.arange(30, 48), False)
    assert smaller.document.selection.value == Selection("tile", (30, 31), "tile_memory")


def test_what_takes_a_tile_is_compared(qtbot: QtBot, pair: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, pair[1])
    compare(desk.document, desk.panel, pair[0])
    desk.panel.strip.toggle.setChecked(True)
    desk.panel.canvas.chosen.emit(np.array([GROWN]), False)
    table = desk.panel.strip.figures.table
    qtbot.waitUntil(lambda: "bytes_difference" in {column.key for column in table.view.items.table.columns})
    shown = table.view.items.table
    columns = {column.key: column for column in shown.columns}
    differences = {columns["name"].value(row): columns["bytes_difference"].value(row) for row in range(shown.rows)}
    assert differences["variable"] == MORE
