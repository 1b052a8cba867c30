"""The export dialog: chooses what to export, and writes the file in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from app.formats.errors import FormatError
from app.language import tr
from app.store.table_files.kinds import not_writable
from app.views.texts import shown_line
from app.widgets.ask_target import ask_target
from app.widgets.dialog_size import resize_dialog
from app.widgets.labels import Label
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.tips import set_tip
from app.window.exports import Export, InForce, Write, first_exports, plot_exports, table_exports
from app.window.muted_column import MutedColumn
from app.window.notices import Notice
from app.window.writing import Check, Report, Writing

if TYPE_CHECKING:
    from app.profile.profile import Profile
    from app.window.command import CommandContext

SHOWN_MS = 8000


class ExportDialog(QDialog):
    """A list of tables and pictures, with that of the focused panel preselected. Listing the tables of a profile may
    take long: they are inserted when ``TableList`` has them. Signal ``chosen`` (an Export)."""

    chosen = Signal(object)

    def __init__(self, context: CommandContext, profile: Profile) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Export"))
        self.finished.connect(self.deleteLater)
        self._context = context
        self._entry = context.document.current_id
        theme = context.display.theme
        in_force = InForce(context.document.baselines.comparison, context.document.ranges.value)
        notes = context.document.notes.value
        self._first = list(first_exports(context.keys.last_focus, profile, theme, notes, in_force))
        self._tables: list[Export] = []
        self._plots = list(plot_exports(profile, theme))
        self.list = QTreeWidget(self)
        self.list.setObjectName("lines")
        self.list.setAccessibleName(tr("What to export"))
        self.list.setColumnCount(2)
        self.list.setHeaderLabels([tr("Item"), tr("As")])
        self.list.setRootIsDecorated(False)
        self.list.setItemDelegateForColumn(1, MutedColumn(self.list))
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        self.list.addTopLevelItems(_lines([*self._first, *self._plots]))
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.itemDoubleClicked.connect(lambda *_: self.accept())
        self.remarks = QCheckBox(tr("Source and &version in CSV and TSV (lines with # before the header)"), self)
        set_tip(self.remarks, tr("Other formats always include them. Some programs do not skip these lines."))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self)
        buttons.button(QDialogButtonBox.StandardButton.Save).setText(tr("&Save as…"))
        buttons.button(QDialogButtonBox.StandardButton.Save).setDefault(True)
        mark_mnemonics(buttons.buttons())
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(Label(tr("Tables keep every digit; images are rendered at full resolution."), self))
        layout.addWidget(self.list)
        layout.addWidget(self.remarks)
        for why in not_writable():
            note = Label(shown_line(why), self)
            note.setObjectName("muted")
            layout.addWidget(note)
        layout.addWidget(buttons)
        resize_dialog(self, 760, 560)
        context.tables.changed.connect(self._list_tables)
        context.document.updated.connect(self._list_tables)
        self._list_tables()

    def _list_tables(self) -> None:
        """Lists the tables that are known by now, between what is shown and the plots; not those of another profile
        that is shown meanwhile."""
        if self._context.document.current_id != self._entry:
            return
        profile = self._context.document.profile
        listed = self._context.tables.get()
        if profile is None or not listed:
            return
        chosen = self.list.currentIndex().row()
        start = len(self._first)
        for _ in self._tables:
            self.list.takeTopLevelItem(start)
        self._tables = list(table_exports(profile, listed))
        self.list.insertTopLevelItems(start, _lines(self._tables))
        if chosen <= 0:
            self.list.setCurrentIndex(self.list.model().index(0, 0))

    def accept(self) -> None:
        item = self.list.currentItem()
        if item is None or not self.isVisible():
            return
        super().accept()
        own = [*self._first, *self._tables, *self._plots][self.list.indexOfTopLevelItem(item)]
        self.chosen.emit(replace(own, prepare=partial(_with_remarks, own.prepare, self.remarks.isChecked())))


def _with_remarks(prepare: Callable[[str, bool], Write], remarks: bool, suffix: str, _: bool) -> Write:
    return prepare(suffix, remarks)


def _lines(exports: Iterable[Export]) -> list[QTreeWidgetItem]:
    return [QTreeWidgetItem([shown_line(export.title), shown_line(export.detail)]) for export in exports]


def export(context: CommandContext) -> None:
    """Asks what to export and where to, then writes it in the background; a failure becomes a notice."""
    profile = context.document.profile
    if profile is None:
        return
    dialog = ExportDialog(context, profile)
    dialog.chosen.connect(partial(_ask_where, context))
    dialog.open()


def _ask_where(context: CommandContext, chosen: Export) -> None:
    ask_target(context.main, tr("Export"), chosen.name, partial(_save, context, chosen), chosen.kinds)


def _save(context: CommandContext, chosen: Export, path: Path) -> None:
    inputs = [read for entry in context.document.entries for read in entry.profile.origin.paths]

    def end() -> None:
        writing.end()
        context.footer.clearMessage()

    def take(_: None) -> None:
        end()
        context.footer.showMessage(shown_line(tr("Wrote {path}", path=path)), SHOWN_MS)

    def fail(error: FormatError) -> None:
        end()
        notice = Notice("error", tr("{path}: cannot be written: {error}", path=path, error=error.text), "write")

        def again() -> None:
            context.notices.withdraw([notice])
            _ask_where(context, chosen)

        context.notices.add(replace(notice, steps={"Export again…": again}))

    title = tr("Writing {path}", path=path)
    writing = Writing(context, title, end)
    try:
        write = chosen.prepare(path.suffix.lower(), False)
    except OSError as error:
        fail(FormatError(error.strerror or str(error)))
        return

    def work(check: Check, report: Report) -> None:
        def look(rows: int) -> None:
            check()
            report(rows, chosen.rows)

        write(path, inputs, look)

    context.footer.showMessage(shown_line(title))
    writing.run(work, take, fail)
