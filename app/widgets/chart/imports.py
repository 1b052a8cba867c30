"""The imports for drawing the first chart, in pieces: the window imports them one by one when idle, so that the first
chart does not have to wait."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

PIECES = ("PySide6.QtOpenGLWidgets", "multiprocessing.connection", "pydoc", ".items")
"""pyqtgraph's own imports come first, because pyqtgraph itself cannot be imported in parts. A leading dot means this
package."""


def imports() -> list[Callable[[], object]]:
    """One function for each piece, which imports it."""
    return [partial(import_module, name, __package__) for name in PIECES]
