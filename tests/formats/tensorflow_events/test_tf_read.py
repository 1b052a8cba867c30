"""Logs of IPU events in their four containers."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from app.formats import registry, source
from app.formats.errors import FormatError
from app.formats.tensorflow_events import FORMAT
from app.profile.profile import Profile
from app.profile.tensorflow import CAPNP, CBOR, JSON, PATH, TEXT, HostEvents
from generators import tensor_map
from generators import tensorflow_events as log
from generators.reading import profile_of
from generators.tensorflow_events import BEGAN, COMPILE_END, EXECUTE, Event
from generators.tfrecord import records

GRAPH, EXECUTION = '{"target": {"numTiles": 4}}', '{"simulation": {"cycles": 9}}'


def read(content: bytes | str) -> tuple[Profile, HostEvents]:
    profile = profile_of(FORMAT, content.encode() if isinstance(content, str) else content)
    assert profile.host_events is not None
    return profile, profile.host_events


def test_a_run_in_an_event_file() -> None:
    steps = [log.run(graph=GRAPH, execution=EXECUTION, every=2), log.run("cluster_2", BEGAN + 10, ordinal=1)]
    content = log.log(steps)
    profile, events = read(content)
    assert profile.issues == ()
    assert events.container == "event file"
    assert events.type.tolist() == [0, 1, 4, *[2, 5, 3] * 3] * 2
    assert events.step.tolist() == [0] * 12 + [1] * 12
    assert events.ordinal.tolist() == [0] * 12 + [1] * 12
    assert events.begin.tolist()[:2] == [-1, 0]
    assert events.begin.tolist()[13] == 12
    assert np.nansum(events.duration) == 5.0
    assert events.bytes.tolist()[3:6] == [4160, -1, 4]
    assert [events.strings.get(i) for i in events.tensors.name.tolist()[:3]] == ["input", "labels", "loss"]
    assert dict(zip(events.skipped_names, events.skipped_counts, strict=True)) == {"graphs": 1, "scalars": 2}
    texts = [content[o : o + s].decode() for o, s in zip(events.attached.offset, events.attached.size, strict=True)]
    assert texts == [GRAPH, EXECUTION, EXECUTION]
    at = int(events.offset[1])
    assert content[at : at + int(events.size[1])] == log.event(steps[0][1])


def test_the_timeline_has_a_process_for_each_device_and_lanes_by_module() -> None:
    profile, _ = read(log.log([log.run(), log.run("cluster_2", BEGAN + 10, ordinal=1, executions=1)]))
    timeline = profile.timeline
    assert timeline is not None
    names = [timeline.strings.get(int(text)) for text in timeline.lanes.process]
    assert names == ["Device 0"] * 5 + ["Device 1"] * 5
    lanes = [timeline.strings.get(int(text)) for text in timeline.lanes.thread][:5]
    assert lanes == ["Host to device", "Compile cluster_1", "Load cluster_1", "Execute cluster_1", "Device to host"]
    compiled = [i for i, name in enumerate(timeline.slices.name) if "Compile" in timeline.strings.get(int(name))]
    assert timeline.slices.start[compiled].tolist() == [0.0, 10.0]
    assert timeline.slices.duration[compiled].tolist() == [2.5, 2.5]
    assert timeline.slices.record[compiled].tolist() == [1, 13]
    assert np.count_nonzero(timeline.slices.duration) == 2
    moved = dict(zip(map(timeline.strings.get, timeline.counters.series.tolist()[:2]), range(2), strict=True))
    track = moved["Host to device"]
    first = timeline.counters.first
    assert timeline.counters.value[first[track] : first[track + 1]].tolist() == [4160.0, 8320.0, 12480.0]
    assert timeline.unit == "s"


def test_a_compilation_without_its_begin_lasts_as_long_as_it_says() -> None:
    profile, _ = read(log.log([[Event(COMPILE_END, BEGAN, duration=400_000), Event(EXECUTE, BEGAN + 1)]]))
    assert profile.timeline is not None
    assert profile.timeline.slices.start.tolist() == [0.0, 1.4]
    assert profile.timeline.slices.duration.tolist() == [0.4, 0.0]


def test_the_plugin_of_a_tag_is_remembered() -> None:
    event = [log.event(Event(EXECUTE))]
    first, later = log.value(event, "mine", "ipu"), log.value(event, "mine", None)
    other = log.value(event, "mine", "text")
    scoped = log.value(event, "train/ipu_trace", None)
    content = records([log.version(), *(log.summary([one]) for one in (first, later, other, scoped))])
    _, events = read(content)
    assert len(events) == 3
    assert dict(zip(events.skipped_names, events.skipped_counts, strict=True)) == {"text": 1}


@pytest.mark.parametrize(
    ("report", "content"),
    [
        (b'  {"a": 1}', JSON),
        (b"\xd9\xd9\xf7\xa1", CBOR),
        (b"\xbf\x61a\x01\xff", CBOR),
        (b"Target:\n  Number of IPUs: 1\n", TEXT),
        (b"/tmp/report/cluster_1.compile_report.json", PATH),
        (b"./cluster_1.cbor", PATH),
        (b"cluster_1.execute_report.txt", PATH),
        (b"/two\n/lines", TEXT),
        (b"/" + b"x" * 5000, TEXT),
        (b"\xff\xfe.json", TEXT),
    ],
)
def test_what_a_report_is(report: bytes, content: int) -> None:
    _, events = read(log.log([[Event(COMPILE_END, report=report)]]))
    assert events.attached.content.tolist() == [content]
    path = events.strings.get(int(events.attached.path[0]))
    assert path == (report.decode() if content == PATH else "")


def test_a_serialised_graph_is_cap_n_proto_or_a_path() -> None:
    _, events = read(
        log.log([[Event(COMPILE_END, poplar_graph=bytes(16)), Event(COMPILE_END, poplar_graph="/g.capnp")]])
    )
    assert events.attached.content.tolist() == [CAPNP, PATH]


def test_tensor_maps_of_a_log_become_one_section() -> None:
    maps = [tensor_map.tensor_map({"c": [tensor_map.Tensor(name)]}) for name in ("a", "b", "c")]
    steps = [log.run("m", tensor_map=maps[0]), log.run("m", tensor_map=maps[1]), log.run("n", tensor_map=maps[2])]
    profile, _ = read(log.log(steps))
    found = profile.tensor_map
    assert found is not None
    assert [found.strings.get(i) for i in found.tensors.instruction.tolist()] == ["b", "c"]
    assert [found.strings.get(i) for i in found.tensors.module.tolist()] == ["m", "n"]
    assert [issue.text for issue in profile.issues] == [
        "1 tensor map of a module that was compiled again is not shown; all can be saved from the table of reports"
    ]


def test_the_classes_of_instructions() -> None:
    _, events = read(
        log.log([log.run(ml_types={"dot.3": 2, "convolution.1": 4}), [Event(COMPILE_END, instruction_info="null")]])
    )
    names = [events.strings.get(i) for i in events.ml_types.instruction.tolist()]
    assert dict(zip(names, events.ml_types.type.tolist(), strict=True)) == {"dot.3": 2, "convolution.1": 4}


def test_the_text_form() -> None:
    made = log.run(graph="Target:\n  Number of IPUs: 1\n" + "-" * 70 + "\nnot a block", execution=EXECUTION)
    content = log.text(made)
    profile, events = read(content)
    assert profile.issues == ()
    assert events.container == "text"
    assert events.type.tolist() == [one.type for one in made]
    assert (events.time - BEGAN).tolist() == [float(int(one.time - BEGAN)) for one in made]
    assert events.duration.tolist()[1] == 2.5
    assert {events.strings.get(i) for i in events.module.tolist()} == {"cluster_1", ""}
    texts = [content[o : o + s] for o, s in zip(events.attached.offset, events.attached.size, strict=True)]
    assert texts == [made[1].report, EXECUTION, EXECUTION, EXECUTION]
    assert events.bytes.tolist()[3] == 4160


def test_times_of_the_text_form_keep_their_zone() -> None:
    rule = "-" * 70 + "\n"
    heads = ("2019-06-05 14:00:00 +0200: Load engine: m", "2019-06-05 12:00:00: Execute: m", "nonsense")
    profile, events = read("".join(f"{rule}=> @ {head}\n" for head in heads))
    assert events.time.tolist() == [BEGAN, BEGAN]
    assert [issue.text for issue in profile.issues] == ["this block has no time and no event type"]


def test_blocks_are_found_across_the_borders_of_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    content = log.text(log.run(execution=EXECUTION, executions=20))
    _, whole = read(content)
    for size in (97, 100, 211):
        monkeypatch.setattr("app.formats.tensorflow_events.containers.CHUNK", size)
        _, parts = read(content)
        assert parts.offset.tolist() == whole.offset.tolist()
        assert parts.size.tolist() == whole.size.tolist()


def test_a_sequence_of_reports() -> None:
    graph, run = '{"target": {"bytesPerTile": 3},\n "x": "}"}', '{"simulation": {"steps": []}}'
    profile, events = read(log.sequence([("cluster_1", graph), ("cluster_2", run)]) + "\n")
    assert profile.issues == ()
    assert profile.timeline is None
    assert events.type.tolist() == [COMPILE_END, EXECUTE]
    assert np.isnan(events.time).all()
    assert events.attached.size.tolist() == [len(graph), len(run)]
    assert [events.strings.get(i) for i in events.module.tolist()] == ["cluster_1", "cluster_2"]


SMALL = [
    '{"a": 1}',
    "{}",
    '{"a": "}{", "b": "\\"]"}',
    '{"memory": 1}',
    '{"memory": {"byTile": 1}}',
    '{"pro\\u0067ramTrace": []}',
    '{"traceEvents": [], "programTrace": []}',
    '{"a": "programTrace"}',
    '{"simulation": [}]',
    f'{{"a": {"[" * 20}{"]" * 20}, "programTrace": []}}',
    f'{{"programTrace": [{",".join(["1"] * 3000)}]}}',
    '{"programTrace" 1, "memory": {}}',
    '{"é": {}, "programs": []]',
]


@pytest.mark.parametrize("name", ["compile.json", "execute.json"])
@pytest.mark.parametrize("rest", ["", "b", 'b\n{"a": "', "b\n[]", "\r\n  \n"])
def test_small_reports_are_read_like_large_ones(name: str, rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are found without a walk through each, against a reader that walks through all."""
    content = log.sequence([(f"m{number}", text) for number, text in enumerate(SMALL * 2)]) + "\n" + rest
    quick = profile_of(FORMAT, content.encode(), name)
    monkeypatch.setattr("app.formats.tensorflow_events.containers._SMALL", re.compile(b"(?!)"))
    monkeypatch.setattr("app.formats.tensorflow_events.containers.may_have_clue", lambda _: True)
    slow = profile_of(FORMAT, content.encode(), name)
    assert quick.issues == slow.issues
    one, other = quick.host_events, slow.host_events
    assert one is not None
    assert other is not None
    assert len(one) == 2 * len(SMALL)
    assert len(set(one.type.tolist())) == 2
    for column in ("type", "module", "offset", "size"):
        assert getattr(one, column).tolist() == getattr(other, column).tolist()
    for column in ("event", "role", "content", "offset", "size", "path"):
        assert getattr(one.attached, column).tolist() == getattr(other.attached, column).tolist()


def test_no_walk_goes_through_small_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    def walk(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("app.formats.tensorflow_events.containers.JsonWalk", walk)
    monkeypatch.setattr("app.formats.tensorflow_events.containers.clues", walk)
    _, events = read('m\n{"a":1}\n' * 1000)
    assert len(events) == 1000
    assert events.attached.size.tolist() == [7] * 1000


def test_reports_across_the_borders_of_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    content = log.sequence([(f"m{number}", SMALL[number % len(SMALL)]) for number in range(60)])
    _, whole = read(content)
    monkeypatch.setattr("app.formats.tensorflow_events.containers.CHUNK", 5000)
    _, parts = read(content)
    assert parts.attached.offset.tolist() == whole.attached.offset.tolist()
    assert parts.type.tolist() == whole.type.tolist()


def test_reports_beyond_the_limit_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "FREE", 0)
    profile, events = read('m\n{"a":1}\n' * 1000)
    assert len(events) == 200
    assert "800 more" in profile.issues[0].text


def test_a_sequence_that_ends_in_the_middle_shows_what_is_whole() -> None:
    profile, events = read(log.sequence([("a", '{"target": {"bytesPerTile": 3}}'), ("b", '{"x": [1, 2')]))
    assert len(events) == 1
    assert "is incomplete" in profile.issues[0].text
    with pytest.raises(FormatError, match="no report"):
        read('a\n{"x": [')


def test_a_single_event() -> None:
    profile, events = read(log.event(Event(COMPILE_END, report=GRAPH)))
    assert events.container == "single event"
    assert events.attached.size.tolist() == [len(GRAPH)]
    assert profile.timeline is not None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("events.out.tfevents.1.host", log.log([log.run()])),
        ("renamed", log.log([log.run(graph=GRAPH)], "new")),
        ("trace.txt", log.text(log.run()).encode()),
        ("trace.txt", ("=> @ " + log.text(log.run()).split("=> @ ", 1)[1]).encode()),
        ("compile.json", log.sequence([("cluster_1", GRAPH)]).encode()),
        ("event.pb", log.event(Event(EXECUTE, report=EXECUTION))),
        ("event.pb", log.event(Event(EXECUTE, report="x" * 100_000))),
        ("event", log.event(Event(COMPILE_END, report=GRAPH), "flat")),
    ],
)
def test_content_decides(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert registry.sniff(path).id == "tensorflow-events"


@pytest.mark.parametrize(
    "content",
    [b"\tindented text\n" * 20, b"body\n{ color: red }", b"=> @ somewhere", b"x\n{}", bytes(64), b"\x09" + bytes(8)],
)
def test_what_only_looks_like_one_is_left_to_others(content: bytes) -> None:
    assert FORMAT.sniff(content, Path("some.txt")) == 0


def test_a_log_without_ipu_events_says_so() -> None:
    profile, events = read(records([log.version(), log.summary([log.scalar("loss", 1)])]))
    assert len(events) == 0
    assert profile.timeline is None
    assert [issue.severity for issue in profile.issues] == ["warning"]
    assert "ipu_compile_summary" in profile.issues[0].text
