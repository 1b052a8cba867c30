"""What a model in PopEF files lacks, where its parts contradict each other, and suspicious values of its tensors.

Values are in the files, not in the profile, so whoever has access to files counts them (``app/store/findings.py``) and
hands them over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.checks import popef
from app.analysis.findings.finding import Evidence, Finding, NotChecked, Outcome, Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.popef.anchors import expected_payload, provided
from app.language import plural, tr
from app.profile.arrays import Array, Integers, Ragged, among
from app.profile.issue import Issue, severity_word
from app.profile.popef import ANCHOR_INPUT, Model
from app.profile.profile import Profile
from app.profile.selection import Selection

_MOST_LISTED: Final = 5


def link_issues(profile: Profile) -> list[Issue]:
    """Names that lead nowhere, or to several things."""
    return [
        *popef.executables(profile),
        *popef.executable_links(profile),
        *popef.data_links(profile),
        *popef.program_flow(profile),
    ]


def size_issues(profile: Profile) -> list[Issue]:
    """Sizes and types that contradict each other."""
    return [*popef.payloads(profile), *popef.anchor_data(profile)]


def _links(profile: Profile, _: Thresholds) -> Sequence[Finding]:
    issues = [issue for issue in link_issues(profile) if issue.severity != "info"]
    title = plural(
        "{count:,} name is unresolved or ambiguous",
        "{count:,} names are unresolved or ambiguous",
        count=len(issues),
    )
    text = tr("Executables, programs and anchors are linked by name. A runtime cannot resolve these names.")
    return _of_issues(issues, title, text)


def _sizes(profile: Profile, _: Thresholds) -> Sequence[Finding]:
    issues = [issue for issue in size_issues(profile) if issue.severity != "info"]
    title = plural(
        "{count:,} size or type contradicts another",
        "{count:,} sizes or types contradict each other",
        count=len(issues),
    )
    text = tr("Data, shapes and anchors must agree. Otherwise a runtime may read beyond the data or reject it.")
    return _of_issues(issues, title, text)


def _of_issues(issues: list[Issue], title: str, text: str) -> Sequence[Finding]:
    if not issues:
        return ()
    worst = sorted(issues, key=lambda issue: issue.severity != "error")
    evidence = tuple(
        Evidence("issues", issue.where, severity_word(issue.severity), issue.text) for issue in worst[:_MOST_LISTED]
    )
    return (Finding(worst[0].severity, title, (text,), evidence),)


def _missing(profile: Profile, _: Thresholds) -> Sequence[Finding] | NotChecked:
    model = profile.model
    if model is None or not len(model.metadata):
        return NotChecked(tr("the files have no metadata, which contains the names of the inputs"))
    return [*_unloaded(model), *_empty(profile, model)]


def _unloaded(model: Model) -> list[Finding]:
    """Inputs of the load programs without data in the files."""
    own = model.anchors
    inputs = np.flatnonzero((own.type == ANCHOR_INPUT) & ~provided(model))
    rows = [row for row in inputs.tolist() if _only_loaded(model, row)]
    if not rows:
        return []
    title = plural(
        "{count:,} input of the load programs has no data in these files",
        "{count:,} inputs of the load programs have no data in these files",
        count=len(rows),
    )
    text = tr("Weights are loaded once, before the main programs. Open the file with their data as well.")
    evidence = tuple(
        Evidence("anchors", name, tr("input without data"), name, "", Selection("anchor", (row,)))
        for row in rows[:_MOST_LISTED]
        for name in [model.strings.get(int(own.name[row]))]
    )
    return [Finding("warning", title, (text,), evidence)]


def _only_loaded(model: Model, anchor: int) -> bool:
    """Whether an anchor belongs to programs of the load flow, and to none of the main flow."""
    metadata, used = int(model.anchors.metadata[anchor]), model.anchors.programs.row(anchor)
    return _uses(model.metadata.load, metadata, used) and not _uses(model.metadata.main, metadata, used)


def _uses(flow: Ragged, metadata: int, programs: Integers) -> bool:
    return bool(among(programs, flow.row(metadata)).any())


def _empty(profile: Profile, model: Model) -> list[Finding]:
    """Tensors and feeds whose shape has no elements."""
    blobs, own = profile.blobs, model.tensors
    if blobs is None:
        return []
    empty = (blobs.payload_size[own.blob] == 0) & (expected_payload(own) == 0)
    rows = np.flatnonzero(empty).tolist()
    if not rows:
        return []
    title = plural(
        "{count:,} tensor or feed has no elements", "{count:,} tensors or feeds have no elements", count=len(rows)
    )
    evidence = tuple(
        Evidence("feeds" if own.feed[row] else "tensors", name, tr("bytes"), 0, "B", Selection("tensor", (row,)))
        for row in rows[:_MOST_LISTED]
        for name in [model.strings.get(int(own.name[row]))]
    )
    text = tr("The shape or the number of tensors is zero, so there is nothing to feed.")
    return [Finding("warning", title, (text,), evidence)]


_SECTIONS: Final = ("blobs", "model")


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


RULES: Final = (
    Rule(
        "popef.links",
        tr("Unresolved or ambiguous names"),
        tr("Names of executables, programs and anchors that nothing or several things have."),
        _SECTIONS,
        _links,
    ),
    Rule(
        "popef.sizes",
        tr("Sizes and types that contradict each other"),
        tr("Bytes of data, compared with their shapes; shapes and types of data, compared with their anchors."),
        _SECTIONS,
        _sizes,
    ),
    Rule(
        "popef.missing-data",
        tr("Missing data"),
        tr(
            "Inputs of the load programs (and of no main program) without a tensor or feed of the same name; empty "
            "data."
        ),
        _SECTIONS,
        _missing,
    ),
    RULE,
)
