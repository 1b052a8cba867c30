"""Tenstorrent captures from a seed: a device log, operations, a trace of the network on chip, a report of ttnn. All are
of the same run: operation n has the number 1024 · (n + 1), as tt-metal gives it to the first device."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import orjson
from msgspec import Struct

CLOCK = 1000
"""MHz."""
BEGAN = 2_170_879_416_545
FOLDER = "wormhole-mlp"
OPERATIONS = ("Matmul", "LayerNorm", "Softmax", "Transpose", "EltwiseAdd")
PROCESSORS = ("BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2")
SOURCE = "/tt-metal"
ZONES = {
    "BRISC": (("READ_TILES", "reader.cpp", 31), ("WAIT_NOC", "reader.cpp", 44)),
    "NCRISC": (("WRITE_TILES", "writer.cpp", 27),),
    "TRISC_1": (("MATH_TILES", "compute.cpp", 58),),
}
L1 = 1_499_136
HEADER = (
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace id, "
    "trace id counter,  zone name, type, source line, source file, meta data"
)


class Run(Struct, frozen=True):
    """``columns``, ``rows``: of the worker cores, in coordinates of the network on chip; ``idle``: how many of the last
    cores run no kernel; ``slow``: how many times as long the first core takes."""

    seed: int = 7
    devices: int = 1
    columns: tuple[int, ...] = (1, 2, 3, 4)
    rows: tuple[int, ...] = (1, 2, 3)
    operations: int = 6
    idle: int = 2
    slow: float = 1.6
    unended: int = 1

    @property
    def cores(self) -> list[tuple[int, int]]:
        return [(x, y) for y in self.rows for x in self.columns]


def timer(text: str) -> int:
    """A number for a zone, as a hash of 16 bits."""
    return sum((place + 1) * byte for place, byte in enumerate(text.encode())) % 65536


class Timing(Struct, frozen=True):
    """Of one operation on one device: firmware and kernels, from the first to the last core, in cycles."""

    start: int
    end: int
    kernel_start: int
    kernel_end: int
    least: int
    mean: float
    most: int


def device_log(run: Run) -> tuple[bytes, dict[tuple[int, int], Timing]]:
    """(profile_log_device.csv, the times of each operation on each device)."""
    random, lines = Random(run.seed), [f"ARCH: wormhole_b0, CHIP_FREQ[MHz]: {CLOCK}, Max Compute Cores: 64", HEADER]
    timings: dict[tuple[int, int], Timing] = {}
    working = run.cores[: len(run.cores) - run.idle]
    for device in range(run.devices):
        now = BEGAN + device * 5_000_000
        for number in range(run.operations):
            call, length = 1024 * (number + 1), 4000 + 2500 * (number % len(OPERATIONS))
            spans = []
            for place, (x, y) in enumerate(run.cores):
                took = int(length * (run.slow if place == 0 else 1 + 0.1 * random.random()))
                for processor in PROCESSORS:
                    begin = now + random.randrange(80)
                    busy = took if (x, y) in working else 0
                    own = f"{device},{x},{y},{processor}"
                    lines += _zones(own, processor, begin, busy, call, random)
                    if busy:
                        spans.append((begin + 100, begin + 100 + busy, place))
            by_core = [
                max(end for _, end, own in spans if own == place)
                - min(start for start, _, own in spans if own == place)
                for place in range(len(working))
            ]
            first, last = min(start for start, _, _ in spans), max(end for _, end, _ in spans)
            mean = sum(by_core) / len(by_core)
            timings[device, number] = Timing(now, last + 200, first, last, min(by_core), mean, max(by_core))
            now = last + 3000 + 40_000 * (number % 3 == 2)
        for place in range(run.unended):
            x, y = run.cores[place]
            lines.append(
                _row(f"{device},{x},{y},BRISC", "BRISC-FW", now, 1024 * run.operations, "ZONE_START", 396, "brisc.cc")
            )
    return ("\n".join(lines) + "\n").encode(), timings


def _row(own: str, name: str, time: int, call: int, kind: str, line: int, file: str) -> str:
    path = f"{SOURCE}/{file}" if "/" in file else f"{SOURCE}/tt_metal/hw/firmware/src/{file}"
    return f"{own},{timer(name)},{time},0,{call},,,{name},{kind},{line},{path},"


def _zones(own: str, processor: str, begin: int, busy: int, call: int, random: Random) -> list[str]:
    base = "TRISC" if processor.startswith("TRISC") else processor
    file = f"{base.lower()}.cc"

    def zone(name: str, start: int, end: int, line: int, where: str) -> list[str]:
        return [
            _row(own, name, start, call, "ZONE_START", line, where),
            _row(own, name, end, call, "ZONE_END", line, where),
        ]

    lines = zone(f"{base}-FW", begin, begin + busy + 300, 396, file)
    if not busy:
        return lines
    lines += zone(f"{base}-KERNEL", begin + 100, begin + 100 + busy, 49, file)
    at = begin + 200
    for name, source, line in ZONES.get(processor, ()) * 2:
        took = busy // 8 + random.randrange(busy // 8)
        lines += zone(name, at, at + took, line, f"models/demos/mlp/kernels/{source}")
        at += took + 20
    if processor == "BRISC":
        lines.append(f"{own},12345,{begin + 150},3105098146250761,{call},,,,TS_DATA,0,,")
    return lines


def operations_table(run: Run, timings: dict[tuple[int, int], Timing]) -> bytes:
    """ops_perf_results.csv."""
    titles = (
        "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE ID,DEVICE ARCH,ATTRIBUTES,MATH FIDELITY,CORE COUNT,"
        "AVAILABLE WORKER CORE COUNT,HOST START TS,HOST END TS,HOST DURATION [ns],DEVICE FW START CYCLE,"
        "DEVICE FW END CYCLE,OP TO OP LATENCY [ns],DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns],"
        "DEVICE KERNEL DURATION PER CORE MIN [ns],DEVICE KERNEL DURATION PER CORE MAX [ns],"
        "DEVICE KERNEL DURATION PER CORE AVG [ns],INPUT_0_Y_PAD[LOGICAL],INPUT_0_MEMORY,OUTPUT_0_MEMORY,"
        "PM IDEAL [ns],PM COMPUTE [ns],PM BANDWIDTH [ns],PM FPU UTIL (%),NOC UTIL (%),DRAM BW UTIL (%)"
    )
    lines, host = [titles], 9_323_049_005
    lines.append("warm_up,signpost,,,,,,,," + str(host) + "," * (titles.count(",") - 9))
    working = len(run.cores) - run.idle
    for device in range(run.devices):
        last = 0
        for number in range(run.operations):
            own, code = timings[device, number], OPERATIONS[number % len(OPERATIONS)]
            kernel, host = own.kernel_end - own.kernel_start, host + 150_000
            gap = own.kernel_start - last if last else 0
            last = own.kernel_end
            sharded = "DEV_0_L1_BLOCK_SHARDED" if code == "Matmul" else "DEV_0_DRAM_INTERLEAVED"
            cells = (
                *(code, "tt_dnn_device", 1024 * (number + 1), device, "wormhole_b0"),
                *("{'dim': '0'; 'pad': '1'}", "HiFi4" if code == "Matmul" else "", working, len(run.cores)),
                *(host, host + 60_000, 60_000, own.start, own.end, gap, own.end - own.start, kernel),
                *(own.least, own.most, f"{own.mean:.0f}", "32[19]", sharded, "DEV_0_DRAM_INTERLEAVED"),
                *(kernel // 5, kernel // 10, kernel // 5, 20 + number, "", ""),
            )
            lines.append(",".join(map(str, cells)))
    return ("\n".join(lines) + "\n").encode()


def noc_trace(run: Run, transfers: int = 24) -> bytes:
    """noc_trace_dev0_Matmul_ID1024.json: reads from a column of DRAM, and a multicast."""
    random, rows = Random(run.seed), []
    for number in range(transfers):
        x, y = run.cores[number % len(run.cores)]
        event = {"proc": "NCRISC", "noc": "NOC_0", "vc": -1, "sx": x, "sy": y, "num_bytes": 2048}
        if number % 8 == 7:
            event |= {
                "type": "WRITE_MULTICAST",
                "mcast_start_x": 1,
                "mcast_start_y": 1,
                "mcast_end_x": 4,
                "mcast_end_y": 3,
            }
        elif number % 2:
            other = random.choice(run.cores)
            event |= {"type": "WRITE_", "dx": other[0], "dy": other[1]}
        else:
            event |= {"type": "READ", "dx": 0, "dy": random.choice((0, 5))}
        rows.append(event | {"timestamp": BEGAN + 300 + 40 * number})
        rows.append(
            {
                "proc": "NCRISC",
                "noc": "NOC_0",
                "vc": -1,
                "sx": x,
                "sy": y,
                "type": "READ_BARRIER_START",
                "num_bytes": 0,
                "dx": 0,
                "dy": 0,
                "timestamp": BEGAN + 310 + 40 * number,
            }
        )
    zone = {"proc": "NCRISC", "zone": "NCRISC-KERNEL", "zone_phase": "begin", "sx": 1, "sy": 1, "timestamp": BEGAN}
    return orjson.dumps([zone, *rows])


def simulated(run: Run) -> bytes:
    """A result of tt-npe: a transfer and the links that it takes, in [device, row, column]."""
    x, y = run.cores[0]
    links = [[0, y, x + step, "NOC0_EAST"] for step in range(3)]
    route = {"device_id": 0, "src": [0, y, x], "dst": [[0, y, x + 3]], "noc_type": "NOC0", "links": links}
    transfer = {
        "id": 0,
        "noc_event_type": "WRITE_",
        "total_bytes": 2048,
        "src": [0, y, x],
        "dst": [[0, y, x + 3]],
        "start_cycle": 100,
        "end_cycle": 190,
        "route": [route],
    }
    steps = [
        {
            "start_cycle": 256 * step,
            "end_cycle": 256 * (step + 1),
            "link_demand": [[*link, 20.5 + step] for link in links],
        }
        for step in range(2)
    ]
    about = {"version": "1.0.0", "arch": "wormhole_b0", "cycles_per_timestep": 256}
    return orjson.dumps({"common_info": about, "noc_transfers": [transfer], "timestep_data": steps})


SCHEMA = """
CREATE TABLE devices (device_id int,num_y_cores int,num_x_cores int,num_y_compute_cores int,num_x_compute_cores int,
 worker_l1_size int,l1_num_banks int,l1_bank_size int,address_at_first_l1_bank int);
CREATE TABLE operations (operation_id int UNIQUE,name text,duration float);
CREATE TABLE tensors (tensor_id int UNIQUE,shape text,dtype text,layout text,memory_config text,device_id int,
 address int,buffer_type int);
CREATE TABLE buffers (operation_id int,device_id int,address int,max_size_per_bank int,buffer_type int,
 buffer_layout int);
CREATE TABLE buffer_pages (operation_id int,device_id int,address int,core_y int,core_x int,bank_id int,page_index int,
 page_address int,page_size int,buffer_type int);
"""


def report(path: Path, run: Run, *, pages: bool = True, full: float = 0.93) -> Path:
    """Writes db.sqlite: two long-lived buffers, and one for each operation; at the third one, L1 is ``full``."""
    across, down = len(run.columns), len(run.rows)
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.executescript(SCHEMA)
        row = (0, 12, 10, down, across, L1, across * down, L1 // 2, 100_000)
        database.execute(f"INSERT INTO devices VALUES ({','.join('?' * len(row))})", row)
        for number in range(run.operations):
            name = f"ttnn.{OPERATIONS[number % len(OPERATIONS)].lower()}"
            database.execute("INSERT INTO operations VALUES (?,?,?)", (number + 1, name, 0.001 * (number + 1)))
            shape, memory = f"Shape([1, 1, 64, {64 * (number + 1)}])", "MemoryConfig(memory_layout=INTERLEAVED)"
            tensor = (number, shape, "DataType.BFLOAT16", "Layout.TILE", memory, 0, 200_000 + number * 4096, 1)
            database.execute("INSERT INTO tensors VALUES (?,?,?,?,?,?,?,?)", tensor)
            size = int(L1 * full) - 65_536 - 32_768 if number == 2 else 40_960 * (1 + number)
            for address, bank, kind in (
                (100_000, 65_536, 1),
                (4096, 1 << 20, 0),
                (200_000, size, 1),
                (170_000, 8192, 3),
            ):
                database.execute("INSERT INTO buffers VALUES (?,0,?,?,?,0)", (number + 1, address, bank, kind))
                for core in range(across * down if pages and kind in (1, 3) else 0):
                    own = bank if core != 1 else bank // 2
                    place = (number + 1, address, core // across, core % across, core, core, address, own, kind)
                    database.execute("INSERT INTO buffer_pages VALUES (?,0,?,?,?,?,?,?,?,?)", place)
        database.commit()
    content = bytearray(path.read_bytes())
    content[96:100] = bytes(4)  # the version of SQLite, so that all versions write the same bytes
    path.write_bytes(content)
    return path


def write(folder: Path, run: Run | None = None, *, flat: bool = False) -> list[Path]:
    """Writes a whole capture as tt-metal lays it out (``flat``: in one folder), and returns its files."""
    run = run or Run()
    log, timings = device_log(run)
    files = {
        ".logs/profile_log_device.csv": log,
        "ops_perf_results_2026_08_21.csv": operations_table(run, timings),
        ".logs/noc_trace_dev0_Matmul_ID1024.json": noc_trace(run),
        "npe_viz/Matmul_ID1024.json": simulated(run),
    }
    made = []
    for name, content in files.items():
        path = folder / (name.rsplit("/", 1)[-1] if flat else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        made.append(path)
    return [*made, report(folder / "db.sqlite", run)]
