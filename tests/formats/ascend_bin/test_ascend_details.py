"""The details blocks of all generations, and what they tolerate."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import orjson
import pytest

from app.formats.ascend_bin import FORMAT
from app.profile.profile import Profile
from generators import ascend_details as details
from generators.ascend_bin import block, small
from generators.ascend_details import Shape
from generators.reading import profile_of


def read(kind: int, record: Any) -> Profile:
    return profile_of(FORMAT, block(kind, orjson.dumps(record)))


@pytest.mark.parametrize("generation", [1, 2, 3])
@pytest.mark.parametrize("kind", ["vector", "cube", "mix"])
def test_the_base_information_of_every_generation(generation: int, kind: str) -> None:
    shape = Shape(generation=generation, type=kind, blocks=3, seed=5)
    profile = profile_of(FORMAT, block(0x05, details.operator(shape)))
    base = profile.operator
    assert base is not None
    assert (base.name, base.type, base.soc, base.block_dim) == (shape.name, kind, shape.soc, 3)
    assert base.duration_us == shape.duration_us
    durations = np.stack([c.of_core(0) for c in base.blocks if "Duration" in c.name], axis=1)
    np.testing.assert_allclose(durations, shape.cycles / details.CLOCK_MHZ, atol=1e-6)
    assert base.blocks[0].of_core(0).tolist() == [0, 1, 2]
    if kind == "mix":
        titles = ["Cube0 Duration (μs)", "Vector0 Duration (μs)", "Vector1 Duration (μs)"]
        assert [c.name for c in base.blocks[1:]] == titles
    target = profile.target
    assert target is not None
    assert (target.kind, target.soc) == ("Ascend", "Ascend910B4")
    assert target.clock_hz == (1650e6 if generation == 3 else None)
    assert profile.issues == ()


def test_old_names_of_operator_types() -> None:
    for stored, kind in (("aic", "cube"), ("aiv", "vector"), ("AIV", "vector"), ("AiCore", "AiCore"), ("mix", "mix")):
        base = read(5, {"op_type": stored}).operator
        assert base is not None
        assert (base.type, base.stored_type) == (kind, stored)
    base = read(5, {"core_type": "aic"}).operator
    assert base is not None
    assert base.type == "cube"


def test_a_block_table_that_the_design_document_shows() -> None:
    items = [{"block_id": 0, "core_type": "aic", "duration": 1.5}, {"block_id": 1, "core_type": "aiv", "duration": 2.5}]
    base = read(5, {"op_type": "aic", "block_detail": items}).operator
    assert base is not None
    assert [column.name for column in base.blocks] == ["Block ID", "Core Type", "Duration (μs)"]
    assert base.blocks[2].of_core(0).tolist() == [1.5, 2.5]


def test_a_block_table_is_zipped_by_position_and_never_indexed_by_its_size() -> None:
    rows = [{"value": ["0", "1.5", "extra"]}, {"value": ["1"]}, "junk"]
    table = {"head_name": ["Block ID", "Duration (μs)"], "row": rows, "size": [999, -4]}
    base = read(5, {"block_detail": table}).operator
    assert base is not None
    assert [column.name for column in base.blocks] == ["Block ID", "Duration (μs)", "column 3"]
    assert base.blocks[0].of_core(0).tolist() == [0, 1]
    assert math.isnan(base.blocks[1].of_core(0)[1])


def test_old_workload_items_are_unwrapped() -> None:
    inner = {"name": "ALL_ACTIVE", "unit": 1, "value": 0.34}
    item = {"block_id": 3, "block_type": "vector", "data_detail": inner, "advice": ["use more"]}
    found = read(6, {"subblock_detail": [item]}).workload
    assert found is not None
    assert found.strings[found.name[0]] == "ALL_ACTIVE"
    assert found.strings[found.block[0]] == "3"
    assert found.value.tolist() == [34]
    assert found.strings[found.item_advice[0]] == "use more"


def test_one_broken_workload_block_does_not_spoil_the_other() -> None:
    table = details.workload_table(Shape())
    profile = profile_of(FORMAT, block(6, b"{broken") + block(7, table))
    assert profile.workload is not None
    assert not profile.workload.in_graph.any()
    assert [issue.severity for issue in profile.issues] == ["error"]


def test_memory_paths_of_old_and_odd_files() -> None:
    units = [
        {
            "memory_path": 1,
            "request": "5",
            "bandwidth": "NA",
            "peak_ratio": "N/A",
            "display": 0,
            "requests_suffix": "(x)",
        },
        {"memory_path": "7", "request": -1, "bandwidth": 2, "peak_ratio": "12.5"},
        {"memory_path": -4, "request": "many"},
        "junk",
    ]
    entry = {"core_no": "NA", "core_type": "aiv", "memory_unit": units, "L2cache": ["wrong"], "advice": "one line"}
    profile = read(8, {"core_memory_map": [entry, None, 3]})
    found = profile.memory_paths
    assert found is not None
    assert found.path.tolist() == [1, 7, -1]
    np.testing.assert_array_equal(found.request, [5, np.nan, np.nan])
    np.testing.assert_array_equal(found.bandwidth, [np.nan, 2, np.nan])
    np.testing.assert_array_equal(found.peak, [np.nan, 12.5, np.nan])
    assert found.display.tolist() == [False, True, True]
    assert found.strings[found.request_suffix[0]] == "(x)"
    assert found.strings[found.blocks.operator_type[0]] == "vector"
    assert found.blocks.advice == (("one line",),)
    assert math.isnan(found.blocks.hit[0])
    assert [issue.severity for issue in profile.issues] == ["warning"]


def test_memory_tables_keep_a_value_beyond_the_titles() -> None:
    table = {"table_name": "Pipe", "head_name": ["", "a", "b"], "row": [{"name": "r", "value": [1, "NA", "text", 4]}]}
    found = read(9, {"table_per_block": [{"block_id": 0, "tables_detail": [table]}]}).memory_tables
    assert found is not None
    assert [found.strings[code] for code in found.column_name] == ["a", "b", "(column 4)", "(column 5)"]
    np.testing.assert_array_equal(found.value, [1, np.nan, np.nan, 4])
    assert [found.strings.get(code) for code in found.text.tolist()] == ["", "", "text", ""]


def test_memory_tables_claim_no_memory_that_the_file_does_not_hold() -> None:
    rows: list[dict[str, int]] = [{} for _ in range(3000)]
    table = {"table_name": "t", "header_name": ["x"] * 3000, "row": rows}
    found = read(9, {"table_per_block": [{"block_id": 0, "table_detail": [table]}]}).memory_tables
    assert found is not None
    assert len(found.value) < 10_000


def test_roofline_without_names_ratios_and_points() -> None:
    roofs = [
        {"bw": 1.5, "computility": 280, "computility_name": "FP16", "point": [2, 3]},
        {"point": [1], "ratio": "NA"},
    ]
    found = read(0x0D, {"multiple_rooflines": [{"title": "T", "rooflines": roofs}, "junk"]}).roofline
    assert found is not None
    assert found.titles == ("T",)
    assert found.intensity.tolist()[0] == 2
    assert np.isnan(found.ratio).all()
    assert np.isnan(found.intensity[1])
    assert found.bandwidth_name.tolist() == [-1, -1]


def test_cache_sets_and_lines_of_one_file_make_one_section() -> None:
    shape = Shape()
    content = block(0x0B, details.cache_sets(shape, 10) + b"\x01\x02") + block(0x0E, details.cache_lines(shape, 20))
    profile = profile_of(FORMAT, content)
    cache = profile.cache
    assert cache is not None
    assert cache.sets is not None
    assert cache.lines is not None
    assert cache.sets.shape == (10, 8)
    assert cache.sets[:, 2].tolist() == list(range(10))
    assert len(cache.lines.line) == 20
    assert [issue.severity for issue in profile.issues] == ["warning"]  # the two bytes behind the last set


@pytest.mark.parametrize("in_bytes", [True, False])
def test_memory_accesses_with_a_length_in_bytes_or_in_records(in_bytes: bool) -> None:
    profile = profile_of(FORMAT, block(0x0A, details.memory_accesses(Shape(), 64, in_bytes=in_bytes)))
    found = profile.memory_accesses
    assert found is not None
    assert found.record.tolist() == list(range(64))
    assert set(found.operation.tolist()) <= {3, 4}
    assert (found.size == 512).all()
    assert found.stacks is not None
    assert len(found.stacks.pc) == 100
    assert found.stacks.strings[found.stacks.function[0]] == "Multiply"
    assert found.stacks.line.tolist()[:3] == [70, 71, 72]
    assert profile.issues == ()


def test_memory_accesses_whose_length_is_wrong() -> None:
    content = details.memory_accesses(Shape(), 10)
    profile = profile_of(FORMAT, block(0x0A, (10**12).to_bytes(8, "little") + content[8:]))
    assert profile.memory_accesses is not None
    assert profile.issues[0].severity == "warning"


def test_call_stacks_keyed_by_address() -> None:
    stack = {"0x10": {"Symbol": [{"Line": 4, "FunctionName": "f"}]}, "bad": {}, "0x8": 3}
    text = orjson.dumps(stack)
    content = (0).to_bytes(8, "little") + len(text).to_bytes(8, "little") + text
    found = profile_of(FORMAT, block(0x0A, content)).memory_accesses
    assert found is not None
    assert found.stacks is not None
    assert found.stacks.pc.tolist() == [0x10, 0xBAD]


def test_stall_reasons() -> None:
    found = read(0x0F, {"top_stall_reason_table": {"IBuf_Empty": 5, "Others": "NA"}}).stall_reasons
    assert found is not None
    assert found.reasons.tolist() == ["IBuf_Empty", "Others"]
    np.testing.assert_array_equal(found.count, [5, np.nan])


@pytest.mark.parametrize("kind", [5, 6, 7, 8, 9, 0x0C, 0x0D, 0x0E, 0x0F, 3, 4])
@pytest.mark.parametrize("record", [{}, {"Cores": 4, "Files": {}, "Instructions": 7, "op_detail": "x", "rows": None}])
def test_objects_without_what_is_expected_are_empty_not_errors(kind: int, record: Any) -> None:
    assert read(kind, record).raw_blocks is not None


def test_a_generated_file_of_each_generation_reads_without_a_word() -> None:
    sections = {
        generation: set(profile_of(FORMAT, small(generation)).filled()) - {"raw_blocks", "target"}
        for generation in (1, 2)
    }
    assert sections == {1: {"operator", "workload"}, 2: {"operator", "workload", "memory_paths", "memory_tables"}}
