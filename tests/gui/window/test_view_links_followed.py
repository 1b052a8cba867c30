"""Links to a view in the window: copied, pasted, followed to files that are open, moved, changed or missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.view_links.text import parse, written
from app.analysis.view_links.view_link import ChosenThings, ProfileRef, ViewLink
from app.document.document import Document
from app.document.loader import Loader
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.timeline.panel import TimelinePanel
from app.profile.selection import Ranges, Selection, TileRange
from app.resources import resource
from app.widgets.display import Display
from app.window.commands import COMMANDS
from app.window.link_dialog import LinkDialog
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile

READ_MS = 60_000


@pytest.fixture
def window(qtbot: QtBot, looks: None) -> Iterator[MainWindow]:
    """A real window with a real loader."""
    document = Document()
    window = MainWindow(SettingsFile(None))
    loader = Loader(document)
    window.fill(loader, document, Display())
    qtbot.addWidget(window)
    window.resize(1600, 1000)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    window.close()


@pytest.fixture
def network(tmp_path: Path) -> Path:
    return Path(shutil.copytree(resource("samples/resnet-1472-tiles"), tmp_path / "network"))


def run(window: MainWindow, name: str) -> None:
    next(command for command in COMMANDS if command.id == name).run(window)


def follow(qtbot: QtBot, window: MainWindow, link: ViewLink | str, passed: tuple[Path, ...] = ()) -> None:
    if passed:
        window.open(passed)
    window.links.follow(parse(link) if isinstance(link, str) else link, passed)
    qtbot.waitUntil(lambda: not window.links.busy and not window.loader.busy, timeout=READ_MS)


def copied(window: MainWindow) -> str:
    run(window, "edit.copy_link")
    return QGuiApplication.clipboard().text()


def link_to(path: Path, **others: object) -> ViewLink:
    return replace(ViewLink(ProfileRef((path / "graph.json", path / "execution.json"), "0" * 32)), **others)


def test_a_copied_view_comes_back_after_all_was_changed(qtbot: QtBot, window: MainWindow, network: Path) -> None:
    chosen = ChosenThings("slice", (241,))
    follow(qtbot, window, link_to(network, panel="timeline", chosen=chosen), (network,))
    docks = window.prepare()
    timeline = docks.docks["timeline"].widget()
    assert isinstance(timeline, TimelinePanel)
    window.document.selection.set(Selection("slice", (7, 9), "test"))
    window.document.ranges.set(Ranges(tiles=TileRange((0, 1, 2))))
    timeline.canvas.zoom(8.0)
    timeline.canvas.hide_names(frozenset(["Sync"]))
    view = timeline.canvas.view_state()
    assert {"start", "end", "hidden"} <= view.keys()
    on_timeline = copied(window)
    docks.focus("tile_memory")
    memory = docks.docks["tile_memory"].widget()
    assert isinstance(memory, TileMemoryPanel)
    qtbot.waitUntil(lambda: not memory.filling and memory.canvas.history is not None)
    memory.bar.views.setCurrentIndex(memory.bar.views.findData("sorted"))
    memory.canvas.zoom(4.0)
    QApplication.processEvents()
    zoomed = memory.canvas.view_state()
    assert zoomed
    on_memory = copied(window)
    assert "&view.bar.views=sorted&" in on_memory
    assert window.notices.text == "" or "changed" in window.notices.text
    window.notices.dismiss()

    memory.bar.views.setCurrentIndex(0)
    memory.canvas.fit()
    timeline.canvas.fit()
    timeline.canvas.hide_names(frozenset())
    window.document.selection.clear()
    window.document.ranges.set(Ranges())
    follow(qtbot, window, on_memory)
    assert docks.in_sight("tile_memory")
    assert memory.view == "sorted"
    assert memory.canvas.view_state() == pytest.approx(zoomed)
    follow(qtbot, window, on_timeline)
    assert timeline.canvas.view_state() == view
    assert window.document.selection.value == Selection("slice", (7, 9), "link")
    assert window.document.ranges.value == Ranges(tiles=TileRange((0, 1, 2)))
    assert len(window.document.entries) == 1
    assert window.notices.text == ""

    # the baseline comes along, and what is on the clipboard is offered
    other = window.document.add(replace(window.document.entries[0].profile, name="other"), 1, show=False)
    window.document.finish(other)
    run(window, "go.open_link")
    dialog = window.findChild(LinkDialog)
    assert dialog is not None
    assert dialog.field.text() == on_memory or dialog.field.text() == on_timeline
    assert str(network / "graph.json") in dialog.about.text()
    dialog.field.setText("tilesight://server/graph.json")
    assert not dialog.ok.isEnabled()
    dialog.reject()


def test_files_that_moved_changed_or_are_gone_are_named(qtbot: QtBot, window: MainWindow, network: Path) -> None:
    follow(qtbot, window, link_to(network))
    assert "has changed since the link was made" in window.notices.text  # its content is another one
    window.notices.dismiss()
    chosen = ChosenThings("program", (5,))
    whole = parse(copied(window))
    gone = replace(whole, profile=replace(whole.profile, paths=(network / "none.json",)), chosen=chosen)
    follow(qtbot, window, gone)
    assert "has the same content" in window.notices.text
    assert window.document.selection.value == Selection("program", (5,), "link")
    window.notices.dismiss()

    window.close_profile(window.document.entries[0].id)
    follow(qtbot, window, gone)  # recent: offered, not opened
    assert not window.document.entries
    (button,) = window.notices.steps.values()
    button.click()
    qtbot.waitUntil(lambda: not window.links.busy, timeout=READ_MS)
    assert len(window.document.entries) == 1

    window.close_profile(window.document.entries[0].id)
    window.notices.dismiss()
    follow(qtbot, window, link_to(network.parent / "nowhere"))
    assert "no such profile any more" in window.notices.text
    window.notices.dismiss()
    follow(qtbot, window, link_to(network.parent / "nowhere"), (network,))
    assert "has the same name, but another content" in window.notices.text


def test_a_pasted_link_asks_before_it_opens_a_file(qtbot: QtBot, window: MainWindow, network: Path) -> None:
    window.omnibox.start()
    window.omnibox.setText(written(link_to(network, panel="liveness")))
    window.omnibox.refresh()
    item = window.omnibox.popup.list.topLevelItem(0)
    assert item is not None
    assert str(network / "graph.json") in item.text(0)
    window.omnibox.popup.list.itemClicked.emit(item, 0)
    qtbot.waitUntil(lambda: window.findChild(LinkDialog) is not None)
    dialog = window.findChild(LinkDialog)
    assert dialog is not None
    assert not window.document.entries
    assert not window.loader.busy
    assert f"Opens {network / 'graph.json'}, {network / 'execution.json'}\nPanel: liveness" == dialog.about.text()
    dialog.ok.click()
    qtbot.waitUntil(lambda: not window.links.busy, timeout=READ_MS)
    assert window.prepare().in_sight("liveness")
