"""Everything that a profile holds, as tables: to look at, to copy and to export."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSplitter, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.analysis.tables import available
from app.panels.panel import PanelSpec
from app.profile.arrays import I64
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.refresh import Refresh
from app.widgets.table.delegate import PADDING
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget

SOURCE = "tables"
LIST_WIDTH = 200
EMPTY = "This profile holds no tables."
WAITING = "Nothing is open. Drop a file on the window, or use Open."


class TablesPanel(QWidget):
    """The list of tables at the left, the chosen one at the right. The abilities of the table are its own."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._tables: list[Table] = []
        self._wanted = ""
        self.names = QListWidget(self)
        self.names.setAccessibleName("Tables of this profile")
        self.names.setFrameShape(QListWidget.Shape.NoFrame)
        self.names.setMinimumWidth(LIST_WIDTH // 2)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self._splitter.addWidget(self.names)
        self._splitter.addWidget(self.table)
        self._splitter.setStretchFactor(1, 1)
        self._splitter.setSizes([LIST_WIDTH, 4 * LIST_WIDTH])
        self._splitter.setChildrenCollapsible(False)
        self.stack = OrEmpty(context.display, self._splitter, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.table)
        self.names.currentRowChanged.connect(self._choose)
        self._refresh = Refresh(self, self._list)
        context.document.updated.connect(self._refresh.request)
        context.display.changed.connect(self._look_changed)
        self._look_changed(context.display.look)
        self._refresh.request()

    def show_table(self, table_id: str) -> None:
        """Chooses a table by its id, now or when it has arrived."""
        self._wanted = table_id
        for row, table in enumerate(self._tables):
            if table.id == table_id:
                self.names.setCurrentRow(row)

    def shown_table(self) -> Table | None:
        return self.table.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows()

    def selected_rows(self) -> I64:
        return self.table.selected_rows()

    def _list(self) -> None:
        profile = self._context.document.profile
        self._tables = [] if profile is None else available(profile)
        if not self._tables:
            self.stack.show_empty(WAITING if profile is None else EMPTY)
            return
        self.stack.show_content()
        self.names.blockSignals(True)
        self.names.clear()
        for table in self._tables:
            item = QListWidgetItem(f"{table.title}  ({table.rows:,})")
            item.setToolTip(f"{table.id}: the name that `export --table` takes")
            self.names.addItem(item)
        ids = [table.id for table in self._tables]
        row = ids.index(self._wanted) if self._wanted in ids else 0
        self.names.setCurrentRow(row)
        self.names.blockSignals(False)
        self._choose(row)

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._tables):
            self._wanted = self._tables[row].id
            self._link.show(self._tables[row])

    def _look_changed(self, look: Look) -> None:
        theme = look.theme
        self.names.setStyleSheet(
            f"QListWidget {{ background: {theme.raised}; border: none; border-right: 1px solid {theme.line}; }}"
            f"QListWidget::item {{ padding: 4px {PADDING}px; }}"
        )


SPEC = PanelSpec(
    "tables",
    "Tables",
    TablesPanel,
    (),
    "",
    "Every table of this profile: sort by a click on a header, filter, copy rows, export. What is chosen here is "
    "highlighted in the other panels.",
)
