"""The most severe findings of a profile, for its first page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.document.background import Background, Task
from app.profile.profile import Profile
from app.store.token import Token

if TYPE_CHECKING:
    from app.analysis.findings.finding import Finding
    from app.analysis.findings.rule import Rule

MOST = 5


class FirstFindings(QObject):
    """Checks the rules once for each profile, in the background, and calls ``ready`` when that is done."""

    def __init__(self, ready: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._ready = ready
        self._background = Background(self)
        self._of: Profile | None = None
        self._pairs: Sequence[tuple[Rule, Finding]] = ()

    def of(self, profile: Profile) -> Sequence[tuple[Rule, Finding]]:
        """The first MOST findings; empty while they are not known."""
        if self._of is not profile:
            self._of, self._pairs = profile, ()
            self._background.run(Task(lambda token, _: _checked(profile, token), self._take, lambda _: None))
        return self._pairs

    def clear(self) -> None:
        """Forgets the profile."""
        self._background.cancel()
        self._of, self._pairs = None, ()

    def _take(self, pairs: Sequence[tuple[Rule, Finding]]) -> None:
        self._pairs = pairs
        if pairs:
            self._ready()


def _checked(profile: Profile, token: Token) -> Sequence[tuple[Rule, Finding]]:
    from app.analysis.findings import outcomes, ranked  # the rules are imported when they are needed

    return [pair for pair in ranked(outcomes(profile, look=token.check)) if pair[0].id != "file.doubts"][:MOST]
