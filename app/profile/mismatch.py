"""Files that were opened together and do not belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True, eq=False)
class Mismatch:
    """``places``: which of the paths that the profile began with are not part of it (they are in a profile of their
    own); ``why``: one line that names the files and says what contradicts what."""

    SECTION: ClassVar[str] = "mismatch"
    places: tuple[int, ...]
    why: str
