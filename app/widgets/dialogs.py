"""What dialogs share: their size, message boxes in plain text, the save dialog, and saving what a file stores."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import plural, tr
from app.store.stored_part import OnProgress, StoredPart, save
from app.store.token import Token
from app.views.texts import paragraph
from app.views.units import percent
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


class BlockSaver(QObject):
    """Saves stored parts. Signal ``said`` (message, whether it is an error)."""

    said = Signal(str, bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parent = parent
        self._background = Background(self)

    @property
    def busy(self) -> bool:
        """Whether blocks are still being saved."""
        return self._background.busy

    def ask(self, blocks: Sequence[StoredPart]) -> None:
        """Asks for the target: a file for one block, a folder for several, each saved under its own name."""
        if not blocks:
            return
        if len(blocks) == 1:
            only = blocks[0]
            ask_target(self._parent, tr("Save block content"), only.file_name, lambda path: self.save([only], [path]))
        else:
            self._ask_folder(blocks)

    def _ask_folder(self, blocks: Sequence[StoredPart]) -> None:
        folder = QFileDialog.getExistingDirectory(
            self._parent, tr("Save {count:,} blocks into a folder", count=len(blocks))
        )
        if not folder:
            return
        targets = [Path(folder) / block.file_name for block in blocks]
        there = [target.name for target in targets if target.exists()]
        if there:
            some = plural(
                "{there} already exists", "{count:,} of these files already exist", count=len(there), there=there[0]
            )
            ask_to_replace(
                self._parent, tr("{some} in {folder}.", some=some, folder=folder), lambda: self.save(blocks, targets)
            )
        else:
            self.save(blocks, targets)

    def save(self, blocks: Sequence[StoredPart], targets: Sequence[Path]) -> None:
        """Saves each block to its file, stopping at the first one that fails."""
        pairs = tuple(zip(blocks, targets, strict=True))
        self._background.run(
            Task(
                lambda token, report: _save_all(pairs, token, report),
                lambda count: self.said.emit(_done(count, pairs[0][1]), False),
                self._failed,
                lambda done, of: self.said.emit(
                    tr("Saving blocks: {done}", done=percent(100 * done / max(of, 1))), False
                ),
            )
        )

    def _failed(self, error: FormatError) -> None:
        self.said.emit(tr("The block could not be saved: {error}", error=error), True)


def _save_all(pairs: Sequence[tuple[StoredPart, Path]], token: Token, report: OnProgress) -> int:
    total, before = sum(block.size for block, _ in pairs), 0
    for block, target in pairs:
        offset = before
        save(block, target, token, lambda done, _, offset=offset: report(offset + done, total))  # type: ignore[misc]
        before += block.size
    return len(pairs)


def _done(count: int, first: Path) -> str:
    return plural("Saved {first}", "Saved {count:,} blocks in {parent}", count=count, first=first, parent=first.parent)
