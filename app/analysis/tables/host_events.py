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
    found = profile.host_events
    if found is None:
        return None
    why, reasons = missing_reports(found)
    report = _report_of(found)
    seconds = compile_seconds(found)
    listed = np.bincount(found.tensors.event, minlength=len(found))
    columns = [
        Column("type", tr("Type"), types(found.type)),
        Column("module", tr("Module"), _modules(found), help=tr("The XLA module; transfers name none.")),
        Column("time", tr("Time"), found.since(), "s", SINCE, decimals=MILLI),
        Column(
            "duration", tr("Duration"), seconds, "s", tr("As COMPILE_END states it, else the time since COMPILE_BEGIN.")
        ),
        Column("bytes", tr("Bytes"), found.bytes, "B", tr("total_size of the transfer."), found.bytes < 0),
        Column("tensors", tr("Tensors"), listed, help=tr("Tensors that the transfer lists."), missing=found.bytes < 0),
        Column("report", tr("Report"), _content(found, report), help=tr("What the report inside the event is.")),
        Column("report_bytes", tr("Report size"), _sizes(found, report), "B", missing=report < 0),
        Column("why", tr("Why no report"), _blank(Coded(why, reasons), why < 0), help=tr("As far as the log tells.")),
        Column("device", tr("Device"), found.ordinal, help=tr("Ordinal of the device.")),
        Column("step", tr("Step"), found.step, help=tr("Of the summary that holds the event."), missing=found.step < 0),
        Column("clock", "UTC", clock(found.time), help=tr("Time of the event in UTC.")),
        Column(
            "layout", tr("Written by"), _named(found.layout, LAYOUTS), help=tr("Told by the numbers of the fields.")
        ),
        Column("offset", tr("Offset"), found.offset, help=tr("First byte of the event in the file.")),
    ]
    note = UNVERIFIED if len(found) else ""
    return Table("events", tr("Host events"), tuple(columns), "host_event", note=note)


def reports(profile: Profile) -> Table | None:
    """One row for each part of an event that is a file of its own."""
    found = profile.host_events
    if found is None or not len(found.attached):
        return None
    parts = found.attached
    columns = (
        Column("what", tr("What"), _named(parts.role, ROLES)),
        Column("module", tr("Module"), Coded(found.module[parts.event], found.strings)),
        Column("content", tr("Content"), _named(parts.content, CONTENTS), help=tr("Told by its first bytes.")),
        Column("size", tr("Size"), parts.size, "B", tr("Bytes of the content (of the path, where it is one).")),
        Column(
            "path",
            tr("Path"),
            Coded(parts.path, found.strings),
            help=tr("Where TensorFlow wrote it (report_directory)."),
        ),
        Column("time", tr("Time"), found.since()[parts.event], "s", SINCE, decimals=MILLI),
        Column("device", tr("Device"), found.ordinal[parts.event]),
        Column("offset", tr("Offset"), parts.offset, help=tr("First byte in the file.")),
    )
    return Table("event-reports", tr("Reports inside events"), columns, "report")


def transfers(profile: Profile) -> Table | None:
    """One row for each tensor and direction."""
    found = profile.host_events
    if found is None or not len(found.tensors):
        return None
    sums = traffic(found)
    none = sums.each.count == 0
    help_ = tr("Of one transfer, over those that state its size.")
    columns = [
        Column("direction", tr("Direction"), _directions(sums.direction)),
        Column("name", tr("Tensor"), Coded(sums.name, found.strings)),
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
    found = profile.host_events
    if found is None or not len(found.tensors):
        return None
    own = found.tensors
    columns = (
        Column("time", tr("Time"), found.since()[own.event], "s", SINCE, decimals=MILLI),
        Column("direction", tr("Direction"), _directions(found.type[own.event])),
        Column("name", tr("Tensor"), Coded(own.name, found.strings)),
        Column("bytes", tr("Bytes"), own.bytes, "B", missing=own.bytes < 0),
        Column("device", tr("Device"), found.ordinal[own.event]),
    )
    return Table("transferred-tensors", tr("Tensors of transfers"), columns, "host_event", own.event.astype(np.int64))


def modules(profile: Profile) -> Table | None:
    """One row per device and module."""
    found = profile.host_events
    if found is None or not bool(np.any(found.module >= 0)):
        return None
    sums, zero = totals_by_module(found), found.zero
    columns = (
        Column("module", tr("Module"), Coded(sums.module, found.strings)),
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
    found = profile.host_events
    if found is None or not len(found.ml_types):
        return None
    own = found.ml_types
    columns = (
        Column("instruction", tr("HLO instruction"), Coded(own.instruction, found.strings)),
        Column(
            "type",
            tr("Class"),
            _named(own.type, ML_TYPES),
            help=tr("What the instruction does in training (ml_types)."),
        ),
        Column("module", tr("Module"), Coded(found.module[own.event], found.strings)),
    )
    return Table("ml-types", tr("Classes of instructions"), columns, "host_event", own.event.astype(np.int64))


def skipped(profile: Profile) -> Table | None:
    """The other content of an event file."""
    found = profile.host_events
    if found is None or not found.skipped_names:
        return None
    columns = (
        Column("what", tr("What"), found.skipped_names),
        Column("count", tr("Count"), np.array(found.skipped_counts, np.int64)),
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


def _report_of(found: HostEvents) -> Array:
    """int64[events]: the row of the event's report, -1 none."""
    rows = np.full(len(found), -1, np.int64)
    own = np.flatnonzero(found.attached.role <= 1)
    rows[found.attached.event[own]] = own
    return rows


def _content(found: HostEvents, report: Array) -> Coded:
    ids = np.full(len(report), len(CONTENTS), np.int32)
    ids[report >= 0] = found.attached.content[report[report >= 0]]
    carries = np.isin(found.type, (COMPILE_END, EXECUTE)) | (report >= 0)
    return _blank(Coded(ids, Strings.of((*CONTENTS, tr("none")))), ~carries)


def _modules(found: HostEvents) -> Coded:
    return _blank(Coded(found.module, found.strings), np.isin(found.type, DIRECTIONS))


def _blank(texts: Coded, where: Bool) -> Coded:
    """The same texts, empty where there cannot be any (as opposed to missing data)."""
    return Coded(np.where(where, len(texts.strings), texts.ids), joined(texts.strings, Strings.of(("",))))


def _sizes(found: HostEvents, report: Array) -> Array:
    sizes = np.zeros(len(report), np.int64)
    sizes[report >= 0] = found.attached.size[report[report >= 0]]
    return sizes


def _directions(kinds: I32) -> Coded:
    return Coded((kinds != TO_DEVICE).astype(np.int32), Strings.of((tr("host to device"), tr("device to host"))))


def _named(column: I32, names: tuple[str, ...]) -> Coded:
    return Coded(np.where((column >= 0) & (column < len(names)), column, -1), Strings.of(names))
