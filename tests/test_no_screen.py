"""The core and the commands that print need no screen: none of them imports Qt, or what takes long for nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

CORE = ("app.profile", "app.formats", "app.analysis", "app.store", "app.resources", "app.help")

SAMPLES = [
    f"resources/samples/{name}"
    for name in (
        "matmul_leakyrelu.bin",
        "OPPROF_20260821101500_QWERTYUIOPASDFGH",
        "resnet-1472-tiles",
        "resnet_inference.popef",
    )
]
"""All but the log of TensorFlow, whose modules and devices are grouped by np.unique of rows."""

IMPORT_ALL = """
import importlib, pkgutil, sys
for name in sys.argv[1:]:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(getattr(package, "__path__", []), name + "."):
        importlib.import_module(module.name)
"""

RUN_MAIN = """
import runpy, sys
del sys.argv[0]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as left:
    assert not left.code, left.code
"""

REPORT = """
print("\\nimported:", *sorted({"PySide6", "shiboken6", "pyqtgraph", "numpy.ma"}.intersection(sys.modules)))
"""


def imported(program: str, arguments: list[str], root: Path) -> list[str]:
    """Which libraries of the screen, or others that take long and are not needed, ``program`` has loaded when it
    ends."""
    command = [sys.executable, "-c", program + REPORT, *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()[1:]


def test_the_core_imports_no_qt(root: Path) -> None:
    assert imported(IMPORT_ALL, list(CORE), root) == []


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_words_about_the_program_import_no_qt(word: str, root: Path) -> None:
    assert imported(RUN_MAIN, ["main.py", word], root) == []


@pytest.mark.parametrize("words", [["info"], ["info", "--json"]], ids=" ".join)
def test_figures_import_no_qt(words: list[str], root: Path) -> None:
    assert imported(RUN_MAIN, ["main.py", *words, *SAMPLES], root) == []


def test_help_imports_no_qt_but_for_keys(root: Path) -> None:
    assert set(imported(RUN_MAIN, ["main.py", "help", "format-report"], root)) <= {"numpy.ma"}


def test_the_probe_itself_sees_qt(root: Path) -> None:
    assert imported("import sys, PySide6.QtCore", [], root) == ["PySide6", "shiboken6"]


@pytest.mark.parametrize(
    ("words", "needed"), [(["--version"], []), (["--version", "--json"], ["PySide6", "msgspec", "orjson"])]
)
def test_words_about_the_program_import_no_libraries(words: list[str], needed: list[str], root: Path) -> None:
    """They answer at once: importing numpy and others takes longer than everything else they do."""
    heavy = {"numpy", "msgspec", "orjson", "PySide6", "PySide6.QtGui", "duckdb", "pandas", "app.panels", "app.window"}
    report = f'print("\\nimported:", *sorted({heavy}.intersection(sys.modules)))'
    command = [sys.executable, "-c", f"{RUN_MAIN}\n{report}", "main.py", *words]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.splitlines()[-1].split()[1:] == needed
