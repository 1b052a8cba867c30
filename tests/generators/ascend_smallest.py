"""The smallest operator file that answers every command of the vendor's design document with something."""

from __future__ import annotations

from typing import Any

import orjson

from generators.ascend_bin import block

SOURCE = "/src/add_custom.cpp"
TEXT = '#include "kernel_operator.h"\n\nvoid add_custom();\n'
CORES = ["core0.cubecore0", "core0.veccore0"]
FIRST, LAST = "0x1000", "0x1008"


def trace() -> dict[str, Any]:
    """Three slices on two threads, a wait that holds another slice, a flow between the threads."""
    code = {"code": f"{SOURCE}:3\n{SOURCE}:1", "detail": "PIPE:MTE2,TRIGGERPIPE:VEC,FLAGID:0,", "pc_addr": FIRST}

    def event(**own: object) -> dict[str, object]:
        return {"pid": "core0.veccore0", **own}

    return {
        "profilingType": "op",
        "displayTimeUnit": "ns",
        "schemaVersion": 1,
        "traceEvents": [
            event(ph="X", tid="MTE2", name="COPY", cname="thread_state_iowait", ts=0.5, dur=1.5, args={}),
            event(ph="X", tid="VECTOR", name="WAIT_FLAG", cname="yellow", ts=1.0, dur=2.0, cat="", args=code),
            event(ph="X", tid="VECTOR", name="BAR", cname="good", ts=2.25, dur=0.5, args={"pc_addr": LAST}),
            event(ph="s", tid="MTE2", name="flow", cat="MTE2ToVECTOR", id="core0.veccore0_1", ts=2.0),
            event(ph="t", tid="VECTOR", name="flow", cat="MTE2ToVECTOR", id="core0.veccore0_1", ts=2.0),
        ],
    }


def source_blocks() -> list[bytes]:
    line_types = {"Address Range": 0, "Cycles": 1, "Instructions Executed": 1, "Line": 1}
    line = {"Line": 3, "Instructions Executed": [15, 4], "Cycles": [15, 9], "Address Range": [[FIRST, LAST]]}
    types = {"Address": 3, "AscendC Inner Code": 3, "Cycles": 1, "Instructions Executed": 1, "Pipe": 3, "Source": 3}
    instructions = [
        {
            "Address": address,
            "AscendC Inner Code": f"{SOURCE}:3",
            "Cycles": [7, 4],
            "Instructions Executed": [5, 2],
            "Pipe": "SCALAR",
            "Source": "MOV_XD_IMM XD:X29,IMM",
        }
        for address in (FIRST, LAST)
    ]
    lines = {"Cores": CORES, "Files Dtype": {"Lines": line_types}, "Files": [{"Source": SOURCE, "Lines": [line]}]}
    records = {"Cores": CORES, "Instructions Dtype": {"Instructions": types}, "Instructions": instructions}
    return [
        block(0x01, TEXT.encode(), path=SOURCE),
        block(0x03, orjson.dumps(lines)),
        block(0x04, orjson.dumps(records), version=0x00),
    ]


def detail_blocks() -> list[bytes]:
    head = ["Block ID", "Core Type", "Duration (μs)"]
    base = {
        "name": "sin_custom",
        "soc": "Ascend910B4",
        "op_type": "vector",
        "block_dim": "1",
        "mix_block_dim": "-1",
        "duration": 13.15999984741211,
        "device_id": "0",
        "pid": "1",
        "advice": [],
        "block_detail": {"head_name": head, "row": [{"value": ["0", "vector", "5.480606"]}], "size": [2, 3]},
    }
    item = {"block_id": "0", "block_type": "vector0", "name": "ALL_ACTIVE"}
    share, count = {**item, "unit": 3, "value": 73.6, "origin_value": 6656.0}, {**item, "unit": 1, "value": "3606.0"}
    unit = {"memory_path": 12, "request": "257", "bandwidth": "3.637731", "peak_ratio": "4.737319", "display": 1}
    memory = {
        "core_no": "0",
        "op_type": "vector",
        "soc": "910B",
        "memory_unit": [unit],
        "L2cache": {"hit": "13", "miss": "64", "total_request": "77", "hit_ratio": "16.883117"},
        "Vector": {"cycle": "6656", "total_cycles": "9043"},
        "advice": [],
    }
    cache = {
        "table_name": "Cache",
        "size": [1, 4],
        "header_name": ["", "hit", "miss", "total", "hit rate(%)"],
        "row": [{"name": "L2 Cache Write", "value": ["13", "64", "77", "16.883118"]}],
    }
    table = {"block_id": "0", "table_op_type": "vector", "table_detail": [cache], "advice": []}
    return [
        block(0x05, orjson.dumps(base)),
        block(0x06, orjson.dumps({"advice": [], "subblock_detail": [share]})),
        block(0x07, orjson.dumps({"advice": [], "subblock_detail": [count]})),
        block(0x08, orjson.dumps({"core_memory_map": [memory]})),
        block(0x09, orjson.dumps({"table_per_block": [table]})),
    ]


def smallest() -> bytes:
    """All of it as one file."""
    return b"".join([*source_blocks(), *detail_blocks(), block(0x02, orjson.dumps(trace()))])
