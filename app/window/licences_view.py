"""The dialog that shows the licences of Tilesight's components."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.widgets.labels import Label
from app.widgets.texts import page
from app.widgets.wrapping_text import wrapping_text
from app.window.licences import QT_NOTE, Component, components
from app.window.mnemonics import mark_buttons

NO_TEXT = tr("The licence text is not part of this installation.")


class Licences(QDialog):
    """The components on the left, the licence text of the selected one on the right."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        note = Label(QT_NOTE, self)
        note.setWordWrap(True)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Components"))
        self.text = wrapping_text(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(tr("Licence"))
        self._components = components()
        for component in self._components:
            self.list.addItem(QListWidgetItem(f"{component.name} {component.version}".rstrip()))
        self.list.currentRowChanged.connect(self._show)
        parts = QSplitter(self)
        parts.addWidget(self.list)
        parts.addWidget(self.text)
        parts.setStretchFactor(1, 1)
        parts.setSizes([240, 620])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        mark_buttons(buttons.buttons())
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addWidget(parts, 1)
        layout.addWidget(buttons)
        self.resize(QSize(900, 600))
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        self.text.setPlainText(page(described(self._components[row]) if row >= 0 else ""))


def described(component: Component) -> str:
    """Returns name, version, licence and licence texts of a component."""
    licence = component.licence or tr("see below")
    return tr(
        "{component} {version}\nLicence: {licence}\n\n{text}",
        component=component.name,
        version=component.version,
        licence=licence,
        text=component.text() or NO_TEXT,
    )
