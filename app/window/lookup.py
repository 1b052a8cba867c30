"""Looks up what is typed, in threads: names and numbers at once, cells of tables when they are found."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.background import Background, Question

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Answer, Mode, Source
    from app.formats.errors import FormatError
    from app.profile.profile import Profile
    from app.profile.time_note import TimeNote
    from app.store.token import Token

REDRAW_MS = 40
"""Answers that come one after the other are shown together."""


class Lookup(QObject):
    """The newest text counts; asking again takes the question before back. Signal ``changed`` when more has been
    found, or all."""

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._threads = Background(self), Background(self)  # the second for what is slow
        self._later = QTimer(self, interval=REDRAW_MS, singleShot=True)
        self._later.timeout.connect(self.changed)
        self._answers: list[dict[str, Answer]] = [{}, {}]
        self._sources: tuple[Source, ...] = ()
        self.failure = ""
        self.asked: tuple[Profile, tuple[TimeNote, ...], str, Mode] | None = None

    @property
    def quick_busy(self) -> bool:
        """Whether names and numbers are still being looked up."""
        return self._threads[0].busy

    @property
    def busy(self) -> bool:
        return any(thread.busy for thread in self._threads)

    def ask(self, profile: Profile, notes: tuple[TimeNote, ...], text: str, mode: Mode) -> None:
        """Looks up ``text`` in a profile and the person's notes on it, unless that is what is being looked up."""
        if self.asked is not None and self.asked[0] is profile and self.asked[1:] == (notes, text, mode):
            return
        from app.analysis.lookup.in_notes import notes_source
        from app.analysis.lookup.sources import SOURCES  # brings every table along

        self.cancel()
        self.asked = profile, notes, text, mode
        self._sources = tuple(source for source in (notes_source(notes), *SOURCES) if mode in source.modes)
        self._answers = [{}, {}]
        self.failure = ""
        for place, slow in enumerate((False, True)):
            sources = tuple(source for source in self._sources if source.slow == slow)
            if sources:
                self._begin(place, sources, profile, text)

    def cancel(self) -> None:
        """Forgets the question and what was found."""
        self.asked = None
        self._later.stop()
        for thread in self._threads:
            thread.cancel()

    def groups(self) -> list[tuple[Source, Answer]]:
        """What has been found, in the order of the list of sources; those that found nothing are left out."""
        known = {**self._answers[0], **self._answers[1]}
        return [(source, known[source.id]) for source in self._sources if source.id in known and known[source.id].hits]

    def _begin(self, place: int, sources: tuple[Source, ...], profile: Profile, text: str) -> None:
        answers = self._answers[place]

        def work(token: Token, tell: Callable[[int, int], None]) -> None:
            for number, source in enumerate(sources, 1):
                token.check()
                answers[source.id] = source.find(profile, text, token.check)
                tell(number, len(sources))

        self._threads[place].ask(Question(work, lambda _: self._arrived(), self._failed, lambda *_: self._more()))

    def _more(self) -> None:
        if not self._later.isActive():
            self._later.start()

    def _arrived(self) -> None:
        self._later.stop()
        self.changed.emit()

    def _failed(self, error: FormatError) -> None:
        self.failure = str(error)
        self._arrived()
