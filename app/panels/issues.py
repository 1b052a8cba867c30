"""Problems reported by the reader and by the consistency checks."""

from __future__ import annotations

from PySide6.QtCore import Qt

from app.analysis.table import Table
from app.analysis.tables.issues import make as issues_table
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.widgets.table.delegate import PADDING
from app.widgets.table.severity import SeverityButtons, SeverityModel
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Label

EMPTY = Table("issues", tr("Issues"), ())


class IssuesPanel(Panel):
    """A table of all issues, with the full text of the current one below; each severity can be hidden. With a baseline,
    the issues of both, and which of them has each."""

    spec = SPECS["issues"]
    compares = True

    def build(self) -> None:
        self.table = TableWidget(self.context.display, self, SeverityModel)
        self.full = Label(parent=self)
        self.full.setWordWrap(True)
        self.full.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.full.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        self._severities = SeverityButtons(self.table)
        self.buttons = self._severities.buttons
        self.lay_out((self.table, 1), self.full, home=self.table, controls=self.table.bar)
        self._severities.changed.connect(self._limit)
        self.table.view.selectionModel().currentChanged.connect(self._say)
        self.context.document.entries_changed.connect(self.refill)

    def tabular(self) -> Tabular:
        return self.table

    def clear(self) -> None:
        self._list(None)

    def fill(self, profile: Profile) -> None:
        self._list(profile)

    def _list(self, profile: Profile | None) -> None:
        entry = self.context.document.current
        comparison = self.comparison
        table = None if profile is None else issues_table(profile)
        if comparison is not None:
            from app.analysis.compare.as_table import compared_issues  # only with a baseline

            table = compared_issues(comparison)
        done = entry is not None and entry.done
        so_far = tr("Nothing is open.") if entry is None else tr("Reading… No issues so far.")
        empty = tr("No issues found.") if done else so_far
        shown = table or EMPTY
        self.table.set_table(shown, empty=empty)
        self._severities.count(str(shown.columns[0].value(row)) for row in range(shown.rows))
        if shown.rows and not self.table.view.currentIndex().isValid():
            self.table.view.choose_row(0)  # the full text of the first one is there at once
        self._limit()

    def _say(self) -> None:
        """Shows the full text of the current issue, as rows are one line high and texts often longer."""
        row, items = self.table.view.currentIndex().row(), self.table.view.items
        if 0 <= row < len(items.rows):
            cells = [items.table.columns[place].value(int(items.rows[row])) for place in (2, 1)]
            self.full.setText(f"{cells[1]}\n{cells[0]}" if cells[0] else str(cells[1]))
        self.full.setVisible(0 <= row < len(items.rows))

    def _limit(self) -> None:
        self._say()
        self._severities.limit()
