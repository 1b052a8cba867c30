"""What tests of panels share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.refresh import Refresh
from fakes.panels import Opened
from generators.reading import profile_of


@pytest.fixture(autouse=True)
def no_key_held(qapp: QApplication) -> None:
    """Simulated clicks with Shift or Ctrl leave the application believing that the key is still down."""
    if qapp.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        widget = QWidget()
        QTest.keyRelease(widget, Qt.Key.Key_Shift)
        widget.deleteLater()
    assert qapp.keyboardModifiers() == Qt.KeyboardModifier.NoModifier


@pytest.fixture
def context() -> Iterator[Context]:
    document, display = Document(), Display()
    yield Context(document, display)
    document.deleteLater()
    display.deleteLater()


@pytest.fixture
def opened(qtbot: QtBot, context: Context) -> Opened:
    """``opened(panel class, profile)``: the panel on that profile, shown and filled."""

    def show(make: Callable[[Context], QWidget], profile: Profile) -> QWidget:
        context.document.finish(context.document.add(profile, job=1))
        panel = make(context)
        qtbot.addWidget(panel)
        panel.resize(900, 400)
        panel.show()
        QApplication.processEvents()
        for refresh in panel.findChildren(Refresh):
            refresh.now()  # on a busy machine its pieces take several turns
        return panel

    return show


@pytest.fixture
def capture_mix(shared_samples: Path) -> Profile:
    """A real capture of the third generation: a mix operator on two blocks."""
    return profile_of(FORMAT, (shared_samples / "ascend-mix-910B4.bin").read_bytes())


@pytest.fixture
def capture_vector(shared_samples: Path) -> Profile:
    """A real capture of the second generation: a vector operator on 32 blocks."""
    return profile_of(FORMAT, (shared_samples / "ascend-vector-2024-05.bin").read_bytes())
