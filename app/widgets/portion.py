"""The line above a panel that says how much of a file it shows, while the rest is read."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.language import joined, tr
from app.profile.profile import Profile
from app.views.look import Look
from app.widgets.context import Context
from app.widgets.frame import GAP, MARGIN
from app.widgets.labels import Label, paint_text


class Portion(Label):
    """Visible only while one of the ``sections`` that the panel shows is not read to its end; no ``sections``: all."""

    def __init__(self, sections: tuple[str, ...], context: Context, parent: QWidget) -> None:
        super().__init__("", parent)
        self._sections = sections
        self._document = context.document
        self.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
        self.hide()
        context.document.entries_changed.connect(self._ended)
        context.display.changed.connect(self._paint)
        self._paint(context.display.look)

    def show_of(self, profile: Profile | None) -> None:
        """Says what of ``profile`` the panel shows."""
        parts = {} if profile is None else profile.portions
        shown = dict.fromkeys(text for name, text in parts.items() if not self._sections or name in self._sections)
        entry = self._document.current
        portions = joined(", ", shown)
        if entry is not None and entry.done:
            self.setText(tr("Reading was not completed. Shown: {portions}", portions=portions))
        else:
            self.setText(tr("Reading… Shown so far: {portions}", portions=portions))
        self.setVisible(bool(shown))

    def _ended(self) -> None:
        if not self.isHidden():
            self.show_of(self._document.profile)

    def _paint(self, look: Look) -> None:
        paint_text(self, look.theme.warning)
