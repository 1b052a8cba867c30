"""The panel of file blocks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QSplitter, QVBoxLayout, QWidget

from app.analysis.ascend.block_preview import kind_name, preview
from app.analysis.table import Table
from app.analysis.tables.ascend_operator import raw_blocks
from app.document.background import Background, Question
from app.document.document import Update
from app.formats.errors import FormatError
from app.profile.arrays import I64
from app.store.raw_block import RawBlock, raw_block, read_bytes
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.saving import BlockSaver
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import page
from app.widgets.units import size

SOURCE = "raw_blocks"
EMPTY = "This file is not made of blocks."
CHOOSE = "Choose a block to see how it begins."
MOST = 1 << 16
"""Bytes of a block that are shown."""


class RawBlocksPanel(QWidget):
    """The table at the left, how the chosen block begins at the right."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setAccessibleName("Content of the block")
        self.title = Readout(context.display, self)
        self.save = QPushButton("Save…", self)
        self.save.setToolTip("The whole content of the chosen blocks, one file a block")
        self.saver = BlockSaver(self)
        self._background = Background(self)
        self._build()
        self._refresh = Refresh(self, self._show)
        context.document.updated.connect(self._updated)
        self.table.view.chosen.connect(self._choose)
        self.save.clicked.connect(self._ask)
        self.saver.said.connect(lambda text, _wrong: self.title.say(text))
        self._refresh.request()

    def _build(self) -> None:
        right = QWidget(self)
        bar = QHBoxLayout()
        bar.setContentsMargins(0, 4, 8, 4)
        bar.addWidget(self.title, 1)
        bar.addWidget(self.save)
        self.shown = OrEmpty(self._context.display, self.text, right)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.shown, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.table)
        splitter.addWidget(right)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([550, 450])
        self.stack = OrEmpty(self._context.display, splitter, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.table)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        return self.table.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows()

    def selected_rows(self) -> I64:
        return self.table.selected_rows()

    @property
    def busy(self) -> bool:
        """Whether something is still being read or saved."""
        return self._background.busy or self.saver.busy

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("raw_blocks"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        table = None if profile is None else raw_blocks(profile)
        self._background.cancel()
        self.shown.show_empty(CHOOSE)
        self.title.say("")
        self.save.setEnabled(False)
        if table is None:
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        self._link.show(table)

    def _chosen(self) -> list[RawBlock]:
        profile = self._context.document.profile
        if profile is None:
            return []
        found = (raw_block(profile, row) for row in self.table.selected_rows().tolist())
        return [block for block in found if block is not None]

    def _choose(self) -> None:
        blocks = self._chosen()
        self.save.setEnabled(bool(blocks))
        self._background.cancel()
        if not blocks:
            self.shown.show_empty(CHOOSE)
            return
        block = blocks[0]
        bytes_as = self._context.display.look.bytes_as
        part = f", the first {size(MOST, bytes_as)}" if block.size > MOST else ""
        self.title.say(f"{kind_name(block.kind)}: {size(block.size, bytes_as)} at byte {block.payload:,}{part}")
        whole = block.size <= MOST
        self._background.ask(
            Question(
                lambda _token, _tell: preview(read_bytes(block, 0, MOST), whole),
                self._take,
                self._failed,
            )
        )

    def _take(self, text: str) -> None:
        self.text.setPlainText(page(text))
        self.shown.show_content()

    def _failed(self, error: FormatError) -> None:
        self.shown.show_empty(f"The block cannot be read: {error}")

    def _ask(self) -> None:
        self.saver.ask(self._chosen())
