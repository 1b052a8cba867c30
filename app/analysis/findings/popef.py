"""What a model in PopEF files lacks, and where its parts contradict each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.analysis.checks import popef, popef_links
from app.analysis.findings.finding import Evidence, Finding, NotChecked
from app.analysis.findings.rule import Rule
from app.analysis.findings.thresholds import Thresholds
from app.analysis.popef.anchors import provided
from app.analysis.popef.sizes import expected_payload
from app.language import plural, tr
from app.profile.arrays import Integers, Ragged
from app.profile.issue import Issue, severity_word
from app.profile.popef import ANCHOR_INPUT, Model
from app.profile.profile import Profile
from app.profile.selection import Selection

_MOST_LISTED: Final = 5


def link_issues(profile: Profile) -> list[Issue]:
    """Names that lead nowhere, or to several things."""
    return [
        *popef.executables(profile),
        *popef_links.executable_links(profile),
        *popef_links.data_links(profile),
        *popef_links.program_flow(profile),
    ]


def size_issues(profile: Profile) -> list[Issue]:
    """Sizes and types that contradict each other."""
    return [*popef.payloads(profile), *popef_links.anchor_data(profile)]


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
    return bool(np.isin(programs, flow.row(metadata)).any())


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
)
