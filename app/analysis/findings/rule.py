"""A rule: what it looks for, and the function that does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from app.analysis.findings.finding import Finding, NotChecked
from app.analysis.findings.thresholds import Thresholds
from app.profile.profile import Profile

Check: TypeAlias = Callable[[Profile, Thresholds], Sequence[Finding] | NotChecked]


class Rule(Struct, frozen=True):
    """``id``: the name that scripts use, "family.what"; it stays the same. ``title``: what it looks for; ``help``: how
    that is decided. ``sections``: it applies to profiles that have any of them; empty: to all. ``thresholds``: the
    names of those that it uses. ``about``: whether it applies to a profile with such a section."""

    id: str
    title: str
    help: str
    sections: tuple[str, ...]
    check: Check
    thresholds: tuple[str, ...] = ()
    about: Callable[[Profile], bool] = lambda _: True

    def applies(self, profile: Profile) -> bool:
        present = not self.sections or any(profile.section(name) is not None for name in self.sections)
        return present and self.about(profile)


class Outcome(Struct, frozen=True):
    """What a rule said: its findings, or ``why`` it was not checked ("" if it was)."""

    rule: Rule
    findings: tuple[Finding, ...] = ()
    why: str = ""
