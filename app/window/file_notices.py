"""Notices about files of open profiles: changed or damaged on disk, mismatched, or lacking a partner; and about
baselines without a profile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.analysis.mismatches import mismatch_line
from app.document.file_watcher import FileChanges, FileWatcher, Partner, Partners
from app.language import tr
from app.views.texts import CAPTION, shown_line
from app.window.notices import RELOAD, Notice

if TYPE_CHECKING:
    from app.document.baselines import BaselineDocument
    from app.document.entry import Entry
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


class PairNotices(QObject):
    """Shows a notice for each mismatch and each missing partner; it is withdrawn when the profile is closed or
    reloaded."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._offers: dict[int, Notice] = {}
        self._folders: dict[int, Path] = {}
        self._mismatches: dict[int, tuple[int, Notice]] = {}
        self.partners = Partners(window.document, self)
        self.partners.changed.connect(self._offer)
        window.document.entries_changed.connect(self._follow)
        self._follow()

    def _offer(self, partner: Partner) -> None:
        """Offers what completes an open profile; nothing is read until the user accepts."""
        before = self._offers.pop(partner.entry, None)
        self._folders.pop(partner.entry, None)
        if before is not None:
            self._window.notices.withdraw([before])
        entry = self._document.entry(partner.entry)
        if entry is not None and partner.path is not None and not self._is_part(entry):
            notice = (
                self._folder_offer(entry, partner.path) if partner.around else self._file_offer(entry, partner.path)
            )
            self._offers[partner.entry] = notice
            self._window.notices.add(notice)

    def _file_offer(self, entry: Entry, path: Path) -> Notice:
        """Offers to open the entry's file together with a partner file."""
        step = tr("Open with {path}", path=shown_line(path.name, CAPTION))
        join = partial(self._window.loader.join, entry.id, [path])
        part = entry.profile.origin.paths[0]
        text = (
            tr("{part} is opened alone. {path} seems to be its execution profile.", part=part, path=path.name)
            if entry.profile.execution is None
            else tr("{part} is opened alone. {path} seems to be its graph profile.", part=part, path=path.name)
        )
        return Notice("info", text, steps={step: join})

    def _folder_offer(self, entry: Entry, folder: Path) -> Notice:
        """Offers to open the report that the entry's file is a part of."""
        own = entry.profile.origin.paths[0]
        self._folders[entry.id] = folder
        text = tr(
            "{part} is opened alone. The folder {folder} contains more files of the same report.",
            part=own.name,
            folder=folder,
        )
        return Notice("info", text, steps={tr("Open folder"): partial(self._open_folder, folder)})

    def _open_folder(self, folder: Path) -> None:
        """Opens a folder once, however many of its files were opened alone, and withdraws their offers."""
        offered = [entry for entry, of in self._folders.items() if of == folder and entry in self._offers]
        if offered:
            self._window.notices.withdraw([self._offers.pop(entry) for entry in offered])
            self._window.loader.open([folder])

    def _is_part(self, entry: Entry) -> bool:
        """Whether another open profile has the files of ``entry``, and more."""
        own = set(entry.profile.origin.paths)
        return any(own < set(other.profile.origin.paths) for other in self._document.entries)

    def _follow(self) -> None:
        """Updates the notices about mismatches when profiles were opened, closed or reloaded."""
        entries = {entry.id: entry for entry in self._document.entries if entry.done}
        for entry_id, (job, notice) in list(self._mismatches.items()):
            if entry_id not in entries or entries[entry_id].job != job:
                del self._mismatches[entry_id]
                if all(other != notice for _, other in self._mismatches.values()):
                    self._window.notices.withdraw([notice])
        for entry in entries.values():
            mismatch, origin = entry.profile.mismatch, entry.profile.origin
            if mismatch is not None and entry.id not in self._mismatches:
                notice = Notice("info", f"{mismatch_line(entry.profile)}.")
                self._mismatches[entry.id] = entry.job, notice
                self._window.notices.add(notice)
                if origin.apart:
                    self._window.recent_files.part([*origin.paths, *origin.apart])


class UnusedBaselines(QObject):
    """Says what a baseline document is that was opened while there is no profile; the notice is withdrawn when it is
    used."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._shown: list[Notice] = []
        window.loader.idle.connect(self._look)
        window.document.baselines.changed.connect(self._look)

    def _look(self) -> None:
        self._window.notices.withdraw(self._shown)
        document = self._window.baseline_opener.unused
        self._shown = [] if document is None else [Notice("info", _about_document(document))]
        for notice in self._shown:
            self._window.notices.add(notice)


def _about_document(document: BaselineDocument) -> str:
    return tr(
        "{path}: this is a baseline of {name}, written by `tilesight baseline`. The next profile that you open is "
        "compared with it.",
        path=document.path,
        name=document.kept.name,
    )
