"""Findings as records."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from app.analysis.findings import finding as made
from app.analysis.findings.finding import Rule
from app.analysis.table import Unit
from app.analysis.view_links.things import FindingLinks
from app.api.notebook import html_table
from app.views.sentences import sentence


class Evidence(Struct, frozen=True):
    """A figure that a finding rests on: ``value`` (in ``unit``) of ``figure``, in the row ``key`` of ``table``.
    ``link`` leads the window to it."""

    table: str
    key: str
    figure: str
    value: float | str
    unit: Unit
    link: str


class Saving(Struct, frozen=True):
    """An upper bound of what could be saved of ``scope``, in ``unit``, computed by ``formula``."""

    at_most: float
    unit: Unit
    scope: str
    formula: str


class Finding(Struct, frozen=True):
    """What the rule ``rule`` says. ``confidence``: whether it follows from figures of the file, or from a model of the
    hardware; ``link`` leads the window to it (`tilesight --goto`)."""

    rule: str
    severity: Literal["error", "warning", "info"]
    title: str
    text: str
    confidence: Literal["measured", "estimated"]
    evidence: tuple[Evidence, ...]
    saving: Saving | None
    link: str


class Findings(list[Finding]):
    """A list of findings, which notebooks show as a table."""

    def _repr_html_(self) -> str:
        rows = [
            (own.severity, own.title, own.text, own.saving and own.saving.at_most, own.saving and own.saving.unit)
            for own in self
        ]
        return html_table(("severity", "finding", "text", "saves at most", "unit"), rows)


def finding_of(rule: Rule, finding: made.Finding, clock_hz: float | None, links: FindingLinks) -> Finding:
    """The record of a finding; ``clock_hz``: of the profile."""
    evidence = tuple(
        Evidence(own.table, own.key, own.figure, own.value, own.unit, link)
        for own, link in zip(finding.evidence, links.evidence, strict=True)
    )
    own = finding.saving
    saving = None if own is None else Saving(own.at_most, own.unit, own.scope, own.formula)
    text = sentence(finding.text, None, clock_hz)
    return Finding(rule.id, finding.severity, finding.title, text, finding.confidence, evidence, saving, links.finding)
