"""Every panel on the bundled samples: what it shows, how it follows the others, what it says when it is empty."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.analysis.kinds import KINDS
from app.analysis.memory import verdict
from app.analysis.relations import translate
from app.document.background import Background
from app.document.document import Document
from app.formats import ascend_bin, ascend_memory_info, collect, registry, tensorflow_events
from app.formats import ascend_capture as ascend_capture_format
from app.formats import poplar as poplar_format
from app.formats import pypto as pypto_format
from app.formats import tenstorrent as tenstorrent_format
from app.formats.errors import FormatError
from app.panels.details import DetailsPanel
from app.panels.heat_table.panel import HeatPanel
from app.panels.issues import IssuesPanel
from app.panels.panel import Panel
from app.panels.plots import PLOTS
from app.panels.program_tree import ProgramTree
from app.panels.registry import PANELS
from app.panels.source.panel import SourcePanel
from app.panels.spec import PanelSpec
from app.panels.summary.panel import SummaryPanel
from app.panels.tables import TablesPanel
from app.panels.tile_memory.panel import TileMemoryPanel
from app.profile.issue import Issue
from app.profile.profile import SECTION_NAMES, Origin, Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.resources import resource
from app.views.look import DARK, LIGHT
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.plane.scene import Hit
from app.widgets.sheet import Fold, Link
from fakes.pictures import block_hovered, rows_marked
from generators import ascend_capture, memory_plan, pypto, tensor_map, tenstorrent
from generators import tensorflow_events as tf_log
from generators.ascend_bin import block
from generators.ascend_details import Shape, core_load
from generators.poplar import Scale, write_pair
from generators.reading import profile_of

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
BARE = Profile(name="bare", origin=Origin("poplar", (Path("bare.json"),)))


def read(name: str) -> Profile:
    jobs, refused = registry.plan([resource("samples", name)])
    assert not refused
    return collect.read(jobs[0].format, jobs[0].paths)[0]


@pytest.fixture(scope="module")
def poplar() -> Profile:
    return read("resnet-1472-tiles")


@pytest.fixture(scope="module")
def ascend() -> Profile:
    return read("matmul_leakyrelu.bin")


@pytest.fixture(scope="module")
def popef() -> Profile:
    return read("resnet_inference.popef")


@pytest.fixture(scope="module")
def everything(
    poplar: Profile, ascend: Profile, popef: Profile, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Profile, ...]:
    """Profiles that together fill every panel and every plot."""
    folder = tmp_path_factory.mktemp("everything")
    plan = folder / "memory_info.json"
    plan.write_text(json.dumps(memory_plan.plan()))
    (folder / "execution.txt").write_text("Execution:\n\n  Total cycles: 8,190,756\n")
    report = [*write_pair(folder, Scale(mode="VERTICES")), folder / "execution.txt"]
    vertices = collect.read(poplar_format.FORMAT, report)[0]
    simt = profile_of(ascend_bin.FORMAT, block(0x0C, core_load(Shape(), simt=True)))
    maps = tensor_map.tensor_map(tensor_map.network(3))
    log = profile_of(tensorflow_events.FORMAT, tf_log.log([tf_log.run(graph="{}", tensor_map=maps)]))
    memory = collect.read(ascend_memory_info.FORMAT, [plan])[0]
    ranks = collect.read(ascend_capture_format.FORMAT, ascend_capture.write(folder / "run", ascend_capture.Run()))[0]
    tasks = collect.read(pypto_format.FORMAT, pypto.write(folder / "tasks"))[0]
    cores = collect.read(tenstorrent_format.FORMAT, tenstorrent.write(folder / "cores"))[0]
    read = (poplar, ascend, popef, vertices, simt, memory, log, ranks, tasks, cores)
    return *read, BARE.with_issue(Issue("warning", "a", "b"))


@pytest.fixture
def context() -> Iterator[Context]:
    document, display = Document(), Display()
    yield Context(document, display)
    document.deleteLater()
    display.deleteLater()


def settle() -> None:
    for _ in range(40):
        QApplication.processEvents()


def rested(qtbot: QtBot, panel: Panel) -> None:
    """Waits until a panel has been filled, also with what a thread makes for it."""
    settle()
    threads = panel.findChildren(Background)
    qtbot.waitUntil(lambda: not panel.filling and not any(thread.busy for thread in threads))
    settle()


def shown(qtbot: QtBot, context: Context, panel: Callable[[Context], QWidget], profile: Profile | None) -> Any:
    if profile is not None:
        context.document.finish(context.document.add(profile, job=1))
    widget = panel(context)
    qtbot.addWidget(widget)
    widget.resize(900, 420)
    widget.show()
    settle()
    return widget


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.id)
def test_a_panel_survives_everything_that_may_come(
    qtbot: QtBot, context: Context, spec: PanelSpec, poplar: Profile, ascend: Profile, popef: Profile
) -> None:
    """Nothing open, sections one by one, other themes and units, a selection of every kind, closing."""
    widget = spec.make(context)
    qtbot.addWidget(widget)
    widget.resize(700, 300)
    widget.show()
    settle()
    for profile in (BARE, poplar, ascend, popef):
        entry = context.document.add(BARE, job=1)
        grown = BARE
        for name in profile.filled():
            section = profile.section(name)
            assert section is not None
            grown = grown.with_section(section)
            context.document.grow(entry, grown, frozenset({name}))
            settle()
        context.document.grow(entry, grown.with_issue(Issue("warning", "a", "b")), frozenset({"issues"}))
        for kind in KINDS:
            context.document.selection.set(Selection(kind, (0, 1), "test"))
            context.document.hover.set(Selection(kind, (1,), "test"))
            settle()
        context.document.ranges.set(Ranges(tiles=TileRange((0, 1, 2))))
        context.display.set(theme=DARK, bytes_as="B", cycles_as="time")
        settle()
        context.display.set(theme=LIGHT, bytes_as="KiB", cycles_as="cycles")
        context.document.close(entry)
    settle()
    assert not widget.grab().isNull()


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.id)
def test_a_panel_explains_itself(spec: PanelSpec) -> None:
    assert spec.help.endswith(".")
    assert "!" not in spec.help + spec.missing
    assert bool(spec.missing) == bool(spec.sections or spec.needs)
    assert set(spec.sections) <= set(SECTION_NAMES)


@pytest.mark.parametrize("spec", PANELS, ids=lambda spec: spec.id)
def test_a_canvas_has_a_name_for_screen_readers(
    qtbot: QtBot, context: Context, spec: PanelSpec, everything: tuple[Profile, ...]
) -> None:
    profile = next(profile for profile in everything if spec.offered(profile))
    widget = shown(qtbot, context, spec.make, profile)
    canvases = [inner for inner in [widget, *widget.findChildren(QWidget)] if isinstance(inner, Canvas)]
    names = [canvas.accessibleName() for canvas in canvases if isinstance(canvas, QWidget) and canvas.isVisible()]
    assert all(names)


@pytest.mark.parametrize("plot", PLOTS, ids=lambda plot: plot.id)
def test_plots_draw_something(plot: Any, everything: tuple[Profile, ...]) -> None:
    drawn = 0
    for profile in everything:
        if not plot.offered(profile):
            continue
        image = QImage(800, 400, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.surface))
        with QPainter(image) as painter:
            plot.draw(painter, QRectF(0, 0, 800, 400), profile, LIGHT)
        drawn += len({image.pixel(x, y) for x in range(0, 800, 20) for y in range(0, 400, 10)}) > 3
    assert drawn
    assert not plot.offered(BARE)


# -- summary --------------------------------------------------------------------------------------------------


def texts(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel)]


def test_the_summary_says_first_whether_it_fits(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, SummaryPanel, poplar)
    page = panel.copy_text().splitlines()
    assert page[:2] == ["resnet-1472-tiles", "graph.json, execution.json"]
    assert page[2] == "✓ Fits in memory"
    assert any(line.startswith("Tiles\t1,472") for line in page)
    # the expert's lines, with links of their own, may be there already or not
    link = next(link for link in panel.findChildren(Link) if link.text().startswith("tile "))
    QTest.mouseClick(link, LEFT)
    found = verdict(poplar)
    assert found is not None
    assert context.document.selection.value == Selection("tile", (found.worst[0].tile,), "summary")


def test_the_summary_says_when_it_does_not_fit(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    assert poplar.target is not None
    small = replace(poplar, target=replace(poplar.target, bytes_per_tile=400_000))
    panel = shown(qtbot, context, SummaryPanel, small)
    line = panel.copy_text().splitlines()[2]
    assert line.startswith("✕ Does not fit: ")
    assert "out of memory" in line


def test_the_summary_follows_the_units(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, SummaryPanel, poplar)
    assert "624 KiB" in panel.copy_text()
    context.display.set(bytes_as="B")
    settle()
    assert "638,976 B" in panel.copy_text()


def test_the_summary_of_a_large_timeline_is_the_same(
    qtbot: QtBot, context: Context, ascend: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread counts it."""
    panel = shown(qtbot, context, SummaryPanel, ascend)
    rested(qtbot, panel)
    text = panel.copy_text()
    monkeypatch.setattr("app.panels.summary.panel.LARGE", 1)
    panel.refill()
    rested(qtbot, panel)
    assert panel.copy_text() == text
    assert "Slices" in text


def test_the_summary_is_complete_as_soon_as_everything_has_arrived(
    qtbot: QtBot, context: Context, poplar: Profile
) -> None:
    panel = shown(qtbot, context, SummaryPanel, None)
    entry = context.document.add(BARE, job=1)
    settle()
    context.document.grow(entry, poplar, frozenset({"tile_memory"}))
    context.document.finish(entry)
    settle()
    assert "Fits in memory" in panel.copy_text()


def test_the_summary_says_what_comes_from_the_file_cache(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, SummaryPanel, poplar)
    assert "from the file cache" not in panel.copy_text()
    context.document.finish(context.document.add(poplar, job=1, cached=True))
    settle()
    assert panel.copy_text().splitlines()[1] == "graph.json, execution.json · from the file cache"


def test_names_from_files_are_plain_text(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    evil = replace(poplar, name="<img src='/etc/passwd'>")
    panel = shown(qtbot, context, SummaryPanel, evil)
    assert all(label.textFormat() == Qt.TextFormat.PlainText for label in panel.sheet.findChildren(QLabel))
    assert panel.copy_text().startswith("<img")


# -- details --------------------------------------------------------------------------------------------------


def test_details_of_a_program_and_the_way_on(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, DetailsPanel, poplar)
    assert panel.stack.is_empty
    context.document.selection.set(Selection("program", (20,), "test"))
    settle()
    assert "Type\tOnTileExecute" in panel.copy_text()
    links = {link.text(): link for link in panel.findChildren(Link)}
    steps = next(link for text, link in links.items() if "steps" in text)
    QTest.mouseClick(steps, LEFT)
    chosen = context.document.selection.value
    assert chosen is not None
    assert chosen.kind == "step"
    assert chosen.indices == tuple(translate(poplar, Selection("program", (20,)), "step").tolist())
    settle()
    assert panel.copy_text().startswith(f"{len(chosen.indices)} steps")


def test_cycles_of_many_tiles_are_no_stretch_of_time(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, DetailsPanel, poplar)
    context.document.selection.set(Selection("compute_set", (4,), "test"))
    settle()
    lines = dict(line.split("\t") for line in panel.copy_text().splitlines() if line.count("\t") == 1)
    assert lines["Active cycles (estimate)"].endswith(" cycles")
    assert lines["Max cycles on a tile (estimate)"].endswith("s)")


def test_details_of_several_tiles_add_up(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, DetailsPanel, poplar)
    context.document.selection.set(Selection("tile", (3, 4), "test"))
    settle()
    memory = poplar.tile_memory
    assert memory is not None
    assert memory.total is not None
    total = int(memory.total[3]) + int(memory.total[4])
    line = next(line for line in panel.copy_text().splitlines() if line.startswith("Without gaps"))
    assert f"{total / 1024:.0f} KiB in total" in line
    assert "Over the limit\t0 B in total, 0 B each" in panel.copy_text().splitlines()
    delays = next(line for line in panel.copy_text().splitlines() if line.startswith("Sync delay"))
    assert "in total" not in delays


def test_a_slice_shows_its_record_and_a_lost_file_says_so(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    panel = shown(qtbot, context, DetailsPanel, ascend)
    asked: list[tuple[int, int]] = []

    def record(entry: int, ordinal: int) -> Mapping[str, Any]:
        asked.append((entry, ordinal))
        return {"name": "MOV", "args": {"pc_addr": "0x10", "code": "a.cpp:1\nb.cpp:2"}}

    context.document.record = record
    context.document.selection.set(Selection("slice", (5,), "test"))
    settle()
    assert ascend.timeline is not None
    entry = context.document.current
    assert entry is not None
    assert asked == [(entry.id, int(ascend.timeline.slices.record[5]))]
    assert "pc_addr\t0x10" in panel.copy_text()
    assert "\nname\tMOV" not in panel.copy_text()
    fold = panel.sheet.findChild(Fold)
    assert fold is not None
    fold.link.click()
    assert "\nname\tMOV\nargs\t\n  pc_addr\t0x10\n" in panel.copy_text()
    qtbot.waitUntil(lambda: "\nWaiting\n" in panel.copy_text())  # a thread finds that out
    assert "\nname\tMOV" in panel.copy_text()[panel.copy_text().index("\nWaiting\n") :], "it is at the end"
    context.document.selection.set(Selection("slice", (4,), "test"))
    settle()
    assert "\nname\tMOV" in panel.copy_text(), "it stays open"

    def lost(entry: int, ordinal: int) -> Mapping[str, Any]:
        raise FormatError("the file is gone")

    context.document.record = lost
    context.document.selection.set(Selection("slice", (6,), "test"))
    settle()
    assert "cannot be read again: the file is gone" in panel.copy_text()


# -- issues and tables ----------------------------------------------------------------------------------------


def test_issues_errors_first_each_with_sign_and_word(qtbot: QtBot, context: Context) -> None:
    found = (Issue("info", "a", "one"), Issue("error", "b", "two"), Issue("warning", "", "three"))
    panel = shown(qtbot, context, IssuesPanel, replace(BARE, issues=found))
    items = panel.table.view.items
    assert [items.own_text(0, row) for row in items.rows.tolist()] == ["✕ error", "▲ warning", "● info"]
    place = QPoint(30, panel.table.view.rowViewportPosition(0) + 5)
    QTest.mouseClick(panel.table.view.viewport(), LEFT, PLAIN, place)
    assert panel.full.text() == "two\nb"
    panel.buttons["error"].click()
    assert items.rowCount() == 2
    assert panel.buttons["warning"].text() == "▲ 1 warning"
    bar = panel.table.bar
    left = set()
    for width in range(bar.comfort, bar.minimumSizeHint().width(), -10):
        bar.setFixedWidth(width)
        left.add(tuple(name for name, button in panel.buttons.items() if button not in [*bar.folded()]))
    assert left >= {("error", "warning"), ("error",)}  # the worst folds away last


def test_no_issues_is_said(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context, IssuesPanel, BARE)
    assert panel.table.stack.empty.text == "No issues found."


def test_tables_lists_everything_and_selects(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, TablesPanel, poplar)
    rested(qtbot, panel)
    listed = [panel.names.item(row).text() for row in range(panel.names.count())]
    assert "Tiles  (1,472)" in listed
    panel.show_table("tiles")
    view = panel.table.view
    QTest.mouseClick(view.viewport(), LEFT, PLAIN, QPoint(20, view.rowViewportPosition(2) + 5))
    assert context.document.selection.value == Selection("tile", (2,), "tables")
    context.document.selection.set(Selection("tile", (9,), "test"))
    assert panel.selected_rows().tolist() == [9]
    assert panel.shown_table().id == "tiles"


def test_tables_of_each_block_are_one_entry(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    panel = shown(qtbot, context, TablesPanel, ascend)
    rested(qtbot, panel)
    listed = [panel.names.item(row).text().split("  ")[0] for row in range(panel.names.count())]
    assert listed.count("Memory tables") == 1
    panel.names.setCurrentRow(listed.index("Memory tables"))
    assert panel.parts.isVisible()
    panel.parts.setCurrentIndex(3)
    assert panel.shown_table().title == panel.parts.currentText()


# -- Poplar ---------------------------------------------------------------------------------------------------


def test_the_tree_selects_and_follows(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, ProgramTree, poplar)
    view = panel.tree.view
    index = view.items.index(0, 0)
    QTest.mouseClick(view.viewport(), LEFT, PLAIN, view.visualRect(index).center())
    chosen = context.document.selection.value
    assert chosen is not None
    assert (chosen.kind, chosen.source) == ("program", "tree")
    context.document.selection.set(Selection("slice", (100,), "test"))
    programs = translate(poplar, Selection("slice", (100,)), "program")
    assert view.items.item(view.currentIndex()) == programs[0]
    assert np.flatnonzero(view.items.chosen).tolist() == programs.tolist()


def test_tile_memory_bars_breakdowns_and_the_table(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, TileMemoryPanel, poplar)
    panel.breakdown.setCurrentIndex(0)
    assert panel.canvas.scene.picture.names == ("Memory",)
    assert panel.canvas.scene.picture.limit.value == 638_976
    found = verdict(poplar)
    assert found is not None
    assert f"fullest tile {found.worst[0].tile:,}: {found.worst[0].with_gaps / 1024:.0f} KiB" in panel.readout.text
    panel.breakdown.setCurrentIndex(2)
    assert len(panel.canvas.scene.picture.names) > 5
    assert panel.canvas.scene.picture.names[-1] == "Gaps"
    assert not panel.gaps.isHidden()
    panel.breakdown.setCurrentText("Always live and temporary")
    assert panel.gaps.isHidden()
    assert ", gaps not counted) · sum " in panel.readout.text
    panel.breakdown.setCurrentText("By category")
    panel.as_table.click()
    assert panel.shown_table().id == "tile-memory/category"
    assert panel.pages.currentWidget() is panel.table
    panel.limit.click()
    assert panel.canvas.scene.picture.limit is None


def test_a_drag_over_bars_selects_tiles_and_a_key_makes_them_the_range(
    qtbot: QtBot, context: Context, poplar: Profile
) -> None:
    panel = shown(qtbot, context, TileMemoryPanel, poplar)
    bars = panel.canvas.layout_now().plot
    start, end = bars.center().toPoint(), bars.center().toPoint() + QPoint(60, 0)
    QTest.mousePress(panel.canvas, LEFT, PLAIN, start)
    QTest.mouseMove(panel.canvas, end)
    QTest.mouseRelease(panel.canvas, LEFT, PLAIN, end)
    chosen = context.document.selection.value
    assert chosen is not None
    assert chosen.kind == "tile"
    assert len(chosen.indices) > 50
    assert "selected" in panel.readout.text
    panel.canvas.selection_to_range()
    tiles = context.document.ranges.value.tiles
    assert tiles is not None
    assert tiles.tiles == chosen.indices


def test_heat_rows_follow_the_selection_and_write_it(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, HeatPanel, poplar)
    assert panel.matrix.rows == "compute_set"
    context.document.selection.set(Selection("compute_set", (7,), "test"))
    assert rows_marked(panel.canvas) == [7]
    layout = panel.canvas.layout_now()
    place = QPoint(round(layout.x_of(50)), round(layout.y_of(3.5)))
    QTest.mouseMove(panel.canvas, place)
    assert "tile" in panel.readout.text
    assert context.document.hover.value == Selection("compute_set", (3,), "heat")
    QTest.mouseClick(panel.canvas, LEFT, PLAIN, place)
    assert context.document.selection.value == Selection("compute_set", (3,), "heat")
    panel.as_table.click()
    assert panel.shown_table().rows == panel.matrix.values.shape[0]
    assert panel.table.selected_rows().tolist() == [3]


def test_heat_shows_every_matrix(qtbot: QtBot, context: Context, poplar: Profile) -> None:
    panel = shown(qtbot, context, HeatPanel, poplar)
    panel.log.click()
    panel.as_table.click()
    for place in range(panel.chooser.count()):
        panel.chooser.setCurrentIndex(place)
        table = panel.shown_table()
        assert table is not None
        assert panel.matrix.title in table.title
        largest = table.columns[[column.key for column in table.columns].index("max")]
        assert int(np.max(largest.values)) == int(panel.matrix.values.max())


def test_what_is_pointed_at_in_one_panel_is_outlined_in_the_others(
    qtbot: QtBot, context: Context, poplar: Profile
) -> None:
    tree = shown(qtbot, context, ProgramTree, poplar)
    heat, bars = HeatPanel(context), TileMemoryPanel(context)
    for panel in (heat, bars):
        qtbot.addWidget(panel)
        panel.resize(600, 300)
        panel.show()
    settle()
    context.document.hover.set(Selection("program", (20,), "test"))
    assert tree.tree.view.cell_delegate.hovered_source == 20
    context.document.hover.set(Selection("tile", (17,), "test"))
    assert tree.tree.view.cell_delegate.hovered_source == -1
    assert bars.canvas.marks.hovered == Hit(17, range(17, 18))
    assert [hover[1] for hover in (block_hovered(heat.canvas),) if hover is not None] == [range(17, 18)]
    context.document.hover.clear()
    assert [block_hovered(heat.canvas), bars.canvas.marks.hovered] == [None, None]


# -- Ascend ---------------------------------------------------------------------------------------------------


def test_a_line_marks_its_instructions_and_back(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    panel = shown(qtbot, context, SourcePanel, ascend)
    view = panel.left.view
    keys = panel._view.table.keys
    row = int(np.flatnonzero(keys >= 0)[4])
    view.show_row(row)
    QTest.mouseClick(view.viewport(), LEFT, PLAIN, QPoint(20, view.rowViewportPosition(row) + 5))
    line = int(keys[row])
    assert context.document.selection.value == Selection("line", (line,), "source")
    expected = translate(ascend, Selection("line", (line,)), "instruction")
    assert panel.right.selected_rows().tolist() == expected.tolist()
    assert panel.readout.text.endswith(f"{len(expected):,} related instructions")
    panel.only.click()
    assert panel.right.view.items.rows.tolist() == expected.tolist()
    panel.only.click()
    view = panel.right.view
    view.show_row(300)
    QTest.mouseClick(view.viewport(), LEFT, PLAIN, QPoint(20, view.rowViewportPosition(300) + 5))
    assert context.document.selection.value == Selection("instruction", (300,), "source/instructions")
    lines = translate(ascend, Selection("instruction", (300,)), "line")
    assert np.isin(panel._view.table.keys[panel.left.selected_rows()], lines).all()
    assert len(panel.left.selected_rows())


def test_the_source_turns_to_the_file_of_what_is_selected(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    panel = shown(qtbot, context, SourcePanel, ascend)
    assert ascend.lines is not None
    other = next(
        line
        for line in range(len(ascend.lines.line))
        if ascend.lines.paths.get(int(ascend.lines.file[line])) != panel.files.currentData()
    )
    context.document.selection.set(Selection("line", (other,), "test"))
    assert panel.files.currentData() == ascend.lines.paths.get(int(ascend.lines.file[other]))
    assert len(panel.left.selected_rows()) == 1


def test_each_core_has_its_own_figures(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    panel = shown(qtbot, context, SourcePanel, ascend)
    seen = set()
    for place in range(panel.cores.count()):
        panel.cores.setCurrentIndex(place)
        columns = panel.right.view.items.table.columns
        cycles = next(column for column in columns if column.key == "cycles")
        seen.add(int(np.sum(cycles.values)))
        assert panel.right.view.cell_delegate.bars
    assert len(seen) == panel.cores.count()


def test_code_is_coloured_and_keeps_its_indentation(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    panel = shown(qtbot, context, SourcePanel, ascend)
    panel._code.colouring.finish()
    parts = {part for spans in panel._code.colouring.spans for _, _, part in spans}
    assert {"keyword", "comment"} <= parts
    items = panel.left.view.items
    shown_text = [items.own_text(items.code_column, row) for row in items.rows.tolist()]
    assert any(text and text.startswith("    ") for text in shown_text)


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (("sources",), "does not contain the text"),
        (("lines",), "no line table"),
    ],
)
def test_what_is_missing_is_said(
    qtbot: QtBot, context: Context, ascend: Profile, without: tuple[str, ...], said: str
) -> None:
    less = replace(ascend, **dict.fromkeys(without))
    panel = shown(qtbot, context, SourcePanel, less)
    assert said in panel.left.note.text()


def test_a_file_with_instructions_alone_says_why_there_is_no_source(
    qtbot: QtBot, context: Context, ascend: Profile
) -> None:
    panel = shown(qtbot, context, SourcePanel, replace(ascend, sources=None, lines=None))
    assert panel.sides[0].is_empty
    assert "names no source" in panel.sides[0].empty.text
    assert panel.right.view.items.rowCount() == 543
    panel = shown(qtbot, Context(Document(), Display()), SourcePanel, replace(ascend, instructions=None))
    assert "no instruction table" in panel.sides[1].empty.text


def test_a_profile_that_is_still_read_is_not_called_empty(qtbot: QtBot, context: Context, ascend: Profile) -> None:
    tables, summary = shown(qtbot, context, TablesPanel, ascend), shown(qtbot, context, SummaryPanel, None)
    settle()
    assert "matmul_leakyrelu" in summary.copy_text()
    entry = context.document.add(BARE, 7)
    rested(qtbot, tables)
    assert "Reading…" in texts_in(tables)
    assert "matmul_leakyrelu" not in summary.copy_text()
    assert summary.page.verticalScrollBar().maximum() == 0
    context.document.finish(entry)
    rested(qtbot, tables)
    assert "This profile contains no tables." in texts_in(tables)


def texts_in(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]
