"""Problems reported by the reader and by the consistency checks."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app.analysis.table import Table
from app.analysis.tables.issues import make as issues_table
from app.language import plural, tr
from app.panels.issues import SPEC
from app.panels.panel import Panel
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.widgets.display import Look
from app.widgets.labels import Label
from app.widgets.table.delegate import PADDING
from app.widgets.table.model import Index, TableModel
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import shown_line
from app.widgets.theme import LIGHT, Theme
from app.widgets.tips import set_tip

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
SIGNS = {"error": "✕", "warning": "▲", "info": "●"}
EMPTY = Table("issues", tr("Issues"), ())


class IssueModel(TableModel):
    """The table's model; severity is shown by icon, word and colour together."""

    theme: Theme = LIGHT

    def set_look(self, look: Look) -> None:
        self.theme = look.theme
        super().set_look(look)

    def own_text(self, index: Index) -> str | None:
        if index.column():
            return None
        severity = self.severity(index)
        return f"{SIGNS.get(severity, '')} {severity}".strip()

    def ink(self, index: Index) -> str | None:
        colours = {"error": self.theme.error, "warning": self.theme.warning, "info": self.theme.accent}
        return None if index.column() else colours.get(self.severity(index))

    def severity(self, index: Index) -> str:
        return self.cells.text(0, self.source(index)) or ""


class IssuesPanel(Panel):
    """A table of all issues, with the full text of the current one below; each severity can be hidden."""

    spec = SPEC

    def build(self) -> None:
        self.table = TableWidget(self.context.display, self, IssueModel)
        self.full = Label(parent=self)
        self.full.setWordWrap(True)
        self.full.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.full.setContentsMargins(PADDING, PADDING, PADDING, PADDING)
        self.buttons = {severity: self._button() for severity in SEVERITIES}
        for place, button in enumerate(self.buttons.values()):
            self.table.bar.insertWidget(place, button)
        self.lay_out((self.table, 1), self.full, home=self.table)
        self.table.view.selectionModel().currentChanged.connect(self._say)
        self.context.document.entries_changed.connect(self.refill)

    def tabular(self) -> Tabular:
        return self.table

    def _button(self) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.toggled.connect(self._limit)
        return button

    def clear(self) -> None:
        self._list(None)

    def fill(self, profile: Profile) -> None:
        self._list(profile)

    def _list(self, profile: Profile | None) -> None:
        entry = self.context.document.current
        listed = () if profile is None else profile.issues
        table = None if profile is None else issues_table(profile)
        done = entry is not None and entry.done
        empty = (
            tr("No issues found.") if done else tr("No issues so far.") if entry is not None else tr("Nothing is open.")
        )
        self.table.set_table(table or EMPTY, empty=empty)
        counts = Counter(issue.severity for issue in listed)
        for severity, button in self.buttons.items():
            counted, word = _counted(severity, counts[severity])
            button.setText(f"{SIGNS[severity]} {counted}")
            set_tip(button, tr("Show {word}", word=word))
            button.setAccessibleName(shown_line(tr("Show {counted}", counted=counted)))
            button.setVisible(bool(counts[severity]))
        self._limit()

    def _say(self) -> None:
        """Shows the full text of the current issue, as rows are one line high and texts often longer."""
        row, items = self.table.view.currentIndex().row(), self.table.view.items
        if 0 <= row < len(items.rows):
            cells = [items.table.columns[place].value(int(items.rows[row])) for place in (2, 1)]
            self.full.setText(f"{cells[1]}\n{cells[0]}" if cells[0] else str(cells[1]))
        self.full.setVisible(0 <= row < len(items.rows))

    def _limit(self) -> None:
        entry = self.context.document.current
        hidden = {severity for severity, button in self.buttons.items() if not button.isChecked()}
        self._say()
        if entry is None or not hidden or not self.table.view.items.table.rows:
            self.table.limit(None)
            return
        texts = self.table.view.items.table.columns[0]
        keep = np.array([texts.value(row) not in hidden for row in range(self.table.view.items.table.rows)], np.bool_)
        self.table.limit(keep, tr("Some severities are hidden."))


def _counted(severity: Severity, count: int) -> tuple[str, str]:
    """How many issues of that severity there are, and what they are called."""
    if severity == "error":
        return plural("{count:,} error", "{count:,} errors", count=count), plural("error", "errors", count=count)
    if severity == "warning":
        return plural("{count:,} warning", "{count:,} warnings", count=count), plural(
            "warning", "warnings", count=count
        )
    return tr("{count:,} info", count=count), tr("info")
