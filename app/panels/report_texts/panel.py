"""The panel of report texts: a line a row, in the monospaced font."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.analysis.tables.poplar_report import texts
from app.document.document import Update
from app.profile.arrays import I64
from app.widgets.chooser import Chooser
from app.widgets.code.table import CodeDelegate, CodeModel
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.refresh import Refresh
from app.widgets.table.widget import TableWidget

TEXT_WIDTH = 900
EMPTY = "This report has no text summaries beside it."


class ReportTextsPanel(QWidget):
    """A chooser where there are several, the lines below. The abilities of the table are its own."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._tables: list[Table] = []
        self._wanted = ("", 0)
        self.chooser = Chooser("Text to show", self)
        self.table = TableWidget(context.display, self, CodeModel, CodeDelegate)
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 0)
        head.addWidget(self.chooser)
        head.addStretch(1)
        content = QWidget(self)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(head)
        inside.addWidget(self.table, 1)
        self.stack = OrEmpty(context.display, content, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.table)
        self.chooser.currentIndexChanged.connect(self._choose)
        self._refresh = Refresh(self, self._show)
        context.document.updated.connect(self._updated)
        self._refresh.request()

    def show_line(self, text: str, line: int) -> None:
        """Turns to a text by its name and chooses a line of it, now or when it has arrived."""
        self._wanted = text, line
        if self._tables:
            self._go()

    def shown_table(self) -> Table | None:
        return self.table.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows()

    def selected_rows(self) -> I64:
        return self.table.selected_rows()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("texts"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        self._tables = [] if profile is None else texts(profile)
        if not self._tables:
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        before = self.chooser.currentText()
        titles = [table.title for table in self._tables]
        self.chooser.offer(titles, chosen=titles.index(before) if before in titles else 0)
        self.chooser.setVisible(len(titles) > 1)
        self._choose(self.chooser.currentIndex())
        self._go()

    def _go(self) -> None:
        """To the line that was asked for."""
        (text, line), self._wanted = self._wanted, ("", 0)
        place = self.chooser.findText(text)
        if line and place >= 0:
            self.chooser.setCurrentIndex(place)
            self.table.choose_row(line - 1)

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._tables):
            self.table.set_table(self._tables[place])
            self.table.view.setColumnWidth(1, TEXT_WIDTH)
