"""What a panel or a widget in it may be able to do for the command list, besides Tabular and Canvas. A command
looks for the nearest widget, from the one with the focus outwards, that has the ability."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.widgets.theme import Theme


@runtime_checkable
class Copies(Protocol):
    """The copy command puts this on the clipboard. Tables have it too: a single cell is copied as it is, several
    as TSV with a header."""

    def copy_text(self) -> str:
        """What is chosen, as text; "" when there is nothing."""


@runtime_checkable
class CopiesCell(Protocol):
    """The copy-cell command puts this on the clipboard."""

    def cell_text(self) -> str:
        """The cell that the cursor is on, all of it, as it is exported; "" where there is none."""


@runtime_checkable
class Finds(Protocol):
    """The find command (Ctrl+F) and its steps (F3, Shift+F3)."""

    def start_find(self) -> None:
        """Puts the cursor into the search field of the panel."""

    def find_step(self, direction: int) -> None:
        """The next (+1) or previous (-1) hit."""


@runtime_checkable
class HoldsPicture(Protocol):
    """The export command offers what is shown as a picture (PNG, SVG), drawn by the panel's own code."""

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws what the panel shows into ``place``."""
