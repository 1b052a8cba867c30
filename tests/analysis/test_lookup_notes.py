"""The person's notes are looked up like anything else."""

from __future__ import annotations

from pathlib import Path

from app.analysis.lookup.hit import Target
from app.analysis.lookup.sources import notes_source
from app.profile.file_state import TimeNote
from app.profile.profile import Origin, Profile

PROFILE = Profile(name="any", origin=Origin("ascend-trace", (Path("trace.json"),)))


def test_notes_are_found_by_any_part_of_their_text() -> None:
    source = notes_source([TimeNote(1, 1, "first wave"), TimeNote(2, 3, "tail"), TimeNote(5, 5, "Second Wave")])
    answer = source.find(PROFILE, "wave", lambda: None)
    assert [(hit.text, hit.target) for hit in answer.hits] == [
        ("first wave", Target(panel="timeline", note=0)),
        ("Second Wave", Target(panel="timeline", note=2)),
    ]
    assert source.find(PROFILE, "nothing", lambda: None).hits == ()
