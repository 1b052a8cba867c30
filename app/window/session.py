"""Remembers what is open, and offers after a crash to open it again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from app.analysis.view_links.text import written
from app.analysis.view_links.view_link import ViewLink
from app.document.background import Background, Task
from app.language import plural
from app.store.session_files import LeftSession, OwnSession, Session, forget, left_sessions
from app.views.texts import CAPTION, first_names, shown_line
from app.window.link_making import known_ref, link_to_view
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.document.document import Entry
    from app.window.main_window import MainWindow

WRITE_MS: Final = 1000
"""Delay in ms from the first change until the session is written."""
NAMED: Final = 5


class SessionKeeper(QObject):
    """Writes the session of this process in the background, soon after each change, and deletes it at an orderly end.
    Sessions of processes that ended otherwise are offered in one notice; nothing is opened before the user agrees."""

    def __init__(self, window: MainWindow, home: Path) -> None:
        super().__init__(window)
        self._window = window
        self._home = home
        self._own = OwnSession(home)
        self._links: dict[int, ViewLink] = {}
        """By entry, as it was when it was last in front."""
        self._written = Session()
        self._writing, self._looking = Background(self), Background(self)
        self._timer = QTimer(self, interval=WRITE_MS, singleShot=True)
        self._timer.timeout.connect(self.write)
        document = window.document
        for signal in (document.entries_changed, document.selection.changed, document.ranges.changed):
            signal.connect(self._later)
        for signal in (document.baselines.changed, document.states.changed, window.prepare().changed):
            signal.connect(self._later)
        self._later()
        self._looking.run(Task(lambda _token, _progress: left_sessions(home), self._offer, lambda _: None))

    def write(self) -> None:
        """Writes the session if it changed; waits while a session is being restored."""
        if self._window.links.busy:
            self._later()
            return
        session = self._session()
        if session != self._written:
            self._written = session
            self._writing.run(Task(lambda _token, _progress: self._own.write(session), _ignore, _ignore))

    def end(self) -> None:
        """Deletes the session: the program ends in order."""
        self._timer.stop()
        self._writing.stop()
        self._own.end()

    def _later(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _session(self) -> Session:
        document = self._window.document
        entries = [entry for entry in document.entries if entry.profile.origin.paths]
        links = {entry.id: self._link(entry) for entry in entries}
        self._links = links
        ids = list(links)
        shown = ids.index(document.current_id) if document.current_id in links else 0
        return Session(tuple(map(written, links.values())), shown)

    def _link(self, entry: Entry) -> ViewLink:
        document = self._window.document
        if entry.id == document.current_id:
            link = link_to_view(self._window, known_ref)
            if link is not None:
                return link
        baseline = document.entry(document.baselines.of(entry.id) or 0)
        ref = None if baseline is None or not baseline.profile.origin.paths else known_ref(document, baseline)
        link = self._links.get(entry.id) or ViewLink(known_ref(document, entry))
        return replace(link, profile=known_ref(document, entry), baseline=ref)

    def _offer(self, sessions: list[LeftSession]) -> None:
        """Offers the newest of several profiles that are the same."""
        links = list({link.profile: link for session in reversed(sessions) for link in session.links}.values())
        if not links:
            return
        last = sessions[0].links[sessions[0].shown]
        notices = self._window.notices

        def restore() -> None:
            notices.withdraw([notice])
            self._window.links.follow_all(links, links.index(last))
            self._drop(sessions, Session(tuple(map(written, links)), links.index(last)))

        count = len(links)
        names = first_names([shown_line(_name(link.profile.paths), CAPTION) for link in links], NAMED)
        text = plural(
            "Tilesight ended unexpectedly. {count:,} profile was open: {names}.",
            "Tilesight ended unexpectedly. {count:,} profiles were open: {names}.",
            count=count,
            names=", ".join(names),
        )
        button = plural("Restore {count:,} profile", "Restore {count:,} profiles", count=count)
        notice = Notice("info", text, steps={button: restore}, dismissed=partial(self._drop, sessions, None))
        notices.add(notice)

    def _drop(self, sessions: list[LeftSession], instead: Session | None) -> None:
        """Deletes sessions that were restored (then ``instead`` is the session of this process, until all is open
        again) or dismissed."""

        def work(*_: object) -> None:
            if instead is not None:
                self._own.write(instead)
            for session in sessions:
                forget(session)

        self._written = instead or self._written
        self._looking.run(Task(work, _ignore, _ignore))


def _name(paths: Sequence[Path]) -> str:
    """The name of the file, or of the folder of several."""
    return (paths[0] if len(paths) == 1 else paths[0].parent).name


def _ignore(*_: object) -> None:
    """A session that cannot be written is not offered later; nothing that the user does depends on it."""
