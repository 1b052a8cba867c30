"""The user's notes and view settings of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from app.profile.chosen_unit import ChosenUnit
from app.profile.time_note import TimeNote


class FileState(Struct, frozen=True):
    """``notes``: in the order they were made; ``views``: by panel id, the state of the panel for this file, as plain
    JSON values; ``unit``: that of times in its timeline, if the user set it; ``other``: what the document of the file
    contains besides, under names that only other versions of the program know; it is written back."""

    notes: tuple[TimeNote, ...] = ()
    views: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    unit: ChosenUnit | None = None
    other: Mapping[str, Any] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        return not self.notes and not self.views and self.unit is None and not self.other
