"""A window for each test, put away again with the colours it brought."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory
from pytestqt.qtbot import QtBot

from app.formats.ascend_bin import FORMAT
from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.resources import resource
from app.window.main_window import MainWindow
from fakes.shell import make_window
from generators.reading import profile_of


@pytest.fixture(autouse=True)
def looks(qapp: QApplication) -> Iterator[None]:
    """Theme and style are the application's: tests of others shall not see them. Windows go first, and a style is only
    set if it is another one: Qt visits all widgets that there are."""
    style, palette = qapp.style().objectName(), QPalette(qapp.palette())
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if qapp.style().objectName() != style:
        qapp.setStyle(QStyleFactory.create(style))
    if qapp.palette() != palette:
        qapp.setPalette(palette)


@pytest.fixture
def window(qtbot: QtBot, looks: None) -> MainWindow:
    """Shown, with nothing open."""
    return shown(qtbot, make_window())


@pytest.fixture(scope="module")
def kernel() -> Profile:
    """The operator file of the samples."""
    return profile_of(FORMAT, resource("samples/matmul_leakyrelu.bin").read_bytes())


@pytest.fixture
def busy(qtbot: QtBot, looks: None, kernel: Profile) -> MainWindow:
    """Shown with the real panels, and the operator file open."""
    window = shown(qtbot, make_window(panels=PANELS))
    window.document.finish(window.document.add(kernel, 1))
    return window


def shown(qtbot: QtBot, window: MainWindow) -> MainWindow:
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window
