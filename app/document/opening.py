"""Opens parts of a profile's files as profiles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.document.document import Document


def open_parts(document: Document, paths: Sequence[Path]) -> None:
    """Shows the profile of exactly these paths if it is open, else requests to open them."""
    wanted = set(paths)
    for entry in document.entries:
        if wanted and not entry.is_part and set(entry.profile.origin.paths) == wanted:
            document.show(entry.id)
            return
    if wanted:
        document.open_wanted.emit(tuple(paths))
