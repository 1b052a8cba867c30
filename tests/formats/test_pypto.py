"""PyPTO runs: what is read of folders and of single files, and what damage leaves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.analysis import tables
from app.analysis.details import Described
from app.analysis.figures import figures
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT
from app.analysis.timeline.times import moment
from app.analysis.verdicts import verdicts
from app.formats import events
from app.formats.collect import read
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Event, Progress
from app.formats.pypto import FORMAT
from app.formats.pypto import read as read_module
from app.formats.pypto.read import read as read_run
from app.formats.pypto.records import rows_of
from app.formats.registry import plan
from app.formats.source import Source
from app.profile.profile import Profile
from app.profile.pypto import VIOLATED, CoreTasks, pairs, spans
from app.views.look import DARK, LIGHT
from app.widgets.timeline.flow_arrows import flow_colours
from generators import pypto

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "samples" / "pypto"
FILES = pypto.files()
RECORDS = "chip_swimlane_records.json"
ROWS = "aicore_tasks"


def run(folder: Path, **changed: Any) -> Profile:
    """A run of the generator, with other ``members`` of the records."""
    pypto.write(folder)
    if changed:
        records = json.loads(FILES[RECORDS])
        (folder / RECORDS).write_text(json.dumps(records | changed))
    (profile,) = read(FORMAT, sorted(folder.iterdir()))
    return profile


def tasks_of(profile: Profile) -> CoreTasks:
    assert profile.core_tasks is not None
    return profile.core_tasks


def said(profile: Profile) -> str:
    return "\n".join(issue.text for issue in profile.issues)


def test_a_folder_is_one_profile(tmp_path: Path) -> None:
    (tmp_path / "rank0").mkdir()
    pypto.write(tmp_path / "rank0" / "d0")
    pypto.write(tmp_path / "rank0" / "d1")
    for name in ("merged_swimlane_1.json", "CPM_static.json"):
        (tmp_path / "rank0" / "d0" / name).write_text('{"traceEvents": [{"ph": "X", "ts": 0, "dur": 1}]}')
    jobs, refused = plan([tmp_path])
    assert [(job.format.id, len(job.paths)) for job in jobs] == [("pypto", 4), ("pypto", 4)]
    assert refused == []


def test_a_merged_trace_alone_is_a_trace(tmp_path: Path) -> None:
    (tmp_path / "merged_swimlane.json").write_text('{"traceEvents": [{"ph": "X", "ts": 0, "dur": 1}]}')
    assert [job.format.id for job in plan([tmp_path])[0]] == ["ascend-trace"]


@pytest.mark.parametrize("name", [name for name in FILES if name != "pmu.csv"])
def test_each_file_opens_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(FILES[name])
    (job,) = plan([tmp_path / name])[0]
    (profile,) = read(job.format, list(job.paths))
    assert job.format.id == "pypto"
    assert profile.filled()
    assert profile.issues == ()
    assert FORMAT.surrounding is not None
    assert FORMAT.surrounding([tmp_path / name]) is None
    pypto.write(tmp_path)
    assert FORMAT.surrounding([tmp_path / name]) == tmp_path


def test_counters_open_alone(tmp_path: Path) -> None:
    (tmp_path / "pmu.csv").write_bytes(FILES["pmu.csv"])
    (profile,) = read(FORMAT, [tmp_path / "pmu.csv"])
    assert profile.report_tables is not None
    assert profile.report_tables.tables[0].rows == 204


def test_a_deps_file_of_another_program_is_none(tmp_path: Path) -> None:
    (tmp_path / "deps.json").write_text('{"tasks": [{"name": "a"}], "edges": []}')
    assert plan([tmp_path / "deps.json"])[0] == []


def test_blocks_have_their_dispatch_names_and_counters(tmp_path: Path) -> None:
    own = tasks_of(run(tmp_path / "run"))
    blocks = own.blocks
    assert (len(own.tasks), len(blocks), len(own.cores)) == (198, 204, 24)
    assert set(own.strings.tolist()) >= set(pypto.NAMES.values())
    assert (blocks.dispatch <= blocks.receive).all()
    assert (blocks.receive <= blocks.start).all()
    assert (blocks.end <= blocks.finish).all()
    total = next(one.of_core(0) for one in blocks.pmu if one.name == "pmu_total_cycles")
    assert np.array_equal(total, 30.0 * (blocks.end - blocks.start))


def test_the_timeline_has_all_cores_and_arrows(tmp_path: Path) -> None:
    profile = run(tmp_path / "run")
    line, own = profile.timeline, tasks_of(profile)
    assert line is not None
    names = [line.strings[text] for text in line.lanes.thread.tolist()]
    assert names == [*(f"AIC_{n}" for n in range(8)), *(f"AIV_{n}" for n in range(16)), "Sched_0", "Sched_1", "Sched_2"]
    assert len(line.flows.from_slice) == 192
    assert (line.flows.to_time >= line.flows.from_time).all()
    record = line.slices.record
    task = record >= 0
    assert np.array_equal(np.sort(record[task]), np.arange(204))
    assert np.array_equal(line.slices.start[task], own.blocks.start[record[task]])
    assert line.clock_hz == pypto.CLOCK


def test_moments_in_cycles_are_whole(tmp_path: Path) -> None:
    line = run(tmp_path / "run").timeline
    assert line is not None
    assert moment(line, 0.0) == "1,000,000,001,078 cycles"


def test_names_of_the_newest_map_win(tmp_path: Path) -> None:
    import os

    folder = tmp_path / "run"
    pypto.write(folder)
    for name, when in (("name_map_a.json", 2_000_000_000), ("name_map_b.json", 1_000_000_000)):
        (folder / name).write_text(json.dumps({"callable_id_to_name": {"0": name, "1": [], "x": "y"}}))
        os.utime(folder / name, (when, when))
    (profile,) = read(FORMAT, sorted(folder.iterdir()))
    assert "name_map_a.json" in tasks_of(profile).strings.tolist()
    assert "name_map_b.json" not in tasks_of(profile).strings.tolist()


@pytest.mark.parametrize(
    ("rows", "left", "words"),
    [
        ([[0, 1, 0, 10, 20], [0, 2, 0, 10, 5]], 1, "ends before it starts"),
        ([[0, 1, 0, 10, 20], [0, 3, 0, 20, 30], [0, 2, 0, 10]], 2, "another length than most"),
        ([[0, 1, 0, 10, 20], [0, 2, 0, "10", 20]], 1, "not a list of integers"),
        ([[0, 1, 0, 10, 20], [0, 1 << 64, 0, 10, 20]], 1, "not a list of integers"),
        ([[0, 1, 0, 10, 20], [1 << 40, 2, 0, 10, 20]], 1, "a number that cannot be"),
        ([[0, 1, 0, 10, 20], [99, 2, 0, 10, 20]], 2, "not among the cores"),
        ([[0, 1, 0, 10, 20], [0, 2, 0, 15, 25]], 2, "before the one before it"),
        ([[0, 1, 0, 10, 20, 1, 1, 1]] * 2, 0, "5 to 7 are expected"),
    ],
)
def test_odd_rows(tmp_path: Path, rows: list[Any], left: int, words: str) -> None:
    profile = run(tmp_path / "run", aicore_tasks=rows)
    assert len(tasks_of(profile).blocks) == left
    assert words in said(profile)


@pytest.mark.parametrize("clock", [0, -1, None, "50 MHz", 1e300])
def test_without_a_clock_times_are_cycles(tmp_path: Path, clock: Any) -> None:
    metadata = json.loads(FILES[RECORDS])["metadata"] | {"clock_freq_hz": clock, "num_cores": 10**9}
    profile = run(tmp_path / "run", metadata=metadata)
    assert tasks_of(profile).clock_hz is None
    assert len(tasks_of(profile).cores) == 24
    assert "clock_freq_hz is not a frequency" in said(profile)
    assert {figure.name for figure in figures(profile)} >= {"pypto.span_cycles", "pypto.busy_cycles"}


def test_later_layouts(tmp_path: Path) -> None:
    """Runs of a program by epoch, dispatches below scheduler_tasks, phases in streams."""
    old = json.loads(FILES[RECORDS])
    rows = [[*row[:6], epoch] for epoch in (1, 2) for row in old[ROWS]]
    handed = [[*row, epoch] for epoch in (1, 2) for row in old["aicpu_tasks"]]
    records = {key: value for key, value in old.items() if not key.startswith("aicpu")} | {ROWS: rows}
    records["scheduler_tasks"] = {"producer": "aicpu", "records": handed}
    streams = [{"scheduler_id": 4, "capture": {"dropped": 3}, "records": old["aicpu_scheduler_phases"][0]}]
    records["scheduler_records"] = {"streams": streams}
    folder = tmp_path / "run"
    pypto.write(folder)
    (folder / RECORDS).write_text(json.dumps(records))
    (profile,) = read(FORMAT, sorted(folder.iterdir()))
    own, line = tasks_of(profile), profile.timeline
    assert (len(own.tasks), len(own.blocks), len(own.dependencies)) == (396, 408, 384)
    assert set(own.tasks.run.tolist()) == {1, 2}
    assert (own.blocks.dispatch >= 0).all()
    assert "3 records were lost" in said(profile)
    assert line is not None
    assert "Sched_4" in [line.strings[text] for text in line.lanes.thread.tolist()]


def test_records_cut_in_the_middle(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    pypto.write(folder)
    text = json.dumps({ROWS: json.loads(FILES[RECORDS])[ROWS]} | json.loads(FILES[RECORDS])).encode()
    (folder / RECORDS).write_bytes(text[: len(text) // 4])
    (profile,) = read(FORMAT, sorted(folder.iterdir()))
    assert 0 < len(tasks_of(profile).blocks) <= 204
    assert any(issue.severity == "error" for issue in profile.issues)


def test_the_tile_framework(tmp_path: Path) -> None:
    path = tmp_path / "tilefwk_prof_data.json"
    path.write_bytes(pypto.framework())
    (profile,) = read(FORMAT, [path])
    own = tasks_of(profile)
    assert (len(own.blocks), len(own.cores), own.clock_hz) == (204, 24, None)
    assert profile.issues == ()


def test_rows_are_joined_in_their_order() -> None:
    one, other = np.array([5, 5, 7, 5]), np.array([7, 5, 5])
    assert rows_of([one], [other]).tolist() == [1, 2, 0, -1]
    assert rows_of([one], [other[:0]]).tolist() == [-1] * 4


def test_cancel_is_asked_for_between_few_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many times as there are steps, and more where columns are longer than what is looked up at a time."""
    monkeypatch.setattr(events, "SECONDS", -1.0)
    pypto.write(tmp_path)
    sources = [Source(path) for path in sorted(tmp_path.iterdir())]

    def asked(most: int = 1 << 20) -> int:
        count = 0

        def sink(event: Event) -> None:
            nonlocal count
            count += isinstance(event, Progress)
            if count > most:
                raise Cancelled

        read_run(sources, sink)
        return count

    steps = asked()
    assert steps > 50
    monkeypatch.setattr(read_module, "SOME", 16)
    assert asked() - steps > 2 * 204 // 16
    for most in range(0, steps, 7):
        with pytest.raises(Cancelled):
            asked(most)
    for source in sources:
        source.close()


def test_ready_tasks_are_counted_from_the_last_producer_to_the_first_block(tmp_path: Path) -> None:
    """1 and 2 have no producers; 3 waits from 300 to 310, 4 (on the other kind of core) from 200 to 250; 5 is violated,
    and 6 waits for a task that did not run."""
    content = {"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 50_000_000, "num_cores": 3}}
    content["metadata"]["core_types"] = ["aic", "aic", "aiv"]  # type: ignore[index]
    rows = [[0, 1, 0, 100, 200], [1, 2, 0, 150, 300], [0, 3, 1, 310, 400], [2, 4, 0, 250, 280], [2, 4, 1, 290, 295]]
    rows += [[2, 5, 2, 296, 299], [2, 6, 3, 500, 510]]
    (tmp_path / RECORDS).write_text(json.dumps({**content, ROWS: rows}))
    edges = [(1, 3), (2, 3), (1, 4), (2, 5), (9, 6)]
    graph = {"tasks": [{"task_id": "1", "kernel_ids": [0]}], "edges": [{"pred": str(a), "succ": b} for a, b in edges]}
    (tmp_path / "deps.json").write_text(json.dumps(graph))
    (profile,) = read(FORMAT, sorted(tmp_path.iterdir()))
    line = profile.timeline
    assert line is not None
    counters, text = line.counters, line.strings
    tracks = {
        f"{text[process]} {text[name]}": list(
            zip(counters.time[a:b].tolist(), counters.value[a:b].tolist(), strict=True)
        )
        for process, name, a, b in zip(
            counters.process.tolist(), counters.name.tolist(), counters.first[:-1], counters.first[1:], strict=True
        )
    }
    assert tracks["AIC ready tasks"] == [(200, 1), (210, 0)]
    assert tracks["AIV ready tasks"] == [(100, 1), (150, 0)]
    assert tracks["AIC running blocks"] == [(0, 1), (50, 2), (100, 1), (200, 0), (210, 1), (300, 0)]
    (tmp_path / "deps.json").unlink()
    (profile,) = read(FORMAT, sorted(tmp_path.iterdir()))
    assert profile.timeline is not None
    assert {profile.timeline.strings[name] for name in profile.timeline.counters.name.tolist()} == {"running blocks"}


def test_pairs_agree_with_the_times(tmp_path: Path) -> None:
    own = tasks_of(run(tmp_path / "run"))
    when = spans(own)
    found = pairs(own, when)
    assert found.kept.all()
    assert (when.end[found.before] <= when.start[found.after]).all()


def everything(profile: Profile) -> None:
    """All that is made from a profile."""
    figures(profile, whole=True)
    list(verdicts(profile))
    for table in tables.available(profile):
        for column in table.columns:
            assert len(column.values) == table.rows
    for rule in RULES:
        if rule.applies(profile):
            rule.check(profile, DEFAULT)


TOKENS = [b'"', b"{", b"}", b"[", b"]", b",", b"\xff", b"NaN", b"1e999", b"null", b"-1", b"99999999999999999999", b"0"]
TOKENS += [b'"aicore_tasks":', b'"kind":5,', b"[1,2,3],", b'"task_id":{}', b"1.5", b"4294967295"]
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(TOKENS) | st.binary(max_size=3)), max_size=5
)
VALID = pypto.files(pypto.Run(heads=2, tiles=2, cubes=2, vectors=3, busy=2)) | {
    "tilefwk_prof_data.json": pypto.framework(pypto.Run(heads=1, tiles=2, cubes=2, vectors=3, busy=2))
}


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(VALID)), EDITS, st.none() | st.floats(0, 1), st.booleans())
def test_mutated(tmp_path: Path, name: str, edits: list[Any], cut: float | None, alone: bool) -> None:
    text = VALID[name]
    for place, length, token in edits:
        at = int(place * len(text))
        text = text[:at] + token + text[at + length :]
    folder = tmp_path / "run"
    folder.mkdir(exist_ok=True)
    for other, content in VALID.items():
        (folder / other).write_bytes(content)
    (folder / name).write_bytes(text if cut is None else text[: int(cut * len(text))])
    paths = [folder / name] if alone else [path for path in sorted(folder.iterdir()) if "tilefwk" not in path.name]
    try:
        (profile,) = read(FORMAT, paths)
    except FormatError:
        return
    everything(profile)


def test_a_violated_dependency_has_a_name_and_the_colour_of_errors(tmp_path: Path) -> None:
    content = {"chip_swimlane_level": 1, "metadata": {"clock_freq_hz": 50_000_000, "num_cores": 2}}
    rows = [[0, 1, 0, 100, 200], [1, 2, 0, 150, 300], [0, 3, 1, 310, 400]]
    (tmp_path / "chip_swimlane_records.json").write_text(json.dumps({**content, "aicore_tasks": rows}))
    edges = [{"pred": "1", "succ": "2"}, {"pred": "2", "succ": "3"}]
    graph = {"tasks": [{"task_id": str(token), "kernel_ids": [0]} for token in (1, 2, 3)], "edges": edges}
    (tmp_path / "deps.json").write_text(json.dumps(graph))
    (profile,) = read(FORMAT, sorted(tmp_path.iterdir()))
    line = profile.timeline
    assert line is not None
    assert [line.strings[one] for one in line.flows.category.tolist()] == [VIOLATED, "dependency"]
    for theme in (LIGHT, DARK):
        colours = flow_colours(("dependency", VIOLATED), theme)
        assert colours[VIOLATED] == theme.error != colours["dependency"]


def test_details_of_a_slice_have_the_facts_of_its_task(tmp_path: Path) -> None:
    profile = run(tmp_path)
    table = tables.by_id(profile, "task-blocks")
    assert table is not None
    rows = {row.table.id: row for row in Described(profile).rows("slice", table.key(3))}
    assert set(rows) == {"slices", "task-blocks"}
    assert rows["task-blocks"].row == 3


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs ../shared")
def test_the_worked_numbers() -> None:
    (profile,) = read(FORMAT, sorted((SAMPLES / "run.synthetic").iterdir()))
    known = {figure.name: figure.value for figure in figures(profile, whole=True)}
    assert (known["pypto.tasks"], known["pypto.blocks"], known["pypto.cores"], known["pypto.cores_used"]) == (
        13,
        15,
        6,
        5,
    )
    assert known["pypto.span_s"] == pytest.approx(68.46e-6)
    assert known["pypto.busy_s"] == pytest.approx(132.08e-6)
    assert (known["pypto.dependencies"], known["pypto.dependencies_violated"]) == (19, 1)
    assert known["pypto.critical_path_s"] == pytest.approx(53.02e-6)
    assert known["pypto.critical_path_tasks"] == 4
    work, stall = known["pypto.observed_compute_s"], known["pypto.observed_stall_s"]
    assert isinstance(work, float)
    assert isinstance(stall, float)
    assert round(100 * work / 68.46e-6, 1) == 83.6
    assert round(100 * stall / 68.46e-6, 1) == 16.4
    parts = [known[f"time.{part}"] for part in ("data_wait", "resource_wait", "outside")]
    assert stall == pytest.approx(sum(part for part in parts if isinstance(part, float)))


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="needs ../shared")
def test_the_worked_numbers_of_the_tile_framework() -> None:
    (profile,) = read(FORMAT, [SAMPLES / "tilefwk_prof_data.json"])
    known = {figure.name: figure.value for figure in figures(profile)}
    own = tasks_of(profile)
    assert (known["pypto.cores"], known["pypto.tasks"]) == (52, 233)
    assert (known["pypto.span_cycles"], known["pypto.busy_cycles"]) == (119_325, 1_577_053)
    assert (own.cores.kind == 0).sum() == 20
    longest = int((own.blocks.end - own.blocks.start).argmax())
    assert int(own.cores.number[own.blocks.core[longest]]) == 13
    assert profile.issues == ()
