"""What TensorFlow logged: events, their reports, transfers, modules and classes of instructions."""

from __future__ import annotations

import numpy as np

from app.analysis.host_events.modules import modules as totals_by_module
from app.analysis.host_events.totals import DIRECTIONS, compile_seconds, traffic
from app.analysis.host_events.why import missing_reports
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64, I32, Array, Bool
from app.profile.host_events import (
    COMPILE_END,
    CONTENTS,
    EXECUTE,
    GRAIN,
    LAYOUTS,
    ML_TYPES,
    ROLES,
    TO_DEVICE,
    HostEvents,
    event_type,
)
from app.profile.profile import Profile
from app.profile.strings import Interner, Strings, joined

SINCE = tr("Seconds since the first event.")
MILLI = 3
GAP = tr("Of the times from one execution to the next, in the order of time.")
UNVERIFIED = tr("The layout is that of TensorFlow's public sources; it was not verified on a log of real hardware.")


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
        Column("type", tr("Type"), types(log.type)),
        Column("module", tr("Module"), _modules(log), help=tr("The XLA module; transfers name none.")),
        Column("time", tr("Time"), log.since(), "s", SINCE, decimals=MILLI),
        Column(
            "duration", tr("Duration"), seconds, "s", tr("As COMPILE_END states it, else the time since COMPILE_BEGIN.")
        ),
        Column("bytes", tr("Bytes"), log.bytes, "B", tr("total_size of the transfer."), log.bytes < 0),
        Column("tensors", tr("Tensors"), listed, help=tr("Tensors that the transfer lists."), missing=log.bytes < 0),
        Column("report", tr("Report"), _content(log, report), help=tr("What the report inside the event is.")),
        Column("report_bytes", tr("Report size"), _sizes(log, report), "B", missing=report < 0),
        Column("why", tr("Why no report"), _blank(Coded(why, reasons), why < 0), help=tr("As far as the log tells.")),
        Column("device", tr("Device"), log.ordinal, help=tr("Ordinal of the device.")),
        Column("step", tr("Step"), log.step, help=tr("Of the summary that holds the event."), missing=log.step < 0),
        Column("clock", "UTC", clock(log.time), help=tr("Time of the event in UTC.")),
        Column("layout", tr("Written by"), _named(log.layout, LAYOUTS), help=tr("Told by the numbers of the fields.")),
        Column("offset", tr("Offset"), log.offset, help=tr("First byte of the event in the file.")),
    ]
    note = UNVERIFIED if len(log) else ""
    return Table("events", tr("Host events"), tuple(columns), "host_event", note=note)


def reports(profile: Profile) -> Table | None:
    """One row for each part of an event that is a file of its own."""
    log = profile.host_events
    if log is None or not len(log.attached):
        return None
    parts = log.attached
    columns = (
        Column("what", tr("What"), _named(parts.role, ROLES)),
        Column("module", tr("Module"), Coded(log.module[parts.event], log.strings)),
        Column("content", tr("Content"), _named(parts.content, CONTENTS), help=tr("Told by its first bytes.")),
        Column("size", tr("Size"), parts.size, "B", tr("Bytes of the content (of the path, where it is one).")),
        Column(
            "path",
            tr("Path"),
            Coded(parts.path, log.strings),
            help=tr("Where TensorFlow wrote it (report_directory)."),
        ),
        Column("time", tr("Time"), log.since()[parts.event], "s", SINCE, decimals=MILLI),
        Column("device", tr("Device"), log.ordinal[parts.event]),
        Column("offset", tr("Offset"), parts.offset, help=tr("First byte in the file.")),
    )
    return Table("event-reports", tr("Reports inside events"), columns, "report")


def transfers(profile: Profile) -> Table | None:
    """One row for each tensor and direction."""
    log = profile.host_events
    if log is None or not len(log.tensors):
        return None
    sums = traffic(log)
    none = sums.each.count == 0
    help_ = tr("Of one transfer, over those that state its size.")
    columns = [
        Column("direction", tr("Direction"), _directions(sums.direction)),
        Column("name", tr("Tensor"), Coded(sums.name, log.strings)),
        Column("transfers", tr("Transfers"), sums.transfers, help=tr("Transfers that list the tensor.")),
        Column("bytes", tr("Bytes"), sums.bytes, "B", tr("Sum over the transfers that state its size."), none),
        Column(
            "mean", tr("Bytes a transfer"), sums.each.mean, "B", tr("Bytes / transfers that state them."), adds_up=False
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
        Column("time", tr("Time"), log.since()[own.event], "s", SINCE, decimals=MILLI),
        Column("direction", tr("Direction"), _directions(log.type[own.event])),
        Column("name", tr("Tensor"), Coded(own.name, log.strings)),
        Column("bytes", tr("Bytes"), own.bytes, "B", missing=own.bytes < 0),
        Column("device", tr("Device"), log.ordinal[own.event]),
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
        Column("device", tr("Device"), sums.device),
        Column("compilations", tr("Compilations"), sums.compilations, help=tr("COMPILE_END events.")),
        Column(
            "compile_time", tr("Compiling"), sums.compile_seconds, "s", tr("Sum of the durations of its compilations.")
        ),
        Column("loads", tr("Engine loads"), sums.loads),
        Column("executions", tr("Executions"), sums.executions),
        Column(
            "reports",
            tr("Reports"),
            sums.reports,
            help=tr("Events with a compilation or execution report (or its path)."),
        ),
        Column("first", tr("First execution"), np.round(sums.first - zero, GRAIN), "s", SINCE, decimals=MILLI),
        Column("last", tr("Last execution"), np.round(sums.last - zero, GRAIN), "s", SINCE, decimals=MILLI),
        Column(
            "gap",
            tr("From one to the next"),
            np.round(sums.gap, GRAIN),
            "s",
            tr(
                "(Last - first execution) / (executions - 1): the log has the time of an execution, but not its "
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
        Column("what", tr("What"), log.skipped_names),
        Column("count", tr("Count"), np.array(log.skipped_counts, np.int64)),
    )
    return Table("skipped-records", tr("Not for the IPU"), columns, note=tr("TensorBoard shows these."))


def types(column: I32) -> Coded:
    """Names of the types; unknown ones as numbers."""
    names = Interner()
    known, of = np.unique(column, return_inverse=True)
    ids = np.array([names(event_type(number)) for number in known.tolist()], np.int32)
    return Coded(ids[of.reshape(-1)] if len(column) else np.empty(0, np.int32), names.strings())


def clock(time: F64) -> Coded:
    """``2019-06-05 12:00:00.123456``; no text if there is no time."""
    known = np.isfinite(time)
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
    carries = np.isin(log.type, (COMPILE_END, EXECUTE)) | (report >= 0)
    return _blank(Coded(ids, Strings.of((*CONTENTS, tr("none")))), ~carries)


def _modules(log: HostEvents) -> Coded:
    return _blank(Coded(log.module, log.strings), np.isin(log.type, DIRECTIONS))


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
