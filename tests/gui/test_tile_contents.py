"""What takes the selected tiles, below the plot and in Details; the figures are those of the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.poplar.parts import MOST_LISTED
from app.analysis.poplar.tile_content import CONTENTS, NO_VARIABLES
from app.analysis.table import Table
from app.document.document import Document
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.details import DetailsPanel
from app.panels.registry import SPECS
from app.panels.tile_memory import contents as strip
from app.panels.tile_memory.panel import TileMemoryPanel
from app.profile.profile import Profile
from app.profile.selection import Kind, Ranges, Selection, TileRange
from app.views.tile_memory.places import VIEWS
from app.views.units import format_value
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.sheet import Link
from app.widgets.texts import Label
from app.widgets.view_state import restore_choices
from generators import poplar
from generators.poplar_variables import variables_of
from generators.trees import plain
from oracles import poplar_tile as by_hand

SCALE = poplar.Scale(ipus=2, tiles_per_ipu=16)
SIXTEEN = tuple(range(3, 19))


@pytest.fixture(scope="module")
def graph() -> Any:
    return plain(poplar.graph(SCALE))


@pytest.fixture(scope="module")
def profiles(tmp_path_factory: pytest.TempPathFactory, graph: Any) -> tuple[Profile, Profile]:
    """With and without variables."""
    folder = tmp_path_factory.mktemp("tiles")
    (folder / "graph.json").write_text(json.dumps(graph))
    (folder / "vars.json").write_text(json.dumps(variables_of(graph)))
    (whole,) = read(FORMAT, [folder / "graph.json", folder / "vars.json"])
    (bare,) = read(FORMAT, [folder / "graph.json"])
    return whole, bare


class Desk:
    def __init__(self, qtbot: QtBot, profile: Profile, height: int = 420) -> None:
        self.document = Document()
        context = Context(self.document, Display())
        self.panel, self.details = TileMemoryPanel(context), DetailsPanel(context)
        for widget in (self.panel, self.details):
            qtbot.addWidget(widget)
            widget.resize(900, height)
            widget.show()
        self.document.finish(self.document.add(profile, 1))
        QApplication.processEvents()
        self.panel._refresh.now()
        self.document.target_wanted.connect(lambda target: self.panel.show_table(target.table))

    def select(self, kind: Kind, *indices: int) -> None:
        self.document.selection.set(Selection(kind, indices, "test"))
        QApplication.processEvents()
        self.details._refresh.now()
        while self.details._links.isActive():
            self.details._next_links()

    def is_open(self) -> bool:
        return self.panel.strip.is_open

    def turn(self, kind: Kind) -> Table:
        self.panel.strip.toggle.setChecked(True)
        self.panel.strip.figures.tabs.setCurrentIndex(list(CONTENTS).index(kind))
        return self.table

    @property
    def table(self) -> Table:
        return self.panel.strip.figures.table.view.items.table

    def rests(self) -> int:
        """Rows of the table that stand for no item."""
        return sum(self.table.key(row) < 0 for row in range(self.table.rows))

    def sum(self) -> int:
        (column,) = (column for column in self.table.columns if column.key == "bytes")
        return sum(int(column.value(row) or 0) for row in range(self.table.rows))

    def links(self) -> list[str]:
        return [link.text() for link in self.details.sheet.findChildren(Link)]


def test_one_selected_tile_is_what_figures_are_of(qtbot: QtBot, profiles: tuple[Profile, Profile], graph: Any) -> None:
    desk = Desk(qtbot, profiles[0])
    assert not desk.is_open()
    assert desk.panel.readout.text.startswith(f"{SCALE.tiles} tiles · fullest tile")
    desk.select("tile", 7)
    used = by_hand.used(graph, [7])
    amount = format_value(used, "B", desk.panel.context.display.look)
    assert desk.panel.readout.text.startswith(f"tile 7: {amount} (")
    assert not desk.is_open()
    for kind in CONTENTS:
        assert desk.turn(kind).selects == kind
        assert desk.sum() == used, kind
        assert not len(desk.panel.strip.figures.table.selected_rows())
    text = desk.details.copy_text()
    assert f"In use\t{amount}" in text
    for title in (spec.title for spec in CONTENTS.values()):
        assert f"\n{title}\n" in text
    desk.panel.bar.figure.setCurrentIndex([choice.id for choice in desk.panel.bar._choices].index("category"))
    assert " · variable " in desk.panel.readout.text
    desk.panel.bar.views.setCurrentIndex(list(VIEWS).index("figures"))
    table = desk.panel.shown_table()
    assert table is not None
    cells: dict[str, list[Any]] = {
        column.key: [column.value(row) for row in range(table.rows)] for column in table.columns
    }
    assert cells["value"][0] == used
    assert sum(cells["value"][1:]) == used
    assert cells["share"][0] == 100
    assert "mean" not in cells


def test_sixteen_tiles_are_added_up(qtbot: QtBot, profiles: tuple[Profile, Profile], graph: Any) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", *SIXTEEN)
    for kind in CONTENTS:
        desk.turn(kind)
        assert desk.sum() == by_hand.used(graph, SIXTEEN)
        assert {"most", "tile", "tiles"} <= {column.key for column in desk.table.columns}
    on = {tile: by_hand.used(graph, [tile]) for tile in SIXTEEN}
    fullest = max(on, key=lambda tile: on[tile])
    assert "Fullest tiles" in desk.details.copy_text()
    assert any(link.startswith(f"▸ tile {fullest} · ") for link in desk.links())
    assert desk.panel.readout.text.startswith(f"16 tiles selected · fullest tile {fullest}:")
    desk.panel.bar.figure.setCurrentIndex(0)
    desk.document.selection.clear()
    desk.document.ranges.set(Ranges(tiles=TileRange((4, 5))))
    assert desk.sum() == by_hand.used(graph, [4, 5])
    desk.document.ranges.set(Ranges())
    assert desk.sum() == by_hand.used(graph, range(SCALE.tiles))


@pytest.mark.parametrize("kind", CONTENTS)
def test_a_row_leads_to_its_thing_and_the_tile_stays(
    qtbot: QtBot, profiles: tuple[Profile, Profile], kind: Kind
) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", 9)
    table = desk.turn(kind)
    desk.panel.strip.figures.table.view.selectRow(1)
    selected = desk.document.selection.value
    assert selected is not None
    assert (selected.kind, selected.first) == (kind, table.key(1))
    assert desk.panel.readout.text.startswith("tile 9: ")
    assert desk.table is table
    assert desk.panel.canvas.marks.selected.tolist() == [9]
    desk.select("tile", 10)
    assert desk.panel.readout.text.startswith("tile 10: ")


def test_details_lead_to_the_largest(qtbot: QtBot, profiles: tuple[Profile, Profile], graph: Any) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", 7)
    own = by_hand.categories(graph, [7], "nonOverlapped")
    largest = max(own, key=lambda name: own[name])
    size = format_value(own[largest][0], "B", desk.panel.context.display.look)
    (link,) = (link for link in desk.details.sheet.findChildren(Link) if link.text() == largest)
    assert f"{largest}\t{size}\t" in desk.details.copy_text()
    link.click()
    selected = desk.document.selection.value
    assert selected is not None
    assert selected.kind == "category"
    assert selected.first == list(graph["memory"]["byCategory"]).index(largest)
    desk.select("variable", 3)
    (text,) = (link for link in desk.links() if link.startswith("▸ tile"))
    assert profiles[0].variables is not None
    assert text == f"▸ tile {profiles[0].variables.tile[3]}"
    named = next(row for row, name in enumerate(profiles[0].variables.name) if name >= 0)
    desk.select("variable", named)
    name = profiles[0].variables.strings[int(profiles[0].variables.name[named])]
    assert desk.details.copy_text().splitlines()[:2] == [name, "Variable"]  # as it is, whatever it begins with


def test_figures_beside_a_long_name_are_never_cut(qtbot: QtBot, profiles: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.details.resize(240, 400)
    desk.select("tile", 7)
    QApplication.processEvents()
    links = [link for link in desk.details.sheet.findChildren(Link) if link.text().endswith("/Convolve")]
    figures = [label for label in desk.details.sheet.findChildren(Label) if label.text().endswith("%")]
    assert links
    assert figures
    for link in links:
        assert link._shown(120).endswith("Convolve")
    for label in figures:
        assert label.width() >= label.sizeHint().width()
        assert label.geometry().right() <= desk.details.sheet.width()


def test_more_rows_are_a_link_to_the_table_of_all(qtbot: QtBot, profiles: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", 7)
    link = next(link for link in desk.details.sheet.findChildren(Link) if link.text().endswith(" more"))
    link.click()
    assert desk.is_open()
    assert desk.table.title == "Categories on tile 7"
    assert desk.table.rows == MOST_LISTED + int(link.text().split()[0]) + desk.rests()


def test_without_variables_it_is_said_how_to_get_them(qtbot: QtBot, profiles: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, profiles[1])
    desk.select("tile", 7)
    assert desk.turn("variable").rows == 0
    assert desk.panel.strip.figures.table.stack.empty.text == NO_VARIABLES
    assert NO_VARIABLES in desk.details.copy_text()
    assert desk.turn("category").rows > 5


def test_a_click_moves_nothing(qtbot: QtBot, profiles: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, profiles[0])
    before = desk.panel.canvas.geometry()
    at = desk.panel.canvas.layout_now().plot.center().toPoint()
    QTest.mouseClick(desk.panel.canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert desk.document.selection.value is not None
    QTest.qWait(QApplication.doubleClickInterval() + 50)
    assert not desk.is_open()
    assert desk.panel.canvas.geometry() == before


def test_a_link_of_an_earlier_version_opens_the_contents(qtbot: QtBot, profiles: tuple[Profile, Profile]) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", 7)
    restore_choices(desk.panel, {"strip.toggle": True, "breakdown": "#0"})
    assert desk.is_open()
    assert desk.table.title == "Categories on tile 7"
    assert desk.panel.bar.choice is not None
    assert desk.panel.bar.choice.id == "none"


def test_the_categories_are_first_until_another_figure_is_chosen(
    qtbot: QtBot, profiles: tuple[Profile, Profile]
) -> None:
    memory = profiles[0].tile_memory
    assert memory is not None
    desk = Desk(qtbot, replace(profiles[0], tile_memory=replace(memory, categories=None)))
    bar = desk.panel.bar
    assert bar.choice is not None
    assert bar.choice.id == "none"
    for choice in ("category", "none"):
        desk.document.finish(desk.document.add(profiles[0], 2))
        desk.panel._refresh.now()
        assert bar.choice.id == choice
        bar.figure.setCurrentIndex(0)


def test_many_numbers_are_added_up_in_a_thread(
    qtbot: QtBot, profiles: tuple[Profile, Profile], graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strip, "AT_ONCE", 0)
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", *range(SCALE.tiles))
    desk.turn("compute_set")
    assert desk.table.rows == 0
    assert desk.panel.strip.figures.table.stack.empty.text == strip.COUNTING
    qtbot.waitUntil(lambda: desk.table.rows > 0)
    assert desk.sum() == by_hand.used(graph, range(SCALE.tiles))
    desk.turn("vertex_type")
    assert desk.panel.strip.figures.table.stack.empty.text == strip.COUNTING
    desk.select("tile", 3)  # the question before is taken back
    qtbot.waitUntil(lambda: desk.table.title == "Vertex types on tile 3")
    former = desk.panel.strip.figures._former
    former.setInterval(60_000)
    desk.select("tile", 4)
    assert desk.table.rows > 0  # those of the former tile, for a moment
    qtbot.waitUntil(lambda: desk.table.title == "Vertex types on tile 4")
    assert not former.isActive()


def test_another_profile_has_tiles_of_its_own(qtbot: QtBot, profiles: tuple[Profile, Profile], tmp_path: Path) -> None:
    desk = Desk(qtbot, profiles[0])
    desk.select("tile", 30)
    desk.turn("compute_set")
    desk.panel.strip.figures.table.view.selectRow(0)
    small = tmp_path / "graph.json"
    small.write_text(json.dumps(plain(poplar.graph(poplar.Scale(tiles_per_ipu=4)))))
    (other,) = read(FORMAT, [small])
    first = desk.document.current_id
    desk.document.finish(desk.document.add(other, 2))
    desk.panel._refresh.now()
    assert desk.table.title == "Compute sets on 4 tiles"
    assert first is not None
    desk.document.show(first)
    desk.panel._refresh.now()
    assert desk.table.title.startswith("Compute sets on ")
    assert desk.panel.strip._contents is not None
    assert desk.panel.strip._contents.profile is profiles[0]


def test_the_panel_is_filled_again_for_all_that_takes_a_tile() -> None:
    assert {"variables", "compute_set_bytes", "vertex_type_bytes", "exchanges"} <= set(SPECS["tile_memory"].shown)
