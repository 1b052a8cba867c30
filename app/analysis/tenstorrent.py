"""What several places need of a Tenstorrent capture: names and amounts of cores, the grid of a chip, operations joined
with the zones of the device log, and L1 over operations (Tenstorrent, sections 1, 4 and 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.matrix import Matrix
from app.analysis.table import Unit
from app.analysis.tiles import shares_of_events
from app.language import tr
from app.profile.arrays import F64, I32, I64, Bool, combine_at, distinct
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.profile.tenstorrent import CORES, ON_DEVICE, TILES, Operations, WorkerCores

GRIDS: Final = {"wormhole_b0": (10, 12), "blackhole": (17, 12)}
"""Columns and rows of the network on chip (section 6)."""
KERNEL: Final = "DEVICE KERNEL DURATION [ns]"
GAP: Final = "OP TO OP LATENCY [ns]"
IDEAL: Final = "PM IDEAL [ns]"
COMPUTE: Final = "PM COMPUTE [ns]"
BANDWIDTH: Final = "PM BANDWIDTH [ns]"
HOST: Final = "HOST DURATION [ns]"
SLOWEST: Final = "DEVICE KERNEL DURATION PER CORE MAX [ns]"
MEAN: Final = "DEVICE KERNEL DURATION PER CORE AVG [ns]"
NOC_USE: Final = "NOC UTIL (%)"
DRAM_USE: Final = "DRAM BW UTIL (%)"
NANOSECOND: Final = 1e-9
MOST_EVENTS: Final = 64
MOST_CELLS: Final = 1 << 24
"""Of a matrix of cores: larger ones are not made."""


class Words(Struct, frozen=True):
    """What the places of a chip are called: ``name`` of x and y; the axes ``x`` and ``y`` of the grid, and a ``row`` of
    it; ``hint``: what can be done there, and why places are empty."""

    name: Callable[[int, int], str]
    x: str
    y: str
    row: Callable[[int], str]
    hint: str


WORDS: Final = {
    CORES: Words(
        name=lambda x, y: tr("core ({x}, {y})", x=x, y=y),
        x="x",
        y="y",
        row=lambda row: f"y {row}",
        hint=tr("Click a core to select it, drag for several. Empty places are not in the files, or harvested."),
    ),
    TILES: Words(
        name=lambda x, y: tr("tile (column {x}, row {y})", x=x, y=y),
        x=tr("Column"),
        y=tr("Row"),
        row=lambda row: tr("row {row}", row=row),
        hint=tr(
            "Click a tile to select it, drag for several. Empty places were not traced, or do not have this event."
        ),
    ),
}
"""By ``WorkerCores.kind``."""


def words(cores: WorkerCores) -> Words:
    """Those of the kind of ``cores``."""
    return WORDS.get(cores.kind, WORDS[CORES])


def core_names(cores: WorkerCores) -> list[str]:
    """The name of each core, with its device where there are several."""
    several = len(distinct(cores.device)) > 1
    return [name_of(cores, row, several=several) for row in range(len(cores))]


def name_of(cores: WorkerCores, row: int, *, several: bool) -> str:
    """The name of one core; ``several``: whether there are several devices."""
    x, y = int(cores.x[row]), int(cores.y[row])
    own = tr("logical core ({x}, {y})", x=x, y=y) if cores.logical[row] else words(cores).name(x, y)
    return tr("device {device}, {core}", device=int(cores.device[row]), core=own) if several else own


def name_of_core(profile: Profile, row: int) -> str:
    """The name of the core in a row, "" if there is none."""
    cores = profile.worker_cores
    if cores is None or not 0 <= row < len(cores):
        return ""
    return name_of(cores, row, several=bool((cores.device != cores.device[0]).any()))


def idle(cores: WorkerCores) -> Bool:
    """bool: cores that the device log names, without a zone of a kernel."""
    found: Bool = (cores.zones >= 0) & (cores.kernel == 0)
    return found


class Amount(Struct, frozen=True, eq=False):
    """A figure of cores: ``values``: float64[cores], NaN for no data."""

    id: str
    title: str
    help: str
    unit: Unit
    values: F64


def amounts(profile: Profile) -> list[Amount]:
    """The figures of cores that a profile has."""
    cores = profile.worker_cores
    if cores is None:
        return []
    known = cores.zones >= 0
    on = tr("Time in which the event is on, as a share of the time from the first to the last event of the process.")
    events = list(shares_of_events(profile).items())[:MOST_EVENTS]
    made = [Amount(name, name, on, "%", values) for name, values in events]
    if known.any():
        kernel = np.where(known, cores.kernel, np.nan)
        zones = np.where(known, cores.zones, np.nan)
        made.append(Amount("kernel", tr("Kernel cycles"), KERNEL_HELP, "cycles", kernel))
        made.append(Amount("zones", tr("Zones"), tr("Pairs of start and end in the device log."), "", zones))
    if profile.core_memory is not None and len(profile.core_memory.memory.used):
        made.append(Amount("l1", tr("Peak of L1"), tr("Largest sum of pages in L1."), "B", l1_peaks(profile)))
    if profile.noc_transfers is not None and len(profile.noc_transfers):
        sent, received = noc_bytes(profile)
        text = tr("Bytes of the transfers of the NoC traces, multicasts counted once at their source.")
        made.append(Amount("sent", tr("NoC bytes sent"), text, "B", sent))
        made.append(Amount("received", tr("NoC bytes received"), text, "B", received))
    return made


KERNEL_HELP: Final = tr("For each run, from the first start to the last end of the zones named *-KERNEL, summed.")


def l1_peaks(profile: Profile) -> F64:
    """float64[cores]: the most bytes of L1 that each core holds, NaN where nothing says."""
    assert profile.worker_cores is not None
    peaks = np.full(len(profile.worker_cores), -1.0)
    if profile.core_memory is not None:
        memory = profile.core_memory.memory
        combine_at(np.maximum, peaks, memory.core, memory.used.astype(np.float64))
    return np.where(peaks < 0, np.nan, peaks)


def noc_bytes(profile: Profile) -> tuple[F64, F64]:
    """(float64[cores]: bytes that each core sends, and receives), NaN for cores without a transfer."""
    assert profile.worker_cores is not None
    made = []
    own = profile.noc_transfers
    for place in (None, None) if own is None else (own.source, own.target):
        sums, seen = np.zeros(len(profile.worker_cores)), np.zeros(len(profile.worker_cores), np.bool_)
        if place is not None and own is not None:
            there = place >= 0
            combine_at(np.add, sums, place[there], own.bytes[there].astype(np.float64))
            seen[place[there]] = True
        made.append(np.where(seen, sums, np.nan))
    return made[0], made[1]


class Link(Struct, frozen=True):
    """Bytes from one core to another."""

    source: int
    target: int
    bytes: int


MOST_LINKS: Final = 200


def noc_links(profile: Profile) -> list[Link]:
    """The pairs of cores between which most bytes go, at most MOST_LINKS."""
    own, cores = profile.noc_transfers, profile.worker_cores
    if own is None or cores is None:
        return []
    there = (own.source >= 0) & (own.target >= 0) & (own.source != own.target)
    key = own.source[there].astype(np.int64) * len(cores) + own.target[there]
    known, of = np.unique(key, return_inverse=True)
    sums = np.zeros(len(known), np.int64)
    combine_at(np.add, sums, of.reshape(-1), own.bytes[there])
    order = np.argsort(-sums, kind="stable")[:MOST_LINKS]
    return [
        Link(int(known[place]) // len(cores), int(known[place]) % len(cores), int(sums[place]))
        for place in order.tolist()
    ]


class Floor(Struct, frozen=True, eq=False):
    """The grid of a chip. ``core``: int32[rows, columns], the row of the core at each place, -1 for none."""

    device: int
    logical: bool
    core: I32


def floors(profile: Profile) -> list[Floor]:
    """A grid for each device and kind of coordinates, as large as the chip, or as the cores need."""
    cores = profile.worker_cores
    if cores is None:
        return []
    arch = profile.device_run.arch if profile.device_run is not None else ""
    made = []
    for logical in (False, True):
        for device in distinct(cores.device[cores.logical == logical]).tolist():
            own = np.flatnonzero((cores.device == device) & (cores.logical == logical))
            across, down = int(cores.x[own].max()) + 1, int(cores.y[own].max()) + 1
            if not logical and arch in GRIDS:
                across, down = max(across, GRIDS[arch][0]), max(down, GRIDS[arch][1])
            grid = np.full((down, across), -1, np.int32)
            grid[cores.y[own], cores.x[own]] = own
            made.append(Floor(device, logical, grid))
    return made


class Joined(Struct, frozen=True, eq=False):
    """What the device log says of each operation (NaN, -1: nothing): ``zones``: slices; ``cores``; ``mean``, ``most``:
    cycles of its kernel on a core; ``slowest``: the core of the last."""

    zones: I64
    cores: I64
    mean: F64
    most: F64
    slowest: I64


def joined(profile: Profile) -> Joined | None:
    """Operations with the runs of the same device and number; None without a device log."""
    own, run = profile.operations, profile.device_run
    if own is None or run is None or not len(run.runs):
        return None
    row_of = {pair: row for row, pair in enumerate(zip(run.runs.device.tolist(), run.runs.run.tolist(), strict=True))}
    rows = np.array(
        [row_of.get(pair, -1) for pair in zip(own.device.tolist(), own.call.tolist(), strict=True)], np.int64
    )
    there = rows >= 0
    at = np.where(there, rows, 0)
    cores = np.where(there, run.runs.cores[at], -1).astype(np.int64)
    slices = run.slice_operation[run.slice_operation >= 0]
    zones = np.bincount(slices, minlength=len(own)).astype(np.int64) - timed_operations(profile)
    return Joined(
        np.where(there, zones, -1),
        cores,
        np.where(there, run.runs.cycles[at] / np.maximum(run.runs.cores[at], 1), np.nan),
        np.where(there, run.runs.most[at].astype(np.float64), np.nan),
        np.where(there, run.runs.slowest[at], -1),
    )


def timed_operations(profile: Profile) -> I64:
    """int64[operations]: 1 for one that is a slice in a lane of operations."""
    own, run, line = profile.operations, profile.device_run, profile.timeline
    assert own is not None
    made = np.zeros(len(own), np.int64)
    if run is None or line is None:
        return made
    lanes = np.flatnonzero(run.lane_core < 0)
    for lane in lanes.tolist():
        begin, end = (int(line.slices.first[int(line.lanes.first_row[lane + more])]) for more in (0, 1))
        rows = run.slice_operation[begin:end]
        made[rows[rows >= 0]] = 1
    return made


def gaps(own: Operations) -> F64:
    """float64 seconds: OP TO OP LATENCY, NaN in the first row of each device, which has no operation before it."""
    made = own.number(GAP) * NANOSECOND
    rows = np.flatnonzero(own.place == ON_DEVICE)
    first = np.unique(own.device[rows], return_index=True)[1]
    made[rows[first]] = np.nan
    return made


def kernels(own: Operations) -> F64:
    """float64 seconds: DEVICE KERNEL DURATION."""
    return own.number(KERNEL) * NANOSECOND


def l1_over_operations(profile: Profile) -> tuple[I64, I64]:
    """int64[operations of the report] each: the most bytes of L1 on a core, and its row among the memory of cores (-1
    for none)."""
    own = profile.core_memory
    if own is None:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    rising = np.argsort(own.memory.used, kind="stable")
    row = np.full(len(own.operations.number), -1, np.int64)
    row[own.memory.operation[rising]] = rising
    return np.where(row < 0, 0, own.memory.used[row] if len(own.memory.used) else 0), row


def limit_of(profile: Profile, core: int) -> int:
    """Bytes of L1 of the device of a core, -1 if it is not stated."""
    own, cores = profile.core_memory, profile.worker_cores
    if own is None or cores is None or not 0 <= core < len(cores):
        return -1
    there = np.flatnonzero(own.devices.device == cores.device[core])
    return int(own.devices.l1[there[0]]) if len(there) else -1


def matrices(profile: Profile) -> list[Matrix]:
    """L1 of each core at each operation, and bytes from each core to each other."""
    cores, made = profile.worker_cores, list[Matrix]()
    if cores is None:
        return made
    names = Strings.of(core_names(cores))
    memory, noc = profile.core_memory, profile.noc_transfers
    if memory is not None and len(memory.memory.used) and len(memory.operations.number) * len(cores) <= MOST_CELLS:
        values = np.zeros((len(memory.operations.number), len(cores)), np.int64)
        values[memory.memory.operation, memory.memory.core] = memory.memory.used
        rows = Strings.of(memory.strings.get(name) for name in memory.operations.name.tolist())
        text = tr("Bytes of L1 that are in use on a core while an operation runs.")
        made.append(
            Matrix(
                *("l1", tr("Bytes"), tr("L1 of cores"), values, "B", text, "memory_operation", rows),
                columns="worker_core",
                column_names=names,
                column_summary="maximum",
            )
        )
    if noc is not None and len(noc) and len(cores) ** 2 <= MOST_CELLS:
        values = np.zeros((len(cores), len(cores)), np.int64)
        there = (noc.source >= 0) & (noc.target >= 0)
        flat = values.reshape(-1)
        combine_at(np.add, flat, noc.source[there].astype(np.int64) * len(cores) + noc.target[there], noc.bytes[there])
        text = tr("Bytes of the transfers from one core (row) to another (column) in the NoC traces.")
        made.append(
            Matrix(
                *("noc", tr("Bytes"), tr("NoC between cores"), values, "B", text, "worker_core", names),
                columns="worker_core",
                column_names=names,
            )
        )
    return made
