"""What the reader and the consistency checks say, as a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.analysis.findings import popef
from app.analysis.findings.finding import Evidence, Finding
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.language import plural, tr
from app.profile.issue import Issue
from app.profile.profile import Profile

_MOST_LISTED: Final = 5


def _doubts(profile: Profile, _: Thresholds) -> Sequence[Finding]:
    """Those that no other rule reports."""
    reported = {*popef.link_issues(profile), *popef.size_issues(profile)}
    issues = [issue for issue in profile.issues if issue not in reported]
    errors = [issue for issue in issues if issue.severity == "error"]
    warnings = [issue for issue in issues if issue.severity == "warning"]
    if errors:
        title = plural("{count:,} error in the files", "{count:,} errors in the files", count=len(errors))
        text = tr("Figures that rest on these places are missing or doubtful.")
        return (Finding("error", title, (text,), _evidence([*errors, *warnings])),)
    if warnings:
        title = plural(
            "{count:,} place in the files contradicts itself or cannot be meant",
            "{count:,} places in the files contradict each other or cannot be meant",
            count=len(warnings),
        )
        text = tr("Both figures of a contradiction are shown as the files have them.")
        return (Finding("warning", title, (text,), _evidence(warnings)),)
    return ()


def _evidence(issues: Sequence[Issue]) -> tuple[Evidence, ...]:
    return tuple(Evidence("issues", issue.where, issue.severity, issue.text) for issue in issues[:_MOST_LISTED])


RULES: Final = (
    Rule(
        "file.doubts",
        tr("Places in the files that contradict each other"),
        tr("Errors and warnings of the reader and of the consistency checks; the panel Issues lists all."),
        (),
        _doubts,
    ),
)
