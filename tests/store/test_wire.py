"""One union of events: what goes over the pipe, and into a manifest, comes back as the same events."""

from __future__ import annotations

import time
from io import BytesIO
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from app.formats.events import Began, Event, Progress, SectionReady
from app.profile.issue import Issue
from app.profile.profile import Mismatch
from app.store import wire
from app.store.codec import Columns
from app.store.worker import PAUSE_S, PipeSink
from fakes.same import same

HERE = (Path("/a/graph.json"), Path("/a/execution.json"))


@pytest.mark.parametrize(
    "message",
    [
        Began("run", HERE[::-1], "poplar 2.6"),
        Issue("warning", "graph.json: byte 7", "odd"),
        Progress(3, 10, "reading"),
        wire.Done(),
        wire.Failed("no profile", "/a/graph.json", None),
        wire.request("poplar", HERE, None),
    ],
)
def test_a_message_comes_back_as_it_was(message: wire.Message) -> None:
    assert wire.decode(wire.encode(message, HERE), HERE) == message


def test_all_events_but_sections_go_as_they_are() -> None:
    """A section goes as its columns; whoever adds a kind of event says here how it travels."""
    pipe = BytesIO()
    sink = PipeSink(HERE, None, pipe)
    section = Mismatch((1,), "why")
    kinds: list[Event] = [Began("run", HERE), SectionReady(section), Issue("info", "", "x"), Progress(1, 2, "reading")]
    assert {type(event) for event in kinds} == set(get_args(Event))
    for event in kinds:
        if isinstance(event, SectionReady):
            sink.store(event.section)
        sink(event)
    pipe.seek(0)
    came = [wire.receive(pipe, HERE) for _ in kinds]
    columns = came.pop(1)
    assert isinstance(columns, Columns)
    assert same(columns.section(None), section)
    assert came == [kinds[0], *kinds[2:]]
    assert wire.receive(pipe, HERE) is None


def test_progress_is_told_at_times_and_all_else_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe, now = BytesIO(), [5.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    sink = PipeSink(HERE, None, pipe)
    for done in range(9):
        sink(Progress(done, 9, "reading"))
        now[0] += PAUSE_S / 4
    issue = Issue("info", "", "x")
    sink(issue)
    pipe.seek(0)
    came = [wire.receive(pipe, HERE) for _ in range(4)]
    assert came == [*(Progress(done, 9, "reading") for done in (0, 4, 8)), issue]
    assert wire.receive(pipe, HERE) is None


def test_files_are_places_in_the_job_and_called_as_they_are_now() -> None:
    body = wire.encode(Began("run", HERE[1:]), HERE)
    now = (Path("graph.json"), Path("execution.json"))
    assert wire.decode(body, now) == Began("run", now[1:])
    with pytest.raises(msgspec.ValidationError):
        wire.decode(body, now[:1])
    with pytest.raises(ValueError, match="not in"):
        wire.encode(Began("run", (Path("elsewhere"),)), HERE)


def test_a_name_that_is_no_text_can_be_sent() -> None:
    began = Began("\udcff.json", HERE[:1])
    assert began.name == "\\udcff.json"
    assert wire.decode(wire.encode(began, HERE), HERE) == began
