"""A panel that is one page of text."""

from __future__ import annotations

from PySide6.QtCore import QSize

from app.language import tr
from app.panels.panel import Panel
from app.views.look import Look
from app.widgets.abilities import Copies
from app.widgets.page import Page
from app.widgets.sheet import Sheet


class PagePanel(Panel, Copies):
    """``page`` shows the sheet that ``fill`` makes; it is made again for other units or colours."""

    empty = tr("Nothing is open. Drop a file on the window, or use Open.")

    def build(self) -> None:
        self.page = Page(self.context.display, self.spec.title)
        self.lay_out((self.page, 1), home=self.page)

    @property
    def sheet(self) -> Sheet:
        """The sheet that is shown."""
        return self.page.sheet

    def show_look(self, _: Look) -> None:
        self.refill()

    def sizeHint(self) -> QSize:
        return QSize(280, 320)

    def copy_text(self) -> str:
        """The whole page as text: one line per entry, label and figure separated by a tab."""
        return "" if self.stack.is_empty else self.sheet.text
