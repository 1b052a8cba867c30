"""Lines above the content of a panel: how much of the file it shows, and what of it is not compared."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QWidget

from app.language import joined, tr
from app.profile.profile import Profile
from app.views.look import Look
from app.views.texts import shown_line
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.frame import GAP, MARGIN
from app.widgets.texts import Label, paint_text


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


class Limits(Label):
    """Hidden while there is nothing to say."""

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__("", parent)
        self.setWordWrap(True)
        self.setContentsMargins(MARGIN, 0, MARGIN, GAP)
        self.hide()
        display.changed.connect(self._paint)
        self._paint(display.look)

    def say(self, reasons: Iterable[str]) -> None:
        """Shows one line for each reason; hides without any."""
        text = "\n".join(dict.fromkeys(reason for reason in reasons if reason))
        self.setText(text)
        self.setVisible(bool(text))

    def _paint(self, look: Look) -> None:
        paint_text(self, look.theme.warning)
