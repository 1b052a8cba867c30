"""What an expert would say about a profile, and its most severe findings, for its first page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from PySide6.QtCore import QObject

from app.analysis.verdicts.answer import Lines
from app.document.background import Background, Task
from app.document.thresholds import ThresholdsModel
from app.profile.profile import Profile
from app.store.token import Token

if TYPE_CHECKING:
    from app.analysis.findings.finding import Finding, Rule

MOST: Final = 5


class Answers(Struct, frozen=True):
    """``lines``: below the first sentences; ``findings``: the first MOST."""

    lines: Lines = field(default_factory=dict)
    findings: Sequence[tuple[Rule, Finding]] = ()


NONE: Final = Answers()


class AnswersOf(QObject):
    """Answers once for each profile and thresholds, in the background, and calls ``ready`` when that is done."""

    def __init__(self, thresholds: ThresholdsModel, ready: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._thresholds = thresholds
        self._ready = ready
        self._background = Background(self)
        self._of: tuple[Profile, dict[str, float]] | None = None
        self._answers = NONE
        thresholds.changed.connect(self._again)

    def of(self, profile: Profile) -> Answers:
        """The answers; NONE while they are not known."""
        thresholds = self._thresholds.values
        if self._of is None or self._of[0] is not profile or self._of[1] != thresholds:
            if self._of is None or self._of[0] is not profile:
                self._answers = NONE
            self._of = profile, thresholds
            self._background.run(
                Task(lambda token, _: _answers(profile, thresholds, token), self._take, lambda _: None)
            )
        return self._answers

    def clear(self) -> None:
        """Forgets the profile."""
        self._background.cancel()
        self._of, self._answers = None, NONE

    def _again(self) -> None:
        if self._of is not None:
            self._ready()

    def _take(self, answers: Answers) -> None:
        self._answers = answers
        if answers.lines or answers.findings:
            self._ready()


def _answers(profile: Profile, thresholds: dict[str, float], token: Token) -> Answers:
    from app.analysis.findings import ranked  # the rules are imported when they are needed
    from app.analysis.findings.thresholds import with_values
    from app.analysis.verdicts.lines import expert_lines
    from app.store.findings import outcomes

    lines = expert_lines(profile, token.check)
    pairs = ranked(outcomes(profile, with_values(thresholds), look=token.check))
    return Answers(lines, [pair for pair in pairs if pair[0].id != "file.doubts"][:MOST])
