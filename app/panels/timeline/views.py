"""View states of timelines: cached while their profiles are open, and saved between runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.document.background import Background, Task, raise_error
from app.document.document import Document
from app.panels.timeline import SOURCE
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from app.store.token import Token
from app.views.look import Look
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown, restore, saved_state
from app.widgets.timeline.canvas import TimelineCanvas

if TYPE_CHECKING:
    from app.analysis.time.model import TimeModel

SAVE_MS = 500
"""Milliseconds without a change after which the view state is saved."""
MOST = 4
"""Number of timelines of open profiles whose view states are cached."""
LANES = "lanes"
"""In ``Edit.of``."""


class Views(QObject):
    """Caches the last few timelines by the id of their entry in the document."""

    def __init__(self, document: Document, canvas: TimelineCanvas) -> None:
        super().__init__(canvas)
        self._document, self._canvas = document, canvas
        self._shown: dict[int, Shown] = {}
        self._entry: int | None = None
        self._later = QTimer(self, interval=SAVE_MS, singleShot=True)
        self._later.timeout.connect(self._save_view)
        self._path = Background(self)
        canvas.path_changed.connect(self.moved)
        document.entry_closed.connect(self._forget_closed)
        document.states.saving.connect(self.flush)

    def __contains__(self, entry: int) -> bool:
        return entry in self._shown

    def known(self, entry: int, timeline: Timeline) -> Shown | None:
        """The cached timeline; None if the entry has another one by now, or was never shown."""
        shown = self._shown.get(entry)
        return shown if shown is not None and shown.model.timeline is timeline else None

    def make(self, entry: int, model: Model, look: Look) -> Shown:
        """Creates the view state of a new timeline of an entry, from the entry's former timeline in this run, or from
        the last run."""
        before = self._shown.pop(entry, None)
        place = before.place if before is not None else Place(self._canvas.width(), self._canvas.height())
        shown = Shown(model, look, place)
        if before is not None:
            shown.like(before)
            if _numbered(before.model) != _numbered(model):
                self._document.edits.drop(entry, LANES)
        else:
            self._restore(shown, entry)
        self._shown[entry] = shown
        while len(self._shown) > MOST:
            self._shown.pop(next(iter(self._shown)))
        return shown

    def of(self, entry: int) -> Shown | None:
        """The timeline of an entry; None if it is not cached."""
        return self._shown.get(entry)

    def show_entry(self, entry: int | None) -> None:
        """Sets the entry whose timeline will be on the canvas."""
        if entry != self._entry:
            self.flush()
            self._path.cancel()
        self._entry = entry

    def restored(self, entry: int) -> Shown | None:
        """Applies a view state restored from an earlier run and returns its timeline; None if there is none or the user
        has already changed it."""
        shown = self._shown.get(entry)
        if shown is None or saved_state(shown):
            return None
        self._restore(shown, entry)
        return shown

    def show_path(self, profile: Profile, shown: Shown) -> None:
        """Marks the critical path of a timeline that was left with it, as soon as a thread has found it."""
        self._path.cancel()
        if not shown.path_wanted or shown.path is not None:
            return

        def make(token: Token, _: object) -> TimeModel:
            from app.analysis.time.model import looked_at

            return looked_at(profile, token.check)

        def show(model: TimeModel) -> None:
            if self._canvas.shown is shown and shown.path_wanted and model.has_dependencies:
                self._canvas.show_path(model)

        self._path.run(Task(make, show, raise_error))

    def set_look(self, look: Look) -> None:
        """Applies a change of units or colours."""
        for shown in self._shown.values():
            shown.set_look(look)

    def moved(self) -> None:
        """Schedules saving of the view state."""
        self._later.start()

    def flush(self) -> None:
        """Saves the view state now if that is scheduled."""
        if self._later.isActive():
            self._later.stop()
            self._save_view()

    def _restore(self, shown: Shown, entry: int) -> None:
        saved = self._document.states.view(entry, SOURCE)
        if saved is not None:
            restore(shown, saved)

    def _save_view(self) -> None:
        """Saves the view state if it differs from the default, or replaces one that was saved before."""
        shown, states = self._canvas.shown, self._document.states
        if shown is None or self._entry is None or self._shown.get(self._entry) is not shown:
            return
        if all(entry.id != self._entry for entry in self._document.entries):
            return  # closed
        saved = saved_state(shown)
        if saved or states.view(self._entry, SOURCE) is not None:
            states.set_view(self._entry, SOURCE, saved)

    def _forget_closed(self) -> None:
        open_now = {entry.id for entry in self._document.entries}
        self._shown = {entry: shown for entry, shown in self._shown.items() if entry in open_now}


def _numbered(model: Model) -> tuple[int, int]:
    """What the numbers of processes and lanes stand for can be the same."""
    return len(model.groups), len(model.group_of_lane)
