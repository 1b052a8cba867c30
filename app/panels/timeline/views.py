"""Timelines of open profiles as they were left: while they are open, and from one run to the next."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from app.document.document import Document
from app.panels.timeline.searching import SOURCE
from app.profile.timeline import Timeline
from app.widgets.display import Look
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.model import Model
from app.widgets.timeline.scene import Place
from app.widgets.timeline.state import Shown, restore, saved_state

SAVE_MS = 500
"""How a timeline is seen is remembered when nothing has moved for so long."""
MOST = 4
"""Timelines of other open profiles that stay as they were left."""


class Views(QObject):
    """The last few timelines by the id of their entry in the document."""

    def __init__(self, document: Document, canvas: TimelineCanvas) -> None:
        super().__init__(canvas)
        self._document, self._canvas = document, canvas
        self._shown: dict[int, Shown] = {}
        self._entry: int | None = None
        self._later = QTimer(self, interval=SAVE_MS, singleShot=True)
        self._later.timeout.connect(self._save_view)
        document.entry_closed.connect(self._forget_closed)

    def __contains__(self, entry: int) -> bool:
        return entry in self._shown

    def known(self, entry: int, timeline: Timeline) -> Shown | None:
        """That very timeline as it was left; None where the entry has another one by now, or was never shown."""
        shown = self._shown.get(entry)
        return shown if shown is not None and shown.model.timeline is timeline else None

    def make(self, entry: int, model: Model, look: Look) -> Shown:
        """A timeline that is new to its entry, seen as the last one was: that of this run, or of the last one."""
        before = self._shown.pop(entry, None)
        place = before.place if before is not None else Place(self._canvas.width(), self._canvas.height())
        shown = Shown(model, look, place)
        if before is not None:
            shown.like(before)
        else:
            self._restore(shown, entry)
        self._shown[entry] = shown
        while len(self._shown) > MOST:
            self._shown.pop(next(iter(self._shown)))
        return shown

    def show_entry(self, entry: int | None) -> None:
        """Whose timeline is on the canvas now."""
        self._entry = entry

    def restored(self, entry: int) -> Shown | None:
        """What was left in an earlier run has arrived: the timeline it was given to, unless the person was quicker."""
        shown = self._shown.get(entry)
        if shown is None or saved_state(shown):
            return None
        self._restore(shown, entry)
        return shown

    def set_look(self, look: Look) -> None:
        """Units or colours changed."""
        for shown in self._shown.values():
            shown.set_look(look)

    def moved(self) -> None:
        """Another part is seen: that is remembered in a while."""
        self._later.start()

    def _restore(self, shown: Shown, entry: int) -> None:
        saved = self._document.states.view(entry, SOURCE)
        if saved is not None:
            restore(shown, saved)

    def _save_view(self) -> None:
        """Remembers how the timeline is seen, once it is not as it was at first."""
        shown, states = self._canvas.shown, self._document.states
        if shown is None or self._entry is None or self._shown.get(self._entry) is not shown:
            return
        saved = saved_state(shown)
        if saved or states.view(self._entry, SOURCE) is not None:
            states.set_view(self._entry, SOURCE, saved)

    def _forget_closed(self) -> None:
        open_now = {entry.id for entry in self._document.entries}
        self._shown = {entry: shown for entry, shown in self._shown.items() if entry in open_now}
