"""The panel of report texts: a row per line, in the monospaced font."""

from __future__ import annotations

from functools import partial

from app.analysis.table import Table
from app.analysis.tables.poplar_report import texts
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.widgets.abilities import ShowsLine
from app.widgets.code.table import CodeDelegate, CodeModel
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

TEXT_WIDTH = 900


class ReportTextsPanel(Panel, ShowsLine):
    """A chooser if there are several texts, the lines below; with a baseline, those that differ."""

    spec = SPECS["texts"]
    compares = True
    empty = tr("The folder of this report has no text summaries.")

    def build(self) -> None:
        self._tables: list[Table] = []
        self._wanted = ("", 0)
        self.chooser = Chooser(tr("Text to show"), self)
        self.table = TableWidget(self.context.display, self, CodeModel, CodeDelegate)
        self._rows = ProfileTable(self.context, self.table, self.spec.id)
        controls = Controls(self, self.chooser, (self.table.bar, 1))
        self.lay_out((self.table, 1), home=self.table, controls=controls)
        self.chooser.currentIndexChanged.connect(self._choose)

    def tabular(self) -> Tabular:
        return self.table

    def show_line(self, text: str, line: int) -> None:
        """Shows a text by its name and selects a line of it, now or as soon as it has been read."""
        self._wanted = text, line
        if self._tables:
            self._go()

    def clear(self) -> None:
        self._tables = []
        self._rows.clear()

    def fill(self, profile: Profile) -> None:
        self._tables = texts(profile)
        if not self._tables:
            self.say_empty(self.lacks(self.empty))
            return
        before = self.chooser.currentText()
        titles = [table.title for table in self._tables]
        self.chooser.offer(titles, chosen=titles.index(before) if before in titles else 0)
        self.chooser.setVisible(len(titles) > 1)
        self._choose(self.chooser.currentIndex())
        self._go()

    def _go(self) -> None:
        """Shows the requested line."""
        (text, line), self._wanted = self._wanted, ("", 0)
        place = self.chooser.findText(text)
        if line and place >= 0:
            self.chooser.setCurrentIndex(place)
            self.table.choose_row(line - 1)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._tables):
            table = self._tables[place]
            self._rows.show(partial(_named, table_id=table.id), table=table, empty=self.empty)
            if self.comparison is None:
                self.table.view.setColumnWidth(1, TEXT_WIDTH)


def _named(profile: Profile, *, table_id: str) -> Table | None:
    """The text of either profile with that name."""
    return next((table for table in texts(profile) if table.id == table_id), None)
