"""Which table the panel of tables shows: the first one, until the user chooses one or works with it."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.analysis.table import Table
from app.analysis.tables import by_id, critical_path
from app.analysis.time.model import is_made
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels import tables as tables_panel
from app.panels.tables import TablesPanel
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from fakes.panels import Opened
from generators import poplar
from generators.schedules import flagged

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=4, tiles_per_ipu=4, loops=2)


@pytest.fixture
def partly_read(tmp_path: Path) -> Profile:
    (made,) = read(FORMAT, poplar.write_pair(tmp_path, SCALE))
    return replace(made, issues=())


def grow_by_an_issue(context: Context, panel: TablesPanel) -> None:
    profile, entry = context.document.profile, context.document.current_id
    assert profile is not None
    assert entry is not None
    issue = Issue("error", "somewhere", "something")  # makes the table of issues the first
    context.document.grow(entry, replace(profile, issues=(issue,)), frozenset(["issues"]))
    for refresh in panel.findChildren(Refresh):
        refresh.now()


def shown_id(panel: TablesPanel) -> str:
    table = panel.shown_table()
    assert table is not None
    return table.id


def test_a_table_that_nobody_chose_gives_way_to_the_first(
    context: Context, opened: Opened, partly_read: Profile
) -> None:
    panel = opened(TablesPanel, partly_read)
    assert shown_id(panel) != "issues"
    grow_by_an_issue(context, panel)
    assert shown_id(panel) == "issues"


@pytest.mark.parametrize("how", ["named", "list", "filter", "row"])
def test_a_table_in_use_stays(context: Context, opened: Opened, partly_read: Profile, how: str) -> None:
    panel = opened(TablesPanel, partly_read)
    if how == "named":
        panel.show_table("steps-by-compute-set")
    elif how == "list":
        QTest.keyClick(panel.names, Qt.Key.Key_Down)
    elif how == "filter":
        QTest.keyClicks(panel.table.field, "a")
    else:
        panel.table.view.selectRow(0)
    before = shown_id(panel)
    grow_by_an_issue(context, panel)
    assert shown_id(panel) == before


def test_a_wanted_table_is_shown_with_its_row_when_it_has_been_read(
    context: Context, opened: Opened, partly_read: Profile
) -> None:
    panel = opened(TablesPanel, partly_read)
    panel.show_table("issues", 0)
    panel.refill()
    for refresh in panel.findChildren(Refresh):
        refresh.now()
    assert shown_id(panel) != "issues"
    grow_by_an_issue(context, panel)
    assert shown_id(panel) == "issues"
    assert panel.selected_rows().tolist() == [0]


def test_tables_are_listed_and_slow_ones_made_in_a_thread(
    context: Context, opened: Opened, partly_read: Profile, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    threads: list[threading.Thread] = []

    def noted(profile: Profile, table_id: str) -> Table | None:
        threads.append(threading.current_thread())
        return by_id(profile, table_id)

    monkeypatch.setattr(tables_panel, "SLOW_SECONDS", -1.0)
    monkeypatch.setattr(tables_panel, "by_id", noted)
    panel = opened(TablesPanel, partly_read)
    first = shown_id(panel)
    assert threads == []  # the table that is shown first was made with the list
    panel.names.setCurrentRow(2)
    wanted = panel._groups[2].tables[0].id
    qtbot.waitUntil(lambda: shown_id(panel) == wanted)
    assert wanted != first
    assert threads
    assert threading.main_thread() not in threads


def test_a_table_that_takes_seconds_is_made_when_it_is_chosen(
    opened: Opened, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(critical_path, "MANY", 10)
    profile = Profile(name="trace", origin=Origin("ascend-trace", ()), timeline=flagged())
    panel = opened(TablesPanel, profile)
    labels = [panel.names.item(row).text() for row in range(panel.names.count())]
    assert "Critical path" in labels  # without rows
    assert not is_made(profile)
    panel.names.setCurrentRow(labels.index("Critical path"))
    qtbot.waitUntil(lambda: shown_id(panel) == "critical-path")
    assert is_made(profile)
