"""What a person left on a file: notes, and how it was looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.profile.time_note import TimeNote


@dataclass(frozen=True, slots=True)
class FileState:
    """``notes`` in the order they were made; ``views``: for each panel by its id what it needs to show the file as it
    was left, in plain JSON values."""

    notes: tuple[TimeNote, ...] = ()
    views: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        return not self.notes and not self.views
