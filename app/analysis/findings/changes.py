"""Findings of two profiles beside each other: which came, which went, and which stayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.findings.finding import Finding, Rule
from app.language import tr

Change: TypeAlias = Literal["came", "went", "stayed"]
TITLES: Final[dict[Change, str]] = {"came": tr("came"), "went": tr("went"), "stayed": tr("stayed")}


class FindingChange(Struct, frozen=True):
    """A finding of one rule; None on the side that does not have it."""

    rule: Rule
    before: Finding | None
    after: Finding | None

    @property
    def change(self) -> Change:
        return "came" if self.before is None else "went" if self.after is None else "stayed"

    @property
    def shown(self) -> Finding:
        """That after, if there is one."""
        finding = self.before if self.after is None else self.after
        assert finding is not None
        return finding


def finding_changes(
    before: Sequence[tuple[Rule, Finding]], after: Sequence[tuple[Rule, Finding]]
) -> list[FindingChange]:
    """Those that came, then those that went, then those that stayed, each in its order. Of a rule those about the same
    thing belong together, then the first that are left with the first."""
    made = [*_matched(before, after)]
    order: list[Change] = ["came", "went", "stayed"]
    return sorted(made, key=lambda one: order.index(one.change))


def _matched(before: Sequence[tuple[Rule, Finding]], after: Sequence[tuple[Rule, Finding]]) -> Iterator[FindingChange]:
    left: dict[str, list[Finding]] = {}
    for rule, finding in before:
        left.setdefault(rule.id, []).append(finding)
    open_: list[tuple[Rule, Finding]] = []
    for rule, finding in after:
        same = next((one for one in left.get(rule.id, ()) if _about(one) == _about(finding)), None)
        if same is None:
            open_.append((rule, finding))
        else:
            left[rule.id].remove(same)
            yield FindingChange(rule, same, finding)
    for rule, finding in open_:
        others = left.get(rule.id, [])
        yield FindingChange(rule, others.pop(0) if others else None, finding)
    for rule, finding in before:
        if finding in left[rule.id]:
            left[rule.id].remove(finding)
            yield FindingChange(rule, finding, None)


def _about(finding: Finding) -> tuple[tuple[str, str], ...]:
    """The rows of tables that it rests on."""
    return tuple((evidence.table, evidence.key) for evidence in finding.evidence)
