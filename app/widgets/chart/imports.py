"""What drawing the first chart imports, in pieces: the window imports them one by one while nothing else is to be done,
so that the first chart does not wait for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module

PIECES = ("PySide6.QtOpenGLWidgets", "multiprocessing.connection", "pydoc", ".items")
"""What pyqtgraph imports comes first, because pyqtgraph itself cannot be imported in parts. A leading dot means this
package."""


def imports() -> list[Callable[[], object]]:
    """One step for each piece."""
    return [partial(import_module, name, __package__) for name in PIECES]
