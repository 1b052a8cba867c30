"""Suspicious values of the tensors that PopEF files hold. They are in the files, not in the profile, so whoever has
access to files counts them (``app/store/findings.py``) and hands them over."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.findings.finding import Evidence, Finding, NotChecked
from app.analysis.findings.rule import Outcome, Rule
from app.analysis.findings.thresholds import Thresholds
from app.language import plural, tr
from app.profile.arrays import Array
from app.profile.profile import Profile
from app.profile.selection import Selection

_MOST_LISTED: Final = 5


class Counted(Struct, frozen=True):
    """The values of one tensor or feed. ``row``: of the model's tensors; ``count`` values, of which ``nan`` and
    ``infinite``; ``least`` and ``most`` of the others (NaN without any)."""

    row: int
    count: int
    nan: int
    infinite: int
    least: float
    most: float


def counted(row: int, pieces: Iterable[Array]) -> Counted:
    """Goes once over the values."""
    count = nan = infinite = 0
    least, most = np.inf, -np.inf
    for piece in pieces:
        values = piece.reshape(-1)
        count += values.size
        if values.dtype.kind == "f":
            finite = np.isfinite(values)
            if not finite.all():
                nan += int(np.count_nonzero(np.isnan(values)))
                infinite += int(np.count_nonzero(np.isinf(values)))
                values = values[finite]
        if values.size:
            least, most = min(least, float(values.min())), max(most, float(values.max()))
    return (
        Counted(row, count, nan, infinite, least, most) if most >= least else Counted(row, count, nan, infinite, *_NO)
    )


_NO: Final = (float("nan"), float("nan"))


def outcome(profile: Profile, tensors: Sequence[Counted], unread: str = "") -> Outcome:
    """What the rule says about these tensors; ``unread``: why others were not read."""
    kinds: tuple[tuple[Callable[[Counted], bool], Callable[[Profile, list[Counted]], Finding]], ...] = (
        (lambda one: one.nan + one.infinite > 0, _not_finite),
        (lambda one: one.count > 1 and one.least == one.most == 0, _zero),
        (lambda one: one.count > 1 and one.least == one.most != 0, _constant),
    )
    findings, left = [], list(tensors)
    for belongs, make in kinds:
        own = [one for one in left if belongs(one)]
        left = [one for one in left if not belongs(one)]
        if own:
            findings.append(make(profile, own))
    return Outcome(RULE, tuple(findings), unread)


def _not_finite(profile: Profile, own: list[Counted]) -> Finding:
    title = plural(
        "{count:,} tensor contains values that are not numbers",
        "{count:,} tensors contain values that are not numbers",
        count=len(own),
    )
    text = tr("NaN and infinite values spread to everything that is computed from them.")
    worst = sorted(own, key=lambda one: -(one.nan + one.infinite))
    evidence = [_evidence(profile, one, tr("NaN or infinite values"), one.nan + one.infinite) for one in worst]
    return Finding("warning", title, (text,), tuple(evidence[:_MOST_LISTED]))


def _zero(profile: Profile, own: list[Counted]) -> Finding:
    title = plural("{count:,} tensor is all zero", "{count:,} tensors are all zero", count=len(own))
    text = tr("Biases often start with zero. Weights that are all zero were probably never written.")
    evidence = [_evidence(profile, one, tr("values, all zero"), one.count) for one in own]
    return Finding("info", title, (text,), tuple(evidence[:_MOST_LISTED]))


def _constant(profile: Profile, own: list[Counted]) -> Finding:
    title = plural(
        "{count:,} tensor has the same value everywhere",
        "{count:,} tensors have the same value everywhere",
        count=len(own),
    )
    text = tr("Scales often start with one value. A constant could be part of the program instead.")
    evidence = [_evidence(profile, one, tr("the value of all elements"), one.least) for one in own]
    return Finding("info", title, (text,), tuple(evidence[:_MOST_LISTED]))


def _evidence(profile: Profile, one: Counted, figure: str, value: float) -> Evidence:
    model = profile.model
    assert model is not None
    feed = bool(model.tensors.feed[one.row])
    name = model.strings.get(int(model.tensors.name[one.row]))
    return Evidence("feeds" if feed else "tensors", name, figure, value, "", Selection("tensor", (one.row,)))


def _unread(_: Profile, __: Thresholds) -> NotChecked:
    return NotChecked(tr("the values in the files were not read"))


def _has_data(profile: Profile) -> bool:
    return profile.model is not None and len(profile.model.tensors) > 0


RULE: Final = Rule(
    "popef.values",
    tr("Suspicious values: NaN, all zero, all the same"),
    tr("All values of each tensor and feed, as stored in the files."),
    ("model",),
    _unread,
    about=_has_data,
)
RULES: Final = (RULE,)
