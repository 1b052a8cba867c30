"""OPPROF folders: which files are one report, and what it shows."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from app.analysis.checks.task_length import check
from app.formats.ascend_report import FORMAT, traces
from app.formats.ascend_report.files import MOST_FILES, surrounding
from app.formats.collect import read
from app.formats.errors import FormatError
from app.formats.records import opened, paths, record
from app.formats.registry import Job, by_id, plan
from app.formats.source import Source
from app.profile.ascend import RawBlocks
from app.profile.ascend_report import COVERED, NOT_READ, SAME, SHOWN, TIMELINE, USE_NAMES
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from app.store.load import read_all
from app.views.pages.figures import files_of
from fakes.same import same
from generators import ascend_bin, ascend_report
from generators.ascend_metrics import Metrics
from generators.ascend_report import VARIANTS, Variant, basic_info, device_files, pack_of, simulator_files, trace, write

DEVICE = "OPPROF_20260821101500_ABCDEFGHIJKLMNOP"


def jobs_of(folder: Path) -> list[Job]:
    jobs, refused = plan([folder])
    assert refused == []
    return jobs


def only(folder: Path) -> Profile:
    (job,) = jobs_of(folder)
    (profile,) = read(job.format, job.paths)
    return profile


def uses(profile: Profile) -> dict[str, int]:
    own = profile.entries
    assert own is not None
    return {own.strings.get(name): use for name, use in zip(own.name.tolist(), own.use.tolist(), strict=True)}


def texts(profile: Profile) -> str:
    return "\n".join(issue.text for issue in profile.issues)


def test_a_device_folder_is_one_profile(tmp_path: Path) -> None:
    write(tmp_path / DEVICE, {**device_files(), "notes.txt": b"hello", "dump/aic.bin": bytes(99)})
    profile = only(tmp_path / DEVICE)
    assert len(profile.origin.paths) == 5
    assert uses(profile)["trace.json"] == TIMELINE
    assert uses(profile)["notes.txt"] == NOT_READ
    assert "dump/aic.bin" not in uses(profile)
    assert "notes.txt" in texts(profile)
    assert "not read" in texts(profile)


def _executed() -> dict[str, bytes]:
    """The files of a core beside those of a device, without folders, as in a pack."""
    cores = {name: content for name, content in simulator_files(2, whole=False).items() if name.endswith(".csv")}
    return {**device_files(), **{name.rsplit("/", 1)[1]: content for name, content in cores.items()}}


CONTENTS = {
    "device": device_files(),
    "mix": {**Metrics("mix").files(), "trace.json": trace()},
    "with an operator file": {**Metrics("a2").files(), "visualize_data.bin": ascend_bin.small(3)},
    "instructions": _executed(),
    "JSON": {
        "summary.jsonl": b'{"category":"OpInfoSummary","Op Name":"x","Task Duration(us)":1.5}\n',
        **device_files(),
    },
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("content", CONTENTS)
def test_the_same_operator_as_folder_and_as_pack_gives_the_same_profile(
    tmp_path: Path, content: str, variant: Variant
) -> None:
    files = CONTENTS[content]
    folder = only(write(tmp_path / DEVICE, files))
    path = tmp_path / "add_custom.rep"
    path.write_bytes(pack_of({name: files[name] for name in names_of(folder)}, variant))
    (pack,) = read(FORMAT, [path])
    assert folder.name == pack.name
    assert folder.filled() == pack.filled()
    for name in folder.filled():
        one, other = folder.section(name), pack.section(name)
        if isinstance(one, Timeline) and isinstance(other, Timeline):
            assert same(one.slices, other.slices)
            assert same(one.lanes, other.lanes)
            assert same(one.counters, other.counters)
            assert one.strings.tolist() == other.strings.tolist()
        elif isinstance(one, RawBlocks) and isinstance(other, RawBlocks):
            assert (one.type.tolist(), one.size.tolist()) == (other.type.tolist(), other.size.tolist())
            begin = int(other.offset[0])
            assert one.payload.tolist() == (other.payload - begin).tolist()
        elif name != "entries":
            assert same(one, other), name
    assert uses(folder) == uses(pack)
    unverified = [issue.text for issue in pack.issues if "was not verified" in issue.text]
    assert len(unverified) == (variant != "cann")
    assert texts(folder).splitlines() == [text for text in texts(pack).splitlines() if text not in unverified]


def names_of(profile: Profile) -> list[str]:
    """The files in the order of the profile."""
    return list(uses(profile))


def test_the_folder_of_a_report_is_named(tmp_path: Path) -> None:
    profile = only(write(tmp_path / DEVICE, simulator_files(1)))
    assert profile.entries is not None
    assert profile.entries.folder(profile.origin.paths) == tmp_path / DEVICE
    assert files_of(profile) == f"{DEVICE} (5 files)"
    path = tmp_path / "a.rep"
    path.write_bytes(pack_of(device_files()))
    (pack,) = read(FORMAT, [path])
    assert files_of(pack) == "a.rep"


def test_a_simulator_folder_shows_its_trace_once(tmp_path: Path) -> None:
    profile = only(write(tmp_path / DEVICE, simulator_files(12)))
    shown = uses(profile)
    assert profile.name == "add_custom"
    assert shown["simulator/visualize_data.bin"] == SHOWN
    assert shown["simulator/trace.json"] == SAME
    assert shown["simulator/core11.veccore0/trace.json"] == COVERED
    assert profile.timeline is not None
    assert profile.timeline.pieces is not None
    assert profile.origin.paths[profile.timeline.pieces.file].name == "visualize_data.bin"
    assert "12 traces of single cores were not read" in texts(profile)


def test_a_simulator_says_nothing_that_hides_the_tables_of_a_device(tmp_path: Path) -> None:
    files = simulator_files(1) | {name: content for name, content in device_files("named").items() if "csv" in name}
    profile = only(write(tmp_path / DEVICE, files))
    assert profile.operator is not None
    assert profile.target is not None
    assert (profile.name, profile.operator.name, profile.operator.type) == ("add_custom", "add_custom", "vector")
    assert (profile.operator.duration_us, profile.operator.block_dim, profile.operator.pid) == (1.8, 4, "4711")
    assert len(profile.operator.blocks) == 3
    assert (profile.target.device, profile.target.clock_hz) == (0, 1650e6)


def test_a_trace_that_differs_from_the_operator_file_is_reported(tmp_path: Path) -> None:
    files = {**simulator_files(1), "simulator/trace.json": trace(5)}
    assert "simulator/trace.json differs from the trace in visualize_data.bin" in texts(only(write(tmp_path, files)))


def test_traces_of_cores_alone_are_shown_side_by_side(tmp_path: Path) -> None:
    folder = write(tmp_path / DEVICE, simulator_files(11, whole=False))
    profile = only(folder)
    timeline = profile.timeline
    assert timeline is not None
    processes = dict.fromkeys(timeline.strings.get(index) for index in timeline.lanes.process.tolist())
    assert list(processes) == [f"core{number}.veccore0" for number in range(11)]
    assert len(timeline.slices.start) == 33
    assert timeline.pieces is not None
    with opened(paths(profile)) as source:
        seen = {record(source, profile, int(ordinal))["pid"] for ordinal in timeline.slices.record}
    assert seen == set(processes)


def test_a_slice_of_a_packed_trace_is_decoded_again(tmp_path: Path) -> None:
    path = tmp_path / "a.rep"
    path.write_bytes(pack_of(device_files()))
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    with Source(path) as source:
        event = record(source, profile, int(profile.timeline.slices.record[0]))
    assert event["ph"] == "X"


def test_several_operators_are_several_profiles(tmp_path: Path) -> None:
    for number in range(2):
        write(tmp_path / DEVICE / "device0" / "add_custom" / str(number), device_files(seed=number))
    profiles = [profile for job in jobs_of(tmp_path / DEVICE) for profile in read(job.format, job.paths)]
    assert len(profiles) == 2
    assert all(len(profile.origin.paths) == 4 for profile in profiles)


def test_other_files_of_a_folder_remain_their_own(tmp_path: Path) -> None:
    write(tmp_path, {**device_files(), "more.rep": pack_of(device_files("more")), "memory_info.json": b"{}"})
    jobs = jobs_of(tmp_path)
    assert sorted(len(job.paths) for job in jobs) == [1, 1, 4]
    assert {path.name for job in jobs if len(job.paths) == 1 for path in job.paths} == {"more.rep", "memory_info.json"}


@pytest.mark.parametrize("name", ["table.csv", "Memory.csv"])
def test_a_folder_with_other_tables_is_no_report(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: b"a,b\n1,2\n", "trace.json": trace()})
    assert [job.format.id for job in jobs_of(tmp_path)] == ["ascend-trace"]


def test_of_a_folder_of_very_many_tables_the_first_are_read(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 100):
        (tmp_path / f"t{number:05}.csv").write_bytes(ascend_report.pipe_utilization(number, 1))
    (job,), (refused,) = plan([tmp_path])
    assert [path.name for path in job.paths] == [f"t{number:05}.csv" for number in range(MOST_FILES)]
    assert f"only the first {MOST_FILES:,} files" in str(refused.error)


def test_an_operator_file_alone_is_read_as_such(tmp_path: Path) -> None:
    files = simulator_files(0)
    write(tmp_path, {"visualize_data.bin": files["simulator/visualize_data.bin"]})
    assert [job.format.id for job in jobs_of(tmp_path)] == ["ascend-bin"]


def test_a_single_file_names_the_folder_around_it(tmp_path: Path) -> None:
    write(tmp_path / DEVICE, simulator_files(1))
    for path in (tmp_path / DEVICE).rglob("*.*"):
        if path.is_file():
            assert surrounding([path]) == tmp_path / DEVICE
    lonely = write(tmp_path / "alone", {"trace.json": trace()}) / "trace.json"
    assert surrounding([lonely]) is None
    assert surrounding(list((tmp_path / DEVICE).rglob("*.csv"))) is None


def test_a_single_table_is_opened_too(tmp_path: Path) -> None:
    path = write(tmp_path, device_files()) / "PipeUtilization.csv"
    jobs, refused = plan([path])
    assert refused == []
    assert [(job.format.id, job.paths) for job in jobs] == [("ascend-report", (path,))]


def test_files_opened_by_name_are_one_report(tmp_path: Path) -> None:
    write(tmp_path, device_files())
    jobs, _ = plan([tmp_path / "Memory.csv", tmp_path / "OpBasicInfo.csv"])
    assert [len(job.paths) for job in jobs] == [2]


def test_a_file_that_vanishes_before_it_is_read_is_named(tmp_path: Path) -> None:
    write(tmp_path / DEVICE, device_files())
    (job,) = jobs_of(tmp_path / DEVICE)
    job.paths[0].write_bytes(b"")
    assert read(job.format, job.paths)[0].entries is not None
    with ExitStack() as stack:
        assert read_all([tmp_path / DEVICE], stack).refusals == []


def test_a_trace_that_shrinks_while_it_is_read_is_an_issue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(tmp_path / DEVICE, device_files())

    def shrunk(*_: object) -> None:
        raise FormatError("the file shrank while it was read", offset=7)

    monkeypatch.setattr(traces, "timeline", shrunk)
    profile = only(folder)
    assert "a trace cannot be read: the file shrank" in texts(profile)
    assert profile.entries is not None
    assert profile.operator is not None


def test_words_of_uses_are_all_there() -> None:
    assert len(USE_NAMES) == NOT_READ + 1
    assert by_id("ascend-report") is FORMAT


@pytest.mark.parametrize(("duration", "said"), [(1.8, ["1.4 times"]), (2.5, [])])
def test_a_timeline_longer_than_its_operator_is_an_issue(tmp_path: Path, duration: float, said: list[str]) -> None:
    files = device_files() | {"OpBasicInfo.csv": basic_info(duration=duration)}
    folder = write(tmp_path / "OPPROF_1_A", files)
    with ExitStack() as stack:
        (profile,) = read_all([folder], stack).profiles
    texts = [issue.text for issue in check(profile) if "as long as the operator" in issue.text]
    assert [text.split("timeline is ")[1].split(" as long")[0] for text in texts] == said
