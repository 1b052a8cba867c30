"""Small files that are hard on a reader: their time and memory follow their size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from app.formats.ascend_bin import FORMAT
from app.formats.ascend_bin.instructions import MAX_TEXT
from app.formats.ascend_bin.reader import MAX_TRACES
from app.formats.ascend_trace import FORMAT as TRACE_FORMAT
from fakes.measured_read import measured
from generators import ascend_hostile
from generators.ascend_bin import HEADER, block
from generators.reading import profile_of

Case = Callable[[int], bytes]
GREEDY: tuple[Case, ...] = (
    ascend_hostile.titles_and_rows,
    ascend_hostile.one_wide_row,
    ascend_hostile.small_tables,
    ascend_hostile.uneven_cores,
    ascend_hostile.small_blocks,
    ascend_hostile.series,
    ascend_hostile.long_numbers,
    ascend_hostile.memory_offsets,
    ascend_hostile.lines_in_a_cell,
    ascend_hostile.lines_in_cells,
    ascend_hostile.tables_in_a_pack,
)


def written(case: Case, size: int, folder: Path) -> Path:
    """A file of the case of about ``size`` bytes."""
    endings = {".bin": ascend_hostile.OPERATOR_FILES, ".csv": ascend_hostile.TABLES, ".rep": ascend_hostile.PACKS}
    ending = next((ending for ending, cases in endings.items() if case in cases), ".json")
    path = folder / f"{case.__name__}-{size}{ending}"
    path.write_bytes(case(max(1, 100 * size // (len(case(200)) - len(case(100))))))
    return path


def test_time_follows_the_file(tmp_path: Path) -> None:
    """Four times the file takes less than nine times as long (sixteen if it were quadratic)."""
    cases: Sequence[Case] = list(ascend_hostile.CASES.values())
    small = measured([written(case, 50_000, tmp_path) for case in cases])
    large = measured([written(case, 200_000, tmp_path) for case in cases])
    slow = [
        f"{case.__name__}: {a['seconds']:.2f} s, then {b['seconds']:.2f} s"
        for case, a, b in zip(cases, small, large, strict=True)
        if b["seconds"] > 9 * a["seconds"] + 0.3
    ]
    assert not slow


def test_memory_follows_the_file(tmp_path: Path) -> None:
    """Ten times the file and 300 million bytes, whatever lies in it."""
    told = measured([written(case, 1_500_000, tmp_path) for case in GREEDY])
    assert not [said for one in told for said in one["said"] if "memory" in said]


@pytest.mark.parametrize("kind", [0x01, 0x0A, 0x0B])
def test_large_binary_blocks_are_read_in_pieces(kind: int, tmp_path: Path) -> None:
    size = 160_000_000  # nothing of it takes room on the disk
    path = tmp_path / "sparse.bin"
    with path.open("wb") as file:
        file.write(block(0x05, b'{"name": "op"}') + HEADER.pack(size, kind, 0, 0x5A, 0x5A))
        if kind == 0x0A:
            file.write((size - 16).to_bytes(8, "little"))
        file.truncate(file.tell() + size + (4096 if kind == 0x01 else 0))
    (told,) = measured([path], times=0, megabytes=120)
    assert not [said for said in told["said"] if "memory" in said or "cannot" in said]


def test_a_text_block_too_large_to_decode_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "sparse.bin"
    with path.open("wb") as file:
        file.write(block(0x02, b'{"traceEvents": []}') + HEADER.pack(6 << 30, 0x09, 0, 0x5A, 0x5A))
        file.truncate(file.tell() + (6 << 30))
    (told,) = measured([path], times=0, megabytes=60)
    assert any("the limit for decoding" in said for said in told["said"])


def test_a_source_text_is_cut_where_no_view_could_show_it(tmp_path: Path) -> None:
    content = block(0x01, bytes(MAX_TEXT + 5), path="/a.cpp") + block(0x01, b"int x;", path="/b.cpp")
    profile = profile_of(FORMAT, content)
    assert profile.sources is not None
    assert list(profile.sources.texts.ends) == [MAX_TEXT, MAX_TEXT + 6]
    assert profile.sources.texts[1] == "int x;"
    assert "cut after 67,108,864 bytes" in profile.issues[0].text


def test_titles_without_values_make_no_columns() -> None:
    profile = profile_of(FORMAT, ascend_hostile.titles_and_rows(3000))
    assert profile.operator is not None
    assert len(profile.operator.blocks) == (8 * 3000 + 65536) // 3000
    assert "3,000 columns for few values; the first 29 are shown" in profile.issues[0].text


def test_tables_without_values_share_one_allowance() -> None:
    tables = profile_of(FORMAT, ascend_hostile.small_tables(20)).memory_tables
    assert tables is not None
    held = 20 * 128
    assert len(tables.value) <= 8 * held + 65536 + held
    assert len(tables.name) == 20


def test_lines_of_very_many_files_become_one_table() -> None:
    lines = profile_of(FORMAT, ascend_hostile.files_of_one_line(2500)).lines
    assert lines is not None
    (cycles,) = lines.columns
    assert cycles.values[:, 0].tolist() == list(range(2500))
    assert [lines.paths[int(file)] for file in lines.file[-2:]] == ["/f2498.cpp", "/f2499.cpp"]


def test_columns_that_come_and_go_between_files_keep_their_rows() -> None:
    files: list[dict[str, Any]] = [
        {"Source": f"/f{i}.cpp", "Lines": [{"Line": i, **({"Late": i} if i >= 1500 else {"Early": i})}]}
        for i in range(3000)
    ]
    lines = profile_of(FORMAT, block(0x03, orjson.dumps({"Files": files}))).lines
    assert lines is not None
    columns = {column.name: column.values[:, 0].tolist() for column in lines.columns}
    assert columns == {"Early": [*range(1500), *[-1] * 1500], "Late": [*[-1] * 1500, *range(1500, 3000)]}


def test_of_very_many_traces_the_first_are_read() -> None:
    trace = orjson.dumps({"traceEvents": [{"ph": "X", "pid": 1, "tid": 1, "name": "s", "ts": 1, "dur": 1}]})
    profile = profile_of(FORMAT, block(0x02, trace) * (MAX_TRACES + 3))
    assert profile.timeline is not None
    assert len(profile.timeline.slices.start) == MAX_TRACES
    assert "only the first 4,096 are read" in profile.issues[0].text


def test_counters_are_sorted_by_their_names_and_times() -> None:
    events = [
        {"ph": "C", "pid": "p", "name": name, "ts": ts, "args": {"v": ts * 2}}
        for name, ts in (("b", 3), ("a", 5), ("b", 1), ("a", 2))
    ]
    timeline = profile_of(TRACE_FORMAT, ascend_hostile.trace(events)).timeline
    assert timeline is not None
    counters = timeline.counters
    assert [timeline.strings[int(name)] for name in counters.name] == ["a", "b"]
    assert counters.first.tolist() == [0, 2, 4]
    assert counters.time.tolist() == [2, 5, 1, 3]
    assert counters.value.tolist() == [4, 10, 2, 6]


@pytest.mark.parametrize("depth", [900, 1000, 1020])
def test_a_list_in_place_of_a_text_is_no_text_however_deep(depth: int) -> None:
    content = b'{"name":' + b"[" * depth + b"]" * depth + b',"op_type":"vector"}'
    profile = profile_of(FORMAT, block(0x05, content))
    assert profile.operator is not None
    assert (profile.operator.name, profile.operator.type) == ("", "vector")
