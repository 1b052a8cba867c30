"""How issues about blobs are reported."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np

from app.language import tr
from app.profile.arrays import I32
from app.profile.issue import Issue
from app.profile.popef import Blobs
from app.profile.profile import Profile

MOST = 50


def place(profile: Profile, blobs: Blobs, blob: int) -> str:
    """File, number and byte of a blob, as the reader's issues name it."""
    file = int(blobs.file[blob])
    number = blob - int(np.searchsorted(blobs.file, file))
    return tr(
        "{path}: blob {number} at byte {offset:,}",
        path=profile.origin.paths[file].name,
        number=number,
        offset=int(blobs.offset[blob]),
    )


def few(all_issues: Iterable[Issue]) -> list[Issue]:
    """The first MOST issues of a kind, and a note if there are more."""
    issues = list(islice(all_issues, MOST + 1))
    if len(issues) > MOST:
        last = issues[MOST - 1]
        issues[MOST:] = [Issue("info", last.where, tr("more issues of this kind are not listed"))]
    return issues


def again(ids: I32) -> list[int]:
    """Rows whose id an earlier row already has."""
    repeated = np.ones(len(ids), np.bool_)
    repeated[np.unique(ids, return_index=True)[1]] = False
    return [int(row) for row in np.flatnonzero(repeated)]
