"""Files that were opened together but contradict each other."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct


class Mismatch(Struct, frozen=True, eq=False):
    """``places``: indices of the profile's original paths that are not part of it (they form a separate profile);
    ``why``: one line that names the files and the contradiction."""

    SECTION: ClassVar[str] = "mismatch"
    places: tuple[int, ...]
    why: str
