"""What TensorFlow logged (events, their reports, transfers, modules, classes of instructions), and tensors on tiles."""

from __future__ import annotations

import numpy as np

from app.analysis.amounts import shares
from app.analysis.host_events import DIRECTIONS, compile_seconds, missing_reports, traffic
from app.analysis.host_events import modules as totals_by_module
from app.analysis.table import Coded, Column, Table, only
from app.analysis.tensor_map import element_bytes, owners, per_tile, place_bytes, spread, tiles_of_ipu
from app.language import tr
from app.profile.arrays import F64, I32, I64, Array, Bool, among, combine_at
from app.profile.profile import Profile
from app.profile.strings import Interner, Strings, joined
from app.profile.tensorflow import (
    COMPILE_END,
    CONTENTS,
    EXECUTE,
    GRAIN,
    LAYOUTS,
    ML_TYPES,
    ROLES,
    TO_DEVICE,
    HostEvents,
    TensorMap,
    event_type,
)

ELEMENTS = tr("Distinct mapped elements: a broadcast scalar counts once.")
BYTES = tr("Elements x bytes of one element; no data for a type of unknown size.")
IMBALANCE = tr("Most elements on one tile / mean over the tiles with any: 1 is even.")
NO_SHAPE = tr("The first generation of maps does not have it.")


def tensors(profile: Profile, within: Bool | None = None) -> Table | None:
    """One row per tensor (of ``within``: bool[tensors], if given)."""
    mapping = profile.tensor_map
    if mapping is None:
        return None
    own, sums = mapping.tensors, spread(mapping)
    columns = [
        Column(
            "instruction",
            tr("Instruction"),
            Coded(own.instruction, mapping.strings),
            help=tr("The XLA/HLO instruction."),
        ),
        Column("output", tr("Output"), own.output, help=tr("Index of the output."), missing=own.output < 0, role="key"),
        Column("name", tr("TensorFlow name"), Coded(own.name, mapping.strings), help=tr("In maps since 2020-02.")),
        Column("type", tr("Type"), Coded(own.type, mapping.strings)),
        Column("shape", tr("Shape"), shapes(mapping), help=NO_SHAPE),
        Column("bytes", tr("Bytes"), sums.bytes, "B", BYTES, sums.bytes < 0),
        Column("elements", tr("Elements"), sums.elements, help=ELEMENTS),
        Column("tiles", tr("Tiles"), sums.tiles, help=tr("Tiles with any element.")),
        Column("largest", tr("Maximum on a tile"), sums.largest, help=tr("Maximum over tiles, in elements.")),
        Column(
            "at", tr("At tile"), sums.at, help=tr("The first tile with the maximum."), missing=sums.at < 0, role="key"
        ),
        Column("imbalance", tr("Imbalance"), sums.imbalance, help=IMBALANCE),
        Column(
            "constant",
            tr("Constant"),
            own.constant == 1,
            help=tr("Whether it has constant elements."),
            missing=own.constant < 0,
        ),
        Column(
            "aliases",
            tr("Aliases"),
            own.aliases == 1,
            help=tr("Whether elements are aliases."),
            missing=own.aliases < 0,
        ),
        Column("computation", tr("Computation"), Coded(own.computation, mapping.strings)),
    ]
    if bool(np.any(own.module >= 0)):
        columns.append(Column("module", tr("Module"), Coded(own.module, mapping.strings)))
    table = Table("mapped-tensors", tr("Mapped tensors"), tuple(columns), "mapped_tensor")
    return table if within is None else only(table, within)


def places(profile: Profile, tiles: I64 | None = None) -> Table | None:
    """One row for each tensor on each tile (of ``tiles``)."""
    own = profile.tensor_map
    if own is None or not len(own.tile):
        return None
    owner, size = owners(own), place_bytes(own)
    rows = np.arange(len(own.tile)) if tiles is None else np.flatnonzero(among(own.tile, tiles))
    owner, known = owner[rows], element_bytes(own)[owner[rows]] >= 0
    columns = [
        Column("tile", tr("Tile"), own.tile[rows], role="key"),
        Column("instruction", tr("Instruction"), Coded(own.tensors.instruction[owner], own.strings)),
        Column("name", tr("TensorFlow name"), Coded(own.tensors.name[owner], own.strings)),
        Column("type", tr("Type"), Coded(own.tensors.type[owner], own.strings)),
        Column("elements", tr("Elements"), own.count[rows].astype(np.int64), help=ELEMENTS),
        Column("bytes", tr("Bytes"), size[rows], "B", BYTES, ~known),
    ]
    if len(own.intervals):
        ranges = own.intervals[rows].astype(np.int64)
        columns.append(
            Column("intervals", tr("Ranges"), ranges, help=tr("Number of element ranges."), missing=ranges < 0)
        )
    return Table("mapped-elements", tr("Tensors on tiles"), tuple(columns), "mapped_tensor", owner)


def tiles(profile: Profile) -> Table | None:
    """One row per tile."""
    own = profile.tensor_map
    if own is None or not len(own.tile):
        return None
    sums = per_tile(own)
    number = np.arange(len(sums))
    columns = [
        Column("tile", tr("Tile"), number, role="key"),
        Column("tensors", tr("Tensors"), sums.tensors, help=tr("Tensors with elements on the tile.")),
        Column("elements", tr("Elements"), sums.elements, help=ELEMENTS),
        Column("bytes", tr("Bytes of mapped tensors"), sums.bytes, "B", BYTES),
    ]
    each = tiles_of_ipu(profile)
    if each:
        stated = profile.target is not None and profile.target.tiles_per_ipu
        source = tr("as the graph profile states") if stated else tr("assumed, because no graph profile is open")
        columns.insert(
            1,
            Column(
                "ipu",
                "IPU",
                number // each,
                help=tr("Tile / {each:,} tiles per IPU, {source}.", each=each, source=source),
                role="key",
            ),
        )
    return Table("mapped-tiles", tr("Mapped tensors by tile"), tuple(columns), "tile")


def types(profile: Profile) -> Table | None:
    """One row per element type, most bytes first."""
    own = profile.tensor_map
    if own is None or not len(own):
        return None
    sums = spread(own)
    kinds, of = np.unique(own.tensors.type, return_inverse=True)
    of = of.reshape(-1)
    count = np.bincount(of, minlength=len(kinds)).astype(np.int64)
    elements, size = np.zeros(len(kinds), np.int64), np.zeros(len(kinds), np.int64)
    combine_at(np.add, elements, of, sums.elements)
    combine_at(np.add, size, of, np.maximum(sums.bytes, 0))
    unknown = np.bincount(of[sums.bytes < 0], minlength=len(kinds)) > 0
    order = np.argsort(-size, kind="stable")
    share = shares(size)
    columns = (
        Column("type", tr("Type"), Coded(kinds[order].astype(np.int32), own.strings)),
        Column("tensors", tr("Tensors"), count[order]),
        Column("elements", tr("Elements"), elements[order], help=ELEMENTS),
        Column("bytes", tr("Bytes"), size[order], "B", BYTES, unknown[order]),
        Column("share", tr("Share"), share[order], "%", "", unknown[order], tr("the bytes of all mapped tensors")),
    )
    return Table("mapped-types", tr("Mapped tensors by type"), columns)


def shapes(own: TensorMap) -> Coded:
    """``32 × 32``; each distinct shape once. No text for the generation without shapes."""
    texts, ids = Interner(), np.full(len(own), -1, np.int32)
    first, items = own.tensors.shape.first.tolist(), own.tensors.shape.items.tolist()
    for row in np.flatnonzero(own.tensors.generation > 1).tolist():
        sizes = items[first[row] : first[row + 1]]
        ids[row] = texts(" × ".join(map(str, sizes[:64])) or "scalar")
    return Coded(ids, texts.strings())


SINCE = tr("Seconds since the first event.")
MILLI = 3
_LAST = 253_402_300_800.0
"""Seconds from 1970 to the year 10000, from which on dates have no usual form."""
GAP = tr("Times from one execution to the next, in chronological order.")
UNVERIFIED = tr("The layout is that of TensorFlow's public sources; it was not verified with a log from real hardware.")


def events(profile: Profile) -> Table | None:
    """One row per event, in the order of the file."""
    log = profile.host_events
    if log is None:
        return None
    why, reasons = missing_reports(log)
    report = _report_of(log)
    seconds = compile_seconds(log)
    listed = np.bincount(log.tensors.event, minlength=len(log))
    columns = [
        Column("type", tr("Type"), event_types(log.type)),
        Column("module", tr("Module"), _modules(log), help=tr("Name of the XLA module; transfers have none.")),
        Column("time", tr("Time"), log.since(), "s", SINCE, decimals=MILLI, role="place"),
        Column(
            "duration", tr("Duration"), seconds, "s", tr("As stated in COMPILE_END, else the time since COMPILE_BEGIN.")
        ),
        Column("bytes", tr("Bytes"), log.bytes, "B", tr("total_size of the transfer."), log.bytes < 0),
        Column(
            "tensors",
            tr("Tensors"),
            listed,
            help=tr("Number of tensors listed in the transfer."),
            missing=log.bytes < 0,
        ),
        Column("report", tr("Report"), _content(log, report), help=tr("Kind of the report inside the event.")),
        Column("report_bytes", tr("Report size"), _sizes(log, report), "B", missing=report < 0),
        Column(
            "why", tr("Reason for no report"), _blank(Coded(why, reasons), why < 0), help=tr("As far as the log shows.")
        ),
        Column("device", tr("Device"), log.ordinal, help=tr("Ordinal of the device."), role="key"),
        Column(
            "step",
            tr("Step"),
            log.step,
            help=tr("Step of the summary that contains the event."),
            missing=log.step < 0,
            role="key",
        ),
        Column("clock", "UTC", clock(log.time), help=tr("Time of the event in UTC.")),
        Column(
            "layout",
            tr("Generated by"),
            _named(log.layout, LAYOUTS),
            help=tr("Determined from the numbers of the fields."),
        ),
        Column("offset", tr("Offset"), log.offset, help=tr("First byte of the event in the file."), role="place"),
    ]
    note = UNVERIFIED if len(log) else ""
    return Table("events", tr("Host events"), tuple(columns), "host_event", note=note, doubtful=True)


def reports(profile: Profile) -> Table | None:
    """One row for each part of an event that is a file of its own."""
    log = profile.host_events
    if log is None or not len(log.attached):
        return None
    parts = log.attached
    columns = (
        Column("what", tr("Item"), _named(parts.role, ROLES)),
        Column("module", tr("Module"), Coded(log.module[parts.event], log.strings)),
        Column("content", tr("Content"), _named(parts.content, CONTENTS), help=tr("Determined from the first bytes.")),
        Column("size", tr("Size"), parts.size, "B", tr("Size of the content, or of the path if it is one.")),
        Column(
            "path",
            tr("Path"),
            Coded(parts.path, log.strings),
            help=tr("Where TensorFlow wrote it (report_directory)."),
        ),
        Column("time", tr("Time"), log.since()[parts.event], "s", SINCE, decimals=MILLI, role="place"),
        Column("device", tr("Device"), log.ordinal[parts.event], role="key"),
        Column("offset", tr("Offset"), parts.offset, help=tr("First byte in the file."), role="place"),
    )
    return Table("event-reports", tr("Reports inside events"), columns, "report")


def transfers(profile: Profile) -> Table | None:
    """One row for each tensor and direction."""
    log = profile.host_events
    if log is None or not len(log.tensors):
        return None
    sums = traffic(log)
    none = sums.each.count == 0
    help_ = tr("Size of one transfer, over the transfers that state it.")
    columns = [
        Column("direction", tr("Direction"), _directions(sums.direction)),
        Column("name", tr("Tensor"), Coded(sums.name, log.strings)),
        Column("transfers", tr("Transfers"), sums.transfers, help=tr("Transfers that list the tensor.")),
        Column("bytes", tr("Bytes"), sums.bytes, "B", tr("Sum over the transfers that state their size."), none),
        Column(
            "mean",
            tr("Bytes per transfer"),
            sums.each.mean,
            "B",
            tr("Bytes / transfers that state their size."),
            adds_up=False,
        ),
        Column("median", tr("Median"), sums.each.median, "B", help_, adds_up=False),
        Column("maximum", tr("Maximum"), sums.each.most, "B", help_),
    ]
    if bool(np.any(sums.unknown)):
        columns.append(
            Column("unknown", tr("Without size"), sums.unknown, help=tr("Transfers that do not state its size."))
        )
    return Table("transfers", tr("Transfers by tensor"), tuple(columns))


def transferred(profile: Profile) -> Table | None:
    """One row for each tensor of each transfer."""
    log = profile.host_events
    if log is None or not len(log.tensors):
        return None
    own = log.tensors
    columns = (
        Column("time", tr("Time"), log.since()[own.event], "s", SINCE, decimals=MILLI, role="place"),
        Column("direction", tr("Direction"), _directions(log.type[own.event])),
        Column("name", tr("Tensor"), Coded(own.name, log.strings)),
        Column("bytes", tr("Bytes"), own.bytes, "B", missing=own.bytes < 0),
        Column("device", tr("Device"), log.ordinal[own.event], role="key"),
    )
    return Table("transferred-tensors", tr("Tensors of transfers"), columns, "host_event", own.event.astype(np.int64))


def modules(profile: Profile) -> Table | None:
    """One row per device and module."""
    log = profile.host_events
    if log is None or not bool(np.any(log.module >= 0)):
        return None
    sums, zero = totals_by_module(log), log.zero
    columns = (
        Column("module", tr("Module"), Coded(sums.module, log.strings)),
        Column("device", tr("Device"), sums.device, role="key"),
        Column("compilations", tr("Compilations"), sums.compilations, help=tr("COMPILE_END events.")),
        Column(
            "compile_time",
            tr("Compilation time"),
            sums.compile_seconds,
            "s",
            tr("Sum of the durations of its compilations."),
        ),
        Column("loads", tr("Engine loads"), sums.loads),
        Column("executions", tr("Executions"), sums.executions),
        Column(
            "reports",
            tr("Reports"),
            sums.reports,
            help=tr("Events with a compilation or execution report (or its path)."),
        ),
        Column(
            "first", tr("First execution"), np.round(sums.first - zero, GRAIN), "s", SINCE, decimals=MILLI, role="place"
        ),
        Column(
            "last", tr("Last execution"), np.round(sums.last - zero, GRAIN), "s", SINCE, decimals=MILLI, role="place"
        ),
        Column(
            "gap",
            tr("Time between executions"),
            np.round(sums.gap, GRAIN),
            "s",
            tr(
                "(Last - first execution) / (executions - 1). The log has the time of an execution, but not its "
                "duration."
            ),
        ),
        Column("median_gap", tr("Median"), np.round(sums.gaps.median, GRAIN), "s", GAP, decimals=MILLI),
        Column("longest_gap", tr("Longest"), np.round(sums.gaps.most, GRAIN), "s", GAP, decimals=MILLI),
    )
    return Table("modules", tr("Modules"), columns)


def ml_types(profile: Profile) -> Table | None:
    """One row for each instruction that a compilation classifies."""
    log = profile.host_events
    if log is None or not len(log.ml_types):
        return None
    own = log.ml_types
    columns = (
        Column("instruction", tr("HLO instruction"), Coded(own.instruction, log.strings)),
        Column(
            "type",
            tr("Class"),
            _named(own.type, ML_TYPES),
            help=tr("What the instruction does in training (ml_types)."),
        ),
        Column("module", tr("Module"), Coded(log.module[own.event], log.strings)),
    )
    return Table("ml-types", tr("Classes of instructions"), columns, "host_event", own.event.astype(np.int64))


def skipped(profile: Profile) -> Table | None:
    """The other content of an event file."""
    log = profile.host_events
    if log is None or not log.skipped_names:
        return None
    columns = (
        Column("what", tr("Item"), log.skipped_names),
        Column("count", tr("Count"), np.array(log.skipped_counts, np.int64)),
    )
    return Table("skipped-records", tr("Other content"), columns, note=tr("Events that TensorBoard shows."))


def event_types(column: I32) -> Coded:
    """Names of the types; unknown ones as numbers."""
    names = Interner()
    known, of = np.unique(column, return_inverse=True)
    ids = np.array([names(event_type(number)) for number in known.tolist()], np.int32)
    return Coded(ids[of.reshape(-1)] if len(column) else np.empty(0, np.int32), names.strings())


def clock(time: F64) -> Coded:
    """``2019-06-05 12:00:00.123456``; no text if there is no time, or none with a date."""
    known = np.abs(time) < _LAST
    stamps = np.datetime_as_string((np.where(known, time, 0.0) * 1e6).round().astype("datetime64[us]"))
    texts = Strings.of(str(stamp).replace("T", " ") for stamp in stamps)
    return Coded(np.where(known, np.arange(len(time)), -1), texts)


def _report_of(log: HostEvents) -> Array:
    """int64[events]: the row of the event's report, -1 none."""
    rows = np.full(len(log), -1, np.int64)
    own = np.flatnonzero(log.attached.role <= 1)
    rows[log.attached.event[own]] = own
    return rows


def _content(log: HostEvents, report: Array) -> Coded:
    ids = np.full(len(report), len(CONTENTS), np.int32)
    ids[report >= 0] = log.attached.content[report[report >= 0]]
    carries = among(log.type, (COMPILE_END, EXECUTE)) | (report >= 0)
    return _blank(Coded(ids, Strings.of((*CONTENTS, tr("none")))), ~carries)


def _modules(log: HostEvents) -> Coded:
    return _blank(Coded(log.module, log.strings), among(log.type, DIRECTIONS))


def _blank(texts: Coded, where: Bool) -> Coded:
    """The same texts, empty where there cannot be any (as opposed to missing data)."""
    return Coded(np.where(where, len(texts.strings), texts.ids), joined(texts.strings, Strings.of(("",))))


def _sizes(log: HostEvents, report: Array) -> Array:
    sizes = np.zeros(len(report), np.int64)
    sizes[report >= 0] = log.attached.size[report[report >= 0]]
    return sizes


def _directions(kinds: I32) -> Coded:
    return Coded((kinds != TO_DEVICE).astype(np.int32), Strings.of((tr("host to device"), tr("device to host"))))


def _named(column: I32, names: tuple[str, ...]) -> Coded:
    return Coded(np.where((column >= 0) & (column < len(names)), column, -1), Strings.of(names))
