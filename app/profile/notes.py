"""Notes of a framework or an application beside a report."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.profile.arrays import I32
from app.profile.strings import Strings


class Notes(Struct, frozen=True, eq=False):
    """Values of ``framework.json`` and ``app.json``, in file order. ``files``: their names; ``file``: int32[notes],
    index into them; ``key``, ``value``: int32[notes] text ids (keys are paths with " / " between their parts; values
    are written as in JSON, texts without quotes)."""

    SECTION: ClassVar[str] = "notes"
    files: tuple[str, ...]
    strings: Strings
    file: I32
    key: I32
    value: I32

    def __len__(self) -> int:
        return len(self.file)
