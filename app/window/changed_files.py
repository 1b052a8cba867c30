"""Notices about files of open profiles that have changed on disk, and about columns that were damaged there."""

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
    """Shows a notice for each changed file, and one for damaged columns, whose files are read again at once; they are
    withdrawn when the profile is closed or reloaded."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._notices = window.notices
        self._loader = window.loader
        self._document = window.document
        self._shown: dict[int, list[Notice]] = {}
        self.watcher = FileWatcher(window.document, window.loader, self)
        self.watcher.changed.connect(self._show)

    def _show(self, changed: FileChanges) -> None:
        before = self._shown.pop(changed.entry, [])
        self._notices.withdraw(before)
        steps: dict[str, Callable[[], object]] = {RELOAD: partial(self._loader.reload, changed.entry)}
        notices = [
            Notice("info", _line(path, what), steps={} if what == GONE else steps) for path, what in changed.files
        ]
        if changed.damaged:
            notices.append(Notice("info", self._damaged(changed.entry), steps=steps))
            self._loader.reload(changed.entry)
        for notice in notices:
            self._notices.add(notice)
        if notices:
            self._shown[changed.entry] = notices

    def _damaged(self, entry_id: int) -> str:
        entry = self._document.entry(entry_id)
        return tr(
            "{name}: its cached columns were truncated by another program. Figures may be wrong until the files are "
            "read again.",
            name="" if entry is None else entry.profile.name,
        )


def _line(path: Path, what: str) -> str:
    if what == GONE:
        return tr("{path}: the file {what}. Its data stays open until you close the profile.", path=path, what=what)
    return tr(
        "{path}: the file {what} after it was read. Tilesight shows the old content; Reload (F5) "
        "reads the new content.",
        path=path,
        what=what,
    )
