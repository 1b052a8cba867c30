"""Docks: made when seen, offered for what the profile holds, arranged per family."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QMoveEvent
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.document.loader import JobState
from app.formats.registry import FORMATS, family_of
from app.profile.profile import Origin
from app.widgets.context import Context
from app.window.dock import Dock
from app.window.dock_area import STATE_VERSION, DockArea
from app.window.layouts import ANY, ASCEND, LAYOUTS, POPEF, POPLAR, REST, layout_of
from app.window.main_window import MainWindow, registered_panels
from app.window.settings import Arrangement, SettingsFile
from fakes.shell import PANELS, ascend, bare, build_panels, loader_of, make_window, spec


def docks_of(window: MainWindow) -> DockArea:
    assert window.docks is not None
    return window.docks


def place(window: MainWindow, name: str) -> QPoint:
    return docks_of(window).docks[name].mapTo(window, QPoint(0, 0))


@pytest.fixture
def two(qtbot: QtBot) -> list[MainWindow]:
    """Two windows, one after the other, with the same settings: a second run."""
    settings = SettingsFile()
    made = [make_window(settings), make_window(settings)]
    for window in made:
        qtbot.addWidget(window)
    return made


def shown(window: MainWindow, qtbot: QtBot) -> MainWindow:
    with qtbot.waitExposed(window):
        window.show()
    return window


def test_only_what_the_profile_holds_is_offered(window: MainWindow) -> None:
    window.document.add(bare(), 1)
    docks = docks_of(window)
    assert set(docks.offered) == {"summary", "details", "issues"}
    assert [dock.isHidden() for dock in (docks.docks["timeline"], docks.docks["summary"])] == [True, False]
    assert {missing.id for missing in docks.missing()} == {"timeline", "source", "instructions", "roofline", "tree"}


def test_the_names_of_files_stand_until_there_is_something_to_show(window: MainWindow) -> None:
    full = ascend()
    entry = window.document.add(bare(), 1)
    assert window.central.reading_shown
    window.document.grow(entry, full, frozenset({"timeline"}))
    assert window.central.shown() is docks_of(window)


def test_panels_come_as_their_sections_arrive(window: MainWindow) -> None:
    full = ascend()
    entry = window.document.add(replace(full, timeline=None, sources=None), 1)
    docks = docks_of(window)
    assert "timeline" not in docks.offered
    window.document.grow(entry, replace(full, sources=None), frozenset(("timeline",)))
    assert list(docks.offered) == ["timeline", "summary", "details", "issues"]
    window.document.grow(entry, full, frozenset(("sources",)))
    assert list(docks.offered) == ["timeline", "source", "instructions", "summary", "details", "issues"]
    assert place(window, "timeline").y() < place(window, "source").y()
    assert place(window, "timeline").x() < place(window, "summary").x()


def test_docks_stay_until_something_of_the_next_profile_arrives(window: MainWindow) -> None:
    """Else they would all go and come back, which takes long, and is seen."""
    window.document.add(ascend(), 1)
    docks = docks_of(window)
    first = docks.offered
    second = window.document.add(bare(format_id="ascend-bin"), 2)
    assert docks.offered == first
    assert not docks.docks["timeline"].isHidden()
    window.document.grow(second, replace(ascend(), sources=None), frozenset(("timeline",)))
    assert list(docks.offered) == ["timeline", "summary", "details", "issues"]


def test_a_profile_of_which_nothing_arrives_has_its_own_docks_at_the_end(window: MainWindow) -> None:
    window.document.add(ascend(), 1)
    second = window.document.add(bare(format_id="ascend-bin"), 2)
    window.document.finish(second)
    assert set(docks_of(window).offered) == {"summary", "details", "issues"}


def test_docks_that_are_as_they_were_left_are_not_arranged_again(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown(window, qtbot)
    first = window.document.add(ascend(), 1)
    window.document.add(ascend(), 2)
    restored: list[object] = []
    monkeypatch.setattr(docks_of(window), "restoreState", lambda *state: restored.append(state))
    window.document.show(first)
    assert not restored


def test_a_panel_is_made_when_it_is_first_seen(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    docks = docks_of(window)
    qtbot.waitUntil(lambda: docks.docks["source"].filled)
    assert not docks.docks["instructions"].filled  # a tab behind
    assert not docks.docks["tree"].filled
    docks.docks["instructions"].raise_()
    qtbot.waitUntil(lambda: docks.docks["instructions"].filled)


def test_panels_of_a_profile_that_arrives_are_made_one_in_a_turn(window: MainWindow, qtbot: QtBot) -> None:
    shown(window, qtbot).document.add(ascend(), 1)
    docks = docks_of(window)
    order: list[str] = []
    while docks.building:
        before = {name for name, dock in docks.docks.items() if dock.filled}
        QApplication.processEvents()
        new = [name for name, dock in docks.docks.items() if dock.filled and name not in before]
        assert len(new) <= 1
        order += new
    sizes = [docks.docks[name].width() * docks.docks[name].height() for name in order]
    assert set(order) == {"timeline", "source", "summary"}
    assert sizes == sorted(sizes, reverse=True)


def test_a_panel_is_filled_before_the_next_is_made(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    filling = [True]
    monkeypatch.setattr(Dock, "filling", property(lambda _: filling[0]))
    shown(window, qtbot).document.add(ascend(), 1)
    docks = docks_of(window)

    def filled() -> int:
        return sum(dock.filled for dock in docks.docks.values())

    qtbot.waitUntil(lambda: filled() > 0)
    for _ in range(5):
        QApplication.processEvents()
    assert filled() == 1
    filling[0] = False
    build_panels(window)
    assert docks.docks["summary"].filled


def test_a_panel_that_is_asked_for_is_made_at_once(window: MainWindow, qtbot: QtBot) -> None:
    shown(window, qtbot).document.add(ascend(), 1)
    docks = docks_of(window)
    docks.focus("instructions")
    assert docks.docks["instructions"].filled
    assert docks.building


def test_a_user_waits_until_there_is_data_and_a_panel(window: MainWindow, qtbot: QtBot) -> None:
    shown(window, qtbot)
    waited = [window.awaiting_data]
    loader_of(window).tell(JobState(1, "a", (), "reading"))
    waited.append(window.awaiting_data)
    window.document.add(ascend(), 1)
    waited.append(window.awaiting_data)
    build_panels(window)
    waited.append(window.awaiting_data)
    assert waited == [False, True, True, False]


def test_the_first_layout_shares_the_room_as_drawn(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    docks = docks_of(window).docks
    for width in (1280, 1700, 1000):
        window.resize(width, 900)
        qtbot.waitUntil(lambda: docks["timeline"].width() > 2 * docks["summary"].width())
        qtbot.waitUntil(lambda: docks["summary"].height() > docks["timeline"].height() > docks["source"].height())
    assert docks["timeline"].width() + docks["summary"].width() < 1000


@pytest.mark.parametrize("layout", [POPLAR, ASCEND, POPEF, ANY])
def test_layouts_name_each_panel_once(layout: object) -> None:
    order = layout.order()  # type: ignore[attr-defined]
    assert len(order) == len(set(order))
    assert "*" in order


def test_layouts_name_only_panels_that_exist() -> None:
    known = {panel.id for panel in registered_panels()}
    for layout in (*LAYOUTS.values(), ANY):
        assert set(layout.order()) - {REST} <= known
    assert {"details", "summary", "issues", "timeline"} <= known


def test_families() -> None:
    """A format says its family; each has a layout of its own."""
    assert family_of("odd").id == "other"
    assert {known.family.id for known in FORMATS} - {"other"} == set(LAYOUTS)
    assert layout_of("other") is ANY
    assert layout_of("ascend").resolved(["a", "source", "timeline"]).order() == ("timeline", "source", "a")


def test_a_trace_gives_the_timeline_the_room(window: MainWindow, qtbot: QtBot) -> None:
    trace = replace(ascend("trace"), origin=Origin("ascend-trace", (Path("/data/trace.json"),)), sources=None)
    window.resize(1400, 900)
    entry = window.document.add(replace(trace, timeline=None), 1)
    window.document.grow(entry, trace, frozenset(("timeline",)))
    area = docks_of(window)
    timeline = area.docks["timeline"]
    qtbot.waitUntil(lambda: timeline.width() > 0.7 * area.width() and timeline.height() > 0.9 * area.height())
    assert area.in_sight("timeline")
    assert area.in_sight("summary")
    assert (family_of("ascend-trace").title, family_of("ascend-memory-info").title) == ("", "Ascend")


def test_a_closed_panel_stays_closed_for_its_family_only(two: list[MainWindow], qtbot: QtBot) -> None:
    window = shown(two[0], qtbot)
    window.document.add(ascend(), 1)
    docks_of(window).docks["details"].close()
    window.document.add(bare(), 2)
    assert not docks_of(window).docks["details"].isHidden()
    window.close()
    again = shown(two[1], qtbot)
    again.document.add(ascend(), 1)
    assert docks_of(again).docks["details"].isHidden()
    assert docks_of(again).closed("details")


def test_the_arrangement_comes_back(two: list[MainWindow], qtbot: QtBot) -> None:
    window = shown(two[0], qtbot)
    window.document.add(ascend(), 1)
    docks = docks_of(window)
    docks.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks.docks["summary"])
    QApplication.processEvents()
    assert place(window, "timeline").y() < place(window, "summary").y()
    window.close()
    again = shown(two[1], qtbot)
    again.document.add(ascend(), 1)
    QApplication.processEvents()
    assert place(again, "timeline").y() < place(again, "summary").y()
    docks_of(again).reset()
    QApplication.processEvents()
    assert place(again, "timeline").x() < place(again, "summary").x()
    assert again.settings.value.arrangements == {}


def test_sizes_come_back_though_sections_arrive_one_by_one(two: list[MainWindow], qtbot: QtBot) -> None:
    window = shown(two[0], qtbot)
    full = ascend()
    window.document.add(full, 1)
    docks = docks_of(window)
    docks.tabifyDockWidget(docks.docks["source"], docks.docks["timeline"])
    docks.docks["timeline"].raise_()
    QApplication.processEvents()
    docks.resizeDocks([docks.docks["timeline"], docks.docks["details"]], [500, 700], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    width = docks.docks["timeline"].width()
    assert 450 < width < 550
    window.close()
    again = shown(two[1], qtbot)
    entry = again.document.add(replace(full, timeline=None, sources=None), 1)
    QApplication.processEvents()
    again.document.grow(entry, replace(full, sources=None), frozenset(("timeline",)))
    QApplication.processEvents()
    again.document.grow(entry, full, frozenset(("sources",)))
    QApplication.processEvents()
    new = docks_of(again).docks
    assert abs(new["timeline"].width() - width) < 8
    assert new["timeline"].visibleRegion().isEmpty() is False
    assert new["source"].visibleRegion().isEmpty()
    assert not new["roofline"].filled  # the kept state shows it for a moment, the profile does not


def test_what_was_never_touched_is_not_kept(two: list[MainWindow], qtbot: QtBot) -> None:
    window = shown(two[0], qtbot)
    window.document.add(ascend(), 1)
    window.resize(900, 700)
    window.close()
    assert window.settings.value.arrangements == {}


@pytest.mark.parametrize("state", ["", "no base64!", base64.b64encode(b"no state").decode()])
def test_a_state_that_cannot_be_used_leaves_the_first_layout(qtbot: QtBot, state: str) -> None:
    settings = SettingsFile()
    settings.update(arrangements={"ascend": Arrangement(state, ("issues",))})
    window = make_window(settings)
    qtbot.addWidget(window)
    shown(window, qtbot)
    window.document.add(ascend(), 1)
    assert place(window, "timeline").x() < place(window, "summary").x()
    assert docks_of(window).docks["issues"].isHidden()


def test_a_state_of_another_version_leaves_the_first_layout(two: list[MainWindow], qtbot: QtBot) -> None:
    window = shown(two[0], qtbot)
    window.document.add(ascend(), 1)
    old = base64.b64encode(docks_of(window).saveState(STATE_VERSION + 1).data()).decode()
    two[1].settings.update(arrangements={"ascend": Arrangement(old)})
    again = shown(two[1], qtbot)
    again.document.add(ascend(), 1)
    assert place(again, "timeline").x() < place(again, "summary").x()


def test_a_panel_that_a_kept_state_does_not_know_finds_its_place(qtbot: QtBot) -> None:
    settings = SettingsFile()
    old = make_window(settings, PANELS)
    qtbot.addWidget(old)
    shown(old, qtbot)
    old.document.add(ascend(), 1)
    docks_of(old).docks["issues"].close()
    old.close()
    new = make_window(settings, (*PANELS, spec("extra", "Extra", lambda context: QWidget())))
    qtbot.addWidget(new)
    shown(new, qtbot)
    new.document.add(ascend(), 1)
    extra = docks_of(new).docks["extra"]
    assert not extra.isHidden()
    extra.raise_()
    qtbot.waitUntil(lambda: extra.filled and extra.width() > 100)


def test_a_panel_that_fails_leaves_the_others_alone(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(context: Context) -> QWidget:
        raise ValueError("no such column")

    seen: list[object] = []
    monkeypatch.setattr("sys.excepthook", lambda *error: seen.append(error[1]))
    window = make_window(panels=(spec("bad", "Bad", broken), *PANELS))
    qtbot.addWidget(window)
    shown(window, qtbot)
    window.document.add(ascend(), 1)
    docks = docks_of(window)
    docks.focus("bad")
    qtbot.waitUntil(lambda: docks.docks["bad"].filled and docks.docks["timeline"].filled)
    assert [str(error) for error in seen] == ["no such column"]


def test_tabs_carry_the_name_and_the_heading_does_not_repeat_it(window: MainWindow) -> None:
    window.document.add(ascend(), 1)
    docks = docks_of(window).docks
    assert titled(docks) == {"timeline"}
    docks["instructions"].close()
    assert titled(docks) == {"timeline", "source"}


def test_tabs_show_their_names_whole_and_scroll_where_they_do_not_fit(window: MainWindow, qtbot: QtBot) -> None:
    window.document.add(ascend(), 1)
    window.show()
    qtbot.waitExposed(window)
    docks = docks_of(window)
    bars = docks.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert any(bar.count() > 1 for bar in bars)
    assert {(bar.elideMode(), bar.usesScrollButtons()) for bar in bars} == {(Qt.TextElideMode.ElideNone, True)}


def titled(docks: dict[str, Dock]) -> set[str]:
    return {name for name, dock in docks.items() if not dock.isHidden() and not dock.heading.title.isHidden()}


def test_docks_follow_nothing_once_all_is_closed(window: MainWindow) -> None:
    entry = window.document.add(ascend(), 1)
    start = [window.start_shown]
    window.document.close(entry)
    start.append(window.start_shown)
    window.document.add(bare(), 2)
    assert [*start, window.start_shown] == [False, True, False]
    assert set(docks_of(window).offered) == {"summary", "details", "issues"}


def test_specs_without_sections_are_always_offered() -> None:
    plain = spec("a", "A", lambda context: QWidget())
    assert plain.offered(bare())
    assert Document().profile is None


def test_a_floating_panel_stands_where_it_stood_although_x11_reports_its_place_in_the_frame(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.document.add(ascend(), 1)
    shown(window, qtbot)
    dock = docks_of(window).docks["summary"]
    dock.setFloating(True)
    stood = dock.pos()
    assert not stood.isNull()
    dock.move(0, 0)
    QApplication.sendEvent(dock, QMoveEvent(QPoint(0, 0), stood))
    qtbot.waitUntil(lambda: dock.pos() == stood)
    for _ in range(3):
        dock.move(dock.pos() + QPoint(1, 1))
    dock.move(0, 0)  # by a person
    QApplication.processEvents()
    assert dock.pos().isNull()
