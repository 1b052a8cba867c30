"""Chooses what to export, and where to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHeaderView, QLabel, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.window import dialogs
from app.window.exports import Export, exports
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class ExportDialog(QDialog):
    """A list of tables and pictures; what has the keyboard is chosen already."""

    def __init__(self, window: MainWindow, found: list[Export]) -> None:
        super().__init__(window)
        self.setWindowTitle("Export")
        self._found = found
        self.list = QTreeWidget(self)
        self.list.setObjectName("lines")
        self.list.setColumnCount(2)
        self.list.setHeaderLabels(["What", "As"])
        self.list.setRootIsDecorated(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        for export in found:
            item = QTreeWidgetItem([export.title, export.detail])
            item.setForeground(1, QColor(window.display.theme.muted))
            self.list.addTopLevelItem(item)
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.itemDoubleClicked.connect(self.accept)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self)
        buttons.button(QDialogButtonBox.StandardButton.Save).setText("Save as…")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(QLabel("Tables keep every digit; pictures are drawn again at full sharpness.", self))
        layout.addWidget(self.list)
        layout.addWidget(buttons)
        self.resize(QSize(520, 420))

    @property
    def chosen(self) -> Export | None:
        item = self.list.currentItem()
        return None if item is None else self._found[self.list.indexOfTopLevelItem(item)]


def export(window: MainWindow) -> None:
    """Asks what and where, then writes; what cannot be written is a notice."""
    profile = window.document.profile
    if profile is None:
        return
    found = exports(window.keys.last_focus, profile, window.display.theme, window.document.notes.value)
    dialog = ExportDialog(window, list(found))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if dialog.exec() == QDialog.DialogCode.Accepted and dialog.chosen is not None:
        save(window, dialog.chosen)


def save(window: MainWindow, chosen: Export) -> None:
    path = dialogs.ask_target(window, chosen.name, chosen.suffixes)
    if path is None:
        return
    try:
        chosen.write(path)
    except OSError as error:
        window.notices.add(Notice("error", f"{path}: cannot be written: {error.strerror or error}"))
    else:
        window.footer.showMessage(f"Wrote {path}", 8000)
