"""Opening a source file that a profile names: only when the user asks, after showing where it will be looked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.document.background import Background, Task
from app.document.document import Document
from app.document.user_choices import OpenedSource
from app.formats.errors import FormatError
from app.language import tr
from app.store.stored_part import read_source_text
from app.widgets.dialogs import MessageBox
from app.widgets.mnemonics import mark_mnemonics


class SourceOpener(QObject):
    """Asks for the place of a source file and reads it. Signal ``opened`` when its text is there."""

    opened = Signal()

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._document = document
        self._background = Background(self)

    @property
    def busy(self) -> bool:
        """Whether a file is being read."""
        return self._background.busy

    def ask(self, path: str, wrong: str = "") -> None:
        """Asks whether to open the file at its probable place, or to choose another one. ``wrong``: why the last
        attempt failed."""
        entry = self._document.current_id
        if entry is None or not path:
            return
        place = self._document.source_files.place(path)
        box = MessageBox(self._parent)
        box.setWindowTitle(tr("Open source file"))
        box.setText(wrong or _question(path, place))
        box.setInformativeText(_explanation(path, place))
        box.setStandardButtons(QMessageBox.StandardButton.Cancel)
        choose = box.addButton(tr("Choose &file…"), QMessageBox.ButtonRole.ActionRole)
        agree = None
        if place is not None and not wrong:
            agree = box.addButton(tr("&Open"), QMessageBox.ButtonRole.AcceptRole)
        mark_mnemonics(box.buttons())
        box.setDefaultButton(agree or choose)

        def finished() -> None:
            box.deleteLater()
            if box.clickedButton() is choose:
                self._choose(entry, path)
            elif agree is not None and place is not None and box.clickedButton() is agree:
                self._read(entry, path, place)

        box.finished.connect(finished)
        box.open()

    def _choose(self, entry: int, path: str) -> None:
        dialog = QFileDialog(self._parent, tr("Open source file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self._read(entry, path, Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _read(self, entry: int, path: str, place: Path) -> None:
        self._background.run(
            Task(
                lambda _token, _report: read_source_text(place),
                partial(self._take, entry, path, place),
                partial(self._failed, path, place),
            )
        )

    def _take(self, entry: int, path: str, place: Path, text: str) -> None:
        if self._document.entry(entry) is not None:
            self._document.source_files.add(entry, path, OpenedSource(place, text))
            self.opened.emit()

    def _failed(self, path: str, place: Path, error: FormatError) -> None:
        self.ask(path, tr("{place} cannot be opened: {error}", place=place, error=error.text))


def _question(path: str, place: Path | None) -> str:
    if place is None:
        return tr("The profile names {path}, but not its folder. Choose the file.", path=path)
    return tr("Open the source file {place}?", place=place)


def _explanation(path: str, place: Path | None) -> str:
    if place is None or str(place) == path:
        return tr("Tilesight only reads the file and shows it next to the figures of its lines.")
    return tr(
        "The profile calls it {path}. Tilesight only reads the file and shows it next to the figures of its lines.",
        path=path,
    )
