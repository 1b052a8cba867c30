"""The panel of file blocks, and of the files of a report."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton

from app.analysis.table import Table
from app.analysis.tables.ascend_report import entries, preview, raw_blocks
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.store.stored_part import StoredPart, read_bytes, stored_part
from app.views.texts import page
from app.views.units import size
from app.widgets.controls import Controls
from app.widgets.empty import OrEmpty
from app.widgets.fields import Chooser
from app.widgets.frame import bar_of, column_of, split_of
from app.widgets.saving import BlockSaver
from app.widgets.table.profile_table import Make, ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout, number_font

CHOOSE = tr("Select a row to see the first bytes of its content.")
MOST = 1 << 16
"""Bytes of a block to show."""


class RawBlocksPanel(Panel):
    """The table at the left, the first bytes of the selected block at the right. With a baseline, the table shows how
    both files differ; the content is that of the comparison."""

    spec = SPECS["raw_blocks"]
    empty = tr("This file contains no blocks.")
    compares = True

    def build(self) -> None:
        display = self.context.display
        self.table = TableWidget(display, self)
        self._rows = ProfileTable(self.context, self.table, self.spec.id)
        self._makes: list[Make] = []
        self.parts = Chooser(tr("Blocks or files"), self, 16)
        self.table.bar.insert(0, self.parts, 2)
        self.parts.currentIndexChanged.connect(self._choose_part)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(number_font(QApplication.font()))
        display.changed.connect(lambda: self.text.setFont(number_font(QApplication.font())))
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.text.setAccessibleName(tr("Content of the block"))
        self.title = Readout(display, self)
        self.save = QPushButton(tr("Save…"), self)
        self.save.setToolTip(tr("The whole content of the selected blocks, one file per block"))
        self.saver = BlockSaver(self)
        self._background = Background(self)
        self.shown = OrEmpty(display, self.text, self)
        right = column_of(bar_of((self.title, 1)), (self.shown, 1))
        controls = Controls(self, (self.table.bar, 1), self.save, folds=(self.save,))
        self.lay_out((split_of((self.table, 550), (right, 450)), 1), home=self.table, controls=controls)
        self.table.view.chosen.connect(self._choose)
        self.save.clicked.connect(self._choose_target)
        self.saver.said.connect(lambda text, _wrong: self.title.say(text))

    def tabular(self) -> Tabular:
        return self.table

    @property
    def busy(self) -> bool:
        """Whether reading or saving is still running."""
        return self._background.busy or self.saver.busy

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        self._background.cancel()
        self._rows.clear()
        self._makes = []
        self.shown.show_empty(CHOOSE)
        self.title.say("")
        self.save.setEnabled(False)

    def fill(self, profile: Profile) -> None:
        self.clear()
        listed = [(make, table) for make in (entries, raw_blocks) if (table := make(profile)) is not None]
        self._makes = [make for make, _ in listed]
        self.parts.offer([_title(table, profile) for _, table in listed], chosen=0)
        self.parts.setVisible(len(listed) > 1)
        self._choose_part(0)

    def _choose_part(self, part: int) -> None:
        if 0 <= part < len(self._makes):
            self._rows.show(self._makes[part])
            self._choose()

    def _chosen(self) -> list[StoredPart]:
        """The selected blocks; the first of all until one is selected."""
        profile = self.profile
        if profile is None:
            return []
        shown = self.table.view.items.table
        rows = self.table.selected_rows().tolist() or list(range(min(shown.rows, 1)))
        keys = (shown.key(row) for row in rows)
        blocks = (stored_part(profile, shown.id, key) for key in keys if key >= 0)  # others are of the baseline
        return [block for block in blocks if block is not None]

    def _choose(self) -> None:
        blocks = self._chosen()
        self.save.setEnabled(bool(blocks))
        self._background.cancel()
        if not blocks:
            self.shown.show_empty(CHOOSE)
            self.title.say("")
            return
        block = blocks[0]
        bytes_as = self.context.display.look.bytes_as
        part = tr(", the first {most}", most=size(MOST, bytes_as)) if block.size > MOST else ""
        self.title.say(
            tr(
                "{title}: {size} at byte {payload:,}{part}",
                title=block.title,
                size=size(block.size, bytes_as),
                payload=block.payload,
                part=part,
            )
        )
        whole = block.size <= MOST
        self._background.run(
            Task(
                lambda _token, _report: preview(read_bytes(block, 0, MOST), whole),
                self._take,
                self._failed,
            )
        )

    def _take(self, text: str) -> None:
        self.text.setPlainText(page(text))
        self.shown.show_content()

    def _failed(self, error: FormatError) -> None:
        self.shown.show_empty(tr("The block cannot be read: {error}", error=error))

    def _choose_target(self) -> None:
        self.saver.ask(self._chosen())


def _title(table: Table, profile: Profile) -> str:
    """Blocks of a file inside a report are called by its name."""
    blocks = profile.raw_blocks
    if table.id == "raw-blocks" and blocks is not None and blocks.inside:
        return tr("Blocks of {name}", name=blocks.inside)
    return table.title
