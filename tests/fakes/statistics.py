"""The statistics beside a timeline panel in a test."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.statistics.panel import StatisticsPanel
from app.widgets.context import Context


def statistics_of(qtbot: QtBot, context: Context) -> StatisticsPanel:
    """The panel, shown and filled."""
    panel = StatisticsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(1000, 400)
    panel.show()
    refilled(panel)
    return panel


def refilled(panel: StatisticsPanel) -> None:
    """Lets it take what has changed."""
    QApplication.processEvents()
    panel._refresh.now()
    QApplication.processEvents()
