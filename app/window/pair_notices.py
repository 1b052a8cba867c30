"""Notices about files that do not belong together, and offers to open a missing partner file."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.analysis.mismatches import mismatch_line
from app.document.partners import Partner, Partners
from app.language import tr
from app.widgets.texts import CAPTION, shown_line
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class PairNotices(QObject):
    """Shows a notice for each mismatch and each missing partner; it is withdrawn when the profile is closed or
    reloaded."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._offers: dict[int, Notice] = {}
        self._mismatches: dict[int, tuple[int, Notice]] = {}
        self.partners = Partners(window.document, self)
        self.partners.changed.connect(self._offer)
        window.document.entries_changed.connect(self._follow)
        self._follow()

    def _offer(self, partner: Partner) -> None:
        """Offers a partner file found beside an open profile; nothing is read until the user accepts."""
        before = self._offers.pop(partner.entry, None)
        if before is not None:
            self._window.notices.withdraw([before])
        entry = self._document.entry(partner.entry)
        if entry is not None and partner.path is not None:
            own = entry.profile.origin.paths[0]
            step = tr("Open with {path}", path=shown_line(partner.path.name, CAPTION))
            join = partial(self._window.loader.join, entry.id, [partner.path])
            lacks = tr("the execution") if entry.profile.execution is None else tr("the graph")
            text = tr(
                "{part}: opened alone. {path} beside it looks like {lacks} that belongs to it.",
                part=own,
                path=partner.path.name,
                lacks=lacks,
            )
            notice = Notice("info", text, steps={step: join})
            self._offers[partner.entry] = notice
            self._window.notices.add(notice)

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
