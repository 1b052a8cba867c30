"""Links to a view in the window: copied, pasted, followed to files that are open, moved, changed or missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.panels.registry import PANELS
from app.panels.spec import PanelSpec
from app.panels.tile_memory.panel import TileMemoryPanel
from app.panels.timeline.panel import TimelinePanel
from app.profile.selection import Ranges, Selection, TileRange
from app.resources import resource
from app.widgets.display import Display
from app.window.commands import COMMANDS
from app.window.commands.compare import opener_of
from app.window.input_dialogs import LinkDialog
from app.window.links import link_to_view
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile
from fakes.shell import PANELS as FEW_PANELS
from fakes.shell import make_window

READ_MS = 60_000


@contextmanager
def real_window(qtbot: QtBot, panels: Sequence[PanelSpec]) -> Iterator[MainWindow]:
    """A window with a real loader."""
    document = Document()
    window = MainWindow(SettingsFile(None), lambda: panels)
    window.fill(Loader(document), document, Display())
    qtbot.addWidget(window)
    window.resize(1600, 1000)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    window.close()


@pytest.fixture
def window(qtbot: QtBot, looks: None) -> Iterator[MainWindow]:
    with real_window(qtbot, PANELS) as window:
        yield window


@pytest.fixture
def plain(qtbot: QtBot, looks: None) -> Iterator[MainWindow]:
    """With small panels."""
    with real_window(qtbot, FEW_PANELS) as window:
        yield window


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
    timeline.canvas.filtering.hide_names(frozenset(["Sync"]))
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
    assert "has the same name, but another content" not in window.notices.text
    window.notices.dismiss()

    memory.bar.views.setCurrentIndex(0)
    memory.canvas.fit()
    timeline.canvas.fit()
    timeline.canvas.filtering.hide_names(frozenset())
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

    run(window, "go.open_link")
    dialog = window.findChild(LinkDialog)
    assert dialog is not None
    assert dialog.field.text() == on_memory  # what is on the clipboard
    assert str(network / "graph.json") in dialog.about.text()
    dialog.field.setText("tilesight://server/graph.json")
    assert not dialog.ok.isEnabled()
    dialog.reject()


def test_files_that_moved_changed_or_are_gone_are_named(qtbot: QtBot, plain: MainWindow, network: Path) -> None:
    follow(qtbot, plain, link_to(network))
    assert "has changed since the link was made" in plain.notices.text  # its content is another one
    arrived = [plain.links.arrived]
    plain.notices.dismiss()
    chosen = ChosenThings("program", (5,))
    whole = parse(copied(plain))
    gone = replace(whole, profile=replace(whole.profile, paths=(network / "none.json",)), chosen=chosen)
    follow(qtbot, plain, gone)
    assert "has the same content" in plain.notices.text
    assert plain.document.selection.value == Selection("program", (5,), "link")
    plain.notices.dismiss()

    plain.close_profile(plain.document.entries[0].id)
    follow(qtbot, plain, gone)  # recent: offered, not opened
    assert not plain.document.entries
    (button,) = plain.notices.steps.values()
    button.click()
    qtbot.waitUntil(lambda: not plain.links.busy, timeout=READ_MS)
    assert len(plain.document.entries) == 1

    plain.close_profile(plain.document.entries[0].id)
    plain.notices.dismiss()
    follow(qtbot, plain, link_to(network.parent / "nowhere"))
    assert "no longer exists" in plain.notices.text
    assert [*arrived, plain.links.arrived] == [True, False]
    plain.notices.dismiss()
    follow(qtbot, plain, link_to(network.parent / "nowhere"), (network,))
    assert "has the same name, but another content" in plain.notices.text


def test_a_pasted_link_asks_before_it_opens_a_file(qtbot: QtBot, plain: MainWindow, network: Path) -> None:
    plain.omnibox.start()
    plain.omnibox.setText(written(link_to(network, panel="tree")))
    plain.omnibox.refresh()
    item = plain.omnibox.popup.list.topLevelItem(0)
    assert item is not None
    assert str(network / "graph.json") in item.text(0)
    plain.omnibox.popup.list.itemClicked.emit(item, 0)
    qtbot.waitUntil(lambda: plain.findChild(LinkDialog) is not None)
    dialog = plain.findChild(LinkDialog)
    assert dialog is not None
    assert not plain.document.entries
    assert not plain.loader.busy
    assert f"Opens {network / 'graph.json'}, {network / 'execution.json'}\nPanel: tree" == dialog.about.text()
    dialog.ok.click()
    qtbot.waitUntil(lambda: not plain.links.busy, timeout=READ_MS)
    assert plain.prepare().in_sight("tree")


def test_parts_and_their_baseline_come_back(qtbot: QtBot) -> None:
    window, opened = make_window(), list[int]()
    qtbot.addWidget(window)
    document, sample = window.document, resource("samples/matmul_leakyrelu.bin")
    (profile,) = read(FORMAT, [sample])
    whole = document.add(profile, 1)
    document.finish(whole)
    entry = document.entry(whole)
    assert entry is not None
    opener_of(window).open(entry, ["block=0", "block=1"], opened.extend)
    qtbot.waitUntil(lambda: len(opened) == 2)
    document.show(opened[1])
    document.baselines.set(opened[1], opened[0])
    link = link_to_view(window)
    assert link is not None
    assert (link.profile.part, link.profile.paths) == ("block=1", (sample,))
    assert link.baseline == replace(link.profile, part="block=0")
    for part in opened:
        document.close(part)
    window.links.ask_and_follow(parse(written(link)))  # the whole is open: there is nothing to ask
    qtbot.waitUntil(lambda: not window.links.busy)
    assert window.findChild(LinkDialog) is None
    current = document.current
    assert current is not None
    assert current.profile.origin.part == "block=1"
    before = document.entry(document.baselines.of(current.id) or 0)
    assert before is not None
    assert before.profile.origin.part == "block=0"
    window.links.follow(replace(link, profile=replace(link.profile, part="block=9")))
    qtbot.waitUntil(lambda: not window.links.busy)
    assert "block=9: no such part" in window.notices.text
    assert not window.links.arrived
