"""What the rules and the first sentences say, as sections of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from app.language import joined, tr
from app.profile.issue import Severity, severity_word
from app.views.pages.document import Line, Section, Sentence
from app.views.sentences import sentence
from app.views.severities import SIGNS
from app.views.units import exact, format_value

if TYPE_CHECKING:
    from app.analysis.findings.finding import Confidence, Evidence, Finding, Outcome, Rule, Saving
    from app.analysis.verdicts.answer import State, Verdict
    from app.analysis.view_links.things import FindingLinks
    from app.views.look import Look, TextColour

STATES: Final[dict[State, tuple[str, TextColour]]] = {
    "good": ("✓", "ok"),
    "bad": ("✕", "error"),
    "doubtful": ("▲", "warning"),
    "plain": ("•", "text"),
}
"""What the sentence of a verdict begins with, and its colour."""
COLOURS: Final[dict[Severity, TextColour]] = {"error": "error", "warning": "warning", "info": "text"}
MEASURED: Final[dict[Confidence, str]] = {
    "measured": tr("Computed from figures in the file."),
    "estimated": tr("An estimate: figures of the file do not state it directly."),
}


def verdict_sentences(verdict: Verdict, look: Look | None, clock_hz: float | None) -> Iterator[Sentence]:
    """The verdict, then what is behind it."""
    sign, colour = STATES[verdict.state]
    yield Sentence(f"{sign} {sentence(verdict.text, look, clock_hz, unbroken=True)}", colour, strong=True)
    for words in verdict.detail:
        yield Sentence(sentence(words, look, clock_hz, unbroken=True), "muted", depth=1)
    for line in verdict.lines:
        text = sentence(line.words, look, clock_hz, unbroken=True)
        yield Sentence(text, "muted", depth=1, selection=line.selection)


def finding_section(
    rule: Rule,
    finding: Finding,
    look: Look | None,
    clock_hz: float | None,
    links: FindingLinks | None = None,
    thresholds: Iterable[str] = (),
) -> Section:
    """What was found, its bound, how that was decided, and its evidence. ``thresholds``: those of the rule, described;
    ``links``: to the finding and to each of its evidence."""
    saving = finding.saving
    amount = "" if saving is None else saving_text(saving, look, clock_hz)
    blocks: list[Line | Sentence | Section] = [Sentence(sentence(finding.text, look, clock_hz, unbroken=True))]
    if saving is not None:
        blocks.append(Sentence(tr("Saves at most {saving}", saving=amount), strong=True))
        blocks.append(Sentence(saving.formula, "muted", depth=1))
    blocks.append(Sentence(joined(" ", (MEASURED[finding.confidence], rule.help)), "muted"))
    blocks += (Sentence(tr("Threshold: {line}", line=line), "muted") for line in thresholds)
    addresses = ("",) * len(finding.evidence) if links is None else links.evidence
    evidence = (_evidence(own, look, clock_hz, link) for own, link in zip(finding.evidence, addresses, strict=True))
    blocks.append(Section(tr("Evidence"), tuple(evidence)))
    return Section(
        finding.title,
        tuple(blocks),
        (SIGNS[finding.severity], severity_word(finding.severity)),
        COLOURS[finding.severity],
        tr("saves at most {saving}", saving=amount) if amount else "",
        rule.id,
        "" if links is None else links.finding,
    )


def not_checked(outcomes: Iterable[Outcome]) -> Section | None:
    """The rules that could not be checked, and why; None if there are none."""
    lines = tuple(Line(one.rule.title, one.why, one.rule.help, source=one.rule.id) for one in outcomes if one.why)
    return Section(tr("Not checked"), lines) if lines else None


def saving_text(saving: Saving, look: Look | None, clock_hz: float | None) -> str:
    """``5.34 µs (operator)``."""
    amount = format_value(saving.at_most, saving.unit, look, clock_hz)
    return tr("{amount} ({scope})", amount=amount, scope=saving.scope)


def _evidence(evidence: Evidence, look: Look | None, clock_hz: float | None, link: str) -> Line:
    from app.analysis.lookup.hit import Target  # imports numpy
    from app.analysis.view_links.things import ISSUES, TABLES

    shown = format_value(evidence.value, evidence.unit, look, clock_hz)
    label = " · ".join(part for part in (evidence.key, evidence.figure) if part)
    help_ = exact(evidence.value, evidence.unit)
    there = evidence.table not in ("", ISSUES) and (evidence.row >= 0 or not evidence.key)
    target = Target(panel=TABLES, table=evidence.table, row=evidence.row) if there else None
    return Line(label, shown, help_, selection=evidence.selection, link=link, source=evidence.table, target=target)
