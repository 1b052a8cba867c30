"""Messages about files that were opened together but do not belong together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.profile.profile import Profile


def mismatch_line(profile: Profile) -> str:
    """The folder of its files and the reason; "" if all files belong together."""
    if profile.mismatch is None:
        return ""
    paths = profile.origin.paths
    return f"{paths[0].absolute().parent}: {profile.mismatch.why}" if paths else profile.mismatch.why


def mismatch_lines(profiles: Iterable[Profile]) -> list[str]:
    """The lines without duplicates: both profiles of a pair give the same one."""
    return [line for line in dict.fromkeys(map(mismatch_line, profiles)) if line]
