"""The files of a report: what was found beside the profiles, read or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from app.profile.arrays import I64, Bool


@dataclass(frozen=True, slots=True, eq=False)
class ReportFiles:
    """One entry a file, in the order of the profile's paths. ``names``; ``kinds``: "graph", "execution", "both" or
    what stands beside them; ``what``: the same in words; ``size``: int64, bytes; ``read``: bool, whether it is part
    of what is shown."""

    SECTION: ClassVar[str] = "report_files"
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    what: tuple[str, ...]
    size: I64
    read: Bool

    def of_kind(self, *kinds: str) -> str | None:
        """The name of the first file of one of these kinds."""
        return next((name for name, kind in zip(self.names, self.kinds, strict=True) if kind in kinds), None)
