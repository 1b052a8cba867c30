"""The strip above the panels: the few sentences that decide about the shown profile, each a link to its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.document.background import Background, Task
from app.language import labelled, plural, tr
from app.views.texts import shown_line
from app.widgets.controls import Controls
from app.widgets.texts import Readout, set_style_property
from app.widgets.tips import set_tip
from app.window.going import COMPARISON, SUMMARY, bring_home

if TYPE_CHECKING:
    from app.analysis.compare.comparison import ComparedFigure, Comparison
    from app.analysis.part import Words
    from app.analysis.verdicts.answer import State
    from app.document.answers import Answers
    from app.profile.profile import Profile
    from app.profile.selection import Selection
    from app.views.look import Look
    from app.window.command import CommandContext

MOST: Final = 5
"""Sentences, besides the number of findings."""
FEW: Final = 4
"""With fewer of the verdicts, the most severe finding is added."""
SPACING: Final = 2
ROOM: Final = 10
"""Pixels of height besides the text."""
FINDINGS: Final = "findings"
TONES: Final[dict[State, str]] = {"good": "ok", "bad": "error", "doubtful": "warning", "plain": "text"}


class VerdictStrip(QFrame):
    """One line, which keeps its place while a file is read. Where it is narrow, the last sentences are left out; all
    of them are in the summary."""

    def __init__(self, context: CommandContext, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("verdicts")
        self._context = context
        self._claims = [Claim(self) for _ in range(MOST)]
        self.findings = Claim(self)
        self.waiting = Readout(context.display, self)
        self.row = Controls(self, *self._claims, self.findings, 1, folds=self._claims[:0:-1], spacing=SPACING)
        self.row.be_inside()
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(0)
        row.addWidget(self.row, 1)
        row.addWidget(self.waiting, 1)
        self.findings.clicked.connect(lambda: context.show_panel(FINDINGS))
        document = context.document
        document.updated.connect(self._follow)
        document.entries_changed.connect(self._follow)
        document.answers.changed.connect(self._follow)
        document.baselines.changed.connect(self._follow)
        self._background = Background(self)
        self._compared: Compared | None = None
        context.display.changed.connect(self._follow)
        self._keep_height()
        self._follow()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._keep_height()

    def _keep_height(self) -> None:
        """Whatever it says, it is as high."""
        self.setFixedHeight(self.fontMetrics().height() + ROOM)

    @property
    def claims(self) -> list[str]:
        """What is said, in order."""
        return [claim.text() for claim in (*self._claims, self.findings) if not claim.isHidden()]

    def _follow(self) -> None:
        entry, comparison = self._context.document.current, self._comparison()
        if comparison is None:
            self._background.cancel()
            self._compared = None  # else it would hold both profiles
        if entry is None:
            self._say([])
        elif not entry.done:
            self._say([], tr("Reading…"))
        else:
            answers = self._context.document.answers.of(entry.profile)
            if answers.failed:
                self._fail(answers.failed)
            elif not answers.known or (comparison is not None and self._totals_of(comparison) is None):
                self._say([], tr("Computing…"))
            else:
                self._answer(entry.profile, answers, comparison)

    def _comparison(self) -> Comparison | None:
        """That of the shown profile with its baseline, once both are read."""
        baselines, document = self._context.document.baselines, self._context.document
        before = document.entry(baselines.of(document.current_id) or 0)
        return baselines.comparison if before is not None and before.done else None

    def _totals_of(self, comparison: Comparison) -> Sequence[ComparedFigure] | None:
        """The totals; None while they are computed."""
        if self._compared is None or self._compared.comparison is not comparison:
            self._compared = Compared(comparison)
            self._background.run(Task(lambda *_: _totals(comparison), self._take_totals, self._fail))
        return self._compared.totals

    def _fail(self, error: object) -> None:
        self._say([], tr("This could not be computed: {error}", error=error))

    def _take_totals(self, totals: Sequence[ComparedFigure]) -> None:
        if self._compared is not None:
            self._compared = replace(self._compared, totals=totals)
            self._follow()

    def _answer(self, profile: Profile, answers: Answers, comparison: Comparison | None) -> None:
        look = self._context.display.look
        clock = None if profile.target is None else profile.target.clock_hz
        if comparison is None:
            self._say(list(statements(answers, look, clock)))
        else:
            self._say([compared(total, look, clock) for total in self._totals_of(comparison) or ()])
        count = len(answers.findings)
        text = plural("{count:,} finding", "{count:,} findings", count=count) if count else tr("No findings")
        self.findings.show_text(text, tr("What the rules found, each with its evidence."), "plain")
        self.findings.setVisible(True)

    def _say(self, said: list[Statement], waiting: str = "") -> None:
        for claim in (*self._claims, self.findings):
            claim.hide()
        for claim, one in zip(self._claims, said, strict=False):
            claim.show_text(one.text, one.whole, one.state)
            claim.run = partial(self._show, one.selection)
            claim.show()
        self.waiting.say(waiting, muted=True)
        self.waiting.setVisible(bool(waiting))
        self.row.setVisible(not waiting)

    def _show(self, selection: Selection | None) -> None:
        """Selects the evidence, in sight; without one, the summary says more, or the comparison."""
        if selection is None:
            self._context.show_panel(SUMMARY if self._compared is None else COMPARISON)
            return
        bring_home(self._context, selection.kind)
        self._context.document.selection.set(selection)


class Claim(QToolButton):
    """One sentence; ``run``: what a click does."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("claim")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.run: Callable[[], object] = lambda: None
        self.clicked.connect(lambda: self.run())
        self.hide()

    def show_text(self, text: str, whole: str, state: State) -> None:
        """Says ``text``, and ``whole`` in the tool tip."""
        self.setText(shown_line(text).replace("&", "&&"))
        self.setAccessibleName(shown_line(text))
        set_tip(self, whole)
        set_style_property(self, "tone", TONES[state])


class Compared(Struct, frozen=True, eq=False):
    """``totals``: None while they are computed."""

    comparison: Comparison
    totals: Sequence[ComparedFigure] | None = None


def _totals(comparison: Comparison) -> list[ComparedFigure]:
    from app.analysis.compare.ranking import total_figures  # only with a baseline

    return [total for total in total_figures(comparison).values() if total is not None]


def compared(total: ComparedFigure, look: Look | None, clock_hz: float | None) -> Statement:
    """``Duration: 9.20 µs, baseline 7.98 µs (+15.3 %)``."""
    from app.views.units import change, format_value, signed_percent  # imports numpy

    before, after = (format_value(value, total.unit, look, clock_hz) for value in total.display)
    percent, difference = total.percent, change(total.difference, total.unit, look, clock_hz)
    text = tr(
        "{what}: {after}, baseline {before} ({change})",
        what=total.label,
        after=after,
        before=before,
        change=difference if percent is None else signed_percent(percent),
    )
    return Statement(text, labelled(text, difference), "plain", None)


class Statement(Struct, frozen=True):
    """``text``: what is said; ``whole``: all that is meant; ``selection``: its evidence."""

    text: str
    whole: str
    state: State
    selection: Selection | None


def statements(answers: Answers, look: Look | None, clock_hz: float | None) -> Iterator[Statement]:
    """What decides, at most MOST: first what the verdicts say, then the most severe finding if that is little."""
    from app.views.pages.findings import STATES  # with what it draws from: numpy
    from app.views.sentences import sentence
    from app.views.severities import SIGNS
    from app.views.units import format_value

    said: list[Statement] = []

    def say(sign: str, state: State, short: Words, words: Words, evidence: Selection | None) -> None:
        if short:
            texts = (sentence(own, look, clock_hz, unbroken=True) for own in (short, words))
            said.append(Statement(sign + next(texts), next(texts), state, evidence))

    for verdict in answers.verdicts:
        sign = "" if verdict.state == "plain" else f"{STATES[verdict.state][0]} "
        say(sign, verdict.state, verdict.short, verdict.text, verdict.selection)
        for line in verdict.lines:
            say("", "plain", line.short, line.words, line.selection)
    yield from said[:MOST]
    for _, finding in answers.unsaid[:1] if len(said) < FEW else ():
        if finding.saving is not None:
            bound = format_value(finding.saving.at_most, finding.saving.unit, look, clock_hz)
            text = tr("{title}: at most {bound}", title=finding.title, bound=bound)
            evidence = (own.selection for own in finding.evidence if own.selection is not None)
            whole = sentence(finding.text, look, clock_hz)
            yield Statement(f"{SIGNS[finding.severity]} {text}", whole, "plain", next(evidence, None))
