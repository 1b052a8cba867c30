"""The panel of queries: statement, result, chart, completion, history."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.analysis.table import Column, Table
from app.document.user_choices import QueryHistory
from app.panels.query import panel as query_panel
from app.panels.query.editor import completions
from app.panels.query.panel import NO_DUCKDB, NOT_RUN, QueryPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.query.session import QueryTable
from app.views.look import Look
from app.views.query.picture import Choice, bars_of, line_of
from app.widgets.context import Context
from fakes.panels import Opened
from fakes.query_profiles import profile_of_family

TABLES = [
    QueryTable("slices", "Slices", 3, (("name", ""), ("duration", "µs"), ("end_", "µs"))),
    QueryTable("lanes", "Lanes", 1, (("process", ""), ("busy", "µs"))),
    QueryTable("baseline.slices", "Slices", 2, (("name", ""), ("duration", "µs"))),
]


@pytest.fixture(scope="module")
def profile() -> Profile:
    return profile_of_family("ascend")


@pytest.fixture
def panel(qtbot: QtBot, opened: Opened, profile: Profile) -> QueryPanel:
    panel = opened(QueryPanel, profile)
    assert isinstance(panel, QueryPanel)
    qtbot.waitUntil(lambda: bool(panel.menus.known))
    return panel


def ran(panel: QueryPanel, qtbot: QtBot, statement: str) -> Table:
    panel.editor.replace_text(statement)
    QTest.keyClick(panel.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert panel.button.text() == "Cancel"
    qtbot.waitUntil(lambda: not panel.query_running)
    return panel.table.view.items.table


def actions(menu: QMenu | None) -> dict[str, Callable[[], None]]:
    assert menu is not None
    menu.aboutToShow.emit()
    return {action.text(): action.trigger for action in menu.actions() if action.isEnabled()}


def test_a_statement_is_run_and_its_rows_select_things(panel: QueryPanel, qtbot: QtBot, context: Context) -> None:
    assert panel.table.stack.empty.text == NOT_RUN
    table = ran(panel, qtbot, "select name, duration, item from slices order by duration desc limit 5")
    assert (table.rows, table.columns[1].unit) == (5, "s")
    panel.table.choose_row(0)
    assert table.keys is not None
    assert context.document.selection.value == Selection("slice", (int(table.keys[0]),), "query")
    assert panel.shown_table() is table
    assert panel.picture() is None

    panel.charted.setChecked(True)  # names on the left, durations as bars
    chart = panel.chart.bars.canvas.chart
    assert chart is not None
    assert chart.title == "duration by name"
    assert len(chart.columns) == 5
    assert panel.picture() is panel.chart.bars.canvas
    panel.chart.bars.canvas.chosen.emit(np.array([3]), False)
    assert context.document.selection.value == Selection("slice", (int(table.keys[3]),), "query")
    panel.chart.kind.setCurrentIndex(1)
    assert panel.chart.line.picture is not None
    assert panel.picture() is panel.chart.line
    ran(panel, qtbot, "select 'a' as text")
    assert panel.chart._shown.is_empty

    ran(panel, qtbot, "select nme from slices")  # what is wrong is underlined; the former result stays
    assert "there is no column nme; did you mean name? (line 1, character 8)" in panel.error.text()
    assert panel.editor.extraSelections()[0].cursor.selectedText() == "nme"
    assert panel.table.view.items.table.columns[0].key == "text"
    QTest.keyClicks(panel.editor, " ")
    assert not panel.editor.extraSelections()
    assert ran(panel, qtbot, "select name from slices where false").rows == 0
    assert not panel.error.text()


def test_it_can_be_cancelled(panel: QueryPanel, qtbot: QtBot) -> None:
    panel.editor.replace_text("select count(*) from range(100000000000) as r(i) where i % 7 = 3")
    panel.button.click()
    qtbot.waitUntil(lambda: panel.query_running)
    QTest.keyClick(panel.editor, Qt.Key.Key_Escape)
    assert (panel.button.text(), panel.readout.text) == ("Run", "Cancelled")
    assert not panel.handle_escape()
    assert ran(panel, qtbot, "select 1 as one").rows == 1


def test_menus_and_history(panel: QueryPanel, qtbot: QtBot, context: Context) -> None:
    actions(panel.menus.examples.menu())["Longest slices"]()
    qtbot.waitUntil(lambda: panel.table.view.items.table.rows == 20)
    panel.editor.clear()
    tables = actions(panel.menus.tables.menu())
    next(run for text, run in tables.items() if text.startswith("core_load "))()
    assert panel.editor.toPlainText() == "select *\nfrom core_load\nlimit 100"
    panel.run_query()
    history = context.document.queries
    assert len(list(history.statements)) == 2
    assert history.statements[0].startswith("select *\nfrom core_load")
    actions(panel.menus.history.menu())["Clear history"]()
    assert not history.statements
    actions(panel.menus.history.menu())["Restore cleared history"]()
    assert len(list(history.statements)) == 2
    panel.editor.clear()
    next(run for text, run in actions(panel.menus.history.menu()).items() if "core_load" in text)()
    assert "core_load" in panel.editor.toPlainText()
    qtbot.waitUntil(lambda: not panel.query_running)


def test_the_baseline_is_a_schema(panel: QueryPanel, qtbot: QtBot, context: Context, profile: Profile) -> None:
    statement = "select count(*) as rows_of_both from slices a join baseline.slices b using (item)"
    ran(panel, qtbot, statement)
    assert "there is no profile baseline" in panel.error.text()
    document = context.document
    other = document.add(profile, job=2, show=False)
    document.finish(other)
    assert document.current is not None
    document.baselines.set(document.current.id, other)
    qtbot.waitUntil(lambda: any(table.name == "baseline.slices" for table in panel.menus.known))
    assert ran(panel, qtbot, statement).columns[0].value(0) == 3767
    document.close(other)
    qtbot.waitUntil(lambda: "there is no profile baseline" in panel.error.text())  # it was run again


def test_another_profile_drops_the_result(panel: QueryPanel, qtbot: QtBot, context: Context) -> None:
    ran(panel, qtbot, "select name from slices limit 3")
    context.document.finish(context.document.add(profile_of_family("trace"), job=2))
    qtbot.waitUntil(lambda: panel.table.view.items.table.rows == 0)
    assert panel.editor.toPlainText() == "select name from slices limit 3"
    assert panel.table.stack.empty.text == NOT_RUN


def test_without_duckdb_it_says_how_to_get_it(
    opened: Opened, profile: Profile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query_panel, "duckdb_installed", lambda: False)
    panel = opened(QueryPanel, profile)
    assert panel.stack.empty.text == NO_DUCKDB
    assert not panel.can_run_query


def test_names_are_completed_while_typing(panel: QueryPanel) -> None:
    editor = panel.editor
    QTest.keyClicks(editor, "select d")
    assert not editor._popup.isVisible()
    editor.replace_text("select  from slices s")
    cursor = editor.textCursor()
    cursor.setPosition(len("select "))
    editor.setTextCursor(cursor)
    QTest.keyClicks(editor, "dur")
    assert editor._popup.isVisible()
    QTest.keyClick(editor._popup, Qt.Key.Key_Return)
    assert editor.toPlainText() == "select duration from slices s"
    QTest.keyClicks(editor, ", s.na")
    QTest.keyClick(editor._popup, Qt.Key.Key_Return)
    assert editor.toPlainText() == "select duration, s.name from slices s"
    assert editor._highlighter._colouring.of_line(0)[0] == (0, 6, "keyword")


def test_what_is_offered_follows_the_place() -> None:
    def offered(before: str, after: str = "") -> list[str]:
        return completions(before, before + after, TABLES)

    assert offered("select * from sl") == ["slices"]
    assert offered("select * from baseline.") == ["baseline.slices"]
    assert offered("select ", " from slices")[:3] == ["name", "duration", "end_"]
    assert offered("select s.", " from slices as s join lanes l on true") == ["name", "duration", "end_"]
    assert offered("select l.b", " from slices as s join lanes l on true") == ["busy"]
    assert offered("select x.") == []
    assert offered("select name, l.", " from slices, lanes l where") == ["process", "busy"]
    assert offered("sel") == ["select"]
    assert offered("select bu") == ["busy"]  # no table is named yet
    assert offered("select * from slices") == []


def test_pictures_of_results() -> None:
    x = np.arange(50_000, dtype=np.float64)
    y = np.sin(x / 500)
    y[7] = np.nan
    names = Column("name", "name", tuple("abc"))
    table = Table("query", "", (Column("x", "x", x[::-1].copy()), Column("y", "y", y, unit="B")))
    line = line_of(Choice(table, np.arange(50_000), 0, 1, None))
    assert line is not None
    assert len(line.x) <= 4000
    assert np.all(np.diff(line.x) > 0)
    assert line.y.max() == np.nanmax(y)
    assert line.y.min() == np.nanmin(y)
    assert line.chart(Look()).x.title == "x"
    assert line_of(Choice(table, np.array([7]), 0, 1, None)) is None
    one = line_of(Choice(table, np.array([3]), 0, 1, None))
    assert one is not None
    assert one.chart(Look()).series[0].points
    small = Table("query", "", (names, Column("v", "v", np.array([1, 2, 3]), missing=np.array([False, True, False]))))
    bars = bars_of(Choice(small, np.array([2, 1]), 0, 1, None))
    assert [bar.name for bar in bars.bars] == ["c", "b"]
    assert [bar.known for bar in bars.bars] == [True, False]


@pytest.mark.parametrize(
    ("x", "y"), [((1.7e18, 1.7e18), (5, 5)), ((0, 1, 2), (1e308, -1e308, 1)), ((0, 1), (math.inf, 1))]
)
def test_axes_have_a_finite_length(x: tuple[float, ...], y: tuple[float, ...]) -> None:
    """Painting a chart with any other one ends the process."""
    table = Table("query", "", (Column("x", "x", np.array(x)), Column("y", "y", np.array(y))))
    choice = Choice(table, np.arange(len(x)), 0, 1, None)
    line = line_of(choice)
    assert line is not None
    for chart in (line.chart(Look()), bars_of(choice).chart(Look())):
        assert 0 < chart.x.size < math.inf
        assert 0 < chart.y.size < math.inf


def test_the_history_is_bounded() -> None:
    history = QueryHistory()
    for number in range(150):
        history.add(f"select {number}")
    history.add("select 149")
    history.add("x" * 20_000)
    history.add("")
    assert len(history.statements) == 100
    assert history.statements[0] == "select 149"
    history.clear()
    history.add("select 7")
    history.undo_clear()
    assert history.statements[:2] == ("select 7", "select 149")
    assert not history.can_undo_clear
