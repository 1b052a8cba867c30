"""An error in a method that Qt calls is told; it never ends the process (it did: see app/document/overrides)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.document.overrides import overrides_qt

SCRIPT = """
import sys
import app.document
import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt, QAbstractTableModel
from PySide6.QtWidgets import QApplication, QTableView, QWidget

application = QApplication([])
seen = []
sys.excepthook = lambda kind, error, trace: seen.append(kind.__name__)
ERRORS = {
    "zero": lambda: 1 / 0,
    "index": lambda: [][1],
    "numpy": lambda: np.zeros(3) + np.zeros(4),
    "number": lambda: int("q"),
    "raised": lambda: exec("raise RuntimeError('own')"),
}
wrong = ERRORS[sys.argv[1]]

class Painted(QWidget):
    def paintEvent(self, event):
        wrong()

class Filter(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Show:
            wrong()
        return False

class Model(QAbstractTableModel):
    def rowCount(self, parent=None):
        return 1
    def columnCount(self, parent=None):
        return 1
    def data(self, index, role=Qt.ItemDataRole.DisplayRole):
        wrong()

painted, watched, table, filter, model = Painted(), QWidget(), QTableView(), Filter(), Model()
watched.installEventFilter(filter)
table.setModel(model)
for widget in (painted, watched, table):
    before = len(seen)
    try:  # Qt hands some of them on to whoever called it
        widget.show()
        widget.grab()
        application.processEvents()
    except Exception as error:
        seen.append(type(error).__name__)
    print(len(seen) > before)
"""


FIRST = "import app.document\n"
LAST = "painted, watched, table, filter"


@pytest.mark.parametrize("error", ["zero", "index", "numpy", "number", "raised"])
def test_errors_in_overrides_are_told(error: str, root: Path) -> None:
    shown_as_told(SCRIPT, error, root)


def test_the_order_of_imports_does_not_matter(root: Path) -> None:
    """Classes that were made before are wrapped, too."""
    assert SCRIPT.count(FIRST) == SCRIPT.count(LAST) == 1
    shown_as_told(SCRIPT.replace(FIRST, "").replace(LAST, FIRST + LAST), "index", root)


def shown_as_told(script: str, error: str, root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", script, error],
        capture_output=True,
        text=True,
        cwd=root,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n" * 3


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="from Python 3.12 on errors are whole, and nothing is wrapped")
def test_only_overrides_are_wrapped() -> None:
    class Made(QWidget):
        def __init__(self) -> None:
            super().__init__()

        def event(self, event: QEvent) -> bool:
            return super().event(event)

        def own_slot(self) -> None: ...

    wrapped = [name for name, value in vars(Made).items() if hasattr(value, "__wrapped__")]
    assert wrapped == ["event"]


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("paintEvent", True), ("eventFilter", True), ("sizeHint", True), ("__init__", False), ("own", False)],
)
def test_what_an_override_is(name: str, is_one: bool) -> None:
    class Made(QWidget): ...

    assert overrides_qt(Made, name) is is_one


def test_what_others_do_when_a_class_is_made_is_done() -> None:
    seen = []

    class Other:
        def __init_subclass__(cls, **words: object) -> None:
            super().__init_subclass__(**words)
            seen.append(cls.__name__)

    class Both(QObject, Other): ...

    assert seen == ["Both"]
