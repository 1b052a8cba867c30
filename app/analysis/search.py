"""Search over everything in a profile by name."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.kinds import KINDS
from app.analysis.matching import matching_texts
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind


class Matches(Struct, frozen=True, eq=False):
    """All matching things of one kind: int64 indices in stepping order."""

    kind: Kind
    indices: I64


def search(profile: Profile, text: str) -> list[Matches]:
    """Everything whose name contains ``text``, kind by kind, in stepping order."""
    if not text:
        return []
    matched = (
        Matches(spec.kind, named.bearing(matching_texts(named.strings, text)))
        for spec in KINDS.values()
        for named in spec.names(profile)
        if len(named.strings)
    )
    return [matches for matches in matched if len(matches.indices)]
