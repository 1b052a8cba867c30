"""A profile begins with its first section."""

from __future__ import annotations

from pathlib import Path

from app.formats.events import Began, Deferred, Event, Progress, SectionReady
from app.profile.issue import Issue
from app.profile.profile import Mismatch

SECTION = SectionReady(Mismatch((), "why"))
ODD, WORSE = Issue("warning", "here", "odd"), Issue("error", "here", "worse")
ONE, OTHER = Began("one", (Path("a"),)), Began("other", (Path("a"),))


def test_nothing_but_progress_passes_before_the_first_section() -> None:
    told: list[Event] = []
    sink = Deferred(told.append)
    first: list[Event] = [ONE, ODD, Progress(1, 2, "reading")]
    for event in first:
        sink(event)
    assert told == [Progress(1, 2, "reading")]
    assert sink.waiting
    assert sink.issues == [ODD]
    then: list[Event] = [OTHER, SECTION, WORSE]
    for event in then:
        sink(event)
    assert told[1:] == [OTHER, ODD, SECTION, WORSE]
    assert not sink.waiting


def test_the_next_profile_waits_again() -> None:
    told: list[Event] = []
    sink = Deferred(told.append)
    events: list[Event] = [ONE, SECTION, OTHER, ODD, SECTION]
    for event in events:
        sink(event)
    assert told == events
