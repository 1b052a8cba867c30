"""The same figures three times: shown in the window, printed by `info --json`, found by loops over the raw JSON.

1,472 tiles, 160 compute sets and 3,226 steps, opened as a person opens them. What panels show is read from the cells
that Qt asks for (the exact figure stands in their tool tips), not from what lies behind them.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from app.cli import main as command_line
from app.panels.exchanges.panel import ExchangesPanel
from app.panels.heat_table.panel import HeatPanel
from app.panels.liveness.panel import LivenessPanel
from app.panels.program_tree import ProgramTree
from app.panels.statistics.panel import StatisticsPanel
from app.panels.steps.panel import StepsPanel
from app.panels.summary.panel import SummaryPanel
from app.panels.tables import TablesPanel
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.vertex_types.panel import VertexTypesPanel
from app.widgets.sheet import Link
from app.widgets.table.view import TableView
from app.widgets.tree.view import TreeView
from app.window.main_window import MainWindow
from fakes.opened_window import opened_window
from generators import poplar
from oracles import poplar_by_hand as by_hand
from oracles import poplar_tables as hand_tables

SCALE = poplar.Scale(
    seed=11,
    mode="COMPUTE_SETS",
    estimates=True,
    tiles_per_ipu=1472,
    compute_sets=160,
    exchanges=125,
    external_exchanges=3,
    loops=8,
    calls=3,
    over=7,
)
TOOL_TIP = Qt.ItemDataRole.ToolTipRole
FIGURE = re.compile(r"[-−]?[\d,]+(?:\.\d+)?")
EVERY = 7
"""Of lists of more than MANY rows every such row is read."""
MANY = 700


@dataclass(frozen=True, slots=True)
class Case:
    folder: Path
    graph: by_hand.Tree
    run: by_hand.Tree
    figures: by_hand.Tree


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("three") / "resnet"
    folder.mkdir()
    paths = poplar.write_pair(folder, SCALE)
    graph, run = (json.loads(path.read_bytes()) for path in paths)
    return Case(folder, graph, run, by_hand.figures(graph, run))


def alike(one: Any, other: Any) -> bool:
    """The same, numbers to nine digits; what is no number (NaN) is no data (None)."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(alike(a, b) for a, b in zip(one, other, strict=True))
    one, other = (None if isinstance(value, float) and math.isnan(value) else value for value in (one, other))
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


@dataclass(slots=True)
class Differences:
    """Every figure that is not what it should be; a short list of them is the test's verdict."""

    found: list[str] = field(default_factory=list)
    compared: int = 0

    def check(self, where: str, shown: Any, wanted: Any) -> None:
        self.compared += 1
        if not alike(shown, wanted):
            self.found.append(f"{where}: shown {shown!r}, by hand {wanted!r}"[:240])

    def columns(self, where: str, shown: Shown, wanted: dict[str, list[Any]]) -> None:
        """Column by column, of the rows that were read; every wanted column must be shown."""
        for key, values in wanted.items():
            self.check(f"{where}: rows", shown.total, len(values))
            if key not in shown.cells:
                self.found.append(f"{where}: no column {key} among {sorted(shown.cells)}")
                continue
            for row, value in shown.cells[key].items():
                self.check(f"{where}: {key}[{row}]", value, values[row])

    def rows(self, where: str, shown: Shown, key: str, wanted: dict[Any, by_hand.Tree]) -> None:
        """Row by row, told by one column."""
        names = shown.cells[key]
        self.check(f"{where}: rows", sorted(map(str, names.values())), sorted(map(str, wanted)))
        for row, name in names.items():
            for column, value in wanted.get(name, {}).items():
                self.check(f"{where}: {name}: {column}", shown.cells[column].get(row), value)


# -- what Qt is given to show ---------------------------------------------------------------------------------


@dataclass(slots=True)
class Shown:
    """Cells by column key and row of the file; ``total``: how many rows there are."""

    total: int
    cells: dict[str, dict[int, Any]] = field(default_factory=dict)


def plain(text: str) -> str:
    """Figures and units may be kept together by a space that does not break."""
    return text.replace("\u00a0", " ")


def bare(text: str | None) -> str:
    """A tool tip without the markup around it."""
    return plain(html.unescape(re.sub(r"<[^>]*>", "", text or "")))


def number(text: str) -> float | int | None:
    match = FIGURE.match(text)
    if match is None:
        return None
    plain = match[0].replace(",", "").replace("−", "-")
    return float(plain) if "." in plain else int(plain)


def cell(model: QAbstractItemModel, index: QModelIndex, *, numeric: bool, title: str) -> Any:
    """The exact figure (or the whole text) of a cell as its tool tip tells it."""
    text = bare(model.data(index, TOOL_TIP))
    if text.startswith(f"{title}: no data in the file"):
        return None
    return number(text.removeprefix(f"{title}: ")) if numeric else text


def read(view: TableView) -> Shown:
    """Every row of a table, or every so many of a long one."""
    model, table = view.items, view.items.table
    step = EVERY if table.rows > MANY else 1
    assert model.rowCount() == table.rows
    shown = Shown(model.rowCount())
    for place, column in enumerate(table.columns):
        own = shown.cells.setdefault(column.key, {})
        for row in range(0, model.rowCount(), step):
            index = model.index(row, place)
            own[model.source(index)] = cell(model, index, numeric=column.numeric, title=column.title)
    return shown


def read_tree(view: TreeView) -> Shown:
    """The figures of every so many items of a tree, each brought to view as by a search."""
    model, table = view.items, view.items.table
    shown = Shown(table.rows)
    for row in range(0, table.rows, EVERY):
        assert view.reveal(row)
        index = view.currentIndex()
        for place, column in enumerate(table.columns):
            if place:
                place_of = index.siblingAtColumn(place)
                value = cell(model, place_of, numeric=column.numeric, title=column.title)
                shown.cells.setdefault(column.key, {})[model.item(index)] = value
    return shown


def choose(box: QComboBox, text: str) -> None:
    place = box.findText(text)
    assert place >= 0, f"{text} is not among {[box.itemText(n) for n in range(box.count())]}"
    box.setCurrentIndex(place)


# -- the window -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Desk:
    """The window on the pair, and what differs in it."""

    window: MainWindow
    settle: Callable[[], None]
    case: Case
    differences: Differences = field(default_factory=Differences)

    def panel(self, name: str, kind: type[Any]) -> Any:
        """A panel, in front and filled."""
        self.window.show_panel(name)
        self.settle()
        found = self.window.prepare().docks[name].widget()
        assert isinstance(found, kind)
        return found


@pytest.fixture
def desk(qtbot: QtBot, case: Case) -> Iterator[Desk]:
    with opened_window(qtbot, [case.folder]) as (window, settle):
        window.display.set(bytes_as="B")
        settle()
        yield Desk(window, settle, case)


def test_the_generated_pair_has_the_promised_size(case: Case) -> None:
    sizes = len(case.graph["computeSets"]["names"]), len(case.run["simulation"]["steps"])
    assert (case.graph["target"]["numTiles"], *sizes) == (1472, 160, 3_226)
    total, expected = by_hand.invariant(case.graph, case.run)
    assert total == expected


def test_info_prints_what_loops_find(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line(["info", "--json", str(case.folder)]) == 0
    (profile,) = json.loads(capsys.readouterr().out)["profiles"]
    assert profile["issues"] == []
    differences = Differences()
    for name in sorted({*profile["figures"], *case.figures}):
        differences.check(name, profile["figures"].get(name), case.figures.get(name))
    assert differences.found == []


def test_the_window_shows_what_loops_find(desk: Desk) -> None:
    for look in (
        summary,
        tile_memory,
        heat_table,
        liveness,
        program_tree,
        steps,
        timeline,
        vertex_types,
        exchanges,
        tables,
        issues,
    ):
        look(desk)
    assert desk.differences.found == []
    assert desk.differences.compared > 50_000


# -- panel by panel -------------------------------------------------------------------------------------------


def summary(desk: Desk) -> None:
    """Every figure of `info`, from the labels of the page: in the tool tip stands the exact one, and its name."""
    panel = desk.panel("summary", SummaryPanel)
    figures = desk.case.figures
    seen = set()
    for label in panel.sheet.findChildren(QLabel):
        lines = bare(label.toolTip()).splitlines()
        value = label.accessibleName().partition(": ")[2]
        if not lines or not lines[-1].endswith("in `info --json`") or not value:
            continue
        name = lines[-1].split()[0]
        if name not in figures:
            continue
        seen.add(name)
        wanted = figures[name]
        if isinstance(wanted, bool):
            desk.differences.check(name, value, "yes" if wanted else "no")
        elif isinstance(wanted, int | float):
            desk.differences.check(name, number(lines[-2]), wanted)
        elif isinstance(wanted, str):
            desk.differences.check(name, value, wanted)
    plain = {name for name, value in figures.items() if isinstance(value, str | int | float)} - {"timeline.unit"}
    desk.differences.check("summary: figures", sorted(plain - seen), [])
    verdict(desk, panel)
    parts(desk, panel)


def verdict(desk: Desk, panel: SummaryPanel) -> None:
    """Whether it fits, by how much not, and which tiles are the worst."""
    figures, machine = desk.case.figures, desk.case.graph["target"]
    over, left = figures["memory.tiles_over"], figures["memory.headroom_bytes"]
    used, text = desk.case.graph["memory"]["byTile"]["totalIncludingGaps"], plain(panel.copy_text())
    assert over > 1
    assert left < 0
    for words in (f"Does not fit: {over:,} tiles are out of memory", f"{-left:,} B over the limit"):
        desk.differences.check(f"verdict: {words}", words in text, True)
    links = [plain(link.text()) for link in panel.sheet.findChildren(Link)]
    shown = [text for text in links if text.startswith("tile ")]  # others are findings
    places = [(tile, tile // machine["tilesPerIPU"]) for tile in figures["memory.worst_tiles"]]
    desk.differences.check("worst tiles", shown, [f"tile {t:,}, IPU {ipu} · {used[t]:,} B" for t, ipu in places])


def parts(desk: Desk, panel: SummaryPanel) -> None:
    """Categories and cycles, a line each."""
    shown = {}
    for label in panel.sheet.findChildren(QLabel):
        key, _, rest = bare(label.toolTip()).partition(": ")
        if label.accessibleName().startswith(f"{key}: ") and rest:
            shown[key] = number(rest)
    wanted = {**desk.case.figures["memory.by_category"], **desk.case.figures["execution.tile_cycles"]}
    for key, value in wanted.items():
        desk.differences.check(f"summary: {key}", shown.get(key), value)


def tile_memory(desk: Desk) -> None:
    """Each breakdown as the table beneath the picture, the picture's own totals, and the figures of a selection."""
    panel = desk.panel("tile_memory", TileMemoryPanel)
    graph, check = desk.case.graph, desk.differences
    limit = graph["target"]["bytesPerTile"]
    panel.as_table.setChecked(True)
    for title, gaps, wanted in (
        ("Total", True, {"total": graph["memory"]["byTile"]["totalIncludingGaps"]}),
        ("Total", False, {"total": graph["memory"]["byTile"]["total"]}),
        ("By region", True, hand_tables.regions(graph, gaps=True)),
        ("By region", False, hand_tables.regions(graph, gaps=False)),
        ("By category", True, with_gaps(graph, hand_tables.categories(graph, overlapped=False))),
        ("By category", False, hand_tables.categories(graph, overlapped=False)),
        ("By category, shared bytes", True, hand_tables.categories(graph, overlapped=True)),
        ("Always live and temporary", True, always_and_temporary(graph)),
        ("Overlapped or not", True, overlapped_or_not(graph)),
    ):
        panel.gaps.setChecked(gaps)
        choose(panel.breakdown, title)
        shares = [100 * value / limit for value in wanted["total"]]
        check.columns(f"tile memory, {title}, gaps {gaps}", read(panel.table.view), {**wanted, "share": shares})
    panel.gaps.setChecked(True)
    choose(panel.breakdown, "Total")
    panel.as_table.setChecked(False)
    picture = panel.canvas.scene.picture
    assert picture is not None
    fullest, most = desk.case.figures["memory.max_tile"], desk.case.figures["memory.max_tile_bytes"]
    check.check("said below", f"fullest tile {fullest:,}: {most:,} B" in plain(panel.readout.text), True)
    check.check("bars", picture.totals.tolist(), graph["memory"]["byTile"]["totalIncludingGaps"])
    tiles_of_a_selection(desk, panel)


def with_gaps(graph: by_hand.Tree, categories: dict[str, list[int]]) -> dict[str, list[int]]:
    """What no category has is a part of its own."""
    full = graph["memory"]["byTile"]["totalIncludingGaps"]
    gaps = [whole - part for whole, part in zip(full, categories["total"], strict=True)]
    return {**categories, "total": full, "gaps": gaps}


def always_and_temporary(graph: by_hand.Tree) -> dict[str, list[int]]:
    own = hand_tables.tiles(graph)
    always, temporary = own["always_live"], own["temporary_max"]
    return {
        "always": always,
        "temporary_max": temporary,
        "total": [a + b for a, b in zip(always, temporary, strict=True)],
    }


def overlapped_or_not(graph: by_hand.Tree) -> dict[str, list[int]]:
    own, shared = (hand_tables.categories(graph, overlapped=overlapped)["total"] for overlapped in (False, True))
    return {"own": own, "shared": shared, "total": [a + b for a, b in zip(own, shared, strict=True)]}


def tiles_of_a_selection(desk: Desk, panel: TileMemoryPanel) -> None:
    """Total, mean, median, most, and max / mean of tiles that are typed."""
    choose(panel.bar.views, "Figures")
    panel.bar.tiles.setText("0-63,128")
    panel.bar.tiles.returnPressed.emit()
    desk.settle()
    values = [desk.case.graph["memory"]["byTile"]["totalIncludingGaps"][tile] for tile in (*range(64), 128)]
    mean = sum(values) / len(values)
    wanted = {"total": sum(values), "mean": mean, "median": sorted(values)[32], "least": min(values)}
    wanted |= {"most": max(values), "ratio": max(values) / mean}
    shown = read(panel.table.view)
    for key, value in wanted.items():
        desk.differences.check(f"tiles 0-63,128: {key}", shown.cells[key][0], value)
    choose(panel.bar.views, "By tile")
    desk.window.document.selection.clear()


def heat_table(desk: Desk) -> None:
    """Every matrix: the cells of the picture, and both tables of figures."""
    panel = desk.panel("heat", HeatPanel)
    wanted = hand_tables.matrices(desk.case.graph, desk.case.run)
    check = desk.differences
    check.check("heat: matrices", sorted(matrix.id for matrix in panel._matrices), sorted(wanted))
    for place, matrix in enumerate(panel._matrices):
        rows = wanted[matrix.id]
        shared = matrix.id.endswith(("code-bytes", "total-bytes"))
        panel.chooser.setCurrentIndex(place)
        panel.as_table.setChecked(False)
        picture = panel.canvas.scene.picture
        assert picture is not None
        check.check(f"{matrix.id}: cells", bool((picture.pyramid.values[:] == rows).all()), True)
        panel.as_table.setChecked(True)
        panel.by_column.setChecked(False)
        columns = {"max": [max(row) for row in rows], "at": [row.index(max(row)) for row in rows]}
        columns["active"] = [sum(value > 0 for value in row) for row in rows]
        columns["sum"] = [sum(row) for row in rows]
        check.columns(matrix.id, read(panel.table.view), columns)
        panel.by_column.setChecked(True)
        figure = max if shared else sum
        across = [figure(column) for column in zip(*rows, strict=True)]
        check.columns(f"{matrix.id}, by column", read(panel.table.view), {"max" if shared else "sum": across})
        assert picture.margins is not None
        check.check(f"{matrix.id}: beside", picture.margins.rows.tolist(), [sum(row) for row in rows])
        check.check(f"{matrix.id}: above", picture.margins.columns.tolist(), across)


def liveness(desk: Desk) -> None:
    panel = desk.panel("liveness", LivenessPanel)
    wanted = hand_tables.live(desk.case.graph)
    desk.differences.columns("liveness", read_tree(panel.tree.view), wanted)
    shown = panel.shown
    assert shown is not None
    peak = desk.case.figures["liveness.peak_program_bytes"]
    of_tiles = desk.case.figures["liveness.peak_tiles_bytes"]
    for words in (f"Peak of the program {peak:,} B", f"sum of tile peaks {of_tiles:,} B"):
        desk.differences.check(f"liveness: {words}", words in plain(panel.peaks.text), True)
    panel.show_peak()
    (node,) = desk.window.document.selection.value.indices if desk.window.document.selection.value else (-1,)
    desk.differences.check("peak", wanted["live"][node], peak)


def program_tree(desk: Desk) -> None:
    panel = desk.panel("tree", ProgramTree)
    wanted = hand_tables.programs(desk.case.graph, desk.case.run)
    shown = read_tree(panel.findChildren(TreeView)[0])
    wanted = {key: values for key, values in wanted.items() if key != "name"}
    desk.differences.columns("program tree", shown, wanted)


def steps(desk: Desk) -> None:
    panel = desk.panel("steps", StepsPanel)
    check, run = desk.differences, desk.case.run
    titles = [panel.tabs.tabText(place) for place in range(panel.tabs.count())]

    def turn(title: str) -> None:
        panel.tabs.setCurrentIndex(titles.index(title))
        desk.settle()

    turn("By name")
    wanted = hand_tables.names(run)
    shown = read_tree(panel.tree.view)
    check.check("steps by name: rows", shown.total, len(wanted))
    for row, path in shown.cells["path"].items():
        for key, value in wanted[path].items():
            check.check(f"steps by name: {path}: {key}", shown.cells[key][row], value)
    turn("By compute set")
    check.rows("by compute set", read(panel.table.view), "compute_set", hand_tables.sets_that_ran(desk.case.graph, run))
    turn("By vertex type")
    check.rows("by vertex type", read(panel.table.view), "type", hand_tables.types_that_ran(desk.case.graph, run))
    turn("By kind")
    kinds = {
        kind: {key: value for key, value in entry.items() if key in ("steps", "cycles")}
        for kind, entry in hand_tables.step_types(run).items()
    }
    check.rows("by kind", read(panel.table.view), "type", kinds)


def timeline(desk: Desk) -> None:
    """The statistics by name."""
    panel = desk.panel("statistics", StatisticsPanel)
    panel.grouped.setChecked(False)
    wanted = hand_tables.by_slice_name(desk.case.run)
    shown = read(panel.table.view)
    desk.differences.check("slices by name: rows", shown.total, len(wanted))
    for row, name in shown.cells["name"].items():
        for key, value in wanted[name].items():
            desk.differences.check(f"slices of {name}: {key}", shown.cells[key][row], value)


def vertex_types(desk: Desk) -> None:
    panel = desk.panel("vertex_types", VertexTypesPanel)
    graph, run = desk.case.graph, desk.case.run
    choose(panel.chooser, "Vertex types")
    desk.differences.columns("vertex types", read(panel.types.view), hand_tables.vertex_types(graph, run))


def exchanges(desk: Desk) -> None:
    panel = desk.panel("exchanges", ExchangesPanel)
    wanted = hand_tables.exchanges(desk.case.graph, desk.case.run)
    desk.differences.columns("exchanges", read(panel.list.view), wanted)


def tables(desk: Desk) -> None:
    """The panel that lists all tables: those that no other panel shows whole."""
    panel = desk.panel("tables", TablesPanel)
    graph, run, check = desk.case.graph, desk.case.run, desk.differences
    lists: dict[str, dict[str, list[Any]]] = {
        "tiles": hand_tables.tiles(graph),
        "memory-by-category": hand_tables.category_sums(graph),
        "compute-sets": hand_tables.compute_sets(graph, run),
        "thread-use": hand_tables.thread_use(graph, run),
        "exchanges-per-tile": hand_tables.exchanges_per_tile(graph),
        "steps": hand_tables.steps(run),
    }

    def shown(name: str) -> Shown:
        panel.show_table(name)
        desk.settle()
        assert panel.table.view.items.table.id == name
        return read(panel.table.view)

    for name, wanted in lists.items():
        check.columns(name, shown(name), wanted)
    check.rows("step types", shown("step-types"), "type", hand_tables.step_types(run))
    check.rows("tile cycles", shown("tile-cycles"), "kind", hand_tables.tile_cycles(graph, run))
    stated = hand_tables.steps(run)
    for column, values in hand_tables.recomputed(graph, run).items():
        pairs = [pair for pair in zip(stated[column], values, strict=True) if not math.isnan(pair[1])]
        check.check(f"{column}: stated and by formula", [a for a, _ in pairs], [b for _, b in pairs])


def issues(desk: Desk) -> None:
    desk.differences.check("issues", "issues" in desk.window.prepare().offered, False)
