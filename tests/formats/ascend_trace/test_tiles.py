"""Traces of AMD AI Engine tiles: recognised by their processes, in cycles, with the tiles as a grid."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Comparison
from app.analysis.figures import figures
from app.analysis.findings import outcomes
from app.analysis.tables import by_id
from app.analysis.tenstorrent import amounts, floors
from app.analysis.tiles import stalls, tile_events
from app.analysis.time.available import why_not
from app.analysis.time.classes import waiting
from app.analysis.timeline.pipes import name_kinds
from app.analysis.verdicts import verdicts
from app.cli import main
from app.formats.ascend_trace import FORMAT
from app.formats.collect import read
from app.formats.registry import label_of
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.views.table import Cells
from fakes.evidence import leads_somewhere
from generators.aie_trace import Traced, events, write


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return read(FORMAT, [write(tmp_path_factory.mktemp("aie") / "trace.json")])[0]


def test_times_are_cycles_and_tiles_are_a_grid(trace: Profile) -> None:
    line = trace.timeline
    assert line is not None
    assert (line.unit, line.seconds_per_unit, line.basis) == ("cycles", None, "tiles")
    assert label_of(trace) == "Trace of an AMD AI Engine (.json)"
    (floor,) = floors(trace)
    assert floor.core.shape == (5, 2)
    assert (floor.core >= 0).all()
    known = {figure.name: figure for figure in figures(trace)}
    assert known["timeline.unit_reason"].value == "names-of-processes"
    assert not any(name.startswith("tenstorrent.") for name in known)
    assert known["timeline.tile_event_cycles"].value == sum(column_of(trace, "cycles"))


def column_of(profile: Profile, key: str) -> list[float]:
    table = by_id(profile, "tile-events")
    assert table is not None
    (column,) = (column for column in table.columns if column.key == key)
    return [float(str(column.value(row))) for row in range(table.rows)]


def test_findings_say_which_stalls_take_the_time(trace: Profile) -> None:
    found = {one.rule.id: one for one in outcomes(trace)}
    assert not any(rule.startswith(("tenstorrent.", "trace.")) for rule in found)
    locks = found["aie.stalls"].findings[0]
    (evidence, *more) = locks.evidence
    assert (evidence.figure, evidence.value) == ("LOCK_STALL", column_of(trace, "share")[evidence.row])
    assert evidence.value == max(one.value for one in (evidence, *more))
    assert locks.title.startswith("Waits for locks: ")
    assert locks.saving is not None
    assert (locks.saving.at_most, locks.saving.unit) == (column_of(trace, "cycles")[evidence.row], "cycles")
    assert locks.saving.scope == evidence.key
    (uneven,) = found["aie.uneven-stalls"].findings
    most, least = (float(one.value) for one in uneven.evidence)
    assert most - least >= 25
    assert uneven.saving is None
    everything = [one for outcome in found.values() for finding in outcome.findings for one in finding.evidence]
    assert all(leads_somewhere(trace, one) for one in everything)
    verdict = verdicts(trace)[0]
    assert str(verdict.text[0]).startswith("LOCK_STALL")
    assert verdict.selection == most_stalled(trace)


def most_stalled(profile: Profile) -> Selection:
    """The tile of the core that waits longest for a lock, by the file's own order of rows."""
    own = tile_events(profile)
    assert own is not None
    assert profile.timeline is not None
    texts = profile.timeline.strings
    rows = [row for row in range(len(own.core)) if texts[int(own.process[row])].startswith("core_trace")]
    rows = [row for row in rows if texts[int(own.event[row])].endswith("STALL")]
    return Selection("worker_core", (int(own.core[max(rows, key=lambda row: float(own.share[row]))]),))


def test_no_bound_where_a_stall_lacks_its_end(tmp_path: Path) -> None:
    """It may last longer than the file says."""
    path = tmp_path / "trace.json"
    path.write_text(json.dumps([*events(Traced()), {"name": "LOCK_STALL", "ph": "B", "ts": 9, "pid": 0, "tid": 5}]))
    (profile,) = read(FORMAT, [path])
    findings = [finding for one in outcomes(profile) for finding in one.findings]
    assert findings
    assert [finding.saving for finding in findings] == [None] * len(findings)


def test_a_trace_without_stalls_is_not_checked(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_text(json.dumps([one for one in events(Traced()) if "STALL" not in one["name"]]))
    (profile,) = read(FORMAT, [path])
    assert {one.why for one in outcomes(profile) if one.rule.id.startswith("aie.")} == {
        "the trace has no events of stalls"
    }
    assert not any(one.selection for one in verdicts(profile))


def test_stalls_that_take_no_time_are_no_verdict(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    kinds = (("process_name", "core_trace for tile2,0"), ("thread_name", "LOCK_STALL"))
    named = [{"name": kind, "ph": "M", "pid": 0, "tid": 0, "args": {"name": name}} for kind, name in kinds]
    stall = [{"name": "LOCK_STALL", "ph": "X", "ts": 3, "dur": 0, "pid": 0, "tid": 0}]
    work = [{"name": "INSTR_VECTOR", "ph": "X", "ts": 0, "dur": 9, "pid": 0, "tid": 1}]
    for events_, rows in (([*named, *stall], []), ([*named, *stall, *work], [0.0])):
        path.write_text(json.dumps(events_))
        (profile,) = read(FORMAT, [path])
        own = tile_events(profile)
        assert own is not None
        assert own.share[stalls(profile)].tolist() == rows
        assert not any(one.selection for one in verdicts(profile))
        assert not any(one.findings for one in outcomes(profile))


def test_what_differs_sums_to_the_difference(trace: Profile, tmp_path: Path) -> None:
    """Without a replay: events of all tiles added up, and not causes of the span."""
    (other,) = read(FORMAT, [write(tmp_path / "other.json", Traced(seed=5, rounds=30))])
    (causes,) = all_causes(Comparison(trace, other))
    assert causes.figure == "timeline.tile_event_cycles"
    assert causes.difference == sum(column_of(other, "cycles")) - sum(column_of(trace, "cycles"))
    assert sum(row.difference for row in causes.rows) == causes.difference
    assert causes.rows[0].cause.endswith(" · LOCK_STALL")
    assert not causes.estimated


def test_shares_are_those_of_the_events(trace: Profile) -> None:
    table = by_id(trace, "tile-events")
    assert table is not None
    keys = [column.key for column in table.columns]
    rows = [dict(zip(keys, (column.value(row) for column in table.columns), strict=True)) for row in range(table.rows)]
    own = [one for one in events(Traced()) if one["ph"] != "M" and one["pid"] == 0]
    signs = {"B": -1, "E": 1}
    stalled = sum(signs[one["ph"]] * one["ts"] for one in own if one["name"] == "LOCK_STALL")
    span = max(one["ts"] for one in own) - min(one["ts"] for one in own)
    first = next(row for row in rows if row["process"] == "core_trace for tile2,0" and row["event"] == "LOCK_STALL")
    assert (first["tile"], first["count"], first["cycles"]) == ("tile (column 0, row 2)", 20, stalled)
    assert first["share"] == pytest.approx(100 * stalled / span)
    shares = next(amount for amount in amounts(trace) if amount.title == "LOCK_STALL (core_trace)")
    assert shares.values[floors(trace)[0].core[2, 0]] == pytest.approx(first["share"])
    assert np.isnan(shares.values[floors(trace)[0].core[0, 0]])


def test_stalls_are_waits(trace: Profile) -> None:
    line = trace.timeline
    assert line is not None
    waits = waiting(line)
    assert waits is not None
    texts = line.strings
    waited = {texts[name] for name in line.slices.name[waits].tolist()}
    assert waited == {"LOCK_STALL", "STREAM_STALL", "MEMORY_STALL", "DMA_S2MM_0_STALLED_LOCK"}
    assert "from its own first event" in why_not(trace)


@pytest.mark.parametrize(
    ("name", "waits"),
    [
        ("CASCADE_STALL", True),
        ("GROUP_CORE_STALL", True),
        ("PORT_STALLED_3", True),
        ("DMA_MM2S_1_STALLED_LOCK_ACQUIRE", True),
        ("DMA_S2MM_SEL0_STREAM_STARVATION", True),
        ("DMA_MM2S_0_MEMORY_BACKPRESSURE", True),
        ("PORT_IDLE_0", False),
        ("INSTR_LOCK_ACQUIRE_REQ", False),
        ("DMA_S2MM_0_FINISHED_TASK", False),
        ("CONFLICT_DM_BANK_0", False),
    ],
)
def test_names_of_stalls(name: str, waits: bool) -> None:
    assert name_kinds(Strings.of([name])).waits.tolist() == [waits, False]


def test_whole_cycles_have_no_decimals(trace: Profile) -> None:
    table = by_id(trace, "slice-statistics")
    assert table is not None
    cells = Cells(table)
    for place, column in enumerate(table.columns):
        texts = [cells.text(place, row) or "" for row in range(table.rows)]
        assert any("." in text for text in texts) is (column.key in ("average", "median", "share")), column.key


def test_a_moment_in_which_an_event_is_on_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    signs = [(0, "B"), (2, "B"), (6, "E"), (10, "E"), (20, "B"), (30, "E")]
    made = [{"name": "LOCK_STALL", "ph": phase, "ts": time, "pid": 0, "tid": 0} for time, phase in signs]
    name = {"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "core_trace for tile2,0"}}
    path.write_text(json.dumps([name, *made]))
    own = tile_events(read(FORMAT, [path])[0])
    assert own is not None
    assert (own.count.tolist(), own.cycles.tolist()) == ([3], [20.0])
    assert own.share.tolist() == [pytest.approx(100 * 20 / 30)]


def test_a_query_reads_the_table(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "trace.json")
    assert main(["query", str(path), "select count(*) from tile_events", "--csv"]) == 0
    assert capfd.readouterr().out == "count_star()\n50\n"


@pytest.mark.parametrize("other", ["core_trace for tile(2,0)", "core_trace for tile2", "python", ""])
def test_one_other_process_makes_it_a_plain_trace(tmp_path: Path, other: str) -> None:
    path = tmp_path / "trace.json"
    more = [
        {"name": "process_name", "ph": "M", "pid": 99, "args": {"name": other}},
        {"name": "a", "ts": 1, "dur": 3, "ph": "X", "pid": 99, "tid": 0},
    ]
    path.write_text(json.dumps([*events(Traced()), *more]))
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    assert (profile.timeline.unit, profile.worker_cores) == ("µs", None)
