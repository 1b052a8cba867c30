"""Panels are imported in idle moments, one at a time."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.panels.panel import PanelSpec
from app.window.warming import Warming


def test_every_panel_is_imported_once_in_order(qtbot: QtBot) -> None:
    loaded: list[str] = []

    def spec(name: str) -> PanelSpec:
        def load() -> type[QWidget]:
            loaded.append(name)
            return QWidget

        return PanelSpec(name, name, load, (), "", "")

    owner = QObject()
    warming = Warming([spec("a"), spec("b"), spec("c")], owner)
    assert loaded == []
    with qtbot.waitSignal(warming.done):
        pass
    assert loaded == ["a", "b", "c"]
