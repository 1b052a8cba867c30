"""The ability of widgets with a table: copying and exporting rows."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.analysis.table import Table
    from app.profile.arrays import I64


class Tabular:
    """A widget that shows a Table (or the table view of a picture). The window's "Copy" and "Export" use the nearest
    one, from the focus widget outwards."""

    @abstractmethod
    def shown_table(self) -> Table | None:
        """The current table; None if there is none."""

    @abstractmethod
    def shown_rows(self) -> I64 | None:
        """Its rows in display order, without those filtered out; None: all rows in table order."""

    def rows_text(self) -> str:
        """Why it shows only some of its rows (filters), one sentence; "" if it shows all, or does not know."""
        return ""

    @abstractmethod
    def selected_rows(self) -> I64:
        """The selected rows in display order; empty if none is selected."""
