"""Panels that show two profiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document.background import Background
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.refresh import Refresh


class ComparedPanel:
    """A panel of ``after`` with ``before`` as the baseline. ``profiles``: their ids."""

    def __init__(
        self, qtbot: QtBot, context: Context, make: Callable[[Context], QWidget], before: Profile, after: Profile
    ) -> None:
        self._qtbot = qtbot
        self.context = context
        document = context.document
        self.ids = document.add(after, job=1), document.add(before, job=2, show=False)
        for entry in self.ids:
            document.finish(entry)
        self.panel: Any = make(context)
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 500)
        self.panel.show()
        self.settle()

    def settle(self) -> None:
        """Waits until the panel shows what is set."""
        QApplication.processEvents()
        for refresh in self.panel.findChildren(Refresh):
            refresh.now()
        self._qtbot.waitUntil(lambda: not any(work.busy for work in self.panel.findChildren(Background)))

    def compare(self) -> None:
        self.context.document.baselines.set(*self.ids)
        self.settle()

    def swap(self) -> None:
        current = self.context.document.current_id
        assert current is not None
        self.context.document.baselines.swap(current)
        self.settle()

    def end(self) -> None:
        current = self.context.document.current_id
        assert current is not None
        self.context.document.baselines.end(current)
        self.settle()
