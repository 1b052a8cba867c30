"""Blocks 0x01, 0x03, 0x04 and 0x02: read piece by piece, whole or cut off."""

from __future__ import annotations

from typing import Any

import numpy as np
import orjson
import pytest

from app.formats.ascend_bin import FORMAT
from app.formats.errors import FormatError
from app.formats.events import Event, Progress
from app.formats.records import record
from app.profile.ascend import column_named
from app.profile.profile import Profile
from generators.ascend_bin import (
    Program,
    block,
    block_parts,
    core_names,
    device_instructions,
    source_blocks,
    trace_block,
)
from generators.ascend_kernel import KERNEL, instructions, texts
from generators.memory_source import MemorySource
from generators.reading import profile_of

CORES = tuple(core_names(1))


def read(kind: int, record: Any, version: int = 0x5A) -> Profile:
    return profile_of(FORMAT, block(kind, orjson.dumps(record), version=version))


@pytest.mark.parametrize("typed", [True, False])
def test_a_generated_program_comes_back(typed: bool) -> None:
    program = Program(CORES, count=5000, seed=3, typed=typed)
    profile = profile_of(FORMAT, b"".join(source_blocks(program)))
    found, lines = profile.instructions, profile.lines
    assert found is not None
    assert lines is not None
    assert profile.issues == ()
    assert found.cores == lines.cores == CORES
    costs = program.costs(0, 2000)
    assert found.address.tolist() == [program.at(n).address for n in range(5000)]
    for column in found.columns:
        expected = costs[column.name].astype(np.float64)
        if column.kind == "percent":
            expected[expected < 0] = np.nan
        np.testing.assert_array_equal(column.values[:2000], expected)
    assert {column.name for column in found.columns} == (set(costs) if typed else {"Cycles", "Instructions Executed"})
    assert [found.strings[code] for code in found.pipe[:50].tolist()] == [program.at(n).pipe for n in range(50)]
    assert lines.line.tolist() == [n for file in program.lines().values() for n in sorted(file)]
    assert profile.sources is not None
    assert dict(zip(profile.sources.paths, profile.sources.texts, strict=True)) == texts()


def test_types_may_stand_before_or_behind_the_records() -> None:
    rows = [{"Address": "0x20", "Cycles": [1, 2]}, {"Address": "0x10", "Cycles": [3, -1]}]
    types = {"Instructions": {"Address": 3, "Cycles": 1}}
    before = {"Instructions Dtype": types, "Instructions": rows, "Cores": ["a", "b"]}
    behind = {"Cores": ["a", "b"], "Instructions": rows, "Instructions Dtype": types}
    for each in (before, behind):
        found = read(4, each).instructions
        assert found is not None
        assert found.address.tolist() == [0x10, 0x20]  # declared ones come by address
        assert found.columns[0].values.tolist() == [[3, -1], [1, 2]]
    undeclared = read(4, {"Instructions": rows}).instructions
    assert undeclared is not None
    assert undeclared.address.tolist() == [0x20, 0x10]
    assert undeclared.by_address.tolist() == [1, 0]


def test_a_new_file_may_have_types_in_one_block_and_none_in_the_other() -> None:
    line = {"Address Range": [["0x10", "0x20"]], "Cycles": [1.5], "Line": 3, "Other": 4}
    lines = block(3, orjson.dumps({"Cores": ["x"], "Files": [{"Lines": [line], "Source": "a.cpp"}]}))
    types = {"Instructions": {"Cycles": 1}}
    rows = [{"Address": "0x10", "Cycles": [1], "Other": 4}]
    profile = profile_of(FORMAT, lines + block(4, orjson.dumps({"Instructions": rows, "Instructions Dtype": types})))
    assert profile.lines is not None
    assert profile.instructions is not None
    assert [column.name for column in profile.lines.columns] == ["Cycles", "Other"]
    assert [column.name for column in profile.instructions.columns] == ["Cycles"]
    assert "Other" in profile.issues[0].text  # said, since it is not shown


def test_the_version_byte_tells_how_instructions_are_tied_to_lines() -> None:
    rows = [{"Address": "0x10", "AscendC Inner Code": "/a/b.cpp:50"}, {"AscendC Inner Code": "no line"}, {"Address": 1}]
    by_code = read(4, {"Instructions": rows}, version=0).instructions
    by_range = read(4, {"Instructions": rows}).instructions
    assert by_code is not None
    assert by_range is not None
    assert by_code.by_inner_code
    assert not by_range.by_inner_code
    assert [by_code.strings.get(code) for code in by_code.file.tolist()] == ["/a/b.cpp", "no line", ""]
    assert by_code.line.tolist() == [50, -1, -1]


def test_what_the_device_writes() -> None:
    found = profile_of(FORMAT, block(4, device_instructions(), version=0)).instructions
    assert found is not None
    assert found.cores == ("ALL",)
    samples = column_named(found.columns, "Stall Sampling(All Samples)")
    assert samples is not None
    assert samples.kind == "details"
    assert samples.details is not None
    assert "Active" in samples.details.reasons.tolist()
    status = column_named(found.columns, "GPR Status")
    assert status is not None
    assert status.kind == "json"
    rate = column_named(found.columns, "L2Cache Hit Rate")
    assert rate is not None
    assert np.isnan(rate.values).sum() == sum(made.pipe != "MTE2" for made in instructions()[:40])


def test_pairs_that_are_no_addresses_are_left_out_and_counted() -> None:
    ranges = [["0x10", "0x20"], ["0x30"], [1, 2], ["0x9", "0x1"], "x", ["zz", "0x1"]]
    profile = read(3, {"Files": [{"Source": "a", "Lines": [{"Line": 1, "Address Range": ranges}, {"Line": 2}]}]})
    lines = profile.lines
    assert lines is not None
    assert lines.first_range.tolist() == [0, 2, 2]
    assert lines.range_start.tolist() == [0x10, 1]
    assert "4 address ranges" in profile.issues[0].text


def test_an_instruction_block_that_is_cut_off_shows_what_is_there() -> None:
    content = b"".join(block_parts(4, list(Program(CORES, 300).instruction_json())))
    profile = profile_of(FORMAT, content[: len(content) // 2])
    found = profile.instructions
    assert found is not None
    assert 100 < len(found.address) < 200
    assert all(issue.severity == "error" for issue in profile.issues)
    assert any("declares" in issue.text for issue in profile.issues)


def test_one_broken_instruction_costs_itself_alone() -> None:
    rows = b'{"Address":"0x10","Cycles":[1]},{"Address":"0x14","Cycles":[oops]},{"Address":"0x18","Cycles":[3]}'
    profile = profile_of(FORMAT, block(4, b'{"Instructions":[%b],"Cores":["a"]}' % rows))
    assert profile.instructions is not None
    assert profile.instructions.address.tolist() == [0x10, 0x18]
    assert profile.instructions.cores == ("a",)
    assert len(profile.issues) == 1


def test_lines_behind_a_break_are_lost_but_those_before_are_kept() -> None:
    content = b'{"Files":[{"Source":"a","Lines":[{"Line":1},{"Line":2}]},{"Source":"b" oops'
    profile = profile_of(FORMAT, block(3, content))
    assert profile.lines is not None
    assert profile.lines.line.tolist() == [1, 2]
    assert profile.issues[0].severity == "error"
    assert "0x03 is damaged here" in profile.issues[0].text


def test_a_block_that_breaks_before_its_first_record_is_an_issue() -> None:
    operator = block(5, b'{"name":"op"}')
    profile = profile_of(FORMAT, operator + block(4, b'{"Cores":["a"'))
    assert profile.instructions is None
    assert profile.issues[0].where == f"memory.bin: byte {len(operator)}"


def test_columns_that_hardly_any_row_has_claim_no_memory() -> None:
    first = b",".join(b'{"c%d":1}' % n for n in range(100))
    rest = b",".join([b'{"Address":"0x10"}'] * 40_000)
    profile = profile_of(FORMAT, block(4, b'{"Instructions":[%b,%b]}' % (first, rest)))
    found = profile.instructions
    assert found is not None
    assert len(found.address) == 40_100
    assert len(found.columns) == 0
    assert "almost no values" in profile.issues[0].text


def test_large_blocks_are_read_in_pieces() -> None:
    content = b"".join(block_parts(4, list(Program(CORES, 6000).instruction_json())))
    source = MemorySource(content, "big.bin")

    told: list[Event] = []
    FORMAT.read([source], told.append)
    assert max(length for _, length in source.reads) <= 1 << 20
    done = [event.done for event in told if isinstance(event, Progress)]
    assert len(done) > 5
    assert done == sorted(done)
    assert done[-1] <= len(content)


def test_several_trace_blocks_go_into_one_timeline() -> None:
    one, two = trace_block(200, 1, seed=1), trace_block(300, 1, seed=2)
    alone = [profile_of(FORMAT, content).timeline for content in (one, two)]
    both = profile_of(FORMAT, one + block(5, b'{"name":"op"}') + two).timeline
    assert both is not None
    counts = [len(timeline.slices.start) for timeline in alone if timeline is not None]
    assert len(counts) == 2
    assert len(both.slices.start) == sum(counts)


def test_the_arguments_of_a_slice_are_read_again_from_their_block() -> None:
    content = block(5, b'{"name":"op"}') + trace_block(200, 1, seed=1)
    profile = profile_of(FORMAT, content)
    assert profile.timeline is not None
    ordinal = int(profile.timeline.slices.record[0])
    event = record(MemorySource(content), profile, ordinal)
    assert event["ph"] == "X"
    address = profile.timeline.slices.address[0]
    assert address == int(event["args"]["pc_addr"], 16)


def test_a_trace_block_without_events_is_told() -> None:
    profile = profile_of(FORMAT, block(5, b'{"name":"op"}') + block(2, b'{"no":"events"}'))
    assert profile.timeline is None
    assert len(profile.issues) == 1


def test_a_file_of_nothing_but_a_broken_trace_is_an_error() -> None:
    with pytest.raises(FormatError):
        profile_of(FORMAT, block(2, b'{"no":"events"}'))


def test_the_kernel_of_the_generator_has_its_instructions_on_lines_that_exist() -> None:
    written = texts()
    for made in instructions():
        assert written[made.file].splitlines()[made.line - 1].strip() not in ("", "{")
    assert KERNEL in written
