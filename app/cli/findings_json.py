"""`findings --json` and `--sarif`: findings for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import to_builtins

from app import __version__
from app.analysis.findings import ranked
from app.analysis.findings.finding import Evidence, Finding, Outcome, Rule, Saving
from app.analysis.view_links.things import FindingLinks, links_of
from app.analysis.view_links.view_link import ProfileRef
from app.cli.locations import location
from app.formats.registry import Refusal
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.store.link_files import ref_to
from app.views.sentences import sentence
from app.views.verdict import verdict

Checked: TypeAlias = Sequence[tuple[Profile, Sequence[Outcome]]]
LEVELS: Final[dict[Severity, str]] = {"error": "error", "warning": "warning", "info": "note"}
"""Severities by their names in SARIF 2.1.0, section 3.27.10."""
SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def facts(checked: Checked, baseline: ProfileRef | None = None, refusals: Sequence[Refusal] = ()) -> dict[str, Any]:
    """The output of `findings --json`; ``baseline``: what links compare the profiles with; ``refusals``: files that
    could not be read."""
    return {
        "tilesight": __version__,
        "findings": [finding for profile, made in checked for _, finding in _findings(profile, made, baseline)],
        "not_checked": [
            {"rule": outcome.rule.id, "why": outcome.why, "profile": profile.name}
            for profile, made in checked
            for outcome in made
            if outcome.why
        ],
        "profiles": [{"name": profile.name, "verdict": to_builtins(verdict(profile))} for profile, _ in checked],
        "errors": [{"file": str(refusal.path), "error": str(refusal.error)} for refusal in refusals],
    }


def _findings(
    profile: Profile, made: Sequence[Outcome], baseline: ProfileRef | None
) -> Iterator[tuple[Rule, dict[str, Any]]]:
    pairs = ranked(made)
    links = links_of(profile, ref_to(profile), pairs, baseline)
    for (rule, finding), own in zip(pairs, links, strict=True):
        yield rule, _finding(profile, rule, finding, own)


def _finding(profile: Profile, rule: Rule, finding: Finding, links: FindingLinks) -> dict[str, Any]:
    made: dict[str, Any] = {
        "rule": rule.id,
        "severity": finding.severity,
        "title": finding.title,
        "text": sentence(finding.text, None, _clock(profile)),
        "profile": profile.name,
        "confidence": finding.confidence,
        "link": links.finding,
        "evidence": [
            _evidence(evidence, link) for evidence, link in zip(finding.evidence, links.evidence, strict=True)
        ],
    }
    if finding.saving is not None:
        made["saving"] = _saving(finding.saving)
    return made


def _evidence(evidence: Evidence, link: str) -> dict[str, Any]:
    return {
        "table": evidence.table,
        "key": evidence.key,
        "figure": evidence.figure,
        "value": evidence.value,
        "unit": evidence.unit,
        "link": link,
    }


def _saving(saving: Saving) -> dict[str, Any]:
    return {"at_most": saving.at_most, "unit": saving.unit, "scope": saving.scope, "formula": saving.formula}


def _clock(profile: Profile) -> float | None:
    return profile.target.clock_hz if profile.target is not None else None


def sarif(checked: Checked, baseline: ProfileRef | None = None, root: Path | None = None) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log of one run; a finding is located in the files of its profile, relative to
    ``root``."""
    rules = {outcome.rule.id: outcome.rule for _, made in checked for outcome in made}
    driver = {
        "name": "Tilesight",
        "version": __version__,
        "rules": [
            {
                "id": rule.id,
                **({"deprecatedIds": list(rule.aliases)} if rule.aliases else {}),
                "shortDescription": {"text": rule.title},
                "fullDescription": {"text": rule.help},
            }
            for rule in rules.values()
        ],
    }
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": list(_results(checked, baseline, root))}],
    }


def _results(checked: Checked, baseline: ProfileRef | None, root: Path | None) -> Iterator[dict[str, Any]]:
    for profile, made in checked:
        places = [{"physicalLocation": {"artifactLocation": location(path, root)}} for path in profile.origin.paths]
        for rule, properties in _findings(profile, made, baseline):
            yield {
                "ruleId": rule.id,
                "level": LEVELS[properties["severity"]],
                "message": {"text": f"{properties['title']}. {properties['text']}"},
                "locations": places,
                "properties": properties,
            }
