"""The list of notes below the timeline: right at once, and in front again where it was."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.timeline.figures import NOTES, STATISTICS
from app.panels.timeline.panel import TimelinePanel
from app.widgets.context import Context
from fakes.shell import ascend


def shown(qtbot: QtBot, context: Context) -> TimelinePanel:
    panel = TimelinePanel(context)
    qtbot.addWidget(panel)
    panel.resize(1000, 700)
    panel.show()
    settle()
    panel.strip.toggle.setChecked(True)
    return panel


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def listed(panel: TimelinePanel) -> tuple[str, int]:
    table = panel.strip.figures.table
    return table.count.text, table.view.items.table.rows


def test_the_list_counts_at_once(qtbot: QtBot, context: Context) -> None:
    notes = context.document.notes
    context.document.add(ascend(), 1)
    panel = shown(qtbot, context)
    for number in range(3):
        notes.add(number, number + 1.0, f"note {number}")
        panel.strip.show_tab(NOTES)
        assert listed(panel) == (f"{number + 1} row{'s' if number else ''}", number + 1)
    assert notes.chosen == 2
    notes.remove(2)  # the last one, which is chosen
    assert listed(panel) == ("2 rows", 2)
    notes.choose(1)
    notes.remove(0)
    assert listed(panel) == ("1 row", 1)
    notes.remove(0)
    assert panel.strip.figures.tab is STATISTICS


def test_the_list_counts_the_notes_of_the_profile_that_is_shown(qtbot: QtBot, context: Context) -> None:
    document = context.document
    first, second = document.add(ascend("a"), 1), document.add(ascend("b"), 2)
    document.show(first)
    panel = shown(qtbot, context)
    document.notes.add(1, 2, "one")
    document.notes.add(3, 4, "two")
    panel.strip.show_tab(NOTES)
    document.show(second)
    settle()
    assert panel.strip.figures.tab is STATISTICS  # it has none
    document.show(first)
    settle()
    assert panel.strip.figures.tab is NOTES
    assert listed(panel) == ("2 rows", 2)
