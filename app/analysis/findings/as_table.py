"""Findings as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.analysis.findings.finding import Finding, Rule, Saving
from app.analysis.table import Column, Table
from app.language import tr


def as_table(pairs: Sequence[tuple[Rule, Finding]], shown: Callable[[Saving], str]) -> Table:
    """One row per finding, in this order. ``shown``: a saving as text, as the units of different findings differ."""
    return Table(
        "findings",
        tr("Findings"),
        (
            Column("severity", tr("Severity"), tuple(finding.severity for _, finding in pairs), role="kind"),
            Column("title", tr("Finding"), tuple(finding.title for _, finding in pairs), role="name"),
            Column(
                "saving",
                tr("Maximum saving"),
                tuple("" if finding.saving is None else shown(finding.saving) for _, finding in pairs),
                help=tr("An upper bound, by the formula of the finding."),
            ),
            Column("rule", tr("Rule"), tuple(rule.id for rule, _ in pairs), role="code"),
        ),
    )
