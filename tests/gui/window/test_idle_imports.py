"""Panels and what draws charts are imported in idle moments, one at a time."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app.window.idle import STEP_SECONDS, IdleImports

PANELS_THEN_IMPORTS = """
import sys
from app.cli.version import OPTIONAL
sys.modules |= dict.fromkeys(OPTIONAL)  # as if none of these libraries was installed
import app.document
import app.panels.plots
from app.panels.registry import PANELS
from app.window.idle import module_imports
longest = 0.0
for step in module_imports():
    before = len(sys.modules)
    step()
    longest = max(longest, len(sys.modules) - before)
before = set(sys.modules)
for spec in PANELS:
    spec.load()
print(longest < 150, set(sys.modules) == before, "pyqtgraph" in sys.modules)
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
    warming = IdleImports([step("a"), step("b"), step("c")], owner)
    assert loaded == []
    with qtbot.waitSignal(warming.done):
        pass
    assert loaded == ["a", "b", "c"]


def test_panels_are_imported_in_small_steps_and_pyqtgraph_last(root: Path) -> None:
    command = [sys.executable, "-c", PANELS_THEN_IMPORTS]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split() == ["True", "True", "False", "True"]


def test_the_window_answers_between_steps(qtbot: QtBot) -> None:
    """Short imports share a step; a long one ends it."""
    order: list[str] = []
    owner = QObject()
    ticking = QTimer(owner, interval=0)
    ticking.timeout.connect(lambda: order.append("tick"))

    def long() -> None:
        end = time.perf_counter() + STEP_SECONDS
        while time.perf_counter() < end:
            pass
        order.append("long")

    warming = IdleImports([long, long, lambda: order.append("short")], owner)
    ticking.start()
    with qtbot.waitSignal(warming.done):
        pass
    ticking.stop()
    first, second = (place for place, what in enumerate(order) if what == "long")
    assert "tick" in order[first:second]


def test_nothing_is_imported_while_a_file_is_awaited(qtbot: QtBot) -> None:
    loaded: list[str] = []
    asked: list[bool] = []

    def busy() -> bool:
        asked.append(len(asked) < 3)
        assert loaded == []
        return asked[-1]

    owner = QObject()
    with qtbot.waitSignal(IdleImports([lambda: loaded.append("a")], owner, busy).done):
        pass
    assert asked == [True, True, True, False]
    assert loaded == ["a"]
