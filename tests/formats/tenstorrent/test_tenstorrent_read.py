"""Captures of Tenstorrent: what is read from valid files, from odd ones, and from several together."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.figures import figures
from app.analysis.tables import by_id
from app.analysis.tenstorrent import idle, joined
from app.formats.collect import read
from app.formats.csv.cells import KnownTexts, plain_rows
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Event, Progress, SectionReady
from app.formats.registry import plan
from app.formats.source import Source
from app.formats.tenstorrent import FORMAT, content_of, gather, group, surrounding
from app.formats.tenstorrent.read import preview, record
from app.formats.tenstorrent.zones import pairs
from app.profile.arrays import I32
from app.profile.profile import Profile
from app.profile.tenstorrent import CoreMemoryReport
from generators import tenstorrent
from generators.tenstorrent import BEGAN, HEADER, Run
from soak.corpus import Case, cases, damaged

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples" / "tenstorrent"
HEAD = f"ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n{HEADER}\n"


def figure(profile: Profile, name: str) -> object:
    return {one.name: one.value for one in figures(profile)}.get(f"tenstorrent.{name}")


def log_of(tmp_path: Path, *rows: str, head: str = HEAD) -> Profile:
    path = tmp_path / "profile_log_device.csv"
    path.write_text(head + "".join(f"{row}\n" for row in rows))
    return read(FORMAT, [path])[0]


def row(time: int, kind: str, name: str = "A", core: str = "0,1,2,BRISC", run: int = 1024, timer: int = 7) -> str:
    return f"{core},{timer},{time},0,{run},,,{name},{kind},12,/src/a.cpp,"


def test_a_whole_capture_is_one_profile(tmp_path: Path) -> None:
    tenstorrent.write(tmp_path / "run")
    jobs, refused = plan([tmp_path / "run"])
    assert not refused
    assert [len(job.paths) for job in jobs] == [5]
    (profile,) = read(jobs[0].format, jobs[0].paths)
    wanted = {"worker_cores", "operations", "device_run", "noc_transfers", "core_memory", "timeline", "lines", "target"}
    assert wanted <= set(profile.filled())
    assert profile.name == "run"
    assert figure(profile, "cores") == 12
    assert figure(profile, "cores_idle") == 2
    assert figure(profile, "ops") == 6
    assert figure(profile, "zones_unmatched") == 1
    log, own = joined(profile), profile.operations
    assert log is not None
    assert own is not None
    kernel = own.number("DEVICE KERNEL DURATION [ns]")
    slowest = own.number("DEVICE KERNEL DURATION PER CORE MAX [ns]")
    assert np.isnan(kernel[0])  # the signpost
    assert log.cores.tolist() == [-1, *[10] * 6]
    assert np.array_equal(log.most[1:], slowest[1:])


def test_starts_and_ends_are_paired_as_brackets(tmp_path: Path) -> None:
    profile = log_of(
        tmp_path,
        row(BEGAN + 90, "ZONE_END"),
        row(BEGAN, "ZONE_START"),
        row(BEGAN + 10, "ZONE_START"),
        row(BEGAN + 20, "ZONE_END"),
        row(BEGAN + 95, "ZONE_END"),
        row(BEGAN + 100, "ZONE_START"),
        row(BEGAN + 300, "ZONE_START", "B", timer=8),
        row(BEGAN + 310, "ZONE_END", "B", run=2048, timer=8),
        row(BEGAN + 400, "TS_DATA", ""),
        "0,1,2,BRISC,9,5,777,1024,,,SUM,ZONE_TOTAL,3,/src/a.cpp,",
    )
    run, line = profile.device_run, profile.timeline
    assert run is not None
    assert line is not None
    assert (run.unended, run.unbegun) == (2, 2)
    table = by_id(profile, "device-zones")
    assert table is not None
    columns = {column.key: column for column in table.columns}
    assert [columns["name"].value(at) for at in range(table.rows)] == ["A", "SUM"]
    assert [columns[key].value(0) for key in ("count", "cycles", "max", "cores")] == [2, 100, 90, 1]
    assert columns["total"].value(1) == 777
    assert sorted(line.slices.duration.tolist()) == [0.0, 10.0, 90.0, 100.0, 300.0]
    assert len(line.instants.slice) == 1


def test_a_row_is_read_again_with_all_its_digits(tmp_path: Path) -> None:
    rows = [
        row(BEGAN, "ZONE_START"),
        row(BEGAN + 5, "ZONE_END"),
        "0,1,2,BRISC,12345,10,18446744073709551615,1,,,,TS_DATA,0,,",
    ]
    profile = log_of(tmp_path, *rows)
    line = profile.timeline
    assert line is not None
    with Source(profile.origin.paths[0]) as source:
        details = record(source, profile, int(line.slices.record[line.instants.slice[0]]))
        assert details["data"] == "18446744073709551615"
        with pytest.raises(FormatError):
            record(source, profile, 99)


def test_a_blank_line_does_not_move_the_rows_after_it(tmp_path: Path) -> None:
    profile = log_of(tmp_path, "", row(BEGAN, "ZONE_START"), "", row(BEGAN + 5, "ZONE_END"), "")
    line = profile.timeline
    assert line is not None
    with Source(profile.origin.paths[0]) as source:
        assert record(source, profile, int(line.slices.record[0]))["time[cycles since reset]"] == str(BEGAN)


@pytest.mark.parametrize(
    ("head", "clock"),
    [
        ("ARCH: blackhole, CHIP_FREQ[MHz]: 0", None),
        ("ARCH: blackhole, CHIP_FREQ[MHz]: nan", None),
        ("ARCH: blackhole, CHIP_FREQ[MHz]: 1e30", None),
        ("ARCH: blackhole, CHIP_FREQ[MHz]: 1350, Max Compute Cores: 130", 1.35e9),
    ],
)
def test_the_clock_is_that_of_the_header(tmp_path: Path, head: str, clock: float | None) -> None:
    profile = log_of(tmp_path, row(3, "ZONE_START"), row(5, "ZONE_END"), head=f"{head}\r\n{HEADER}\r\n")
    assert profile.target is not None
    assert profile.target.clock_hz == clock
    assert profile.target.soc == "blackhole"


def test_older_titles_are_read(tmp_path: Path) -> None:
    head = (
        "ARCH: grayskull, CHIP_FREQ[MHz]: 1200\nRun ID, PCIe slot, core_x, core_y, RISC processor type, timer_id, "
        "time[cycles since reset], stat value, zone name, zone phase, source line, source file\n"
    )
    profile = log_of(
        tmp_path, "5,0,1,1,NCRISC,3,100,0,K,begin,4,k.cc", "5,0,1,1,NCRISC,3,150,0,K,end,4,k.cc", head=head
    )
    assert figure(profile, "zones") == 1
    assert figure(profile, "longest_zone_cycles") == 50


def test_odd_rows_are_counted_and_skipped(tmp_path: Path) -> None:
    profile = log_of(
        tmp_path,
        row(1, "ZONE_START"),
        row(4, "ZONE_END"),
        "0,1",
        row(9, "ZONE_START", core="0,1000000000,1,BRISC"),
        row(10**29, "ZONE_START"),
        row(-3, "ZONE_START"),
        row(8, "NEW_KIND"),
        "",
    )
    texts = [issue.text for issue in profile.issues]
    assert [text.split()[0] for text in texts] == ["1", "2", "1", "1"]
    assert figure(profile, "zones") == 1


def test_a_log_without_types_has_no_zones(tmp_path: Path) -> None:
    head = HEAD.replace(", type,", ", nothing,")
    without = HEAD.replace("zone name, type, source line, source file", "a, b, c, d").replace("timer_id", "e")
    for own in (head, without):
        profile = log_of(tmp_path, row(1, "ZONE_START"), head=own)
        assert profile.timeline is None
        assert len(profile.issues) == 1
    with pytest.raises(FormatError):
        log_of(tmp_path, head="ARCH: x, CHIP_FREQ[MHz]: 1\nPCIe slot, core_x\n")


def test_devices_begin_at_their_own_first_cycle(tmp_path: Path) -> None:
    log = tenstorrent.device_log(Run(devices=2))[0]
    path = tmp_path / "log.csv"
    path.write_bytes(log)
    (profile,) = read(FORMAT, [path])
    assert profile.timeline is not None
    assert profile.timeline.origin == 0
    starts: dict[str, float] = {}
    for lane, process in enumerate(profile.timeline.lanes.process.tolist()):
        first = profile.timeline.slices.first[profile.timeline.lanes.first_row[lane]]
        device = profile.timeline.strings[process].split(",")[0]
        starts[device] = min(starts.get(device, 1e9), float(profile.timeline.slices.start[first]))
    assert starts == {"Device 0": 0.0, "Device 1": 0.0}


def test_a_preview_shows_the_first_zones(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(tenstorrent.device_log(Run())[0])
    with Source(path) as source:
        began, ready = list(preview([source]))
    assert began.preview  # type: ignore[union-attr]
    assert "slices" in ready.portion  # type: ignore[union-attr]


def test_groups_of_files(tmp_path: Path) -> None:
    files = tenstorrent.write(tmp_path / "one")
    kinds = [content_of(path) for path in group(files)[0]]
    assert kinds == ["operations", "noc", "simulated", "report", "log"]
    assert surrounding(files[:1]) == tmp_path / "one"
    assert surrounding([tmp_path / "none"]) is None
    others = tenstorrent.write(tmp_path / "two")
    made = gather([*files, *others], lambda _: True)
    assert sorted(len(own) for own in made.groups) == [5, 5]
    again = tmp_path / "one" / "ops_perf_results_later.csv"
    again.write_bytes(files[1].read_bytes())
    assert sorted(len(own) for own in group([*files, again])) == [1, 5]


def test_without_pages_all_cores_count_alike(tmp_path: Path) -> None:
    path = tenstorrent.report(tmp_path / "db.sqlite", Run(), pages=False)
    (profile,) = read(FORMAT, [path])
    own = profile.core_memory
    assert own is not None
    assert not own.by_pages
    peaks = own.memory.used[own.memory.operation == 2]
    assert len(peaks) == 12
    assert set(peaks.tolist()) == {int(tenstorrent.L1 * 0.93) - 32_768 + 8192}


def test_foreign_databases_and_traces_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "db.sqlite"
    path.write_bytes(b"SQLite format 3\0" + bytes(200) + b"CREATE TABLE operations(a);CREATE TABLE buffers(b)")
    with pytest.raises(FormatError):
        read(FORMAT, [path])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 20), st.booleans()), max_size=60))
def test_pairs_are_those_of_a_stack(rows: list[tuple[int, int, bool]]) -> None:
    key, time = (np.array([row[part] for row in rows], np.int64) for part in (0, 1))
    made = pairs(key, time, np.array([row[2] for row in rows], np.bool_))
    wanted, unbegun = set(), 0
    stacks: dict[int, list[int]] = {}
    for at in sorted(range(len(rows)), key=lambda at: (rows[at][0], rows[at][1], at)):
        stack = stacks.setdefault(rows[at][0], [])
        if rows[at][2]:
            stack.append(at)
        elif stack:
            wanted.add((stack.pop(), at))
        else:
            unbegun += 1
    assert set(zip(made.begin.tolist(), made.end.tolist(), strict=True)) == wanted
    assert sorted(made.open.tolist()) == sorted(at for stack in stacks.values() for at in stack)
    assert made.unbegun == unbegun


@given(st.lists(st.lists(st.text("0123456789 ab-", max_size=22), min_size=3, max_size=4), max_size=12))
def test_cells_are_those_of_the_lines(rows: list[list[str]]) -> None:
    text = "".join(",".join(cells) + "\r\n" for cells in rows).encode()
    made, line, others = plain_rows(text, ",", 3)
    assert (line.tolist(), others) == (list(range(len(rows))), 0)
    for column in range(3):
        cells = made.column(column).stripped()
        texts = [own[column][1:] if own[column].startswith(" ") else own[column] for own in rows]
        plain = [int(own) if own.isdigit() and len(own) <= 18 else -1 for own in texts]
        assert cells.whole().tolist() == plain
        assert [own.decode() for own in cells.raw(np.arange(len(rows)))] == texts
        first = {own.encode(): texts.index(own) for own in texts}
        assert KnownTexts().ids(cells, partial(_numbered, first)).tolist() == [texts.index(own) for own in texts]


def _numbered(numbers: dict[bytes, int], cells: list[bytes]) -> I32:
    return np.array([numbers[cell] for cell in cells], np.int32)


@cache
def corpus() -> list[Case]:
    return cases("tenstorrent")


@pytest.mark.parametrize("seed", range(24))
def test_damaged_captures_are_read_or_refused(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    case = random.choice(corpus())
    paths = []
    for name, content in damaged(case, random).items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    try:
        with ExitStack() as opened:
            list(preview([opened.enter_context(Source(path)) for path in paths]))
        profiles = read(FORMAT, paths)
    except FormatError:
        return
    for profile in profiles:
        assert figures(profile) is not None
        for table in (
            "worker-cores",
            "device-zones",
            "operations",
            "op-codes",
            "noc-transfers",
            "buffers",
            "l1-per-core",
        ):
            by_id(profile, table)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples are not here")
def test_real_files() -> None:
    def of(name: str) -> Profile:
        return read(FORMAT, [SAMPLES / name])[0]

    one = of("profile_log_device.one-core.csv")
    assert (figure(one, "zones"), figure(one, "zones_unmatched")) == (8, 2)
    operations = of("ops_perf_results.integral_image.csv")
    assert (figure(operations, "ops"), figure(operations, "signposts")) == (21, 6)
    assert figure(operations, "kernel_s") == pytest.approx(0.011398328)
    assert figure(operations, "gap_s") == pytest.approx(2.831446065)
    noc = of("noc_trace.1x2_to_2x4.json")
    wanted = ("noc_events", "noc_transfers", "noc_bytes", "noc_busiest_core_bytes")
    assert [figure(noc, name) for name in wanted] == [176, 128, 524_288, 65_536]
    gathered = of("noc_trace_dev5_AllGatherAsync_ID7.json")
    assert [figure(gathered, name) for name in wanted[:3]] == [45, 23, 16_576]
    report = of("ttnn-report.synthetic/db.sqlite")
    names = ("operations", "buffers", "buffer_pages", "l1_peak_bytes", "l1_peak_core", "l1_peak_operation")
    assert [figure(report, name) for name in names] == [12, 24, 446, 16_384, "0/2,1", 7]
    simulated = of("npe-timeline.single.json")
    assert figure(simulated, "noc_transfers") == 16
    workload = of("npe_workload.example.json")
    assert figure(workload, "noc_bytes") == 128 + 768 + 8192
    cores = one.worker_cores
    assert cores is not None
    assert not idle(cores).any()


def test_very_many_buffers_are_counted_and_not_all_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tenstorrent.report(tmp_path / "db.sqlite", Run())
    every = read(FORMAT, [path])[0]
    for name, value in (("TOGETHER", 4), ("MERGED", 2), ("MOST_BUFFERS", 4), ("_CHUNK", 4)):
        where = "app.formats.ascend_capture.database_safe" if name == "_CHUNK" else "app.formats.tenstorrent.memory"
        monkeypatch.setattr(f"{where}.{name}", value)
    some = read(FORMAT, [path])[0]
    assert every.core_memory is not None
    assert some.core_memory is not None
    assert 4 <= len(some.core_memory.buffers.size) < len(every.core_memory.buffers.size)
    assert some.core_memory.operations.buffers.tolist() == every.core_memory.operations.buffers.tolist()
    assert figure(some, "l1_peak_bytes") == figure(every, "l1_peak_bytes")
    assert any("up to operation" in issue.text for issue in some.issues)


SMALL: Final = {
    "app.formats.events.SECONDS": -1.0,
    "app.formats.tenstorrent.device_log.CHUNK": 1024,
    "app.formats.tenstorrent.zones.TOGETHER": 32,
    "app.formats.tenstorrent.assemble.TOGETHER": 32,
    "app.formats.tenstorrent.memory.TOGETHER": 8,
    "app.formats.ascend_capture.database_safe._CHUNK": 4,
    "app.formats.csv.lines.CHUNK": 512,
    "app.formats.json.walk.WINDOW": 512,
    "app.formats.json.walk.FIRST_PIECE": 256,
}


@pytest.mark.parametrize(("kind", "bytes_between"), [("log", 1024), ("operations", 512), ("noc", 512), ("report", 512)])
def test_cancel_is_asked_for_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, bytes_between: int
) -> None:
    run = Run(columns=(1, 2), rows=(1, 2), operations=3, idle=1)
    path = next(path for path in tenstorrent.write(tmp_path, run) if content_of(path) == kind)
    for name, value in SMALL.items():
        monkeypatch.setattr(name, value)
    asked = 0

    def count(event: Event) -> None:
        nonlocal asked
        asked += isinstance(event, Progress)

    def cancel(event: Event) -> None:
        nonlocal asked
        asked -= isinstance(event, Progress)
        if asked == 0:
            raise Cancelled

    with Source(path) as source:
        FORMAT.read([source], count)
    assert asked >= path.stat().st_size // bytes_between
    for number in range(1, asked + 1, max(asked // 6, 1)):
        asked = number
        with Source(path) as source, pytest.raises(Cancelled):
            FORMAT.read([source], cancel)


def test_pages_in_any_order_are_added_up_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They give the same as in the order of operations, and cancel is asked for while they are sorted."""
    path = tenstorrent.report(tmp_path / "db.sqlite", Run())
    for name, value in SMALL.items():
        monkeypatch.setattr(name, value)
    monkeypatch.setattr("app.profile.orders._STEP", 4)
    made = []
    for order in ("rowid", "rowid * 7919 % 31, rowid"):
        with closing(sqlite3.connect(path)) as database:
            database.execute(f"CREATE TABLE other AS SELECT * FROM buffer_pages ORDER BY {order}")
            database.execute("DROP TABLE buffer_pages")
            database.execute("ALTER TABLE other RENAME TO buffer_pages")
            database.commit()
        events: list[Event] = []
        with Source(path) as source:
            FORMAT.read([source], events.append)
        sections = [event.section for event in events if isinstance(event, SectionReady)]
        (own,) = (section.memory for section in sections if isinstance(section, CoreMemoryReport))
        made.append((own, sum(isinstance(event, Progress) for event in events)))
    (one, asked), (other, more) = made
    for name in ("operation", "core", "used", "parts"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    assert len(one.used) > 20
    assert more >= asked + len(one.used) // 8
    known = other.gap >= 0
    assert other.gap[known].tolist() == one.gap[known].tolist()


@pytest.mark.parametrize("mixed", [False, True])
def test_a_preview_of_a_report_shows_its_first_operations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, mixed: bool
) -> None:
    path = tenstorrent.report(tmp_path / "db.sqlite", Run())
    if mixed:
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE buffers SET operation_id = 7 - operation_id WHERE rowid % 2")
            database.commit()
    monkeypatch.setattr("app.formats.tenstorrent.memory.FIRST", 20 if mixed else 80)
    monkeypatch.setattr("app.formats.ascend_capture.database_safe._CHUNK", 4)
    with Source(path) as source:
        events = list(preview([source]))
    if mixed:
        assert not events
        return
    whole = read(FORMAT, [path])[0].core_memory
    assert whole is not None
    _, cores, ready = events
    assert isinstance(cores, SectionReady)
    assert isinstance(ready, SectionReady)
    first = ready.section
    assert isinstance(first, CoreMemoryReport)
    assert ready.portion == "the first 2 operations"
    for name in ("number", "duration", "dram", "buffers"):
        assert getattr(first.operations, name).tolist() == getattr(whole.operations, name)[:2].tolist()
    assert first.strings.get(int(first.operations.name[1])) == whole.strings.get(int(whole.operations.name[1]))
    own = whole.memory.operation < 2
    assert first.memory.used.tolist() == whole.memory.used[own].tolist()


def test_a_report_without_tensors_has_a_preview(tmp_path: Path) -> None:
    path = tenstorrent.report(tmp_path / "db.sqlite", Run())
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE tensors")
        database.commit()
    with Source(path) as source:
        assert len(list(preview([source]))) == 3


def test_cores_that_are_alike_are_listed_once_where_they_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tenstorrent.report(tmp_path / "db.sqlite", Run(), pages=False)
    every = read(FORMAT, [path])[0]
    monkeypatch.setattr("app.formats.tenstorrent.memory.MOST_ALIKE", 60)
    some = read(FORMAT, [path])[0]
    assert every.core_memory is not None
    assert some.core_memory is not None
    assert len(every.core_memory.memory.used) == 12 * len(some.core_memory.memory.used)
    assert figure(some, "l1_peak_bytes") == figure(every, "l1_peak_bytes")
    assert any("the first one is listed" in issue.text for issue in some.issues)
