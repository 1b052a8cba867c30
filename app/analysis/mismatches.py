"""Which files were opened together and do not belong together, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable

from app.profile.profile import Profile


def mismatch_line(profile: Profile) -> str:
    """The folder of its files and why; "" where all belongs together."""
    if profile.mismatch is None:
        return ""
    paths = profile.origin.paths
    return f"{paths[0].absolute().parent}: {profile.mismatch.why}" if paths else profile.mismatch.why


def mismatch_lines(profiles: Iterable[Profile]) -> list[str]:
    """Each once: both profiles say the same."""
    return [line for line in dict.fromkeys(map(mismatch_line, profiles)) if line]
