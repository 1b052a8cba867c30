"""The dialog of "Export everything": the folder, the kinds of files, and which profiles."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.exports.everything import Choice, Subject
from app.language import tr
from app.store.outputs import has_content, safe_name
from app.store.table_files.kinds import KINDS
from app.views.texts import shown_line
from app.widgets.ask_target import ask_to_replace
from app.widgets.dialog_size import text_scale
from app.widgets.labels import Label
from app.widgets.mnemonics import mark_mnemonics
from app.window.dialogs import begin
from app.window.everything_saving import EverythingSaver

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.window.command import CommandContext

PLOTS = {".svg": tr("SVG"), ".png": tr("PNG"), "": tr("None")}


class EverythingDialog(QDialog):
    """Suggests a new folder beside the shown profile. Enter starts the export."""

    def __init__(self, context: CommandContext, entry: Entry) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Export everything"))
        self.finished.connect(self.deleteLater)
        self._context = context
        self._entry = entry
        self.folder = QLineEdit(self)
        self.folder.setText(str(self._suggested()))
        self.browse = QPushButton(tr("&Browse…"), self)
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._browse)
        self.tables = self._kinds()
        self.plots = QComboBox(self)
        for suffix, title in PLOTS.items():
            self.plots.addItem(title, suffix)
        self.every = QCheckBox(tr("All open &profiles, each in its own folder"), self)
        self.every.setVisible(len(self._complete()) > 1)
        comparison = context.document.baselines.comparison_of(entry.id)
        self.compared = QCheckBox(tr("&Compare the tables with the baseline"), self)
        self.compared.setVisible(comparison is not None)
        self.compared.setChecked(comparison is not None)
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("&Export"))
        self.ok.setDefault(True)
        mark_mnemonics([*self._buttons.buttons(), self.browse])
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._lay_out()
        self.folder.textChanged.connect(self._judge)
        self._judge()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.folder, 1)
        line.addWidget(self.browse)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._row(form, tr("&Folder"), self.folder, line)
        self._row(form, tr("&Tables as"), self.tables)
        self._row(form, tr("P&lots as"), self.plots)
        form.addRow(self.every)
        form.addRow(self.compared)
        layout = QVBoxLayout(self)
        text = tr("Writes every table and plot, and an index with units, source and version.")
        note = Label(text, self)
        note.setWordWrap(True)
        layout.addWidget(note)
        layout.addLayout(form)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self.setMinimumWidth(round(560 * text_scale()))

    def _row(self, form: QFormLayout, title: str, widget: QWidget, line: QHBoxLayout | None = None) -> None:
        label = Label(title, self)
        label.setBuddy(widget)
        label.setMinimumHeight(widget.sizeHint().height())  # the field's, so that the text is beside its text
        widget.setAccessibleName(shown_line(title.replace("&", "")))
        form.addRow(label, line if line is not None else widget)

    def _kinds(self) -> QComboBox:
        """The kinds of tables; those that cannot be written here are disabled, and say why."""
        box = QComboBox(self)
        model = box.model()
        assert isinstance(model, QStandardItemModel)
        for row, (suffix, kind) in enumerate(KINDS.items()):
            why = kind.why_not
            box.addItem(f"{kind.title} – {why}" if why else kind.title, suffix)
            model.item(row).setEnabled(not why)
        return box

    def _suggested(self) -> Path:
        parent = begin(self._context.settings.value.recent) or str(Path.home())
        name = f"{safe_name(self._entry.profile.name, 'profile')}-export"
        folder, number = Path(parent, name), 2
        while has_content(folder):
            folder, number = Path(parent, f"{name}-{number}"), number + 1
        return folder

    def _browse(self) -> None:
        before = Path(self.folder.text())
        chosen = QFileDialog.getExistingDirectory(self, tr("Export everything"), str(before.parent))
        if chosen:
            self.folder.setText(str(Path(chosen, before.name) if has_content(Path(chosen)) else Path(chosen)))

    def _judge(self) -> None:
        self.ok.setEnabled(bool(self.folder.text().strip()))

    def _complete(self) -> list[Entry]:
        return [entry for entry in self._context.document.entries if entry.done]

    def accept(self) -> None:
        """Asks before files in the folder are replaced."""
        folder = Path(self.folder.text().strip()).expanduser()
        if not self.isVisible() or not self.folder.text().strip():
            return
        try:
            filled = has_content(folder)
        except OSError:  # said when it is written
            filled = False
        if filled:
            text = tr("{folder} is not empty. Other files in it stay.", folder=folder)
            ask_to_replace(self, text, partial(self._start, folder, replace=True))
        else:
            self._start(folder, replace=False)

    def _start(self, folder: Path, *, replace: bool) -> None:
        choice = Choice(
            self.tables.currentData(Qt.ItemDataRole.UserRole),
            self.plots.currentData(Qt.ItemDataRole.UserRole),
            theme=self._context.display.theme.name,
        )
        entries = self._complete() if self.every.isChecked() else [self._entry]
        subjects = [self._subject(entry) for entry in entries]
        super().accept()
        EverythingSaver(self._context, folder).start(subjects, choice, replace=replace)

    def _subject(self, entry: Entry) -> Subject:
        document = self._context.document
        comparison = document.baselines.comparison_of(entry.id) if self.compared.isChecked() else None
        now = document.entry(entry.id)
        return Subject((now or entry).profile, None if comparison is None else comparison.before)


def ask(context: CommandContext) -> None:
    """Opens the dialog; nothing if no complete profile is shown."""
    entry = context.document.current
    if entry is not None and entry.done:
        EverythingDialog(context, entry).open()
