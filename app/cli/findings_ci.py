"""`findings --format junit` and `--format github`: findings as tests of a build, and as annotations of a change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from app.analysis.findings import SEVERITIES, ranked
from app.analysis.findings.finding import Finding, Outcome
from app.cli.annotations import Annotation, Level
from app.cli.findings_json import Checked
from app.cli.junit import Case, Suite
from app.cli.locations import relative
from app.formats.registry import Refusal
from app.language import joined, tr
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.views.pages.findings import saving_text
from app.views.sentences import sentence

LEVELS: Final[dict[Severity, Level]] = {"error": "error", "warning": "warning", "info": "notice"}
FILES: Final = "files"
"""The suite of files that could not be read."""


def reaches(finding: Finding, fail_on: Severity | None) -> bool:
    """Whether the finding is at least as severe as `--fail-on`."""
    return fail_on is not None and SEVERITIES.index(finding.severity) <= SEVERITIES.index(fail_on)


def suites(checked: Checked, refusals: Sequence[Refusal], fail_on: Severity | None) -> list[Suite]:
    """A suite for each profile with a test for each rule; those with a finding that reaches ``fail_on`` fail."""
    made = [Suite(profile.name, [_case(profile, one, fail_on) for one in outcomes]) for profile, outcomes in checked]
    unread = [Case(str(refusal.path), "error", str(refusal.error)) for refusal in refusals]
    return [*made, *([Suite(FILES, unread)] if unread else [])]


def _case(profile: Profile, outcome: Outcome, fail_on: Severity | None) -> Case:
    if outcome.why:
        return Case(outcome.rule.id, "skipped", outcome.why)
    severe = [finding for finding in outcome.findings if reaches(finding, fail_on)]
    texts = "\n".join(f"{finding.title}. {_text(profile, finding)}" for finding in outcome.findings)
    message = joined("; ", (finding.title for finding in severe))
    return Case(outcome.rule.id, "failure" if severe else "passed", message, texts)


def annotations_of(checked: Checked, refusals: Sequence[Refusal], root: Path) -> Iterator[Annotation]:
    """The findings, errors first, at the first file of their profile if it is below ``root``."""
    for refusal in refusals:
        yield Annotation("error", refusal.path.name, str(refusal.error), relative(refusal.path, root))
    for profile, outcomes in checked:
        paths = profile.origin.paths
        file = relative(paths[0], root) if paths else ""
        for rule, finding in ranked(outcomes):
            title = f"{finding.title} ({rule.id})"
            yield Annotation(LEVELS[finding.severity], title, f"{profile.name}: {_text(profile, finding)}", file)


def _text(profile: Profile, finding: Finding) -> str:
    clock = profile.target.clock_hz if profile.target is not None else None
    text = sentence(finding.text, None, clock)
    if finding.saving is None:
        return text
    return joined(" ", (text, tr("Saves at most {saving}", saving=saving_text(finding.saving, None, clock))))
