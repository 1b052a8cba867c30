"""Saves blocks and entries of a file in the background: asks where, reports progress and the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import plural, tr
from app.store.stored_part import OnProgress, StoredPart, save
from app.store.token import Token
from app.views.units import percent
from app.widgets.dialogs import ask_target, ask_to_replace


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
