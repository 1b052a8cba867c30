"""What bounds a profile in time, as a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.analysis.findings.ascend_pipes import about_cores, work_evidence
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import joined_words
from app.analysis.time.available import plain_trace
from app.analysis.time.verdict import NOT_KNOWN, TimeVerdict, beside, time_verdict
from app.language import tr
from app.profile.profile import Profile


def _verdict(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    verdict = time_verdict(profile)
    if verdict is None:
        return NotChecked(NOT_KNOWN)
    lines = (verdict.text, *(line.words for line in (*verdict.behind, *beside(profile, verdict))))
    text = joined_words((*words, ".") for words in lines)
    return (Finding("info", _title(verdict), text, _evidence(verdict)),)


def _title(verdict: TimeVerdict) -> str:
    if verdict.bound == "pipe":
        return tr("{pipe} bound", pipe=verdict.by)
    if verdict.bound == "none":
        return tr("No single bound: {pipe} works most", pipe=verdict.by)
    return tr("Latency bound") if verdict.bound == "latency" else tr("Critical work and waits")


def _evidence(verdict: TimeVerdict) -> tuple[Evidence, ...]:
    saved = Evidence("", "", tr("at most saved by scheduling"), verdict.at_most, verdict.unit)
    if verdict.use is not None:
        return (*work_evidence(verdict.use), saved)
    row = str(verdict.selection.indices[0]) if verdict.selection is not None else ""
    return (
        Evidence("slices" if row else "", row, tr("critical work"), verdict.work, verdict.unit, verdict.selection),
        Evidence("", "", tr("span"), verdict.span, verdict.unit),
        saved,
    )


def _has_time(profile: Profile) -> bool:
    """Whether it is about an Ascend operator, or a timeline of a trace."""
    line = profile.timeline
    return about_cores(profile) or (line is not None and bool(len(line.flows.to_slice)) and plain_trace(profile))


RULES: Final = (
    Rule(
        "time.verdict",
        tr("What bounds the time"),
        tr(
            "The core that ends last is bound by a pipe whose own work is at least 80 % of its time; if no pipe "
            "reaches half, by latency. Traces without pipes: work and waits on the critical path."
        ),
        ("timeline", "operator"),
        _verdict,
        (),
        _has_time,
    ),
)
