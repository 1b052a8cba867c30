"""What a widget that shows a table can be asked: one ability for copying and exporting."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.analysis.table import Table
    from app.profile.arrays import I64


class Tabular:
    """A widget that shows a Table (or the table twin of a picture). "Copy" and "Export" of the window reach
    the one that has the focus, or stands above what has it."""

    @abstractmethod
    def shown_table(self) -> Table | None:
        """The table that is shown; None while there is none."""

    @abstractmethod
    def shown_rows(self) -> I64 | None:
        """Its rows in the order they are shown, without those filtered out; None: all, as they are."""

    @abstractmethod
    def selected_rows(self) -> I64:
        """The selected rows in the order they are shown; empty where none is."""
