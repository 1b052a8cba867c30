"""Panels and what draws charts are imported in idle moments, one at a time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.window.warming import Warming

PANELS_THEN_IMPORTS = """
import sys
import app.document
import app.panels.plots
from app.panels.registry import PANELS
for spec in PANELS:
    spec.load()
print("pyqtgraph" in sys.modules)
from app.widgets.chart.imports import imports
for step in imports():
    step()
print("pyqtgraph" in sys.modules)
"""


def test_all_is_imported_once_in_order(qtbot: QtBot) -> None:
    loaded: list[str] = []

    def step(name: str) -> Callable[[], object]:
        return lambda: loaded.append(name)

    owner = QObject()
    warming = Warming([step("a"), step("b"), step("c")], owner)
    assert loaded == []
    with qtbot.waitSignal(warming.done):
        pass
    assert loaded == ["a", "b", "c"]


def test_panels_do_not_import_pyqtgraph_and_the_idle_imports_do(root: Path) -> None:
    command = [sys.executable, "-c", PANELS_THEN_IMPORTS]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["False", "True"]
