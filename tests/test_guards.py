"""The guards must bite: one run of tests that do what each forbids, and of one that is tidy."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = 'pytest_plugins = ["guards.logs", "guards.processes", "guards.threads", "guards.widgets"]'

UNTIDY = """
import logging, subprocess, sys, threading
import guards.processes, guards.threads
from PySide6.QtWidgets import QWidget

guards.processes.PATIENCE_S = guards.threads.PATIENCE_S = 0.05
kept = []

def test_log():
    logging.getLogger("a").warning("odd")

def test_process():
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=-1))

def test_thread():
    threading.Thread(target=threading.Event().wait, args=(30,), name="lost", daemon=True).start()

def test_window(qapp):
    kept.append(QWidget(objectName="forgotten"))

def test_tidy(qtbot, allow_log):
    allow_log("odd")
    logging.getLogger("a").warning("odd")
    qtbot.addWidget(QWidget())
"""


def test_each_guard_bites_and_lets_the_tidy_pass(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(root / "tests"))
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_untidy=UNTIDY)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:hypothesispytest", timeout=60)
    assert result.parseoutcomes() == {"passed": 5, "errors": 4}
    text = result.stdout.str()
    for complaint in (
        "WARNING a: odd",
        "child processes left running",
        "threads left running: lost",
        "QWidget 'forgotten'",
    ):
        assert complaint in text


LANES = """
import pathlib
import guards.lanes
guards.lanes.LIST = pathlib.Path("slow.txt")
guards.lanes.SLOW_S = 0.02
"""
DEAR = """
import time

def test_slow():
    began = time.process_time()
    while time.process_time() - began < 0.1:
        pass

def test_fast():
    pass
"""


def test_the_quick_lane_leaves_out_what_was_slow(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(root / "tests"))
    pytester.makeconftest(LANES)
    pytester.makepyfile(test_dear=DEAR)
    own = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-p", "guards.lanes")
    first = pytester.runpytest_subprocess(*own, "--quick", timeout=60)
    assert first.parseoutcomes() == {"passed": 2}
    first.stdout.re_match_lines([r"slow and not in slow\.txt: 0\.\d s test_dear\.py::test_slow"])
    pytester.runpytest_subprocess(*own, "--write-slow", timeout=60)
    assert (pytester.path / "slow.txt").read_text() == "test_dear.py::test_slow\n"
    second = pytester.runpytest_subprocess(*own, "--quick", timeout=60)
    assert second.parseoutcomes() == {"passed": 1, "deselected": 1}
    assert "slow and not in" not in second.stdout.str()
