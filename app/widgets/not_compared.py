"""The line above a panel that does not show the baseline, while there is one."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.language import tr
from app.views.look import Look
from app.views.texts import shown_line
from app.widgets.context import Context
from app.widgets.frame import GAP, MARGIN
from app.widgets.labels import Label, paint_text


class NotCompared(Label):
    """Visible only while the shown profile has a baseline."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__("", parent)
        self._document = context.document
        self.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
        self.hide()
        self._document.baselines.changed.connect(self._follow)
        self._document.entries_changed.connect(self._follow)
        context.display.changed.connect(self._paint)
        self._paint(context.display.look)
        self._follow()

    def _follow(self) -> None:
        current = self._document.current
        compared = self._document.baselines.of(self._document.current_id) is not None
        if current is not None and compared:
            self.setText(tr("Only {name}: this panel does not compare.", name=shown_line(current.profile.name)))
        self.setVisible(compared)

    def _paint(self, look: Look) -> None:
        paint_text(self, look.theme.muted)
