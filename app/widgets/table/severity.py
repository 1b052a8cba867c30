"""Tables whose first column is a severity: its sign and colour, and buttons that hide rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QToolButton

from app.language import plural, tr
from app.profile.arrays import Bool
from app.profile.issue import Severity, severity_word
from app.views.look import LIGHT, Look, Theme
from app.views.severities import SEVERITIES, SIGNS
from app.views.texts import shown_line
from app.widgets.table.model import TableModel
from app.widgets.table.widget import TableWidget
from app.widgets.tips import set_tip


class SeverityModel(TableModel):
    """Shows the severity by sign, word and colour together."""

    theme: Theme = LIGHT

    def set_look(self, look: Look) -> None:
        self.theme = look.theme
        super().set_look(look)

    def own_text(self, column: int, source: int) -> str | None:
        if column:
            return None
        severity = self.severity(source)
        return f"{SIGNS.get(severity, '')} {severity_word(severity)}".strip()

    def ink(self, column: int, source: int) -> str | None:
        colours = {"error": self.theme.error, "warning": self.theme.warning, "info": self.theme.accent}
        return None if column else colours.get(self.severity(source))

    def severity(self, source: int) -> str:
        """The severity of a row of the table."""
        return self.cells.text(0, source) or ""


class SeverityButtons(QObject):
    """One button for each severity in the bar of ``table``, with the number of its rows; it hides them. Signal
    ``changed``: call ``limit`` again."""

    changed = Signal()

    def __init__(self, table: TableWidget) -> None:
        super().__init__(table)
        self._table = table
        self.buttons = {severity: self._button() for severity in SEVERITIES}
        for button in reversed(self.buttons.values()):  # the worst folds away last
            table.bar.insert(0, button, folds=True)

    def count(self, severities: Iterable[str]) -> None:
        """Shows how many rows there are of each."""
        counts = Counter(severities)
        for severity, button in self.buttons.items():
            counted, word = _counted(severity, counts[severity])
            button.setText(f"{SIGNS[severity]} {counted}")
            set_tip(button, tr("Show {word}", word=word))
            button.setAccessibleName(shown_line(tr("Show {counted}", counted=counted)))
            button.setVisible(bool(counts[severity]))

    def limit(self) -> None:
        """Hides the rows of the severities whose button is not pressed."""
        hidden = {severity for severity, button in self.buttons.items() if not button.isChecked()}
        table = self._table.view.items.table
        if not hidden or not table.rows:
            self._table.limit(None)
            return
        texts = table.columns[0]
        shown: Bool = np.array([texts.value(row) not in hidden for row in range(table.rows)], np.bool_)
        self._table.limit(shown, tr("Some severities are hidden."))

    def _button(self) -> QToolButton:
        button = QToolButton(self._table)
        button.setCheckable(True)
        button.setChecked(True)
        button.setAutoRaise(True)
        button.toggled.connect(self.changed)
        return button


def _counted(severity: Severity, count: int) -> tuple[str, str]:
    """How many there are of that severity, and what they are called."""
    if severity == "error":
        return plural("{count:,} error", "{count:,} errors", count=count), plural("error", "errors", count=count)
    if severity == "warning":
        return plural("{count:,} warning", "{count:,} warnings", count=count), plural(
            "warning", "warnings", count=count
        )
    return tr("{count:,} info", count=count), tr("info")
