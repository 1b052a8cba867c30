"""Groups equal findings into one issue, with their number and the first place."""

from __future__ import annotations

import numpy as np

from app.language import tr
from app.profile.arrays import Array, Bool, Integers
from app.profile.issue import Issue, Severity
from app.profile.profile import Profile


def graph_place(profile: Profile, path: str) -> str:
    """The place of a key in the graph file (the first of a pair)."""
    return _place(profile, path, "graph", 0)


def run_place(profile: Profile, path: str) -> str:
    """The place of a key in the execution file (the last of a pair)."""
    return _place(profile, path, "execution", -1)


def _place(profile: Profile, path: str, kind: str, number: int) -> str:
    named = profile.report_files.of_kind(kind, "both") if profile.report_files is not None else None
    if named is None and profile.origin.paths:
        named = profile.origin.paths[number].name
    return path if named is None else f"{named}: {path}"


def cells(profile: Profile, path: str, wrong: Bool, text: str, severity: Severity = "warning") -> list[Issue]:
    """At most one issue about the entries of an array; ``{}`` in ``path`` stands for the number of the entry."""
    return entries(profile, path, np.flatnonzero(wrong), len(wrong), text, severity)


def entries(
    profile: Profile,
    path: str,
    numbers: Integers,
    of: int,
    text: str,
    severity: Severity = "warning",
    *,
    run: bool = False,
) -> list[Issue]:
    """As ``cells``, for the entries ``numbers`` out of ``of``."""
    if not len(numbers):
        return []
    before, _, behind = path.rpartition("{}")
    place = (run_place if run else graph_place)(profile, f"{before}{numbers[0]}{behind}")
    if len(numbers) > 1:
        text = tr("{text} (in {count:,} of {of:,})", text=text, count=len(numbers), of=of)
    return [Issue(severity, place, text)]


def outside(values: Array, count: int | None) -> Array:
    """The indices beyond the end of a list of ``count`` things (none if that is unknown)."""
    if count is None:
        return np.zeros(len(values), np.bool_)
    return np.asarray(values >= count)
