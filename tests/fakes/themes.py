"""Images of widgets, and the difference between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QTableView, QWidget

from app.document.document import Document
from app.document.loader import Loader
from app.store.cache.limit import CacheLimit
from app.widgets.canvas import Canvas
from app.widgets.display import Display
from app.window.main_window import MainWindow
from app.window.screenshot import read_all, settle
from app.window.settings import SettingsFile, ThemeChoice

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""[rows, columns, 3]."""
TURNS = 5
NOTICED = 16
"""Levels of a colour; smaller differences are invisible."""


@contextmanager
def begun(theme: ThemeChoice, path: Path, chosen: str) -> Iterator[MainWindow]:
    """A window that starts in ``theme``, with all panels created and something selected in the panel ``chosen``."""
    document = Document()
    loader = Loader(document, choice=CacheLimit(0))
    settings = SettingsFile(None)
    settings.override(theme=theme)
    window = MainWindow(settings)
    window.fill(loader, document, Display())
    window.resize(1280, 800)
    window.show()
    docks = window.prepare()
    window.open([path])
    read_all(window)
    settle(window)
    window.show_panel(chosen)
    settle(window)
    for table in docks.docks[chosen].widget().findChildren(QTableView):
        if table.isVisible() and table.model().rowCount():
            table.selectRow(0)
    for canvas in docks.docks[chosen].widget().findChildren(QWidget):
        if canvas.isVisible() and isinstance(canvas, Canvas):
            canvas.step_item(1)
    settle(window)
    yield window
    window.close()
    loader.close()
    window.deleteLater()


def switch(window: MainWindow, theme: ThemeChoice) -> None:
    """Switches the theme like the menu does."""
    window.choose(theme=theme)
    settle(window)


def panels(window: MainWindow) -> dict[str, Pixels]:
    """An image of each front panel, and one of the whole window."""
    docks = window.prepare()
    pictures = {}
    for name in docks.offered:
        window.show_panel(name)
        settle(window)
        pictures[name] = grabbed(docks.docks[name])
    pictures["window"] = grabbed(window)
    return pictures


def grabbed(widget: QWidget) -> Pixels:
    """An image of ``widget``, once its texts have their places: a line may move those below in a later turn."""
    for _ in range(TURNS):
        QApplication.processEvents()
    return pixels(widget)


def pixels(widget: QWidget) -> Pixels:
    """``widget`` as it is with the pointer elsewhere: Qt believes it to be where another test has left it."""
    for part in (widget, *widget.findChildren(QWidget)):
        part.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return lines[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


def different(wanted: Pixels, seen: Pixels) -> float:
    """The share of pixels that differ visibly, 0 to 1; 1 for different sizes."""
    if wanted.shape != seen.shape:
        return 1.0
    return float((np.abs(wanted.astype(np.int16) - seen) > NOTICED).any(axis=2).mean())


def strangers(wanted: dict[str, Pixels], seen: dict[str, Pixels], allowed: float) -> list[str]:
    """Names of the images that are not as expected, with the share of pixels that differ."""
    assert wanted.keys() == seen.keys()
    shares = {name: different(wanted[name], seen[name]) for name in wanted}
    return [f"{name}: {share:.2%}" for name, share in shares.items() if share > allowed]
