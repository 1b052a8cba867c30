"""Search in the text of the user's notes."""

from __future__ import annotations

from collections.abc import Sequence

from app.analysis.lookup.hit import Answer, Hit, Pause, Source, Target, gathered, shortened
from app.language import tr
from app.profile.file_state import TimeNote
from app.profile.profile import Profile

PANEL = "timeline"


def notes_source(notes: Sequence[TimeNote]) -> Source:
    """The notes of the current profile, in creation order."""

    def find(_profile: Profile, text: str, _pause: Pause) -> Answer:
        wanted = text.casefold()
        return gathered(
            Hit(shortened(note.text, text), tr("note"), Target(panel=PANEL, note=place))
            for place, note in enumerate(notes)
            if wanted in note.text.casefold()
        )

    return Source("notes", tr("Notes"), find)
