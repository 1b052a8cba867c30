"""The unit of times by the rule of the format page (Ascend operator reports, section 5), whatever holds the trace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from app.analysis.checks.task_length import check, longer
from app.analysis.export import tsv
from app.analysis.figures import figures
from app.analysis.tables import by_id
from app.formats import ascend_bin, ascend_report, ascend_trace
from app.formats.collect import read
from app.formats.pool import ALONE
from app.profile.ascend import TypedColumn
from app.profile.ascend_report import ReportTable, ReportTables
from app.profile.profile import Profile
from app.profile.task_time import task_time
from app.profile.timeline import Timeline
from app.views.look import Look
from app.views.timeline.model import Model
from app.views.timeline.ticks import ruler
from fakes.pools import PackingPool, check_same, make_pieces_small, profile_by
from generators import ascend_bin as bins
from generators import pipe_words
from generators.ascend_report import MHZ, basic_info, device_files, pack_of, write

Held = Callable[[Path, bytes], Profile]


def alone(folder: Path, trace: bytes) -> Profile:
    path = folder / "trace.json"
    path.write_bytes(trace)
    return read(ascend_trace.FORMAT, [path])[0]


def in_folder(folder: Path, trace: bytes) -> Profile:
    target = write(folder / "OPPROF_1_A", device_files() | {"trace.json": trace})
    return read(ascend_report.FORMAT, sorted(target.iterdir()))[0]


def in_pack(folder: Path, trace: bytes) -> Profile:
    path = folder / "one.rep"
    path.write_bytes(pack_of(device_files() | {"trace.json": trace}))
    return read(ascend_report.FORMAT, [path])[0]


def in_file(folder: Path, trace: bytes) -> Profile:
    path = folder / "visualize_data.bin"
    path.write_bytes(bins.small() + bins.block(0x02, trace))
    return read(ascend_bin.FORMAT, [path])[0]


def line_of(profile: Profile) -> Timeline:
    assert profile.timeline is not None
    return profile.timeline


def slice_event(ts: float | str, dur: float, **more: Any) -> dict[str, Any]:
    return {"ph": "X", "name": "a", "pid": "core0", "tid": "VECTOR", "ts": ts, "dur": dur, **more}


def text_of(events: list[dict[str, Any]], **top: Any) -> bytes:
    return orjson.dumps({**top, "traceEvents": events})


@pytest.mark.parametrize("held", [alone, in_folder, in_pack, in_file])
def test_words_of_the_device_count_cycles_and_all_else_microseconds(tmp_path: Path, held: Held) -> None:
    (tmp_path / "words").mkdir()
    words = line_of(held(tmp_path / "words", pipe_words.trace()))
    assert (words.unit, words.basis) == ("cycles", "words")
    (tmp_path / "plain").mkdir()
    for unit in ("ns", "ms"):
        plain = line_of(held(tmp_path / "plain", text_of([slice_event(1, 2), slice_event(5, 1)], displayTimeUnit=unit)))
        assert (plain.unit, plain.seconds_per_unit, plain.basis) == ("µs", 1e-6, "trace")


def test_a_category_or_a_word_alone_is_no_reason(tmp_path: Path) -> None:
    marked = [slice_event(1, 2, cat="PIPE_STATE"), slice_event(4, 2, args={"raw": "0xf0000001"})]
    assert line_of(alone(tmp_path, text_of(marked))).unit == "µs"
    both = [*marked, slice_event(9, 2, cat="pipe_state_busy", args={"start_raw": 5})]
    assert line_of(alone(tmp_path, text_of(both))).unit == "cycles"
    strange = text_of(both).replace(b'"ts":1,', b'"ts":"1","bp":5,')  # of an unusual type: another decoder
    assert line_of(alone(tmp_path, strange)).unit == "cycles"


def test_several_processes_find_the_same_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_pieces_small(monkeypatch)
    trace = pipe_words.trace(400)
    several = profile_by(PackingPool(tmp_path), ascend_trace.FORMAT, trace)
    check_same(profile_by(ALONE, ascend_trace.FORMAT, trace), several)
    assert isinstance(several, Profile)
    assert line_of(several).unit == "cycles"


def test_cycles_have_a_clock_only_if_they_are_as_long_as_the_task(tmp_path: Path) -> None:
    line = line_of(in_folder(tmp_path, pipe_words.trace()))
    length = float((line.slices.start + line.slices.duration).max() - line.slices.start.min())
    for number, (factor, clock) in enumerate(((1.0, float(MHZ) * 1e6), (0.95, float(MHZ) * 1e6), (0.5, None))):
        info = {"OpBasicInfo.csv": basic_info(duration=factor * length / MHZ), "trace.json": pipe_words.trace()}
        target = write(tmp_path / f"OPPROF_{number}_B", device_files() | info)
        (profile,) = read(ascend_report.FORMAT, sorted(target.iterdir()))
        assert line_of(profile).clock_hz == pytest.approx(clock)
        known = {figure.name: figure.value for figure in figures(profile)}
        assert known["timeline.unit"] == ("s" if clock else "cycles")
        assert known["timeline.span"] == pytest.approx(length / clock if clock else length)
        assert len(check(profile)) == (0 if clock else 1)
        if not clock:
            excess = longer(profile)
            assert excess is not None
            assert (excess.span, excess.clock_hz) == (length, MHZ * 1e6)
            assert excess.times == pytest.approx(2.0, rel=1e-5)


def test_each_replay_has_a_span_of_its_own(tmp_path: Path) -> None:
    """Two replays of 2 us each; the second is counted from a zero 7 us later."""
    names = [f"process1.result0.device0.replay{n}.group0.veccore0" for n in (0, 1)]
    made = [slice_event(7 * n + at, 1, pid=name) for n, name in enumerate(names) for at in (0, 1)]
    for duration, issues in ((1.9, 0), (1.7, 1)):
        files = device_files() | {"OpBasicInfo.csv": basic_info(duration=duration), "trace.json": text_of(made)}
        target = write(tmp_path / f"OPPROF_{issues}_C", files)
        (profile,) = read(ascend_report.FORMAT, sorted(target.iterdir()))
        assert len(check(profile)) == issues


def reason(profile: Profile) -> str:
    return next(str(figure.display) for figure in figures(profile) if figure.name == "timeline.unit_reason")


def test_the_summary_names_the_unit_and_the_reason(tmp_path: Path) -> None:
    grid = [slice_event((n * n + 5) / MHZ, 0.5) for n in range(1, 30)]
    said: Mapping[str, bytes] = {
        "µs, because all starts are whole cycles of the clock": text_of(grid),
        "µs, as in all traces": text_of([slice_event(n * 1.013, 0.5) for n in range(1, 30)]),
        "cycles, because the slices are named like device instructions": pipe_words.trace(),
    }
    for number, (text, trace) in enumerate(said.items()):
        (tmp_path / str(number)).mkdir()
        assert reason(in_folder(tmp_path / str(number), trace)) == text


FAR = ["1203345678.02", "1203345678.1", "1203345789.54"]


@pytest.mark.parametrize("as_text", [True, False])
def test_far_from_zero_ruler_table_and_summary_begin_alike(tmp_path: Path, as_text: bool) -> None:
    made = [slice_event(ts if as_text else float(ts), 0.02) for ts in FAR]
    profile = alone(tmp_path, text_of(made))
    line = line_of(profile)
    assert line.slices.start.tolist() == [0.0, 0.08, 111.52]
    assert line.origin == Decimal(FAR[0])
    model = Model.of(line)
    assert model.start == 0.0
    assert ruler(model.start, model.end, 5, model.clock.shown_seconds(Look())).labels[0] == "0 µs"
    table = by_id(profile, "slices")
    assert table is not None
    rows = [line.split("\t") for line in tsv(table).splitlines()]
    assert [float(row[rows[0].index("start [µs]")]) for row in rows[1:]] == [0, 0.08, 111.52]
    known = {figure.name: figure for figure in figures(profile)}
    assert known["timeline.origin"].value == f"{FAR[0]}0 µs"
    assert known["timeline.start"].label == ""
    assert known["timeline.start"].value == pytest.approx(1203.34567802)  # for programs the time of the file


def test_less_far_times_are_those_of_the_file_everywhere(tmp_path: Path) -> None:
    line = line_of(alone(tmp_path, text_of([slice_event(986, 10), slice_event(5000.25, 9)])))
    assert line.slices.start.tolist() == [986, 5000.25]
    assert line.origin == 0
    near = Model.of(line_of(alone(tmp_path, text_of([slice_event(400.5, 0.5), slice_event(401, 0.25)]))))
    assert near.start == 400.5


def test_single_precision_far_from_zero_still_nests(tmp_path: Path) -> None:
    """Neighbours that a simulator rounded to 32 bits share a row although they seem to overlap."""
    starts = [float(np.float32(70_000 + 0.01 * n)) for n in range(40)]
    line = line_of(alone(tmp_path, text_of([slice_event(ts, 0.01) for ts in starts])))
    assert line.origin
    assert len(line.slices.first) == 2


def test_a_simulated_run_is_as_long_as_its_table_says(tmp_path: Path) -> None:
    """Without an operator, ``exec_time_secs`` of ArchDiagramMetrics is the length of the task."""
    line = line_of(alone(tmp_path, text_of([slice_event(1, 2), slice_event(5, 1)])))
    for seconds, length in ((2e-6, 2.5), (float("nan"), None), (0.0, None)):
        column = TypedColumn("exec_time_secs", "float", np.array([[seconds], [7.0]]))
        other = TypedColumn("core0_gm_to_ub_gbs", "float", np.array([[1.0], [2.0]]))
        tables = ReportTables((ReportTable("ArchDiagramMetrics", "ArchDiagramMetrics.csv", (other, column)),))
        time = task_time(line, None, None, tables)
        assert (None if time is None else time.times) == (None if length is None else pytest.approx(length))
    assert task_time(line, None, None, ReportTables(())) is None
    assert task_time(None, None, None, None) is None
