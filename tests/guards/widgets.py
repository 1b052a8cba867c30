"""Fails a test that leaves a window behind, and releases the mouse buttons that it left pressed."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QStandardPaths, Qt
from PySide6.QtWidgets import QApplication, QWidget

from fakes.pointer import release_buttons

QStandardPaths.setTestModeEnabled(True)


def windows() -> dict[int, QWidget]:
    """Top-level widgets without a parent (a tool tip or a drop-down belongs to its widget)."""
    if QApplication.instance() is None:
        return {}
    return {id(widget): widget for widget in QApplication.topLevelWidgets() if widget.parent() is None}


@pytest.fixture(autouse=True)
def pointer_guard() -> Iterator[None]:
    """A double click of QTest leaves its button pressed for the whole process, and panels wait for its release."""
    yield
    if QApplication.instance() is not None and QApplication.mouseButtons() != Qt.MouseButton.NoButton:
        release_buttons(QWidget())


@pytest.fixture(autouse=True)
def widget_guard() -> Iterator[None]:
    before = windows()  # references are held, so that no new widget gets the identity of an old one
    yield
    if windows().keys() - before.keys():  # closed widgets that only wait for deletion need no collection
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if not windows().keys() - before.keys():
        return
    gc.collect()  # a reference cycle is no leak
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [widget for key, widget in windows().items() if key not in before]
    names = [f"{type(widget).__name__} {widget.objectName()!r}" for widget in left]
    for widget in left:
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    if names:
        pytest.fail("windows left open (qtbot.addWidget closes them): " + ", ".join(names))
