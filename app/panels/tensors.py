"""Data stored with PopEF models: tensors and feeds."""

from __future__ import annotations

from app.analysis.tables.popef import data
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.widgets.contents_compared import ComparedPages, ContentsCompared
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

TABLES = ("tensors", "feeds")


class TensorsPanel(Panel):
    """A table of tensors and feeds; the content panel shows the values of the selected one. With a baseline, shapes and
    types are compared, and on a page of their own the values."""

    spec = SPECS["tensors"]
    empty = tr("This file contains no tensors or feeds: the user provides all data.")
    compares = True

    def build(self) -> None:
        self.table = TableWidget(self.context.display, self)
        self._shown = ProfileTable(self.context, self.table, self.spec.id)
        self.contents = ContentsCompared(self.context, TABLES, "tensor", self.spec.id, self)
        titles = tr("Shapes and types"), tr("Values")
        tips = tr("Each tensor before and after"), tr("How many values differ, the largest and the mean difference")
        self.compared = ComparedPages(self.table, self.contents, titles, tips, self)
        self.lay_out((self.compared, 1), home=self.table, controls=self.compared.bar)

    def tabular(self) -> Tabular:
        return self.compared.shown

    def clear(self) -> None:
        self._shown.clear()
        self.compared.show_comparison(None)

    def fill(self, _profile: Profile) -> None:
        self._shown.show(data, empty=self.empty)
        self.compared.show_comparison(self.comparison)
