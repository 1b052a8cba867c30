"""Operator files, traces and reports that are small, valid, and hard on a reader: very many, very wide, overlapping or
uneven things of each kind. ``CASES[name](n)`` is the content of a file that grows in proportion to ``n``.

``python -m generators.ascend_hostile NAME N OUT`` writes one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import orjson

from generators.ascend_bin import block
from generators.ascend_report import pack_of


def _json(kind: int, value: Any) -> bytes:
    return block(kind, orjson.dumps(value))


def trace(events: Sequence[dict[str, Any]]) -> bytes:
    """A trace file of those events."""
    return orjson.dumps({"profilingType": "op", "schemaVersion": 1, "traceEvents": events})


def titles_and_rows(n: int) -> bytes:
    """0x05: as many titles as rows, and one cell in each row."""
    table = {"head_name": [f"t{i}" for i in range(n)], "row": [{"value": [str(i)]} for i in range(n)]}
    return _json(0x05, {"name": "op", "op_type": "vector", "block_detail": table})


def one_wide_row(n: int) -> bytes:
    """0x05: one row of very many cells above very many empty ones."""
    table = {"head_name": ["a"], "row": [{"value": ["1"] * n}, *({"value": []} for _ in range(n))]}
    return _json(0x05, {"name": "op", "op_type": "vector", "block_detail": table})


def small_tables(n: int) -> bytes:
    """0x09: tables with many titles and rows, and no values."""
    table = {"table_name": "t", "header_name": ["x"] * 128, "row": [{"name": "r"}] * 128}
    return _json(0x09, {"table_per_block": [{"block_id": "0", "table_detail": [table] * n}]})


def files_of_one_line(n: int) -> bytes:
    """0x03: very many files with a line each."""
    files = [
        {"Source": f"/f{i}.cpp", "Lines": [{"Line": 1, "Cycles": i, "Address Range": [["0x10", "0x20"]]}]}
        for i in range(n)
    ]
    return _json(0x03, {"Cores": ["core0"], "Files": files})


def files_of_other_columns(n: int) -> bytes:
    """0x03: very many files, each with a column of its own."""
    files = [{"Source": f"/f{i}.cpp", "Lines": [{"Line": 1, f"c{i}": i}]} for i in range(n)]
    return _json(0x03, {"Cores": ["core0"], "Files": files})


def uneven_cores(n: int) -> bytes:
    """0x04: instructions whose lists of values are of any length."""
    rows = [{"Address": hex(i), "Cycles": [1] * (i % 64 + 1)} for i in range(n)]
    return _json(0x04, {"Cores": ["core0"], "Instructions": rows})


def states_of_registers(n: int) -> bytes:
    """0x04: cells that are lists of objects and texts in turn."""
    rows: list[dict[str, Any]] = [
        {"Address": hex(i), "GPR Status": [{"a": i}] if i % 2 else "x", "Pipe": [i], "Source": {}} for i in range(n)
    ]
    return _json(0x04, {"Cores": ["core0"], "Instructions": rows})


def overlapping(n: int) -> bytes:
    """A trace of slices that all overlap each other, half of them within the rounding of their times."""
    events = [
        {"ph": "X", "pid": "c", "tid": "t", "name": "s", "ts": i * 0.001 + 0.1, "dur": n * 0.002 - i * 0.0015}
        for i in range(n)
    ]
    return trace(events)


def rounded(n: int) -> bytes:
    """A trace in single precision: slices on top of each other that end within the rounding of one moment, just after
    very many that begin and end there."""
    moment = 2.0**19
    long = [{"ph": "X", "pid": "c", "tid": "t", "name": "s", "ts": i, "dur": moment + 0.0625 - i} for i in range(n)]
    short = [{"ph": "X", "pid": "c", "tid": "t", "name": "s", "ts": moment, "dur": 0} for _ in range(n)]
    return trace([*long, *short])


def deep_with_flows(n: int) -> bytes:
    """A trace of slices on top of each other, with as many arrows among them."""
    events: list[dict[str, Any]] = []
    for i in range(n):
        events.append({"ph": "X", "pid": "c", "tid": "t", "name": "s", "ts": i, "dur": 3 * n})
        events.append({"ph": "s", "pid": "c", "tid": "t", "name": "f", "id": i, "ts": i + 0.5})
        events.append({"ph": "f", "pid": "c", "tid": "t", "name": "f", "id": i, "ts": i + 1.5})
    return trace(events)


def lanes(n: int) -> bytes:
    """A trace with two overlapping slices and two arrows on each of very many lanes."""
    events: list[dict[str, Any]] = []
    for i in range(n):
        lane = {"pid": "c", "tid": f"t{i}", "name": "s"}
        events += [{"ph": "X", **lane, "ts": 1, "dur": 5}, {"ph": "X", **lane, "ts": 2, "dur": 9}]
        events += [{"ph": "s", **lane, "id": i, "ts": 3}, {"ph": "f", **lane, "id": i, "ts": 4}]
    return trace(events)


def open_begins(n: int) -> bytes:
    """A trace of begins that never end, and ends of other names."""
    lane = {"pid": "c", "tid": "t"}
    begins = [{"ph": "B", **lane, "name": f"b{i}", "ts": i} for i in range(n)]
    return trace([*begins, *({"ph": "E", **lane, "name": f"e{i}", "ts": n + i} for i in range(n))])


def counters(n: int) -> bytes:
    """A trace of very many counters with one value each."""
    return trace([{"ph": "C", "pid": "c", "name": f"c{i}", "ts": i, "args": {"v": i}} for i in range(n)])


def series(n: int) -> bytes:
    """A trace of one counter with very many series."""
    return trace([{"ph": "C", "pid": "c", "name": "c", "ts": 1, "args": {f"s{i}": i for i in range(n)}}])


def groups(n: int) -> bytes:
    """A trace in which every two slices share a group that others lie between."""
    events = [
        {"ph": "X", "pid": "c", "tid": "t", "name": "s", "ts": i, "dur": 3, "args": {"group_id": str(i % (n // 2 + 1))}}
        for i in range(n)
    ]
    return trace(events)


def rooflines(n: int) -> bytes:
    """0x0D: very many charts with a roof each."""
    chart = {
        "title": "t",
        "rooflines": [{"bw": 1.5, "bw_name": "GM", "computility": 2.5, "point": [1.0, 2.0], "ratio": 1}],
    }
    return _json(0x0D, {"multiple_rooflines": [{**chart, "title": f"t{i}"} for i in range(n)]})


def roofs(n: int) -> bytes:
    """0x0D: one chart with very many roofs."""
    roof = {"bw": 1.5, "bw_name": "GM", "computility": 2.5, "point": [1.0, 2.0], "ratio": 1}
    return _json(0x0D, {"multiple_rooflines": [{"title": "t", "rooflines": [{**roof, "bw": i + 1} for i in range(n)]}]})


def cores(n: int) -> bytes:
    """0x0C: very many cores."""
    detail = [{"subcore_type": "vector", "subcore_id": "0", "cycles": 5, "throughput": 1.5}]
    return _json(0x0C, {"op_type": "mix", "op_detail": [{"core_id": i, "core_detail": detail} for i in range(n)]})


def sub_cores(n: int) -> bytes:
    """0x0C: one core of very many sub-cores, each of a type of its own."""
    detail = [{"subcore_type": f"v{i}", "subcore_id": str(i), "cycles": i} for i in range(n)]
    return _json(0x0C, {"op_type": "mix", "op_detail": [{"core_id": 0, "core_detail": detail}]})


def units(n: int) -> bytes:
    """0x06: very many sub-blocks with a unit each."""
    rows = [{"block_id": str(i), "block_type": "vector", "name": f"u{i}", "unit": 1, "value": 5.5} for i in range(n)]
    return _json(0x06, {"advice": [], "subblock_detail": rows})


def unit_table(n: int) -> bytes:
    """0x07: one sub-block of very many units."""
    rows = [{"block_id": "0", "block_type": "vector", "name": f"u{i}", "unit": 1, "origin_value": i} for i in range(n)]
    return _json(0x07, {"advice": ["a"] * n, "subblock_detail": rows})


def memory_maps(n: int) -> bytes:
    """0x08: very many blocks with a path each."""
    entry = {"memory_unit": [{"memory_path": 1, "request": 5, "bandwidth": 2.5}], "L2cache": {"hit": 1, "miss": 1}}
    return _json(0x08, {"core_memory_map": [{**entry, "block_id": str(i)} for i in range(n)]})


def memory_units(n: int) -> bytes:
    """0x08: one block with very many paths."""
    unit = [{"memory_path": i % 90, "request": i, "bandwidth_suffix": f"s{i}"} for i in range(n)]
    return _json(0x08, {"core_memory_map": [{"block_id": "0", "memory_unit": unit}]})


def cache_lines(n: int) -> bytes:
    """0x0E: very many cache lines."""
    side = {"Value": [1, 0.5], "Address Range": [["0x10", "0x20"]]}
    return _json(0x0E, {"Cacheline Records": [{"Cacheline Id": i, "Hit": side, "Miss": side} for i in range(n)]})


def stall_reasons(n: int) -> bytes:
    """0x0F: very many reasons."""
    return _json(0x0F, {"top_stall_reason_table": {f"r{i}": i for i in range(n)}})


def accesses(n: int) -> bytes:
    """0x0A: records, and a call stack for each."""
    stacks = orjson.dumps([{"Address": hex(i), "Symbol": [{"FunctionName": f"f{i}", "Line": 1}]} for i in range(n)])
    return block(0x0A, (32 * n).to_bytes(8, "little") + bytes(32 * n) + len(stacks).to_bytes(8, "little") + stacks)


def small_blocks(n: int) -> bytes:
    """Very many broken blocks of one byte."""
    return block(0x05, b'{"name": "op"}') + block(0x0C, b"[") * n


def small_traces(n: int) -> bytes:
    """Very many traces of nothing."""
    return block(0x05, b'{"name": "op"}') + block(0x02, b"[]") * n


def sources(n: int) -> bytes:
    """Very many source texts."""
    return b"".join(block(0x01, b"int x;\n", path=f"/f{i}.cpp") for i in range(n))


def long_numbers(n: int) -> bytes:
    """A trace with lanes whose names are very long rows of numbers and letters."""
    return trace([{"ph": "X", "pid": "1a" * n, "tid": "2b" * n, "name": "s", "ts": 1, "dur": 1}])


def memory_plan(n: int) -> bytes:
    """memory_info.json: very many buffers in the same place at the same time."""
    buffer = {"extent": 64, "offset": 0, "life_time_in_ir": [0, n], "alloc_time_in_ir": 0}
    return orjson.dumps(
        {
            "Header": {"KernelName": "k"},
            "Record": [{"scope": "ub", "memory_info_array": [{**buffer, "buffer": f"b{i}"} for i in range(n)]}],
        }
    )


def memory_scopes(n: int) -> bytes:
    """memory_info.json: very many memories."""
    buffer = {"extent": 64, "offset": 0, "life_time_in_ir": [0, 5], "buffer": "b"}
    return orjson.dumps(
        {"Header": {"KernelName": "k"}, "Record": [{"scope": f"s{i}", "memory_info_array": [buffer]} for i in range(n)]}
    )


def memory_offsets(n: int) -> bytes:
    """memory_info.json: one buffer at very many offsets."""
    buffer = {"extent": 64, "offset": list(range(n)), "life_time_in_ir": [0, 5], "buffer": "b"}
    return orjson.dumps({"Header": {"KernelName": "k"}, "Record": [{"scope": "ub", "memory_info_array": [buffer]}]})


TITLES = b"block_id,sub_block_id,aiv_time(us),note\n"


def lines_in_a_cell(n: int) -> bytes:
    """CSV: one quoted cell of very many lines."""
    return TITLES + b'0,vector0,1,"' + b"\n" * n + b'"\n1,vector1,2,a\n'


def lines_in_cells(n: int) -> bytes:
    """CSV: very many quoted cells of 20 lines each."""
    return TITLES + (b'0,vector0,1,"' + b"\n" * 20 + b'"\n') * (n // 20)


def open_quotes(n: int) -> bytes:
    """CSV: very many lines, each with a quote that is never closed."""
    return TITLES + b'0,vector0,1,"a\n' * n


def tables_in_a_pack(n: int) -> bytes:
    """A pack of very many tables."""
    table = TITLES + b"0,vector0,1,a\n"
    return pack_of({f"table{number}.csv": table for number in range(n)}, "160")


def others_in_a_pack(n: int) -> bytes:
    """A pack of very many files that are not shown."""
    return pack_of({f"file{number}.txt": b"a" for number in range(n)}, "160")


OPERATOR_FILES: tuple[Callable[[int], bytes], ...] = (
    titles_and_rows, one_wide_row, small_tables, files_of_one_line, files_of_other_columns, uneven_cores,
    states_of_registers, rooflines, roofs, cores, sub_cores, units, unit_table, memory_maps, memory_units, cache_lines,
    stall_reasons, accesses, small_blocks, small_traces, sources,
)  # fmt: skip
TRACES: tuple[Callable[[int], bytes], ...] = (
    overlapping, rounded, deep_with_flows, lanes, open_begins, counters, series, groups, long_numbers,
)  # fmt: skip
PLANS: tuple[Callable[[int], bytes], ...] = (memory_plan, memory_scopes, memory_offsets)
TABLES: tuple[Callable[[int], bytes], ...] = (lines_in_a_cell, lines_in_cells, open_quotes)
PACKS: tuple[Callable[[int], bytes], ...] = (tables_in_a_pack, others_in_a_pack)
CASES = {case.__name__: case for case in (*OPERATOR_FILES, *TRACES, *PLANS, *TABLES, *PACKS)}


if __name__ == "__main__":
    Path(sys.argv[3]).write_bytes(CASES[sys.argv[1]](int(sys.argv[2])))
