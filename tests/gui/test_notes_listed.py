"""The list of notes in the statistics: right at once, and in front again where it was."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.statistics.panel import StatisticsPanel
from app.views.statistics.tabs import NOTES, STATISTICS
from app.widgets.context import Context
from fakes.shell import ascend
from fakes.statistics import statistics_of


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def listed(panel: StatisticsPanel) -> tuple[str, int]:
    table = panel.table
    return table.count.text, table.view.items.table.rows


def test_the_list_counts_at_once(qtbot: QtBot, context: Context) -> None:
    notes = context.document.notes
    context.document.add(ascend(), 1)
    panel = statistics_of(qtbot, context)
    for number in range(3):
        notes.add(number, number + 1.0, f"note {number}")
        panel.show_table(NOTES.id)
        assert listed(panel) == (f"{number + 1} row{'s' if number else ''}", number + 1)
    assert notes.chosen == 2
    notes.remove(2)  # the last one, which is chosen
    assert listed(panel) == ("2 rows", 2)
    notes.choose(1)
    notes.remove(0)
    assert listed(panel) == ("1 row", 1)
    notes.remove(0)
    assert panel.tab is STATISTICS


def test_the_list_counts_the_notes_of_the_profile_that_is_shown(qtbot: QtBot, context: Context) -> None:
    document = context.document
    first, second = document.add(ascend("a"), 1), document.add(ascend("b"), 2)
    document.show(first)
    panel = statistics_of(qtbot, context)
    document.notes.add(1, 2, "one")
    document.notes.add(3, 4, "two")
    panel.show_table(NOTES.id)
    document.show(second)
    settle()
    assert panel.tab is STATISTICS  # it has none
    document.show(first)
    settle()
    assert panel.tab is NOTES
    assert listed(panel) == ("2 rows", 2)
