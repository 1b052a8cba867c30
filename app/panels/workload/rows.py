"""The model of a sub-block's table."""

from __future__ import annotations

from collections.abc import Mapping

from app.profile.arrays import Bool
from app.widgets.table.model import Index, TableModel


class WorkloadModel(TableModel):
    """A name is given in some units only; the cells of the others stay empty (there is nothing missing in them)."""

    absent: Mapping[str, Bool] = {}

    def own_text(self, index: Index) -> str | None:
        absent = self.absent.get(self.column(index.column()).key)
        return "" if absent is not None and absent[self.source(index)] else None
