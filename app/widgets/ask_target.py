"""Asks where to save: the one dialog of every panel and of the window."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.language import tr
from app.widgets.message_box import MessageBox
from app.widgets.mnemonics import mark_mnemonics

Kinds = Mapping[str, str]
"""File types by suffix: {".csv": "CSV"}. The first is offered first."""


def ask_target(
    parent: QWidget, title: str, name: str, then: Callable[[Path], object], kinds: Kinds | None = None
) -> None:
    """Opens a dialog, and calls ``then`` with the path to write when the person chose one. The path ends in a suffix
    of ``kinds``, where there are any: the typed one, else that of the chosen type. An existing file is only replaced
    after a question."""
    TargetDialog(parent, title, name, then, kinds or {}).open()


class TargetDialog(QFileDialog):
    """``name``: what is offered, without a suffix of ``kinds``."""

    def __init__(self, parent: QWidget, title: str, name: str, then: Callable[[Path], object], kinds: Kinds) -> None:
        super().__init__(parent, title)
        self._parent = parent
        self._kinds = kinds
        self._then = then
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
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
        """The name follows the type."""
        suffix = self._suffix(chosen)
        self.setDefaultSuffix(suffix[1:])
        typed = [Path(path) for path in self.selectedFiles()]
        if typed and typed[0].suffix.lower() in self._kinds:
            self.selectFile(typed[0].with_suffix(suffix).name)

    def _suffix(self, chosen: str) -> str:
        """The suffix that a name filter stands for."""
        return next((suffix for suffix, kind in self._kinds.items() if _filter(suffix, kind) == chosen), "")

    def _selected(self, chosen: str) -> None:
        path = Path(chosen)
        if self._kinds and path.suffix.lower() not in self._kinds:
            path = path.with_name(path.name + self._suffix(self.selectedNameFilter()))
        asked = sys.platform == "darwin" and path == Path(chosen)  # the system's own dialog always asks
        if path.exists() and not asked:
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
    """Calls ``then`` when the person agrees to replace what is there, else ``otherwise``."""
    box = MessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setWindowTitle(tr("Replace"))
    box.setText(tr("{text} Replace what is there?", text=text))
    box.setStandardButtons(QMessageBox.StandardButton.Cancel)
    replace = box.addButton("&Replace", QMessageBox.ButtonRole.AcceptRole)
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
