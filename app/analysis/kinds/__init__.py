"""The registry of all kinds of selectable things. Names, tables, search and details are derived from it."""

from __future__ import annotations

from typing import Final

from app.analysis.kinds import ascend, capture, poplar, tenstorrent
from app.analysis.kinds.spec import KindSpec, Trait
from app.profile.profile import Profile
from app.profile.selection import Kind

KINDS: Final[dict[Kind, KindSpec]] = {
    spec.kind: spec
    for spec in (
        *poplar.KINDS,
        *ascend.KINDS,
        *capture.KINDS,
        *tenstorrent.KINDS,
    )
}
"""In the order in which they are searched and listed: kinds with few things first."""


def traits_of(profile: Profile, kind: Kind) -> list[Trait]:
    """What identifies the things of ``kind``; empty if the profile has none, or their indices are hardware numbers."""
    make = KINDS[kind].traits
    return [] if make is None else make(profile) or []
