"""What a rule looks for, and what it says about a profile, with its evidence; findings as a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from app.analysis.findings.thresholds import Thresholds
from app.analysis.part import Words
from app.analysis.table import Column, Table, Unit
from app.language import tr
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.profile.selection import Selection

Confidence: TypeAlias = Literal["measured", "estimated"]
"""Whether the statement follows from figures of the file, or from a model or an assumption."""


class Evidence(Struct, frozen=True):
    """A figure that a finding rests on: ``value`` (in ``unit``) of ``figure``, in the row ``key`` of the table
    ``table`` ("" if it stands in no table). ``selection``: the thing that the row is about; ``row``: the row of the
    table as it is made, -1 where ``key`` is a text in it, or where the whole table is meant."""

    table: str
    key: str
    figure: str
    value: float | str
    unit: Unit = ""
    selection: Selection | None = None
    row: int = -1


class Saving(Struct, frozen=True):
    """An upper bound of what mending it could save of ``scope`` (the operator, the run, a tile), in ``unit``;
    ``formula``: how it was computed."""

    at_most: float
    unit: Unit
    scope: str
    formula: str


class Finding(Struct, frozen=True):
    """``title``: one line; ``text``: the explanation. *error*: it stops the work, or figures contradict each other;
    *warning*: it costs much; *info*: the rest."""

    severity: Severity
    title: str
    text: Words
    evidence: tuple[Evidence, ...]
    saving: Saving | None = None
    confidence: Confidence = "measured"


class NotChecked(Struct, frozen=True):
    """``why`` a rule cannot be applied to a profile: what the file lacks."""

    why: str


Check: TypeAlias = Callable[[Profile, Thresholds], Sequence[Finding] | NotChecked]


class Rule(Struct, frozen=True):
    """``id``: the name that scripts use, "family.what"; it stays the same. ``title``: what it looks for; ``help``: how
    that is decided. ``sections``: it applies to profiles that have any of them; empty: to all. ``thresholds``: the
    names of those that it uses. ``about``: whether it applies to a profile with such a section. ``aliases``: names of
    rules that it replaces, which scripts may still use."""

    id: str
    title: str
    help: str
    sections: tuple[str, ...]
    check: Check
    thresholds: tuple[str, ...] = ()
    about: Callable[[Profile], bool] = lambda _: True
    aliases: tuple[str, ...] = ()

    def called(self, names: Collection[str]) -> bool:
        """Whether its name, or that of a rule that it replaces, is among ``names``."""
        return self.id in names or any(alias in names for alias in self.aliases)

    def applies(self, profile: Profile) -> bool:
        present = not self.sections or any(profile.section(name) is not None for name in self.sections)
        return present and self.about(profile)


class Outcome(Struct, frozen=True):
    """What a rule said: its findings, or ``why`` it was not checked ("" if it was)."""

    rule: Rule
    findings: tuple[Finding, ...] = ()
    why: str = ""


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
