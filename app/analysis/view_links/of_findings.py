"""Links to findings and to what they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from app.analysis.findings.finding import Evidence, Finding, Rule
from app.analysis.view_links.text import written
from app.analysis.view_links.things import chosen_of
from app.analysis.view_links.view_link import ProfileRef, ViewLink, ViewValue
from app.profile.profile import Profile

FINDINGS, TABLES, ISSUES = "findings", "tables", "issues"


class FindingLinks(Struct, frozen=True):
    """The text of the link to a finding, and of one to each of its evidence; "" for a profile without files."""

    finding: str
    evidence: tuple[str, ...]


def links_of(
    profile: Profile, ref: ProfileRef, pairs: Sequence[tuple[Rule, Finding]], baseline: ProfileRef | None = None
) -> list[FindingLinks]:
    """The links of findings of ``profile``, which is read from ``ref``, in their order."""
    links: list[FindingLinks] = []
    numbers: dict[str, int] = {}
    for rule, finding in pairs:
        if not ref.paths:
            links.append(FindingLinks("", ("",) * len(finding.evidence)))
            continue
        number = numbers[rule.id] = numbers.get(rule.id, -1) + 1
        evidence = tuple(written(_evidence(profile, ref, own, baseline)) for own in finding.evidence)
        view: dict[str, ViewValue] = {"rule": rule.id, "number": number}
        links.append(FindingLinks(written(ViewLink(ref, FINDINGS, view=view, baseline=baseline)), evidence))
    return links


def _evidence(profile: Profile, ref: ProfileRef, evidence: Evidence, baseline: ProfileRef | None) -> ViewLink:
    if evidence.selection is not None:
        return ViewLink(ref, chosen=chosen_of(profile, evidence.selection), baseline=baseline)
    if evidence.table == ISSUES or not evidence.table:
        return ViewLink(ref, evidence.table, baseline=baseline)
    view: dict[str, ViewValue] = {"table": evidence.table}
    if evidence.key:
        view["row"] = evidence.key
    return ViewLink(ref, TABLES, view=view, baseline=baseline)
