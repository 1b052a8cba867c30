"""Ascend operator reports: packs in all variants, and OPPROF folders (Ascend operator reports, sections 1 to 4).

``python -m generators.ascend_report FOLDER`` writes a device folder, a simulator folder and packs.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Literal

import orjson
from msgspec import Struct

from generators import ascend_bin, ascend_smallest

Variant = Literal["cann", "160", "164"]
VARIANTS: tuple[Variant, ...] = ("cann", "160", "164")
CANN_TYPES = {"csv": 1, "json": 2, "txt": 3, "ini": 4}
NPU_TYPES = {"rep": 1, "json": 2, "jsonl": 3, "csv": 4, "db": 5, "pb": 6}
LATE_TYPES = {"csv": 1, "json": 2, "jsonl": 2, "rep": 6}
HEAD = 36
BLOCKS = 4
MHZ = 1650


class Entry(Struct, frozen=True):
    """An entry with any fields; ``offset`` and ``size`` None are the true ones, ``after`` bytes of nothing follow."""

    name: bytes
    content: bytes
    type: int = 0
    offset: int | None = None
    size: int | None = None
    magic: bytes | None = None
    after: int = 0


def entries_of(files: Mapping[str, bytes], variant: Variant) -> list[Entry]:
    """The entries of files, with the types of a variant."""
    types = {"cann": CANN_TYPES, "160": NPU_TYPES, "164": LATE_TYPES}[variant]
    return [Entry(name.encode(), content, types.get(name.rsplit(".")[-1], 0)) for name, content in files.items()]


def pack(
    entries: Sequence[Entry],
    variant: Variant = "cann",
    *,
    version: int = 0x00010000,
    count: int | None = None,
    length: int | None = None,
    head: int = HEAD,
) -> bytes:
    """A pack with these entries. The keywords replace what the head says."""
    size = 164 if variant == "164" else 160
    at = first = HEAD + size * len(entries)
    table, payload = bytearray(), bytearray()
    for entry in entries:
        table += _entry(entry, variant, at)
        payload += entry.content + bytes(entry.after)
        at = first + len(payload)
    claimed, whole = len(entries) if count is None else count, at if length is None else length
    if variant == "cann":
        begin = b"cann-rep" + struct.pack("<IIIQQ", version, claimed, head, whole, first)
    else:
        begin = b"npu-rep\0" + struct.pack("<IHHIIIQ", version, int(variant == "160"), head, claimed, size, 0, whole)
    return begin + table + payload


def _entry(entry: Entry, variant: Variant, at: int) -> bytes:
    magic = entry.magic or (b"rep-file" if variant == "cann" else b"npu-rep\0")
    offset = at if entry.offset is None else entry.offset
    size = len(entry.content) if entry.size is None else entry.size
    layout = "<IIIQQ" if variant == "164" else "<HHIQQ"
    return magic + entry.name[:128].ljust(128, b"\0") + struct.pack(layout, entry.type, 0, 0, size, offset)


def pack_of(files: Mapping[str, bytes], variant: Variant = "cann") -> bytes:
    """A valid pack of files."""
    return pack(entries_of(files, variant), variant)


def nested(operators: Mapping[str, Mapping[str, bytes]], variant: Variant = "160") -> bytes:
    """A pack of packs, one for each operator."""
    inside = {f"{name}.npu.rep": pack_of(files, variant) for name, files in operators.items()}
    return pack(entries_of(inside, variant), variant)


def basic_info(name: str = "add_custom", duration: float = 1.8, blocks: int = BLOCKS) -> bytes:
    """OpBasicInfo.csv, with the comma at the end of each line that the profiler writes."""
    titles = "Op Name,Op Type,Task Duration(us),Block Dim,Mix Block Dim,Device Id,Pid,Current Freq,Rated Freq,"
    return f"{titles}\n{name},vector,{duration:.6f},{blocks},NA,0,4711,{MHZ},{MHZ},\n".encode()


def pipe_utilization(seed: int = 0, blocks: int = BLOCKS) -> bytes:
    """PipeUtilization.csv of vector cores."""
    pipes = ("vec", "mte2", "mte3", "scalar")
    figures = "".join(f"aiv_{pipe}_time(us),aiv_{pipe}_ratio," for pipe in pipes)
    random = Random(seed)
    lines = [f"block_id,sub_block_id,aic_time(us),aic_total_cycles,aiv_time(us),aiv_total_cycles,{figures}"]
    for block in range(blocks):
        cycles = random.randrange(1400, 1600)
        cells = [f"{block},vector0,NA,NA,{cycles / MHZ:.6f},{cycles}"]
        for _ in pipes:
            ratio = random.random() / 2
            cells.append(f"{ratio * cycles / MHZ:.6f},{ratio:.6f}")
        lines.append(",".join(cells) + ",")
    return ("\n".join(lines) + "\n").encode()


def memory(blocks: int = BLOCKS) -> bytes:
    """Memory.csv with few columns."""
    titles = "block_id,sub_block_id,aiv_time(us),aiv_total_cycles,aiv_gm_to_ub_bw(GB/s),read_main_memory_datas(KB),"
    lines = [f"{block},vector0,0.910303,1502,16.762318,{16 + block},\n" for block in range(blocks)]
    return f"{titles}\n{''.join(lines)}".encode()


def trace(shift: float = 0.0, core: str = "") -> bytes:
    """A trace of some slices, later by ``shift`` microseconds, of ``core`` if given."""
    made = ascend_smallest.trace()
    for event in made["traceEvents"]:
        if "ts" in event:
            event["ts"] += shift
        if core:
            event["pid"] = core
    return orjson.dumps(made)


def instructions(core: str) -> bytes:
    """core0.veccore0_instr_exe.csv: the last column is quoted and has commas."""
    lines = [
        f'{name},{0x1000 + 4 * row},{pipe},{3 + row},{90 - row},{0.05 * (9 - row):.2f},"{core},X:{row},"'
        for row, (name, pipe) in enumerate((("VADD", "VECTOR"), ("MOV_OUT_TO_UB", "MTE2"), ("BAR", "FLOWCTRL")))
    ]
    return ("instr,addr,pipe,call_count,cycles,running_time(us),detail\n" + "\n".join(lines) + "\n").encode()


def lines(core: str) -> bytes:
    """core0.veccore0_code_exe.csv."""
    del core
    return (
        b"code,call_count,cycles,running_time(us)\n/src/add_custom.cpp:12,3,90,0.05\n/src/add_custom.cpp:14,4,89,0.04\n"
    )


def device_files(name: str = "add_custom", seed: int = 0) -> dict[str, bytes]:
    """The files of a run on a device, by name."""
    return {
        "Memory.csv": memory(),
        "OpBasicInfo.csv": basic_info(name),
        "PipeUtilization.csv": pipe_utilization(seed),
        "trace.json": trace(seed / 10),
    }


def simulator_files(cores: int = 2, *, whole: bool = True) -> dict[str, bytes]:
    """The files of a run in the simulator, by path; ``whole``: with those of all cores together."""
    files = {}
    if whole:
        content = ascend_bin.block(0x05, b'{"name":"add_custom","op_type":"vector"}')
        files["simulator/visualize_data.bin"] = content + ascend_bin.block(0x02, trace())
        files["simulator/trace.json"] = trace()
    for number in range(cores):
        core = f"core{number}.veccore0"
        files[f"simulator/{core}/trace.json"] = trace(core=core)
        files[f"simulator/{core}/{core}_instr_exe.csv"] = instructions(core)
        files[f"simulator/{core}/{core}_code_exe.csv"] = lines(core)
    return files


def write(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Writes files by their path below ``folder``, and returns it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def main(target: Path) -> None:
    """Writes one of each."""
    write(target / "OPPROF_20260821101500_ABCDEFGHIJKLMNOP", device_files())
    write(target / "OPPROF_20260821101600_ABCDEFGHIJKLMNOP", simulator_files())
    for variant in VARIANTS:
        (target / f"{variant}.{'rep' if variant == 'cann' else 'npu-rep'}").write_bytes(
            pack_of(device_files(), variant)
        )
    (target / "several.npu-rep").write_bytes(nested({"op1": device_files("op1"), "op2": device_files("op2", 1)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
