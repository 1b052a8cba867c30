"""What a comparison or an export is of: a file or folder, or a part of its profile."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, overload

from msgspec import Struct

from app.analysis.parts.offered import KINDS, NoPart, part_named, part_of
from app.profile.profile import Profile

_PART: Final = re.compile(rf"(?P<path>.+?)#(?P<part>(?:{'|'.join(KINDS)})=.*)", re.DOTALL)


class Side(Struct, frozen=True):
    """``part``: "" for the whole profile."""

    path: Path
    part: str = ""

    @overload
    def of(self, profile: Profile) -> Profile: ...

    @overload
    def of(self, profile: Profile | None) -> Profile | None: ...

    def of(self, profile: Profile | None) -> Profile | None:
        """That part of the profile. NoPart, with the path."""
        if profile is None or not self.part:
            return profile
        try:
            return part_of(profile, part_named(profile, self.part))
        except NoPart as error:
            raise NoPart(f"{self.path}#{error}") from None


def side_of(text: str) -> Side:
    """``FILE`` or ``FILE#PART``; a file of that whole name comes first."""
    whole, match = Path(text), _PART.fullmatch(text)
    if match is None or whole.exists():
        return Side(whole)
    return Side(Path(match["path"]), match["part"])
