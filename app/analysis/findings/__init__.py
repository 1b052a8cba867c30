"""What is wrong with a profile, with evidence: small functions, one for each rule, over its figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from app.analysis.findings.finding import Finding, NotChecked, Outcome, Rule
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.profile.issue import Severity
from app.profile.profile import Profile

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")


def outcomes(
    profile: Profile,
    thresholds: Thresholds = DEFAULT,
    *,
    rules: Iterable[Rule] = RULES,
    look: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """What the rules that apply to ``profile`` say, in their order. ``look`` is called before each, and may raise to
    stop."""
    made = []
    for rule in rules:
        look()
        if rule.applies(profile):
            result = rule.check(profile, thresholds)
            made.append(
                Outcome(rule, why=result.why) if isinstance(result, NotChecked) else Outcome(rule, tuple(result))
            )
    return made


def ranked(made: Iterable[Outcome]) -> list[tuple[Rule, Finding]]:
    """All findings, errors first, then warnings; those of the same severity in the order of the rules."""
    pairs = [(outcome.rule, finding) for outcome in made for finding in outcome.findings]
    return sorted(pairs, key=lambda pair: SEVERITIES.index(pair[1].severity))
