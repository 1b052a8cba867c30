"""Captures of one rank and of several, from their text files."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, suppress
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats import collect, records, source
from app.formats.ascend_capture import FORMAT
from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.registry import by_id, plan
from app.formats.source import Source
from app.profile.ascend_capture import CLUSTER, TEXT
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from app.store.codec import put_columns
from app.store.load import read_all
from generators import ascend_capture as captures

RUN = captures.Run()
OUTPUT = "ASCEND_PROFILER_OUTPUT"


def written(folder: Path, files: dict[str, bytes]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def opened(folder: Path, *, count: int = 1) -> list[Profile]:
    jobs, refused = plan([folder])
    assert not refused
    assert [job.format.id for job in jobs] == [FORMAT.id] * count
    return [profile for job in jobs for profile in read(job.format, job.paths)]


def one(folder: Path) -> Profile:
    return opened(folder)[0]


def seconds(timeline: Timeline, text: str) -> list[int]:
    """Starts in nanoseconds since 1970 of the slices with that name."""
    rows = np.flatnonzero(np.isin(timeline.slices.name, timeline.strings.find(text)))
    assert timeline.seconds_per_unit == 1e-6
    return [round((float(timeline.slices.start[row]) + float(timeline.origin % 10**9)) * 1000) for row in rows]


def test_every_file_of_a_rank_is_in_its_profile(tmp_path: Path) -> None:
    profile = one(written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 1)))
    kernels, collectives = RUN.work(1)
    assert profile.name == "x_ascend_pt"
    assert profile.issues == ()
    section = profile.kernels
    assert section is not None
    assert section.start.tolist() == [each.start for each in kernels]
    assert section.duration.tolist() == [each.duration for each in kernels]
    assert section.wait.tolist() == [each.wait for each in kernels]
    assert section.task.tolist() == [each.task for each in kernels]
    assert section.step.tolist() == [each.step for each in kernels]
    assert [section.strings.get(each) for each in section.core.tolist()] == [each.core for each in kernels]
    assert section.strings.get(int(section.input_shapes[0])) == "32,3,224,224;64"
    assert set(section.context.tolist()) == {-1}
    assert [column.name for column in section.pmu] == list(captures.PMU)
    sent = profile.collectives
    assert sent is not None
    assert sent.start.tolist() == [each.start for each in collectives]
    assert sent.end.tolist() == [each.start + each.duration for each in collectives]
    assert {sent.strings.get(each) for each in sent.group.tolist()} == {captures.GROUP}
    assert sent.wait.tolist() == pytest.approx([each.duration / 2e9 for each in collectives])
    capture = profile.capture
    assert capture is not None
    assert (capture.rank.tolist(), capture.device.tolist(), capture.mode.tolist()) == ([1], [5], [TEXT])
    assert capture.strings.get(int(capture.version[0])) == "torch_npu 2.1.0, CANN 8.0.RC1"
    assert capture.strings.get(int(capture.groups.ranks[0])) == "0, 1"


def test_steps_are_those_of_the_file_with_the_times_of_host_and_device(tmp_path: Path) -> None:
    profile = one(written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 0)))
    steps, parts = profile.training_steps, captures.steps(RUN, 0)
    assert steps is not None
    assert steps.step.tolist() == list(parts)
    assert steps.computing.tolist() == pytest.approx([each["Computing"] / 1e9 for each in parts.values()], abs=1e-12)
    assert steps.free.tolist() == pytest.approx([each["Free"] / 1e9 for each in parts.values()], abs=1e-12)
    kernels, collectives = RUN.work(0)
    for row, step in enumerate(steps.step.tolist()):
        own = [each for each in kernels if each.step == step]
        sent = [each for each in collectives if each.step == step]
        assert steps.device_start[row] == own[0].start
        assert steps.device_end[row] == sent[-1].start + sent[-1].duration
        assert steps.start[row] == own[0].start - 1_500_000
        assert steps.end[row] == own[-1].start + own[-1].duration


def test_memory_is_in_bytes_and_in_the_order_of_time(tmp_path: Path) -> None:
    profile = one(written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 0)))
    record, operators = profile.memory_record, profile.memory_operators
    assert record is not None
    assert operators is not None
    names = [record.strings.get(each) for each in record.component.tolist()]
    assert names == ["APP"] * 20 + ["PTA"] * 20 + ["PTA+GE"] * 20
    assert record.reserved[0] == round(2109.6015625 * 2**20)
    assert record.allocated[0] == -1
    assert record.time[:20].tolist() == [RUN.began + place * 1_000_000 for place in range(20)]
    assert operators.size.tolist() == [18816.5 * 1024, 512, -64 * 1024]
    assert operators.allocated_at.tolist() == [RUN.began + 1_000_000] * 2 + [-1]
    assert operators.released_at.tolist() == [RUN.began + 3_000_000, -1, RUN.began + 3_000_000]


def test_cells_with_line_breaks_are_one_row(tmp_path: Path) -> None:
    profile = one(written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 0)))
    operators = profile.framework_operators
    assert operators is not None
    assert len(operators) == 2 * RUN.kernels
    assert operators.strings.get(int(operators.stack[0])) == 'train.py(3): step;\nmain.py(1): "main"'
    assert operators.host_total[0] == 2.5e-6


def test_ranks_of_a_run_are_one_profile(tmp_path: Path) -> None:
    profile = one(written(tmp_path / "run", captures.files(RUN)))
    assert profile.name == "run"
    assert profile.issues == ()
    capture, kernels, timeline = profile.capture, profile.kernels, profile.timeline
    assert capture is not None
    assert kernels is not None
    assert timeline is not None
    assert capture.rank.tolist() == [0, 1]
    assert np.bincount(kernels.rank).tolist() == [12, 12]
    processes = {timeline.strings.get(each) for each in timeline.lanes.process.tolist()}
    assert {"Rank 0 · CANN", "Rank 1 · CANN", "Rank 1 · Ascend Hardware"} <= processes
    assert {timeline.strings.get(each) for each in timeline.counters.process.tolist()} == {
        "Rank 0 · AI Core Freq",
        "Rank 1 · AI Core Freq",
        "Rank 0 · Memory",
        "Rank 1 · Memory",
    }
    name = "hcom_allReduce__586_0_1"
    starts = [each.start for rank in (0, 1) for each in RUN.work(rank)[1] if each.name == name]
    assert sorted(seconds(timeline, name)) == [start % 10**12 for start in starts]
    assert len(timeline.flows.category) == 2 * len(RUN.work(0)[0])
    assert (timeline.flows.from_slice >= 0).all()
    assert (timeline.flows.to_slice >= 0).all()


def test_a_slice_of_any_rank_leads_to_its_record(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", captures.files(RUN))
    jobs, _ = plan([folder])
    profile = read(jobs[0].format, jobs[0].paths)[0]
    timeline = profile.timeline
    assert timeline is not None
    assert timeline.pieces is not None
    with records.opened(records.paths(profile)) as source:
        for row in range(len(timeline.slices.start)):
            event = records.record(source, profile, int(timeline.slices.record[row]))
            assert event["name"] == timeline.strings.get(int(timeline.slices.name[row]))
            assert round(event["dur"] * 1000) == round(float(timeline.slices.duration[row]) * 1000)


def test_ranks_of_other_runs_stay_apart(tmp_path: Path) -> None:
    for number, run in enumerate((RUN, captures.Run(began=RUN.began + 10**12))):
        for rank in range(2):
            written(tmp_path / f"run{number}_rank{rank}_ascend_pt", captures.torch_npu(run, rank))
    profiles = opened(tmp_path, count=2)
    assert [profile.capture.rank.tolist() for profile in profiles if profile.capture] == [[0, 1], [0, 1]]
    assert [[issue.text for issue in profile.issues] for profile in profiles] == [
        [f"run{other}_rank{rank}_ascend_pt is not of this run: their times do not overlap" for rank in range(2)]
        for other in (1, 0)
    ]

    assert [profile.name for profile in profiles] == [
        f"{tmp_path.name} (run{number}_rank0_ascend_pt …)" for number in range(2)
    ]


def is_open(descriptor: int) -> bool:
    with suppress(OSError):
        os.fstat(descriptor)
        return True
    return False


def test_very_many_files_are_open_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "run", captures.files(captures.Run(ranks=4)))
    expected = one(folder)
    monkeypatch.setattr(collect, "MOST_OPEN", 8)
    opened_by = source._opened
    descriptors: set[int] = set()
    most: list[int] = []

    def counted(path: Path, named: Path) -> int:
        descriptor = opened_by(path, named)
        descriptors.add(descriptor)
        most.append(sum(map(is_open, descriptors)))
        return descriptor

    monkeypatch.setattr(source, "_opened", counted)
    profile = one(folder)
    assert max(most) <= 3
    for section in ("kernels", "collectives", "timeline"):
        assert put_columns(profile.section(section), BytesIO()) == put_columns(expected.section(section), BytesIO())


def test_a_file_that_changes_while_it_rests_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b")
    with Source(path, rests=True) as resting:
        assert resting.read(0, 3) == b"a,b"
        path.write_bytes(b"c,d,e")
        with pytest.raises(FormatError, match="the file changed while it was read"):
            resting.read(0, 3)


def test_each_device_of_a_folder_is_a_rank(tmp_path: Path) -> None:
    files = captures.msprof(RUN, 0)
    (name,) = [name for name in files if "op_summary" in name]
    head, *rows = files[name].decode().splitlines()
    place = head.split(",").index("Device_id")
    split = [row.split(",") for row in rows]
    for number, row in enumerate(split):
        row[place] = "57"[number % 2]
    files[name] = "\n".join([head, *map(",".join, split)]).encode() + b"\n"
    profile = one(written(tmp_path / "PROF_1", files))
    assert profile.capture is not None
    assert profile.capture.device.tolist() == [5, 7]
    kernels, sent = profile.kernels, profile.collectives
    assert kernels is not None
    assert sent is not None
    assert len(kernels) + len(sent) == len(rows)
    assert abs(int((kernels.rank == 0).sum()) - int((kernels.rank == 1).sum())) <= 2


def test_a_rank_opened_alone_names_the_others(tmp_path: Path) -> None:
    folder = written(tmp_path / "run", captures.files(RUN))
    (issue,) = one(folder / "rank0_ascend_pt").issues
    assert issue.text == "rank1_ascend_pt is of the same run; open run to see all"


def test_a_rank_without_a_trace_is_reported(tmp_path: Path) -> None:
    files = captures.files(RUN)
    del files[f"rank1_ascend_pt/{OUTPUT}/trace_view.json"]
    del files[f"rank0_ascend_pt/{OUTPUT}/kernel_details.csv"]
    profile = one(written(tmp_path / "run", files))
    assert [issue.text for issue in profile.issues] == [
        "Rank 1: there is no trace, so the timeline lacks it",
        "Rank 0: there are no files about kernels",
    ]
    assert profile.timeline is not None


def test_a_cluster_alone_has_its_ranks(tmp_path: Path) -> None:
    run = captures.Run(ranks=3)
    profile = one(written(tmp_path / "cluster_analysis_output", captures.cluster(run)))
    capture, steps, sent, links = profile.capture, profile.training_steps, profile.collectives, profile.links
    assert capture is not None
    assert steps is not None
    assert sent is not None
    assert links is not None
    assert profile.timeline is None
    assert capture.rank.tolist() == [0, 1, 2]
    assert set(capture.mode.tolist()) == {CLUSTER}
    assert np.bincount(steps.rank).tolist() == [2, 2, 2]
    assert len(sent) == 6
    assert len(links) == 18
    assert (links.rank == links.source).all()


def test_a_cluster_adds_the_ranks_that_have_no_folder(tmp_path: Path) -> None:
    run = captures.Run(ranks=3)
    files = {name: content for name, content in captures.files(run).items() if not name.startswith("rank1")}
    profile = one(written(tmp_path / "run", files))
    capture, sent, kernels = profile.capture, profile.collectives, profile.kernels
    assert capture is not None
    assert sent is not None
    assert kernels is not None
    assert capture.rank.tolist() == [0, 1, 2]
    assert capture.mode.tolist() == [TEXT, CLUSTER, TEXT]
    assert np.bincount(sent.rank).tolist() == [2, 2, 2]
    assert set(kernels.rank.tolist()) == {0, 2}
    assert profile.issues == ()


def test_a_cluster_that_disagrees_is_reported(tmp_path: Path) -> None:
    files = captures.files(RUN)
    name = "cluster_analysis_output/cluster_step_trace_time.csv"
    lines = files[name].split(b"\n")
    lines[1] = b",".join([*lines[1].split(b",")[:3], b"1.0", *lines[1].split(b",")[4:]])
    profile = one(written(tmp_path / "run", {**files, name: b"\n".join(lines)}))
    (issue,) = profile.issues
    assert "step 50 of rank 0" in issue.text
    assert "(computing)" in issue.text


def test_parts_of_a_run_of_msprof_follow_one_another(tmp_path: Path) -> None:
    run = captures.Run(first_step=None)
    for rank in range(2):
        written(tmp_path / f"PROF_00000{rank}_20250109_ABC", captures.msprof(run, rank, 3))
    profile = one(tmp_path)
    kernels, capture, tables = profile.kernels, profile.capture, profile.report_tables
    assert kernels is not None
    assert capture is not None
    assert tables is not None
    assert capture.rank.tolist() == [-1, -1]
    assert capture.device.tolist() == [4, 5]  # that is all that tells these ranks apart
    assert kernels.start.tolist() == [each.start for each in run.work(0)[0]] * 2
    assert set(kernels.step.tolist()) == {-1}
    assert [table.name for table in tables.tables] == [
        "rank0/task_time_20250109151803",
        "rank1/task_time_20250109151803",
    ]


@pytest.mark.parametrize("name", [f"{OUTPUT}/kernel_details.csv", f"{OUTPUT}/memory_record.csv"])
def test_a_file_alone_opens_and_leads_to_its_folder(name: str, tmp_path: Path) -> None:
    folder = written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 0))
    assert FORMAT.surrounding is not None
    assert FORMAT.surrounding([folder / name]) == folder
    profile = one(folder / name)
    assert profile.name == Path(name).name
    assert profile.issues == ()
    alone = written(tmp_path / "alone", {"kernel_details.csv": captures.kernel_details(RUN, 0)})
    assert FORMAT.surrounding([alone / "kernel_details.csv"]) is None


def test_a_folder_inside_a_rank_opens_too(tmp_path: Path) -> None:
    folder = written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 0)) / OUTPUT
    profile = one(folder)
    assert profile.kernels is not None
    assert profile.timeline is not None


def test_files_and_folders_of_a_link_that_is_gone_are_reported(tmp_path: Path) -> None:
    folder = written(tmp_path / "x_ascend_pt", captures.torch_npu(RUN, 0))
    jobs, _ = plan([folder])
    (folder / OUTPUT / "memory_record.csv").write_bytes(b"")
    profile = read(jobs[0].format, jobs[0].paths)[0]
    assert profile.memory_record is None
    assert any("memory_record.csv" in f"{issue.where} {issue.text}" for issue in profile.issues)


def test_a_folder_that_was_not_analysed_says_so(tmp_path: Path) -> None:
    files = {name: content for name, content in captures.files(RUN).items() if not name.startswith("rank1_ascend_pt/A")}
    issues = [issue.text for issue in one(written(tmp_path / "run", files) / "rank1_ascend_pt").issues]
    assert "Rank 1: there is no trace, so the timeline lacks it" in issues
    assert any(text.startswith("Rank 1: there is no data to show") for text in issues)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_tables_that_went_through_another_program(encoding: str, separator: str, tmp_path: Path) -> None:
    text = "Name,Duration(us),Accelerator Core,Start Time(us)\nA,1.5,AI_CORE,1736408883704643.212\n"
    path = tmp_path / "kernels.csv"
    path.write_bytes(text.replace(",", separator).encode(encoding))
    kernels = one(path).kernels
    assert kernels is not None
    assert kernels.start.tolist() == [1736408883704643212]


def test_a_database_of_a_viewer_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mindstudio_insight_data.db"
    path.write_bytes(b"SQLite format 3\0" + b"CREATE TABLE STRING_IDS (id, value)")
    _, (refusal,) = plan([path])
    assert "mindstudio_insight_data.db, a database of another viewer" in refusal.error.text


TIMES = b"Name,Duration(us),Accelerator Core,Start Time(us)\r\n"


def test_times_that_a_spreadsheet_damaged_are_no_data(tmp_path: Path) -> None:
    rows = b"A,1.5,AI_CORE,1.69512E+15\r\nB,N/A,AI_CORE,1.69513E+15\r\nC,2,AI_CORE,1736408883704643.2126\t\r\n"
    profile = one(written(tmp_path, {"kernel_details.csv": TIMES + rows}) / "kernel_details.csv")
    kernels = profile.kernels
    assert kernels is not None
    assert kernels.start.tolist() == [-1, -1, 1736408883704643213]
    assert kernels.duration.tolist() == [1500, -1, 2000]
    assert [issue.text for issue in profile.issues] == [
        "2 times in the column Start Time(us) lost their last digits in a spreadsheet; they are not shown"
    ]


def test_a_kernel_of_level_0_has_neither_type_nor_core(tmp_path: Path) -> None:
    head = b"Step Id,Task ID,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n"
    rows = (
        b"5,7,MatMul1,N/A,N/A,1736408883704643.212\t,3.5,0\n5,N/A,hcom_send__822_0,N/A,N/A,1736408883704644.212\t,9,0\n"
    )
    profile = one(written(tmp_path, {"kernel_details.csv": b"\xef\xbb\xbf" + head + rows}) / "kernel_details.csv")
    assert profile.kernels is not None
    assert profile.collectives is not None
    assert profile.kernels.type.tolist() == [-1]
    assert profile.kernels.core.tolist() == [-1]
    assert profile.collectives.kind.tolist() == [1]


@given(data=st.data())
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_captures_are_read_or_refused(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    run = captures.Run(steps=1, kernels=3)
    files = captures.files(run)
    for name in data.draw(st.lists(st.sampled_from(sorted(files)), min_size=1, max_size=4, unique=True)):
        content = bytearray(files[name])
        for _ in range(data.draw(st.integers(1, 6))):
            place = data.draw(st.integers(0, len(content)))
            end = place + data.draw(st.sampled_from((0, 1, 1, 7, 200)))
            content[place:end] = data.draw(
                st.sampled_from((b"", b"\0", b'"', b",", b"9" * 25, b"1e999", b"-", b"\n", b"{", b"]", b"N/A", b"null"))
            )
        files[name] = bytes(content)
    folder = written(tmp_path_factory.mktemp("damaged"), files)
    jobs, _ = plan([folder])
    for job in jobs:
        try:
            read(job.format, job.paths)
        except FormatError:
            continue


def test_the_format_has_its_id() -> None:
    assert by_id("ascend-capture") is FORMAT


def test_a_database_of_which_nothing_can_be_read_is_refused(tmp_path: Path) -> None:
    """In one line that says why, and without a profile in which there is nothing."""
    path = tmp_path / "ascend_pytorch_profiler_0.db"
    whole = sqlite3.connect(path)
    for table in ("STRING_IDS", "TASK"):
        whole.execute(f"create table {table} (id integer, value text)")
    whole.executemany("insert into TASK values (?, ?)", [(n, "x" * 500) for n in range(200)])
    whole.commit()
    whole.close()
    path.write_bytes(path.read_bytes()[:20_000])
    with ExitStack() as stack:
        opened = read_all([path], stack)
    assert opened.profiles == []
    assert ["truncated" in str(refusal.error) for refusal in opened.refusals] == [True]
