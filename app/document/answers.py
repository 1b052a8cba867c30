"""What can be said of the shown profile in a few sentences: what bounds it, and what was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from PySide6.QtCore import QObject, Signal

from app.document.background import Background, Task
from app.document.user_choices import ThresholdsModel
from app.formats.errors import FormatError

if TYPE_CHECKING:
    from app.analysis.findings.finding import Finding, Rule
    from app.analysis.verdicts.answer import Lines, Verdict
    from app.profile.profile import Profile
    from app.store.token import Token

ELSEWHERE: Final = ("file.doubts", "time.verdict")
"""Rules whose findings are said by the verdicts, and by the badge of the issues."""


class Answers(Struct, frozen=True, eq=False):
    """``lines``: those below each verdict, by what it is about; ``verdicts``: with these lines; ``findings``: the most
    severe first. ``known``: False while they are computed; ``failed``: why they
    could not be, "" if they were."""

    lines: Lines = field(default_factory=dict)
    verdicts: Sequence[Verdict] = ()
    findings: Sequence[tuple[Rule, Finding]] = ()
    known: bool = True
    failed: str = ""

    @property
    def unsaid(self) -> list[tuple[Rule, Finding]]:
        """The findings without those that are said elsewhere."""
        return [pair for pair in self.findings if pair[0].id not in ELSEWHERE]


UNKNOWN: Final = Answers(known=False)


class AnswersModel(QObject):
    """Answers once for each profile and thresholds, in a thread. Signal ``changed``: they are known now, or others."""

    changed = Signal()

    def __init__(self, thresholds: ThresholdsModel, parent: QObject) -> None:
        super().__init__(parent)
        self._thresholds = thresholds
        self._background = Background(self)
        self._of: tuple[Profile, Mapping[str, float]] | None = None
        self._answers = UNKNOWN
        thresholds.changed.connect(self._again)

    def of(self, profile: Profile) -> Answers:
        """The answers about a profile that is completely read. While they are computed: UNKNOWN, or those for other
        thresholds."""
        thresholds = self._thresholds.values
        if self._of is None or self._of[0] is not profile or self._of[1] != thresholds:
            if self._of is None or self._of[0] is not profile:
                self._answers = UNKNOWN
            self._of = profile, thresholds
            self._background.run(Task(lambda token, _: _answers(profile, thresholds, token), self._take, self._fail))
        return self._answers

    def follow(self, profile: Profile | None) -> None:
        """Forgets a profile that is shown no longer."""
        if self._of is not None and self._of[0] is not profile:
            self._background.cancel()
            self._of, self._answers = None, UNKNOWN

    def _again(self) -> None:
        if self._of is not None:
            self.changed.emit()

    def _fail(self, error: FormatError) -> None:
        self._take(Answers(failed=str(error)))

    def _take(self, answers: Answers) -> None:
        self._answers = answers
        self.changed.emit()


def _answers(profile: Profile, thresholds: Mapping[str, float], token: Token) -> Answers:
    from app.analysis.findings import ranked  # the rules are imported when they are needed
    from app.analysis.findings.thresholds import with_values
    from app.analysis.verdicts import verdicts
    from app.analysis.verdicts.lines import expert_lines
    from app.store.findings import outcomes

    lines = expert_lines(profile, token.check)
    pairs = ranked(outcomes(profile, with_values(thresholds), look=token.check))
    token.check()
    said = verdicts(profile, lines=lines)
    return Answers(lines, said, pairs)
