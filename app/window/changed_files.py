"""Notices about files of open profiles that have changed on disk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.document.file_watcher import FileChanges, FileWatcher
from app.language import tr
from app.window.notices import RELOAD, Notice

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

GONE = tr("no longer exists")


class ChangedFiles(QObject):
    """Shows a notice for each changed file; it is withdrawn when the profile is closed or reloaded."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._notices = window.notices
        self._loader = window.loader
        self._shown: dict[int, list[Notice]] = {}
        self.watcher = FileWatcher(window.document, window.loader, self)
        self.watcher.changed.connect(self._show)

    def _show(self, changed: FileChanges) -> None:
        self._notices.withdraw(self._shown.pop(changed.entry, []))
        if changed.files:
            steps: dict[str, Callable[[], object]] = {RELOAD: partial(self._loader.reload, changed.entry)}
            self._shown[changed.entry] = [
                Notice("info", _line(path, what), steps={} if what == GONE else steps) for path, what in changed.files
            ]
            for notice in self._shown[changed.entry]:
                self._notices.add(notice)


def _line(path: Path, what: str) -> str:
    if what == GONE:
        return tr("{path}: the file {what}. Its data stays open until you close the profile.", path=path, what=what)
    return tr(
        "{path}: the file {what} after it was read. Tilesight shows the old content; Reload (F5) "
        "reads the new content.",
        path=path,
        what=what,
    )
