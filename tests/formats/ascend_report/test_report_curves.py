"""Curves of an emulated run as counters of the timeline."""

from __future__ import annotations

import pytest

from app.formats.ascend_report import FORMAT, emulate
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from generators.ascend_report import pack_of, trace
from generators.reading import profile_of

MANIFEST = b'{"profile":"emulate","schemaVersion":1,"tickToUs":0.000606}'
UNITS = b"CoreName,UnitName,Tick,Util\nAIV0,VEC,20,0.5\nAIV0,VEC,10,0.25\nAIV1,VEC,10,NA\nAIV1,VEC,30,1\n"
QUEUES = b"Tick,Util\n0,3\n5,NA\n9,1\n"


def read(**files: bytes) -> Profile:
    named = {("manifest.json" if name == "manifest" else f"{name}.csv"): content for name, content in files.items()}
    return profile_of(FORMAT, pack_of(named | ({"PipeTrace.json": trace()} if "traced" in files else {})), "a.rep")


def shown(timeline: Timeline | None) -> dict[tuple[str, str], list[tuple[float, float]]]:
    assert timeline is not None
    own, made = timeline.counters, {}
    for track in range(len(own.name)):
        part = slice(int(own.first[track]), int(own.first[track + 1]))
        name = timeline.strings[own.process[track]], timeline.strings[own.name[track]]
        made[name] = list(zip(own.time[part].tolist(), own.value[part].tolist(), strict=True))
    return made


def test_curves_are_counters_by_what_the_other_columns_say() -> None:
    profile = read(manifest=MANIFEST, UnitUtilization=UNITS, ExecQueueUtilization=QUEUES)
    timeline = profile.timeline
    assert timeline is not None
    assert (timeline.unit, timeline.seconds_per_unit) == ("µs", 1e-6)
    made = shown(timeline)
    assert list(made) == [
        ("UnitUtilization", "AIV0 VEC"),
        ("UnitUtilization", "AIV1 VEC"),
        ("ExecQueueUtilization", "ExecQueueUtilization"),
    ]
    assert made["UnitUtilization", "AIV0 VEC"] == [(10 * 0.000606, 0.25), (20 * 0.000606, 0.5)]
    assert str(made["UnitUtilization", "AIV1 VEC"][0][1]) == "nan"
    assert [value for _, value in made["ExecQueueUtilization", "ExecQueueUtilization"]][::2] == [3, 1]


def test_curves_stand_beside_the_slices_of_a_trace() -> None:
    alone, both = read(traced=b"a\n1\n"), read(traced=b"a\n1\n", manifest=MANIFEST, UnitUtilization=UNITS)
    assert alone.timeline is not None
    assert both.timeline is not None
    assert len(both.timeline.slices.start) == len(alone.timeline.slices.start) > 0
    assert len(shown(both.timeline)) == len(shown(alone.timeline)) + 2
    lanes = [both.timeline.strings.get(index) for index in both.timeline.lanes.process.tolist()]
    assert lanes == [alone.timeline.strings.get(index) for index in alone.timeline.lanes.process.tolist()]


def test_without_the_length_of_a_tick_there_are_cycles_or_tables() -> None:
    profile = read(UnitUtilization=UNITS)
    assert profile.timeline is not None
    assert profile.timeline.unit == "cycles"
    assert shown(profile.timeline)["UnitUtilization", "AIV0 VEC"][0] == (10.0, 0.25)
    traced = read(traced=b"a\n1\n", UnitUtilization=UNITS)
    assert ("UnitUtilization", "AIV0 VEC") not in shown(traced.timeline)
    assert any("does not state the length of a tick" in issue.text for issue in traced.issues)


@pytest.mark.parametrize("content", [b"a,b\n1,2\n", b"Tick,Util\n", b"Tick,Util\nx,y\n", b"Tick,Util\nNA,1\n"])
def test_tables_without_curves_remain_tables(content: bytes) -> None:
    profile = read(manifest=MANIFEST, UnitUtilization=content)
    assert profile.timeline is None


def test_very_many_curves_remain_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emulate, "MOST_CURVES", 1)
    profile = read(manifest=MANIFEST, UnitUtilization=UNITS)
    assert profile.timeline is None
    assert any("has 2 curves" in issue.text for issue in profile.issues)
