"""What must survive the end of the program: what is open, offered again after a crash, and notes that are not saved."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMessageBox, QToolButton

from app.analysis.view_links.text import written
from app.analysis.view_links.view_link import ViewLink
from app.document.background import Background, Task
from app.document.state_saver import StateSaver
from app.language import joined, plural, tr
from app.profile.one_line import one_line
from app.store.session_files import LeftSession, OwnSession, Session, forget, left_sessions
from app.views.texts import CAPTION, first_names, shown_line
from app.widgets.texts import set_style_property
from app.widgets.tips import set_tip
from app.window.command import CommandContext
from app.window.links import known_ref, link_to_view
from app.window.notices import TRY_AGAIN, Notice

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.window.main_window import MainWindow


WRITE_MS: Final = 1000
"""Delay in ms from the first change until the session is written."""
LOOK_MS: Final = 3000
"""Between two looks at what no signal tells: the zoom, order and choices of the panel in use."""
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
        self._looks = QTimer(self, interval=LOOK_MS)
        self._looks.timeout.connect(self._look)
        self._looks.start()
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
        self._looks.stop()
        self._writing.stop()
        self._own.end()

    def _look(self) -> None:
        if QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive:
            self.write()

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


class UnsavedNotes(QObject):
    """Shows a notice for each file whose notes could not be saved, and a badge in the status bar until all are.
    ``may_close`` asks when the window closes."""

    def __init__(self, context: CommandContext, saver: StateSaver) -> None:
        super().__init__(context.main)
        self._context = context
        self._saver = saver
        self._notices: list[Notice] = []
        self._box: QMessageBox | None = None
        self._abandoned = False
        self.badge = QToolButton(context.footer)
        self.badge.setObjectName("unsavedBadge")
        self.badge.setAutoRaise(True)
        self.badge.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(self.badge, "tone", "error")
        self.badge.clicked.connect(lambda: self._try_again())
        context.footer.addPermanentWidget(self.badge)
        self.badge.hide()
        saver.unsaved_changed.connect(self._show)

    @property
    def lines(self) -> list[str]:
        """One line for each file whose notes are not saved."""
        return [
            tr("Not saved: notes of {name} ({reason})", name=shown_line(file.name, CAPTION), reason=file.reason)
            for file in self._saver.unsaved
        ]

    def may_close(self) -> bool:
        """Saves what is due. Whether the window may close; if notes cannot be saved, the user is asked, and the window
        closes later."""
        self._saver.write(at_end=True)
        if not self._saver.unsaved or self._abandoned:
            return True
        if self._box is None:
            self._ask()
        return False

    def finish(self) -> None:
        """Saves what is due at the end of the program, and prints what is lost."""
        self._saver.write(at_end=True)
        for line in self.lines:
            print(one_line(line), file=sys.stderr)

    def _show(self) -> None:
        notices = self._context.notices
        notices.withdraw(self._notices)
        self._notices = [
            Notice(
                "error",
                tr("{problem}. They are kept until the window closes, and saved as soon as possible.", problem=line),
                "write",
                {TRY_AGAIN: self._saver.write},
            )
            for line in self.lines
        ]
        for notice in self._notices:
            notices.add(notice)
        self.badge.setVisible(bool(self._notices))
        count = len(self._notices)
        text = plural("Not saved: notes of {count:,} file", "Not saved: notes of {count:,} files", count=count)
        self.badge.setText(text)
        self.badge.setAccessibleName(shown_line(text))
        set_tip(self.badge, joined("\n", [*self.lines, tr("Click to try again.")]))

    def _try_again(self) -> None:
        """Saves what is due, and shows the notices that the user dismissed if that fails."""
        self._saver.write()
        self._show()

    def _ask(self) -> None:
        from app.widgets.dialogs import MessageBox
        from app.widgets.mnemonics import mark_mnemonics

        box = self._box = MessageBox(self._context.main)
        box.setWindowTitle(tr("Notes are not saved"))
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("\n".join(self.lines))
        box.setInformativeText(tr("If you close the window now, these notes are lost."))
        box.setStandardButtons(QMessageBox.StandardButton.Cancel)
        again = box.addButton(TRY_AGAIN, QMessageBox.ButtonRole.AcceptRole)
        leave = box.addButton(tr("Close without saving"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(again)
        mark_mnemonics(box.buttons())

        def answered() -> None:
            chosen = box.clickedButton()
            self._abandoned = chosen is leave
            self._box = None
            box.deleteLater()
            if chosen in (again, leave):
                self._context.main.close()

        box.finished.connect(answered)
        box.open()
