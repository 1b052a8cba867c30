"""Zones, cores, operations, transfers and L1 memory of a Tenstorrent capture (Tenstorrent, section 7)."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from app.analysis.ascend.typed_columns import key_of
from app.analysis.capture.ranks import marked
from app.analysis.table import Coded, Column, RowItems, Table, Unit
from app.analysis.tenstorrent import (
    KERNEL,
    KERNEL_HELP,
    core_names,
    gaps,
    idle,
    joined,
    kernels,
    l1_over_operations,
    l1_peaks,
    limit_of,
    noc_bytes,
)
from app.analysis.tiles import tile_events as events_of_tiles
from app.language import tr
from app.profile.arrays import I64, Integers, combine_at
from app.profile.ascend import TypedColumn
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.profile.tenstorrent import BUFFER_TYPES, ON_DEVICE, PLACE_NAMES, TILES

_DEVICE: Final = tr("The number of the device.")
_RATE: Final = re.compile(r"UTIL|\(%\)|MIN|MAX|AVG|COUNT|BW|IMPACT")
_PLACES: Final = re.compile(r"CYCLE|TS$")
_KEYS: Final = re.compile(r"\bID\b|_[WZYX]\b|HASH")


def device_zones(profile: Profile) -> Table | None:
    """One row per zone, place in a source and processor."""
    run = profile.device_run
    if run is None or not len(run.zones.name):
        return None
    own, strings = run.zones, run.strings
    mean = own.cycles / np.where(own.count > 0, own.count, np.nan)
    nested = tr("From start to end, with the zones inside; pairs of all cores added.")
    keys = _lines_of(profile)
    columns = (
        Column("name", tr("Zone"), Coded(own.name, strings), role="name"),
        Column("processor", tr("Processor"), Coded(own.processor, strings), role="kind"),
        Column("file", tr("File"), Coded(own.file, strings), help=tr("On the machine that built the kernel.")),
        Column("line", tr("Line"), own.line, missing=marked(own.line <= 0), role="key"),
        Column("count", tr("Count"), own.count, help=tr("Pairs of start and end.")),
        Column("cycles", tr("Cycles"), own.cycles, "cycles", nested, inclusive=True, parallel=True),
        Column("mean", tr("Mean"), mean, "cycles", tr("Cycles / count."), adds_up=False),
        Column("max", tr("Max"), own.most, "cycles", tr("The longest pair."), adds_up=False),
        Column("cores", tr("Cores"), own.cores, help=tr("Cores with such a pair.")),
        *(
            [Column("total", tr("Sum stated"), own.total, "cycles", tr("Rows ZONE_TOTAL."), marked(own.total < 0))]
            if (own.total >= 0).any()
            else []
        ),
    )
    return Table("device-zones", tr("Zones"), columns, None if keys is None else "line", keys)


def _lines_of(profile: Profile) -> I64 | None:
    """int64: the source line of each zone, -1 without one; None without lines."""
    run, lines = profile.device_run, profile.lines
    if run is None or lines is None:
        return None
    files = lines.paths.tolist()
    row_of = {
        (files[file], line): row
        for row, (file, line) in enumerate(zip(lines.file.tolist(), lines.line.tolist(), strict=True))
    }
    places = zip(run.zones.file.tolist(), run.zones.line.tolist(), strict=True)
    return np.array([row_of.get((run.strings.get(file), line), -1) for file, line in places], np.int64)


def cores(profile: Profile) -> Table | None:
    """One row per core; tiles have only events (``tile_events``)."""
    own = profile.worker_cores
    if own is None or not len(own) or own.kind == TILES:
        return None
    none = own.zones < 0
    columns = [
        _core_column(profile),
        Column("device", tr("Device"), own.device, help=_DEVICE, role="key"),
        Column("x", "x", own.x, role="key"),
        Column("y", "y", own.y, role="key"),
        Column("logical", tr("Logical"), own.logical, help=tr("Whether x and y count compute cores from 0.")),
    ]
    if not none.all():
        firmware = tr("For each run, from the first start to the last end of the zones named *-FW, summed.")
        columns += [
            Column("zones", tr("Zones"), own.zones, help=tr("Pairs of start and end."), missing=marked(none)),
            Column("kernel", tr("Kernel"), own.kernel, "cycles", KERNEL_HELP, marked(none), parallel=True),
            Column("firmware", tr("Firmware"), own.firmware, "cycles", firmware, marked(none), parallel=True),
            Column("idle", tr("Idle"), idle(own), help=tr("Firmware, and no kernel."), missing=marked(none)),
        ]
    if profile.core_memory is not None:
        text = tr("Largest sum of pages in L1 over the operations of the report.")
        columns.append(Column("l1_peak", tr("Peak of L1"), l1_peaks(profile), "B", text, adds_up=False))
    if profile.noc_transfers is not None:
        for key, title, values in zip(
            ("sent", "received"), (tr("Sent"), tr("Received")), noc_bytes(profile), strict=True
        ):
            columns.append(Column(key, title, values, "B", tr("Transfers of the NoC traces.")))
    return Table("worker-cores", tr("Worker cores"), tuple(columns), "worker_core")


def _core_column(profile: Profile, rows: Integers | None = None, key: str = "core", title: str = tr("Core")) -> Column:
    """The names of cores; of those in ``rows`` (-1: none). They are not known before the cores are read."""
    own = profile.worker_cores
    names = () if own is None else core_names(own)
    ids = np.arange(len(names), dtype=np.int32) if rows is None else rows if own is not None else np.full_like(rows, -1)
    return Column(key, title, Coded(ids, Strings.of(names)), role="name" if rows is None else "")


def tile_events(profile: Profile) -> Table | None:
    """One row per event of a tile of an AMD AI Engine."""
    own, line = events_of_tiles(profile), profile.timeline
    if own is None or line is None:
        return None
    text = tr("Of the time from the first to the last event of the process.")
    columns = (
        _core_column(profile, own.core, "tile", tr("Tile")),
        Column("process", tr("Process"), Coded(own.process, line.strings), role="name"),
        Column("event", tr("Event"), Coded(own.event, line.strings), role="name"),
        Column("count", tr("Count"), own.count, help=tr("How often it begins.")),
        Column("cycles", tr("Cycles"), own.cycles, "cycles", tr("In which it is on."), parallel=True),
        Column("share", tr("Share"), own.share, "%", text, adds_up=False),
    )
    return Table("tile-events", tr("Events of tiles"), columns, "worker_core", own.core.astype(np.int64))


def operations(profile: Profile) -> Table | None:
    """One row per row of the file, with all columns that hold anything, joined with the zones of the device log."""
    own = profile.operations
    if own is None or not len(own):
        return None
    columns = [
        Column("op_code", tr("Operation"), Coded(own.code, own.strings), role="name"),
        Column("place", tr("Where"), Coded(own.place.astype(np.int32), Strings.of(PLACE_NAMES)), role="kind"),
        Column("device", tr("Device"), own.device, help=_DEVICE, missing=marked(own.device < 0), role="key"),
        Column("call", tr("Call"), own.call, help=tr("GLOBAL CALL COUNT."), missing=marked(own.call < 0), role="key"),
    ]
    log = joined(profile)
    if log is not None:
        of_log = tr("Of the run with this number in the device log.")
        columns += [
            Column("zones", tr("Zones"), log.zones, help=of_log, missing=marked(log.zones < 0)),
            Column("log_cores", tr("Cores in the log"), log.cores, help=of_log, missing=marked(log.cores < 0)),
            Column("core_mean", tr("Mean of a core"), log.mean, "cycles", of_log, adds_up=False),
            Column("core_max", tr("Slowest core"), log.most, "cycles", of_log, adds_up=False),
            _core_column(profile, log.slowest, "slowest", tr("Which core")),
        ]
    taken = {"OP CODE", "OP TYPE", "DEVICE ID", "GLOBAL CALL COUNT"}
    columns += [_of_file(column) for column in own.columns if column.name not in taken and _any(column)]
    return Table("operations", tr("Device operations"), tuple(columns), "operation")


def _any(column: TypedColumn) -> bool:
    return not bool(column.missing(0).all())


def _of_file(column: TypedColumn) -> Column:
    """A column as it is in the file; empty cells are not zero."""
    name, values = column.name, column.of_core(0)
    text = tr("The column {title} of the file; empty cells were not measured.", title=name)
    if column.strings is not None:
        return Column(key_of(name), name, Coded(values, column.strings), help=text)
    unit: Unit = "ns" if "[ns]" in name else "%" if "(%)" in name else "B" if "[B]" in name else ""
    unit = "cycles" if name.endswith("CYCLE") else unit
    role = "place" if _PLACES.search(name) else "key" if _KEYS.search(name) else ""
    adds = (_RATE.search(name) is None and "DURATION" in name) or name.startswith("OP TO OP LATENCY [")
    return Column(key_of(name), name, values, unit, text, stored=True, role=role, adds_up=adds)  # type: ignore[arg-type]


def op_codes(profile: Profile) -> Table | None:
    """One row per operation code of the device, the most time first."""
    own = profile.operations
    if own is None:
        return None
    rows = np.flatnonzero(own.place == ON_DEVICE)
    if not len(rows):
        return None
    time, gap = kernels(own), gaps(own)
    codes, of = np.unique(own.code[rows], return_inverse=True)
    of = of.reshape(-1)
    total, waits, most = np.zeros(len(codes)), np.zeros(len(codes)), np.full(len(codes), np.nan)
    known = np.isfinite(time[rows])
    combine_at(np.add, total, of, np.nan_to_num(time[rows]))
    combine_at(np.add, waits, of, np.nan_to_num(gap[rows]))
    combine_at(np.fmax, most, of, time[rows])
    count = np.bincount(of, minlength=len(codes)).astype(np.int64)
    measured = np.bincount(of[known], minlength=len(codes))
    order = np.argsort(-total, kind="stable")
    whole = float(total.sum())
    share = np.where(whole > 0, 100 * total / (whole or 1.0), np.nan)
    mean = total / np.where(measured > 0, measured, np.nan)
    of_kernel = tr("Sum of {title}.", title=KERNEL)
    columns = (
        Column("op_code", tr("Operation"), Coded(codes[order], own.strings), role="name"),
        Column("count", tr("Count"), count[order]),
        Column("total", tr("Total"), total[order], "s", of_kernel, finest=1e-9),
        Column("share", tr("Share"), share[order], "%", tr("100 × total / sum of all."), share_of=tr("all operations")),
        Column("mean", tr("Mean"), mean[order], "s", tr("Total / operations with a time."), finest=1e-9, adds_up=False),
        Column("max", tr("Max"), most[order], "s", tr("The longest."), finest=1e-9, adds_up=False),
        Column("gap", tr("Gaps before"), waits[order], "s", tr("Sum of OP TO OP LATENCY."), finest=1e-9),
    )
    groups = np.full(len(own), -1, np.int64)
    groups[rows] = of
    return Table(
        "op-codes", tr("Operations by name"), columns, row_items=RowItems("operation", groups, order.astype(np.int64))
    )


def noc_transfers(profile: Profile) -> Table | None:
    """One row per transfer."""
    own = profile.noc_transfers
    if own is None or not len(own):
        return None
    columns = [
        Column("type", tr("Type"), Coded(own.type, own.strings), role="kind"),
        Column("noc", "NoC", Coded(own.noc, own.strings)),
        Column("processor", tr("Processor"), Coded(own.processor, own.strings)),
        _core_column(profile, own.source, "source", tr("From")),
        _core_column(profile, own.target, "target", tr("To")),
        _core_column(profile, own.issuer, "issuer", tr("Issued by")),
        Column("bytes", tr("Bytes"), own.bytes, "B"),
        Column("time", tr("Time"), own.time, "cycles", tr("As in the file."), role="place"),
    ]
    if np.isfinite(own.end).any():
        text = tr("Simulated by tt-npe.")
        columns.append(Column("duration", tr("Duration"), own.end - own.time, "cycles", text, parallel=True))
    if (own.operation >= 0).any():
        columns.append(Column("operation", tr("Operation"), Coded(own.operation, own.strings)))
    return Table("noc-transfers", tr("NoC transfers"), tuple(columns), "worker_core", own.issuer.astype(np.int64))


def noc_cores(profile: Profile) -> Table | None:
    """One row per core that issues transfers."""
    own = profile.noc_transfers
    if own is None or not len(own):
        return None
    known, of = np.unique(own.issuer, return_inverse=True)
    of = of.reshape(-1)
    size = np.zeros(len(known), np.int64)
    combine_at(np.add, size, of, own.bytes)
    count = np.bincount(of, minlength=len(known)).astype(np.int64)
    order = np.argsort(-size, kind="stable")
    columns = (
        _core_column(profile, known[order].astype(np.int32)),
        Column("count", tr("Transfers"), count[order]),
        Column("bytes", tr("Bytes"), size[order], "B", tr("Of the transfers that this core issues.")),
    )
    return Table("noc-cores", tr("NoC transfers by core"), columns, "worker_core", known[order].astype(np.int64))


def noc_links(profile: Profile) -> Table | None:
    """One row per link of a simulation."""
    own = profile.noc_transfers
    if own is None or not len(own.links.device):
        return None
    links = own.links
    text = tr("Demand as a share of the bandwidth of the link, over the time steps in which there is any; simulated.")
    columns = (
        Column("name", tr("Link"), Coded(links.name, own.strings), role="name"),
        Column("device", tr("Device"), links.device, help=_DEVICE, role="key"),
        Column("x", "x", links.x, role="key"),
        Column("y", "y", links.y, role="key"),
        Column("mean", tr("Mean"), links.mean, "%", text),
        Column("max", tr("Max"), links.most, "%", text),
    )
    return Table("noc-links", tr("NoC links"), columns)


def report_operations(profile: Profile) -> Table | None:
    """One row per operation of a ttnn report."""
    own = profile.core_memory
    if own is None or not len(own.operations.number):
        return None
    most, row = l1_over_operations(profile)
    there = row >= 0
    at = np.where(there, row, 0)
    core = np.where(there, own.memory.core[at], -1) if len(own.memory.core) else np.full(len(row), -1)
    gap, free = (own.memory.gap[at], own.memory.free[at]) if len(own.memory.core) else (row, row)
    known = there & (free > 0)
    split = np.where(known, 100 * (1 - gap / np.where(known, free, 1)), np.nan)
    text = tr("Of the core with most L1: 100 × (1 - largest free stretch / all free bytes).")
    columns = (
        Column("number", tr("Number"), own.operations.number, role="key"),
        Column("name", tr("Name"), Coded(own.operations.name, own.strings), role="name"),
        Column("duration", tr("On the host"), own.operations.duration, "s", tr("As in the report."), finest=1e-6),
        Column(
            "l1", tr("L1 of the fullest core"), most, "B", tr("In use while it runs."), marked(~there), adds_up=False
        ),
        _core_column(profile, core.astype(np.int32), "core", tr("Fullest core")),
        Column("fragmentation", tr("Fragmentation"), split, "%", text),
        Column("buffers", tr("Buffers"), own.operations.buffers, help=tr("Alive, in all memories.")),
        Column("dram", "DRAM", own.operations.dram, "B", tr("Of one bank."), adds_up=False),
    )
    return Table("report-operations", tr("Operations of the memory report"), columns, "memory_operation")


def l1_per_core(profile: Profile) -> Table | None:
    """One row per core, at the operation when it holds most."""
    own = profile.core_memory
    if own is None or not len(own.memory.used) or profile.worker_cores is None:
        return None
    memory = own.memory
    rising = np.argsort(memory.used, kind="stable")
    row = np.full(len(profile.worker_cores), -1, np.int64)
    row[memory.core[rising]] = rising
    core = np.flatnonzero(row >= 0)
    row = row[core]
    limit = np.array([limit_of(profile, one) for one in core.tolist()], np.int64)
    free, gap = memory.free[row], memory.gap[row]
    stated = limit > 0
    share = np.where(stated, 100 * memory.used[row] / np.where(stated, limit, 1), np.nan)
    known = free > 0
    split = np.where(known, 100 * (1 - gap / np.where(known, free, 1)), np.nan)
    columns = (
        _core_column(profile, core.astype(np.int32)),
        Column("used", tr("Peak of L1"), memory.used[row], "B", tr("Sum of the pages in L1."), adds_up=False),
        Column("share", tr("Share"), share, "%", tr("100 × peak / size of L1."), share_of=tr("L1 of the core")),
        Column("operation", tr("At operation"), own.operations.number[memory.operation[row]], role="key"),
        Column("name", tr("Name"), Coded(own.operations.name[memory.operation[row]], own.strings)),
        Column("free", tr("Free between and after pages"), free, "B", missing=marked(free < 0), adds_up=False),
        Column("gap", tr("Largest free stretch"), gap, "B", missing=marked(gap < 0), adds_up=False),
        Column("fragmentation", tr("Fragmentation"), split, "%", tr("100 × (1 - largest free stretch / all free).")),
    )
    note = "" if own.by_pages else ALIKE
    return Table("l1-per-core", tr("L1 per core"), columns, "worker_core", core.astype(np.int64), note)


ALIKE: Final = tr(
    "The report has no pages: every core counts with the largest bank of each buffer, so this is an upper bound."
)


def buffers(profile: Profile) -> Table | None:
    """One row per buffer while it is alive."""
    own = profile.core_memory
    if own is None or not len(own.buffers.size):
        return None
    rows, number = own.buffers, own.operations.number
    names = Strings.of(BUFFER_TYPES)
    columns = (
        Column("type", tr("Type"), Coded(rows.type.astype(np.int32), names), role="kind"),
        Column("device", tr("Device"), rows.device, help=_DEVICE, missing=marked(rows.device < 0), role="key"),
        Column("address", tr("Address"), rows.address, missing=marked(rows.address < 0), hexadecimal=True),
        Column("size", tr("Size"), rows.size, "B", tr("Of the largest bank."), adds_up=False),
        Column("first", tr("First operation"), number[rows.first], role="key"),
        Column("last", tr("Last operation"), number[rows.last], role="key"),
        Column("operations", tr("Alive in operations"), (rows.last - rows.first + 1).astype(np.int64)),
    )
    return Table("buffers", tr("Buffers"), columns, "memory_operation", rows.first.astype(np.int64))


def tensors(profile: Profile) -> Table | None:
    """One row per tensor of a report."""
    own = profile.core_memory
    if own is None or not len(own.tensors.number):
        return None
    rows, strings = own.tensors, own.strings
    columns = (
        Column("number", tr("Number"), rows.number, role="key"),
        Column("shape", tr("Shape"), Coded(rows.shape, strings), role="name"),
        Column("dtype", tr("Data type"), Coded(rows.dtype, strings)),
        Column("layout", tr("Layout"), Coded(rows.layout, strings)),
        Column("memory", tr("Memory"), Coded(rows.memory, strings)),
        Column("type", tr("Type"), Coded(rows.type.astype(np.int32), Strings.of(BUFFER_TYPES)), role="kind"),
        Column("device", tr("Device"), rows.device, help=_DEVICE, missing=marked(rows.device < 0), role="key"),
        Column("address", tr("Address"), rows.address, missing=marked(rows.address < 0), hexadecimal=True),
    )
    return Table("tenstorrent-tensors", tr("Tensors of the report"), columns)
