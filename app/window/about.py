"""The About dialog: name, version, platform and licence of the program."""

from __future__ import annotations

import platform

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QVBoxLayout, QWidget

from app import __version__
from app.language import tr
from app.widgets.labels import Label, MarkupLabel
from app.widgets.markup import Markup, heading, sentence
from app.window.icons import application_icon
from app.window.mnemonics import mark_buttons

LICENCE = tr(
    "Apache License 2.0. Qt and PySide6 are used under the LGPL v3; the other libraries keep their own licences."
)


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
        text.setMinimumWidth(380)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(text, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        licences = buttons.addButton(tr("Licences"), QDialogButtonBox.ButtonRole.ActionRole)
        mark_buttons(buttons.buttons())
        licences.clicked.connect(self.show_licences)
        layout = QVBoxLayout(self)
        layout.addLayout(row)
        layout.addWidget(buttons)

    def show_licences(self) -> None:
        """Opens the dialog of licences, which is imported and collected on demand."""
        from app.window.licences_view import Licences

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
        + sentence(LICENCE)
    )


def show(window: QWidget) -> None:
    About(window).open()
