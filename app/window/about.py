"""The About dialog: name, version, platform and licence of the program; and the licences of its components."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app import __version__, scanner
from app.language import tr
from app.views.markup import Markup, heading, sentence
from app.views.texts import page
from app.widgets.dialog_size import resize_dialog, text_scale
from app.widgets.icons import application_icon
from app.widgets.labels import Label, MarkupLabel
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.wrapping_text import wrapping_text
from app.window.licences import QT_NOTE, Component, components

LICENCE = tr(
    "Apache License 2.0. Qt and PySide6 are used under the LGPL v3; the other libraries keep their own licences."
)
NO_TEXT = tr("The licence text is not part of this installation.")
ROOM = 32
"""Pixels beside the names of components, for their list's frame and scroll bar."""
WIDE = 2000
"""More pixels than there are: the text takes what the names leave."""


class About(QDialog):
    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("About Tilesight"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        icon = Label(parent=self)
        icon.setPixmap(application_icon().pixmap(64, 64))
        text = MarkupLabel(self)
        text.show_markup(about_text())
        text.setWordWrap(True)
        text.setMinimumWidth(round(380 * text_scale()))
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        licences = buttons.addButton(tr("Licences"), QDialogButtonBox.ButtonRole.ActionRole)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        buttons.button(QDialogButtonBox.StandardButton.Close).setFocus()
        licences.setAutoDefault(False)
        mark_mnemonics(buttons.buttons())
        licences.clicked.connect(self.show_licences)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(buttons)

    def show_licences(self) -> None:
        """Opens the dialog of licences, which are collected on demand."""
        Licences(self).open()


def about_text() -> Markup:
    return (
        heading(tr("Tilesight {version}", version=__version__))
        + sentence(tr("Profile viewer for accelerators made of many small cores: Graphcore IPU and Huawei Ascend."))
        + sentence(
            tr(
                "Python {python_version}, PySide6 {version}, {system}",
                python_version=platform.python_version(),
                version=PySide6.__version__,
                system=platform.system(),
            )
        )
        + sentence(
            tr("Large traces are read by the compiled scanner.")
            if scanner.reader() == "scanner"
            else tr("Large traces are read without the compiled scanner, which takes longer.")
        )
        + sentence(LICENCE)
    )


def show(window: QWidget) -> None:
    About(window).open()


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
        parts.setSizes([self.list.sizeHintForColumn(0) + ROOM, WIDE])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        mark_mnemonics(buttons.buttons())
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(note)
        layout.addWidget(parts, 1)
        layout.addWidget(buttons)
        resize_dialog(self, 900, 600)
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
