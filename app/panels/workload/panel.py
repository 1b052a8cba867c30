"""The compute workload panel."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QTabBar, QVBoxLayout, QWidget

from app.analysis.ascend import workload_view as view
from app.analysis.links import translate
from app.analysis.tables.ascend_memory import block_number
from app.document.document import Update
from app.panels.workload.picture import block_name, picture_of
from app.panels.workload.rows import WorkloadModel
from app.profile.selection import Selection
from app.widgets.bars.chart import ScrolledBars
from app.widgets.chooser import Chooser
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.labels import Label
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import caption
from app.widgets.theme import Theme

SOURCE = "workload"
EMPTY = "This file has no compute workload (blocks 0x06 and 0x07)."
NO_SHARES = "The file has no shares for this block (block 0x06); the table has the rest."
NO_ROWS = "The file has no table for this block (block 0x07)."


class WorkloadPanel(QWidget):
    """Choice of the block above; bars and advice at the left, the tables of the sub-blocks at the right."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shares: list[view.Share] = []
        self._tables: list[view.SubBlockTable] = []
        self.blocks = Chooser("Block", self)
        self.blocks.hide()  # Qt measures the least width once, and not yet without items
        self.blocks.setToolTip("Which block; the arrow keys go through them")
        self.readout = Readout(context.display, self)
        self.bars = ScrolledBars(context.display, self)
        self.advice = Label(parent=self)
        self.advice.setWordWrap(True)
        self.advice.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.advice.setContentsMargins(8, 4, 8, 4)
        self.parts = QTabBar(self)
        self.parts.setAccessibleName("Sub-block")
        self.parts.setExpanding(False)
        self.parts.setDrawBase(False)
        self.table = TableWidget(context.display, self, WorkloadModel)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._build()
        self._connect()
        self._look_changed(context.display.look)
        self._refresh.request()

    def _build(self) -> None:
        display = self._context.display
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.addWidget(self.blocks)
        bar.addWidget(self.readout, 1)
        left, right = QWidget(self), QWidget(self)
        self.chart = OrEmpty(display, self.bars, left)
        self.rows = OrEmpty(display, self.table, right)
        for side, parts in ((left, (self.advice, self.chart)), (right, (self.parts, self.rows))):
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            for part in parts:
                column.addWidget(part, 1 if isinstance(part, OrEmpty) else 0)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(left)
        splitter.addWidget(right)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([450, 550])
        content = QWidget(self)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(bar)
        inside.addWidget(splitter, 1)
        self.stack = OrEmpty(display, content, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.bars.chart)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._list)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        self._context.display.changed.connect(self._look_changed)
        self.blocks.currentIndexChanged.connect(self._show)
        self.blocks.activated.connect(self._choose)
        self.parts.currentChanged.connect(self._show_part)
        self.bars.chart.chosen.connect(self._chosen_bar)

    def sizeHint(self) -> QSize:
        return QSize(900, 360)

    # -- abilities ----------------------------------------------------------------------------------------

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.bars.chart.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def block(self) -> str:
        """The id of the block that is shown."""
        return str(self.blocks.currentData() or "")

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("workload", "memory_paths", "target"):
            self._refresh.request()

    def _list(self) -> None:
        profile = self._context.document.profile
        found = [] if profile is None else view.blocks(profile)
        if not found:
            self._shares, self._tables = [], []
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        before = self.block
        names = [block_name(block) for block in found]
        titles = [name[:1].upper() + name[1:] for name in names]
        self.blocks.offer(titles, found, found.index(before) if before in found else 0)
        self.blocks.show()
        self._selected(self._context.document.selection.value)
        self._show()

    def _show(self) -> None:
        profile = self._context.document.profile
        if profile is None or not self.blocks.count():
            return
        clock = profile.target.clock_hz if profile.target is not None else None
        self._shares, self._tables = view.shares(profile, self.block), view.tables(profile, self.block)
        self.bars.chart.set_picture(picture_of(self._shares, self.block, clock) if self._shares else None)
        if self._shares:
            self.chart.show_content()
        else:
            self.chart.show_empty(NO_SHARES)
        advice = view.advice(profile, self.block)
        self.advice.setText("\n".join(f"▲ {line}" for line in advice))
        self.advice.setVisible(bool(advice))
        count = self.blocks.count()
        self.readout.say(f"of {count:,} block{'' if count == 1 else 's'}", muted=True)
        self._show_parts()

    def _show_parts(self) -> None:
        before = self.parts.tabText(self.parts.currentIndex())
        names = [part.sub_block or "block" for part in self._tables]
        self.parts.blockSignals(True)
        while self.parts.count():
            self.parts.removeTab(0)
        for name in names:
            self.parts.addTab(caption(name))
        self.parts.setCurrentIndex(names.index(before) if before in names else 0)
        self.parts.blockSignals(False)
        self.parts.setVisible(len(names) > 1)
        if names:
            self.rows.show_content()
            self._show_part(self.parts.currentIndex())
        else:
            self.rows.show_empty(NO_ROWS)

    def _show_part(self, place: int) -> None:
        if not 0 <= place < len(self._tables):
            return
        model = self.table.view.items
        assert isinstance(model, WorkloadModel)
        model.absent = self._tables[place].absent
        self._link.show(self._tables[place].table)

    def _look_changed(self, look: Look) -> None:
        self.advice.setStyleSheet(f"color: {look.theme.warning}")

    # -- selection ----------------------------------------------------------------------------------------

    def _choose(self, _: int) -> None:
        number = block_number(self.block)
        if number >= 0:
            self._context.document.selection.set(Selection("block", (number,), SOURCE))

    def _selected(self, selection: Selection | None) -> None:
        """Turns to the first of the blocks that are selected elsewhere."""
        profile = self._context.document.profile
        if profile is None or selection is None or selection.source == SOURCE:
            return
        wanted = translate(profile, selection, "block").tolist()
        numbers = [block_number(str(self.blocks.itemData(place))) for place in range(self.blocks.count())]
        if wanted and block_number(self.block) not in wanted:
            place = next((place for place, number in enumerate(numbers) if number in wanted), -1)
            if place >= 0:
                self.blocks.setCurrentIndex(place)

    def _chosen_bar(self, place: int) -> None:
        """The table of the sub-block that a bar is of."""
        names = [part.sub_block for part in self._tables]
        if 0 <= place < len(self._shares) and self._shares[place].sub_block in names:
            self.parts.setCurrentIndex(names.index(self._shares[place].sub_block))
