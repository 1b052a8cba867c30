"""What is shown of large files before they are read: a true part of what reading gives."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from app.analysis.timeline.times import slice_lanes
from app.formats.ascend_trace import read as read_module
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.events import Began, Event, SectionReady
from app.formats.format import Format
from app.formats.poplar import preview as poplar_preview
from app.formats.pypto import read as pypto_reader
from app.formats.registry import FORMATS, by_id
from app.formats.source import Source
from app.formats.tensorflow_events import read as log_reader
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from generators import poplar, pypto, tensorflow_events, tenstorrent, trace_styles
from generators.tfrecord import records
from generators.trace_styles import STYLES

SOME_BYTES = 40_000


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Previews of small files are small."""
    monkeypatch.setattr(read_module, "TRIED", (SOME_BYTES, 3 * SOME_BYTES))
    monkeypatch.setattr(poplar_preview, "_STEPS", SOME_BYTES)


def previewed(format_: Format, *paths: Path) -> list[Event]:
    assert format_.preview is not None
    sources = [Source(path) for path in paths]
    try:
        return list(format_.preview(sources))
    finally:
        for source in sources:
            source.close()


def read(format_: Format, *paths: Path) -> tuple[Began, Profile]:
    """How the first profile begins, and what it is in the end."""
    events: list[Event] = []
    sources = [Source(path) for path in paths]
    format_.read(sources, events.append)
    collector = Collector(format_.id)
    for event in events:
        collector(event)
    for source in sources:
        source.close()
    return next(event for event in events if isinstance(event, Began)), collector.profiles[0]


def slices(timeline: Timeline) -> dict[int, Any]:
    """(start as in the file, name) of each slice, by its record."""
    text, columns = timeline.strings, timeline.slices
    starts = [float(timeline.origin) + start for start in columns.start.tolist()]
    names = [text.get(name) for name in columns.name.tolist()]
    return dict(zip(columns.record.tolist(), zip(starts, names, strict=True), strict=True))


@pytest.mark.parametrize("style", STYLES)
def test_the_first_slices_of_a_trace(tmp_path: Path, style: str) -> None:
    path = tmp_path / "trace.json"
    STYLES[style].write(path, 16_000, seed=3)
    began, first = previewed(by_id("ascend-trace"), path)
    whole_began, profile = read(by_id("ascend-trace"), path)
    assert began == replace(whole_began, preview=True)
    assert isinstance(first, SectionReady)
    assert first.preview
    assert isinstance(first.section, Timeline)
    assert profile.timeline is not None
    part, whole = slices(first.section), slices(profile.timeline)
    assert 0 < len(part) < len(whole)
    assert first.portion == f"the first {len(part):,} slices"
    for record, (start, name) in part.items():
        assert whole[record][1] == name
        assert whole[record][0] == pytest.approx(start, abs=1e-3)


@pytest.mark.parametrize("suffix", [".json", ".cbor"])
def test_target_counts_and_steps_of_a_pair(tmp_path: Path, suffix: str) -> None:
    scale = poplar.Scale(tiles_per_ipu=4, compute_sets=20, loops=40)
    paths = poplar.write_pair(tmp_path, scale, suffix=suffix)
    began, *ready = previewed(by_id("poplar"), *paths)
    whole_began, profile = read(by_id("poplar"), *paths)
    assert began == replace(whole_began, preview=True)
    assert all(isinstance(event, SectionReady) and event.preview for event in ready)
    shown = {event.section.SECTION: event for event in ready if isinstance(event, SectionReady)}
    part = Profile(name="", origin=profile.origin)
    for event in shown.values():
        part = part.with_section(event.section, event.portion)
    assert part.target is not None
    assert profile.target is not None
    assert (part.target.clock_hz, part.target.tiles) == (profile.target.clock_hz, profile.target.tiles)
    assert part.graph is not None
    assert profile.graph is not None
    assert (part.graph.vertices, part.graph.edges) == (profile.graph.vertices, profile.graph.edges)
    assert part.execution is not None
    assert profile.execution is not None
    assert part.execution.tile_cycles == profile.execution.tile_cycles
    assert set(part.portions) == set(shown) - {"target"}
    assert part.steps is not None
    assert profile.steps is not None
    count = len(part.steps)
    assert 0 < count < len(profile.steps)
    assert part.portions["steps"] == part.portions["timeline"] == f"the first {count:,} steps"
    assert part.steps.cycles_from.tolist() == profile.steps.cycles_from[:count].tolist()
    assert part.timeline is not None
    assert profile.timeline is not None
    assert part.timeline.seconds_per_unit == profile.timeline.seconds_per_unit


def test_the_first_events_of_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "MOST_EVENTS", 20)
    path = tmp_path / "events.out.tfevents.1"
    steps = [tensorflow_events.run(at=tensorflow_events.BEGAN + 60 * number) for number in range(9)]
    path.write_bytes(tensorflow_events.log(steps))
    began, *ready = previewed(by_id("tensorflow-events"), path)
    whole_began, profile = read(by_id("tensorflow-events"), path)
    assert began == replace(whole_began, preview=True)
    part = Profile(name="", origin=profile.origin)
    for event in ready:
        assert isinstance(event, SectionReady)
        part = part.with_section(event.section, event.portion)
    assert part.host_events is not None
    assert profile.host_events is not None
    count = len(part.host_events)
    assert 20 <= count < len(profile.host_events)
    assert part.portions == dict.fromkeys(("host_events", "timeline"), f"the first {count:,} events")
    assert part.host_events.time.tolist() == profile.host_events.time[:count].tolist()


def test_a_log_of_other_values_is_not_searched_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_reader, "MOST_STEPS", 5)
    path = tmp_path / "events.out.tfevents.1"
    scalars = [tensorflow_events.summary([tensorflow_events.scalar("loss", 1)]) for _ in range(9)]
    ipu = tensorflow_events.value([tensorflow_events.event(tensorflow_events.run()[0])])
    path.write_bytes(records([tensorflow_events.version(), *scalars, tensorflow_events.summary([ipu])]))
    assert previewed(by_id("tensorflow-events"), path) == []


def test_events_are_looked_for_behind_what_shows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    names = b",".join(b'{"ph":"M","pid":%d,"name":"process_name","args":{"name":"p"}}' % n for n in range(1200))
    path.write_bytes(b"[" + names + b',{"ph":"X","ts":1,"dur":2,"pid":1,"tid":1,"name":"late"}]')
    assert SOME_BYTES < len(names) < 3 * SOME_BYTES
    _, ready = previewed(by_id("ascend-trace"), path)
    assert isinstance(ready, SectionReady)
    assert ready.portion == "the first 1 slice"


@pytest.mark.parametrize("alone", [True, False])
def test_the_first_blocks_of_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, alone: bool) -> None:
    """Each is there in the end, on the same lane; those whose task comes late in the graph have no name of their own
    yet."""
    monkeypatch.setattr(pypto_reader, "BEGINNING", 6000)
    paths = sorted(pypto.write(tmp_path))[: 1 if alone else None]
    began, ready = previewed(by_id("pypto"), *paths)
    whole_began, profile = read(by_id("pypto"), *paths)
    assert began == replace(whole_began, preview=True)
    assert isinstance(ready, SectionReady)
    part, whole = ready.section, profile.timeline
    assert isinstance(part, Timeline)
    assert whole is not None
    count = len(part.slices.start)
    assert 50 < count < 204
    assert ready.portion == f"the first {count:,} blocks"
    assert (len(part.flows.category), len(part.counters.time)) == (0, 0)
    lanes = [whole.strings[one] for one in whole.lanes.thread.tolist()]
    assert [part.strings[one] for one in part.lanes.thread.tolist()] == [one for one in lanes if "Sched" not in one]
    known = dict(blocks_of(whole))
    names = {"task"} if not alone else set()
    for place, name in blocks_of(part):
        assert name in {known[place], *names}
    assert any(name != "task" for _, name in blocks_of(part)) is not alone


def blocks_of(line: Timeline) -> list[tuple[tuple[int, int], str | None]]:
    """((lane, start as in the file), name) of each slice."""
    starts = (line.slices.start + float(line.origin)).tolist()
    names = [line.strings.get(name) for name in line.slices.name.tolist()]
    return list(zip(zip(slice_lanes(line).tolist(), starts, strict=True), names, strict=True))


def test_nothing_is_shown_where_nothing_is_nearby(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(b'{"traceEvents":[]}')
    assert previewed(by_id("ascend-trace"), path) == []
    path.write_bytes(b'{"computeSets":{}}')
    assert previewed(by_id("poplar"), path) == []


@pytest.mark.parametrize("seed", range(12))
def test_damaged_files_raise_only_format_errors(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "trace.json"
    texts = {"ascend-trace": trace_styles.text_of(chance.choice(list(STYLES)), 300, seed)}
    pair = poplar.write_pair(tmp_path, poplar.Scale(tiles_per_ipu=2, compute_sets=5, loops=9))
    texts["poplar"] = chance.choice(pair).read_bytes()
    texts["tensorflow-events"] = tensorflow_events.log([tensorflow_events.run()] * 3)
    texts["tenstorrent"] = tenstorrent.device_log(tenstorrent.Run(columns=(1, 2), rows=(1,), operations=2, idle=1))[0]
    texts["pypto"] = chance.choice([pypto.framework(), *pypto.files().values()])
    for id_, text in texts.items():
        for _ in range(8):
            bad = bytearray(text[: chance.randrange(len(text))] if chance.random() < 0.5 else text)
            for _ in range(chance.randrange(6)):
                if bad:
                    bad[chance.randrange(len(bad))] = chance.choice(b'{}[]",:0e\\\xff \x00')
            path.write_bytes(bad)
            try:
                previewed(by_id(id_), path)
            except FormatError:
                continue


def test_formats_whose_files_are_long_to_read_have_a_preview() -> None:
    assert {known.id for known in FORMATS if known.preview is not None} == {
        "ascend-trace",
        "poplar",
        "pypto",
        "tenstorrent",
        "tensorflow-events",
    }
