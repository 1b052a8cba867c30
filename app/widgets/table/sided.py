"""Rows of two profiles: where one side has no such row, its cells are blank instead of "no data"."""

from __future__ import annotations

from typing import Any

from app.profile.arrays import Bool
from app.widgets.table.model import Index, Role, TableModel


class SidedModel(TableModel):
    """``sides``: bool[rows of the table] for the baseline and the comparison, whether it has figures of the row; None
    without a baseline."""

    sides: tuple[Bool, Bool] | None = None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Assistive tools are told what is drawn."""
        if self.sides is not None and index.isValid() and role in (Role.DisplayRole, Role.AccessibleTextRole):
            own = self.own_text(index.column(), int(self.rows[index.row()]))
            return super().data(index, role) if own is None else own
        return super().data(index, role)

    def own_text(self, place: int, source: int) -> str | None:
        if self.sides is None:
            return None
        column = self.column(place)
        before, after = (bool(side[source]) for side in self.sides)
        side = column.key.rpartition("_")[2]
        blank = {"before": not before, "after": not after, "difference": not (before and after)}.get(side, True)
        return "" if blank and column.value(source) is None else None
