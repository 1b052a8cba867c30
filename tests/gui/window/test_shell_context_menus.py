"""Context menus hold what is valid for the thing under the pointer, which is selected first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.registry import plan
from app.panels.details import DetailsPanel
from app.panels.registry import PANELS
from app.panels.source.panel import SourcePanel
from app.panels.tables import TablesPanel
from app.panels.timeline.panel import TimelinePanel
from app.profile.selection import Ranges, Selection, TileRange, TimeRange
from app.resources import resource
from app.widgets.abilities import ITEM, HasItemMenus
from app.widgets.refresh import Refresh
from app.widgets.texts import Label
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.pick import hit
from app.window.command import LONGEST
from app.window.commands import COMMANDS
from app.window.input_dialogs import RangeDialog
from app.window.main_window import MainWindow
from app.window.settings import FilePair
from fakes.shell import loader_of, make_window


@pytest.fixture
def canvas(busy: MainWindow, qtbot: QtBot) -> TimelineCanvas:
    busy.prepare().focus("timeline")
    panel = busy.prepare().docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    panel._refresh.now()
    qtbot.waitUntil(lambda: panel.canvas.shown is not None)
    assert panel.canvas.shown is not None
    panel.canvas.shown.lanes.fold_all(False)
    return panel.canvas


@pytest.fixture(autouse=True)
def closed_menus() -> Iterator[None]:
    yield
    popup = QApplication.activePopupWidget()
    while popup is not None:
        popup.close()
        popup = QApplication.activePopupWidget()


def entries(window: MainWindow, widget: QWidget, place: QPoint, *, by_key: bool = False) -> list[str]:
    """Asks for the context menu as Qt does, and reads what pops up, and the submenus in it."""
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert len([action for action in menu.actions() if not action.isSeparator()]) <= LONGEST
    listed = [action for action in menu.actions() if not action.isSeparator()]
    listed += [inside for action in listed if isinstance(sub := action.menu(), QMenu) for inside in sub.actions()]
    texts = [action.text().split("\t")[0].replace("&", "") for action in listed]
    assert all(action.isEnabled() for action in menu.actions())
    menu.close()
    return texts


def spot(canvas: TimelineCanvas, zone: str, *, band: str = "lane", empty: bool = False) -> QPoint:
    """A point of the canvas in that zone, with a slice there or without."""
    assert canvas.shown is not None
    columns = range(6, canvas.width() - 6, 3)
    for y in range(2, canvas.height() - 2, 4):
        for x in columns:
            at = hit(canvas.shown, x, y, canvas.stage.range)
            kind = at.band.kind if at.band is not None else ""
            if (
                at.zone == zone
                and (zone == "ruler" or kind == band)
                and (at.index is None) == (empty or zone != "body")
            ):
                return QPoint(x, y)
    raise AssertionError(f"no such place: {zone}")


def test_a_slice(busy: MainWindow, canvas: TimelineCanvas) -> None:
    texts = entries(busy, canvas, spot(canvas, "body"))
    selected = busy.document.selection.value
    assert selected is not None
    assert selected.kind == "slice"
    assert {"Add note to selection", "Zoom to selection", "Hide slices with this name", "Select lane"} <= set(texts)
    assert not {"Remove note", "Clear range", "Filter by column…", "Copy cell", "Sort ascending"} & set(texts)


def test_the_name_of_a_lane(busy: MainWindow, canvas: TimelineCanvas) -> None:
    texts = entries(busy, canvas, spot(canvas, "names"))
    selected = busy.document.selection.value
    assert selected is not None
    assert selected.kind == "lane"
    assert "Add note to selection" not in texts
    assert "Hide slices with this name" not in texts
    assert any("lane" in text.casefold() for text in texts)


def test_an_empty_place_and_the_range(busy: MainWindow, canvas: TimelineCanvas) -> None:
    place = spot(canvas, "body", empty=True)
    texts = entries(busy, canvas, place)
    assert "Add note here" in texts
    assert not {"Add note to selection", "Clear range", "Zoom to range"} & set(texts)
    assert canvas.shown is not None
    bounds = canvas.shown.bounds
    busy.document.ranges.set(Ranges(TimeRange(bounds.start, bounds.end)))
    texts = entries(busy, canvas, place)
    assert {"Add note here", "Clear range", "Zoom to range"} <= set(texts)


def test_a_cell_and_a_header_of_a_table(busy: MainWindow, qtbot: QtBot) -> None:
    busy.prepare().focus("tables")
    panel = busy.prepare().docks["tables"].widget()
    assert isinstance(panel, TablesPanel)
    panel._refresh.now()
    panel.show_table("slices", 2)
    view = panel.table.view
    cell = view.visualRect(view.items.index(view.items.shown_rows(panel.selected_rows())[0], 1)).center()
    texts = entries(busy, view.viewport(), cell)
    assert {"Copy cell", "Filter by column…", "Show in panel", "Export…", "Copy name"} <= set(texts)
    assert {"Show only rows with this value", "Hide rows with this value", "Search for this name"} <= set(texts)
    busy.actions_.actions["go.find_others"].trigger()
    assert busy.omnibox.text() == panel.table.cell_name() != ""
    view.setFocus()
    busy.actions_.actions["edit.filter_in"].trigger()
    assert 0 < len(view.items.rows) < view.items.table.rows
    panel.table.clear_filters()
    assert "Sort ascending" not in texts
    head = view.horizontalHeader()
    texts = entries(busy, head.viewport(), QPoint(head.sectionViewportPosition(1) + 8, 6))
    assert {"Sort ascending", "Sort descending", "Hide column", "Filter by column…", "Columns"} <= set(texts)
    assert not {"Restore file order", "Show all columns", "Copy cell"} & set(texts)
    busy.actions_.actions["table.sort_down"].trigger()
    assert (view.items.sorted_by, view.items.descending) == (1, True)
    busy.document.selection.set(Selection("slice", (2,), "tables"))
    busy.actions_.actions["go.home"].trigger()
    assert busy.prepare().in_sight("timeline")


def test_a_line_of_the_source_by_key(busy: MainWindow, qtbot: QtBot) -> None:
    busy.prepare().focus("source")
    panel = busy.prepare().docks["source"].widget()
    assert isinstance(panel, SourcePanel)
    panel._refresh.now()
    keys = panel.left.view.items.table.keys
    assert keys is not None
    panel.left.view.setFocus(Qt.FocusReason.TabFocusReason)
    assert panel.left.view.choose_row(int((keys >= 0).nonzero()[0][0]))
    texts = entries(busy, panel.left.view, QPoint(4, 4), by_key=True)
    assert {"Copy", "Copy cell", "Find in panel"} <= set(texts)
    assert "Show in panel" not in texts  # it is its panel


def test_a_recent_file(window: MainWindow, tmp_path: Path) -> None:
    here, gone = tmp_path / "here.bin", tmp_path / "gone.bin"
    here.write_bytes(b"x")
    window.settings.update(recent=(str(here), str(gone)))
    window.start.refresh()
    page = window.start.viewport()

    def menu_of(name: str) -> list[str]:
        button = next(button for button in window.start.findChildren(QPushButton) if name in button.toolTip())
        return entries(window, page, page.mapFromGlobal(button.mapToGlobal(button.rect().center())))

    assert menu_of("here.bin") == [
        "Open recent file",
        "Copy path of recent file",
        "Show folder of recent file",
        "Remove from recent files",
    ]
    window.actions_.actions["recent.open"].trigger()
    assert loader_of(window).asked == [(here,)]
    window.show_start(True)
    assert menu_of("gone.bin") == ["Copy path of recent file", "Remove from recent files"]
    window.actions_.actions["recent.copy_path"].trigger()
    assert QGuiApplication.clipboard().text() == str(gone)
    window.actions_.actions["recent.forget"].trigger()
    assert window.settings.value.recent == (str(here),)
    window.settings.update(recent_pairs=(FilePair((str(here),), (str(here),)), FilePair((str(gone),), (str(here),))))
    window.start.refresh()
    assert menu_of("gone.bin") == ["Remove from recent comparisons"]
    window.actions_.actions["recent.forget_pair"].trigger()
    assert [pair.after for pair in window.recent_pairs.pairs] == [(str(here),)]
    assert menu_of("compared with") == ["Open recent comparison", "Remove from recent comparisons"]
    window.actions_.actions["recent.compare"].trigger()
    assert loader_of(window).asked[-1] == (here,)


def test_the_folder_of_a_file_is_shown(busy: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def open_url(url: QUrl) -> bool:
        shown.append(url.toLocalFile())
        return len(shown) == 1

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    texts = entries(busy, busy.tabs, busy.tabs.tabRect(0).center())
    assert {"Reload", "Copy file path", "Show in folder", "Close"} <= set(texts)
    busy.actions_.actions["file.show_in_folder"].trigger()
    assert busy.document.profile is not None
    assert shown == [str(busy.document.profile.origin.paths[0].absolute().parent)]
    assert busy.notices.text == ""
    busy.actions_.actions["file.show_in_folder"].trigger()  # this desktop cannot
    assert busy.notices.text.endswith("no file manager is available.")


def test_a_tab_and_a_heading_of_a_panel(busy: MainWindow, qtbot: QtBot) -> None:
    docks = busy.prepare()
    heading = docks.docks["timeline"].heading
    assert "Close panel" in entries(busy, heading, QPoint(4, 4))
    bar = next(bar for bar in docks.tabs.bars() if bar.count() > 1)
    index = (bar.currentIndex() + 1) % bar.count()
    dock = docks.tabs.dock_of(bar, index)
    assert dock is not None
    bar.customContextMenuRequested.emit(bar.tabRect(index).center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    texts = {action.text().split("\t")[0].replace("&", "") for action in menu.actions()}
    assert {"Close panel", "Float or dock panel", "Help", "Export…"} <= texts
    menu.close()
    assert docks.in_sight(dock.spec.id)
    busy.actions_.actions["view.close_panel"].trigger()
    assert dock.isHidden()


def test_the_chip_of_a_range(busy: MainWindow, canvas: TimelineCanvas, qtbot: QtBot) -> None:
    assert canvas.shown is not None
    bounds = canvas.shown.bounds
    canvas.setFocus()
    busy.document.ranges.set(Ranges(TimeRange(bounds.start, bounds.end / 2), TileRange((0, 1))))
    chips = busy.footer.chips
    texts = entries(busy, chips.time, chips.time.rect().center())
    assert {"Undo range", "Set range…", "Clear range", "Zoom to range"} <= set(texts)
    assert entries(busy, chips.tiles, chips.tiles.rect().center()) == ["Undo range", "Set range…", "Clear range"]
    busy.actions_.actions["edit.set_range"].trigger()
    (dialog,) = busy.findChildren(RangeDialog)
    qtbot.waitUntil(dialog.fields.start.hasFocus)
    dialog.fields.length.setFocus()
    dialog.fields.length.setText("2 µs")
    QTest.keyClick(dialog.fields.length, Qt.Key.Key_Return)
    ranged = busy.document.ranges.value.time
    assert ranged is not None
    assert ranged.start == bounds.start
    assert ranged.end - ranged.start == pytest.approx(2.0)
    dialog.all_tiles.click()
    assert busy.document.ranges.value.tiles is None
    dialog.close()


def test_a_text_of_a_page_is_copied_and_searched_for(busy: MainWindow, qtbot: QtBot) -> None:
    busy.document.selection.set(Selection("core", (1,)))
    docks = busy.prepare()
    docks.focus("details")
    panel = docks.docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    qtbot.waitUntil(lambda: "Core" in panel.copy_text())
    value = next(label for label in panel.sheet.findChildren(Label) if "cycles" in label.text())
    texts = entries(busy, value, value.rect().center())
    assert {"Copy text", "Search for this name", "Copy"} <= set(texts)
    busy.actions_.actions["edit.copy_text"].trigger()
    assert QGuiApplication.clipboard().text() == value.text()
    busy.actions_.actions["go.find_others"].trigger()
    assert busy.omnibox.text() == value.text()


PICTURES = (
    *(("matmul_leakyrelu.bin", name) for name in ("memory_paths", "roofline", "cache", "memory_accesses", "core_load")),
    *(("resnet-1472-tiles", name) for name in ("tile_memory", "heat", "exchanges")),
    ("resnet_inference.popef", "blobs"),
)


@pytest.mark.parametrize(("sample", "panel"), PICTURES)
def test_what_lies_in_a_picture_is_selected(qtbot: QtBot, looks: None, sample: str, panel: str) -> None:
    """At one of many points of every picture lies something; it is selected and the menu is about it."""
    jobs, _ = plan([resource("samples", sample)])
    (profile,) = read(jobs[0].format, jobs[0].paths)
    window = make_window(panels=PANELS)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.document.finish(window.document.add(profile, 1))
    assert window.prepare().bring(panel)
    widget = window.prepare().docks[panel].widget()
    for child in (widget, *widget.findChildren(QWidget)):
        for refresh in child.findChildren(Refresh, options=Qt.FindChildOption.FindDirectChildrenOnly):
            refresh.now()
    QApplication.processEvents()
    seen = [one for one in widget.findChildren(QWidget) if one.isVisible() and not isinstance(one, QAbstractItemView)]
    pictures = [one for one in seen if isinstance(one, HasItemMenus)]
    assert pictures
    assert pictures[0].menu_places_at(QPoint(-5, -5)) == ()
    for x, y in product(range(4, pictures[0].width(), 9), range(4, pictures[0].height(), 9)):
        if ITEM in pictures[0].menu_places_at(QPoint(x, y)) and window.document.selection.value is not None:
            break
    else:
        pytest.fail("nothing can be chosen")
    again = window.document.selection.value
    assert ITEM in pictures[0].menu_places_at(QPoint(x, y))
    assert window.document.selection.value == again
    assert ITEM in pictures[0].menu_places_at(None)


def test_places_are_known(busy: MainWindow) -> None:
    """A command in a place that nothing reports would be in no menu."""
    from typing import get_args

    from app.profile.selection import Kind

    known = {*get_args(Kind), *(spec.id for spec in PANELS)}
    known |= {"panel", "canvas", "selected", "tab", "recent", "cell", "header", "table", "node", "tree"}
    known |= {"heading", "recent_pair", "text", "tiles"}
    known |= {"baseline", "time", "range", "note", "process", "counter", "time_unit", "colour_by", "baseline_slice"}
    assert {place for command in COMMANDS for place in command.places} <= known


def test_shift_f10_opens_the_menu_of_what_has_the_keyboard(canvas: TimelineCanvas, qtbot: QtBot) -> None:
    canvas.setFocus()
    QTest.keyClick(canvas, Qt.Key.Key_Period)
    QTest.keyClick(canvas, Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert "Copy name" in [action.text().replace("&", "").split("\t")[0] for action in menu.actions()]
    menu.close()
