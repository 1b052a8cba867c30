"""Data stored with PopEF models: tensors and feeds."""

from __future__ import annotations

from app.analysis.tables.popef_data import data
from app.language import tr
from app.panels.panel import Panel
from app.panels.tensors import SPEC
from app.profile.profile import Profile
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular


class TensorsPanel(Panel):
    """A table of tensors and feeds; the content panel shows the values of the selected one."""

    spec = SPEC
    empty = tr("There are no tensors and no feeds in this file: all data come from whoever runs the model.")

    def build(self) -> None:
        self.table = TableWidget(self.context.display, self)
        self._link = LinkedTable(self.context, self.table, self.spec.id)
        self.lay_out((self.table, 1), home=self.table)

    def tabular(self) -> Tabular:
        return self.table

    def fill(self, profile: Profile) -> None:
        table = data(profile)
        if table is not None:
            self._link.show(table, empty=self.empty)
