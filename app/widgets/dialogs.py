"""What dialogs share: their size, message boxes in plain text, and the save dialog."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from app.language import tr
from app.views.texts import paragraph
from app.widgets.mnemonics import mark_mnemonics

USUAL: Final = "usualFont"
"""Property of the application: the font it began with."""
MOST: Final = 0.88
"""Share of the screen that a dialog may take."""


def text_scale() -> float:
    """Returns how large texts are, compared with those of the system."""
    application = QApplication.instance()
    usual = None if application is None else application.property(USUAL)
    if not isinstance(usual, QFont) or usual.pointSizeF() <= 0:
        return 1.0
    return max(QApplication.font().pointSizeF() / usual.pointSizeF(), 1.0)


def resize_dialog(dialog: QWidget, width: int, height: int) -> None:
    """Resizes ``dialog`` to pixels that suit texts of the system's size, and to more if they are larger."""
    room = dialog.screen().availableSize() * MOST
    dialog.resize((QSize(width, height) * text_scale()).boundedTo(room))


class MessageBox(QMessageBox):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def setText(self, text: str) -> None:
        super().setText(paragraph(text))

    def setInformativeText(self, text: str) -> None:
        super().setInformativeText(paragraph(text))


Kinds = Mapping[str, str]
"""File types by suffix: {".csv": "CSV"}. The first is offered first."""


def ask_target(
    parent: QWidget, title: str, name: str, then: Callable[[Path], object], kinds: Kinds | None = None
) -> None:
    """Opens a save dialog and calls ``then`` with the chosen path. If there are ``kinds``, the path ends in one of
    their suffixes: the typed one, else that of the selected type. An existing file is only replaced after
    confirmation."""
    TargetDialog(parent, title, name, then, kinds or {}).open()


class TargetDialog(QFileDialog):
    """``name``: the suggested file name, without a suffix of ``kinds``."""

    def __init__(self, parent: QWidget, title: str, name: str, then: Callable[[Path], object], kinds: Kinds) -> None:
        super().__init__(parent, title)
        self._parent = parent
        self._kinds = kinds
        self._then = then
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        resize_dialog(self, 760, 480)
        self.setFileMode(QFileDialog.FileMode.AnyFile)
        self.setOption(QFileDialog.Option.DontConfirmOverwrite, sys.platform != "darwin")
        if kinds:
            self.setNameFilters([_filter(suffix, kind) for suffix, kind in kinds.items()])
            self.setDefaultSuffix(next(iter(kinds))[1:])
        self.selectFile(name + next(iter(kinds), ""))
        self.filterSelected.connect(self._kind_chosen)
        self.fileSelected.connect(self._selected)
        self.rejected.connect(self.deleteLater)

    def _kind_chosen(self, chosen: str) -> None:
        """Changes the suffix of the file name to that of the selected type."""
        suffix = self._suffix(chosen)
        self.setDefaultSuffix(suffix[1:])
        typed = [Path(path) for path in self.selectedFiles()]
        if typed and typed[0].suffix.lower() in self._kinds:
            self.selectFile(typed[0].with_suffix(suffix).name)

    def _suffix(self, chosen: str) -> str:
        """The suffix of a name filter; "" if it is none of ours."""
        return next((suffix for suffix, kind in self._kinds.items() if _filter(suffix, kind) == chosen), "")

    def _selected(self, chosen: str) -> None:
        path = Path(chosen)
        if self._kinds and path.suffix.lower() not in self._kinds:
            path = path.with_name(path.name + self._suffix(self.selectedNameFilter()))
        confirmed = sys.platform == "darwin" and path == Path(chosen)  # the system's own dialog always asks
        if path.exists() and not confirmed:
            ask_to_replace(
                self._parent, tr("{path} already exists.", path=path.name), partial(self._take, path), self.open
            )
        else:
            self._take(path)

    def _take(self, path: Path) -> None:
        self.deleteLater()
        self._then(path)


def ask_to_replace(
    parent: QWidget, text: str, then: Callable[[], object], otherwise: Callable[[], object] | None = None
) -> None:
    """Asks whether to replace what exists: calls ``then`` on "Replace", else ``otherwise``."""
    box = MessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(tr("Replace"))
    box.setText(tr("{text} Do you want to replace it?", text=text))
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    replace = box.addButton(tr("&Replace"), QMessageBox.ButtonRole.AcceptRole)
    mark_mnemonics(box.buttons())
    box.setDefaultButton(QMessageBox.StandardButton.Cancel)

    def finished() -> None:
        box.deleteLater()
        if box.clickedButton() is replace:
            then()
        elif otherwise is not None:
            otherwise()

    box.finished.connect(finished)
    box.open()


def _filter(suffix: str, kind: str) -> str:
    return f"{kind} (*{suffix})"
