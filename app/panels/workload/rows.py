"""The model of a sub-block's table."""

from __future__ import annotations

from collections.abc import Mapping

from app.profile.arrays import Bool
from app.widgets.table.model import Index, TableModel


class WorkloadModel(TableModel):
    """The table's model: names exist for some units only, so empty name cells are not shown as missing."""

    absent: Mapping[str, Bool] = {}

    def own_text(self, index: Index) -> str | None:
        absent = self.absent.get(self.column(index.column()).key)
        return "" if absent is not None and absent[self.source(index)] else None
