"""What the reader and the consistency checks say, as a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from app.analysis.findings import popef
from app.analysis.findings.finding import Evidence, Finding, Rule
from app.analysis.findings.thresholds import Thresholds
from app.language import plural, tr
from app.profile.issue import Issue, severity_word
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
        text = tr("Figures based on these places are missing or doubtful.")
        return (Finding("error", title, (text,), _evidence([*errors, *warnings])),)
    if warnings:
        title = plural(
            "{count:,} contradiction or implausible value in the files",
            "{count:,} contradictions or implausible values in the files",
            count=len(warnings),
        )
        text = tr("Where two figures contradict each other, both are shown as stored.")
        return (Finding("warning", title, (text,), _evidence(warnings)),)
    return ()


def _evidence(issues: Sequence[Issue]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence("issues", issue.where, severity_word(issue.severity), issue.text) for issue in issues[:_MOST_LISTED]
    )


RULES: Final = (
    Rule(
        "file.doubts",
        tr("Contradictions and implausible values in the files"),
        tr("Errors and warnings of the reader and of the consistency checks; the Issues panel lists all of them."),
        (),
        _doubts,
    ),
)
