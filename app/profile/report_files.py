"""The files of a report, read or not."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from app.language import Text
from app.profile.arrays import I64, Bool


class ReportFiles(Struct, frozen=True, eq=False):
    """One entry per file, in the order of the profile's paths. ``names``; ``kinds``: "graph", "execution", "both" or
    the kind of a companion file; ``what``: the kind as text; ``size``: int64, bytes; ``read``: bool, whether its
    contents are shown."""

    SECTION: ClassVar[str] = "report_files"
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    what: tuple[Text, ...]
    size: I64
    read: Bool

    def of_kind(self, *kinds: str) -> str | None:
        """The name of the first file of one of these kinds."""
        return next((name for name, kind in zip(self.names, self.kinds, strict=True) if kind in kinds), None)
