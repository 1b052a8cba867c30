"""Kernels, training steps, memory and calls of a whole Ascend capture (Ascend captures, section 9)."""

from __future__ import annotations

import re

import numpy as np

from app.analysis.amounts import spread
from app.analysis.capture.kernels import kernel_type_order, kernel_types, timed
from app.analysis.capture.ranks import SECOND, lengths, marked, moments, number_column, rank_column
from app.analysis.capture.steps import StepTimes, kernel_steps, step_times
from app.analysis.figures.capture import (
    BUBBLE,
    COMMUNICATION,
    COMPUTING,
    EXPOSED,
    FREE,
    OVERLAPPED,
    PREPARING,
    STAGE,
)
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64, I64, Integers
from app.profile.ascend import TypedColumn
from app.profile.profile import Profile
from app.profile.strings import Strings

STEP: str = tr("The number of the training step; none outside the marked steps.")
_SHARE_KERNELS = tr("100 × total / sum of the durations of all kernels of the rank.")
_RATIO = re.compile(r"ratio|rate|utilization", re.IGNORECASE)


def kernels(profile: Profile) -> Table | None:
    """One row per kernel that computes, with the counters of the device by their names in the files."""
    own = profile.kernels
    if own is None or not len(own):
        return None
    strings = own.strings
    columns = [
        rank_column(profile, own.rank),
        number_column("step", tr("Step"), kernel_steps(profile), STEP),
        Column("name", tr("Name"), Coded(own.name, strings), role="name"),
        Column("type", tr("Type"), Coded(own.type, strings), role="kind"),
        Column("core", tr("Core"), Coded(own.core, strings)),
        number_column("stream", tr("Stream"), own.stream),
        number_column("task", tr("Task"), own.task),
        moments(profile, "start", tr("Start"), own.start),
        lengths("duration", tr("Duration"), own.duration),
        lengths("wait", tr("Wait"), own.wait, tr("Start minus end of the task before on the stream.")),
        _count("blocks", tr("Blocks"), own.blocks, tr("How many blocks the kernel is launched with.")),
        *_counters(own.pmu),
        *_texts(
            strings,
            ("state", tr("State"), own.state),
            ("input_shapes", tr("Input shapes"), own.input_shapes),
            ("input_types", tr("Input data types"), own.input_types),
            ("input_formats", tr("Input formats"), own.input_formats),
            ("output_shapes", tr("Output shapes"), own.output_shapes),
            ("output_types", tr("Output data types"), own.output_types),
            ("output_formats", tr("Output formats"), own.output_formats),
        ),
    ]
    return Table("kernels", tr("Kernels"), tuple(columns), "kernel")


def types(profile: Profile) -> Table | None:
    """One row per rank, type and core, the largest total first within a rank."""
    own = profile.kernels
    if own is None or not len(own):
        return None
    made = kernel_types(profile)
    durations = timed(own).astype(np.float64)
    known = own.duration >= 0
    each = spread(made.of_row[known], durations[known], len(made.row))
    total = np.bincount(made.of_row, durations, len(made.row))
    rank = own.rank[made.row]
    of_rank = np.bincount(rank, total)[rank]
    order = kernel_type_order(profile)
    row = made.row[order]
    share = np.divide(100.0 * total, of_rank, out=np.full(len(total), np.nan), where=of_rank > 0)
    text = tr("Of one kernel.")
    columns = (
        rank_column(profile, own.rank[row]),
        Column("type", tr("Type"), Coded(own.type[row], own.strings), role="name"),
        Column("core", tr("Core"), Coded(own.core[row], own.strings), role="kind"),
        Column("count", tr("Count"), np.bincount(made.of_row, minlength=len(made.row)).astype(np.int64)[order]),
        Column("total", tr("Total"), (total / SECOND)[order], "s", tr("Sum of the durations.")),
        Column("share", tr("Share"), share[order], "%", _SHARE_KERNELS, share_of=tr("the kernels of the rank")),
        _each("min", tr("Min"), each.least[order], text),
        _each("mean", tr("Mean"), each.mean[order], text),
        _each("max", tr("Max"), each.most[order], text),
    )
    return Table("kernel-types", tr("Kernels by type"), columns)


def steps(profile: Profile) -> Table | None:
    """One row per rank and training step."""
    own = step_times(profile)
    if not len(own):
        return None
    columns = (
        rank_column(profile, own.rank),
        number_column("step", tr("Step"), own.step, STEP),
        _time("computing", tr("Computing"), own.computing, COMPUTING),
        _time("communication", tr("Communication"), own.communication, COMMUNICATION),
        _time("overlapped", tr("Overlapped"), own.overlapped, OVERLAPPED),
        _time("exposed", tr("Exposed"), own.exposed, EXPOSED),
        _time("free", tr("Free"), own.free, FREE),
        _time("stage", tr("Stage"), own.stage, STAGE),
        _time("bubble", tr("Bubble"), own.bubble, BUBBLE),
        _time("preparing", tr("Preparing"), own.preparing, PREPARING),
    )
    return Table("steps-of-training", tr("Training steps"), columns, note=_source(own))


def _source(own: StepTimes) -> str:
    """Where the times come from, if not from kernels and communication operations."""
    if own.exact.all():
        return ""
    if own.exact.any():
        return tr("Some ranks have no kernels in the capture: their times are those of the producer's own table.")
    return tr("The capture has no kernels: the times are those of the producer's own table.")


def memory_record(profile: Profile) -> Table | None:
    """One row per moment and component."""
    own = profile.memory_record
    if own is None or not len(own):
        return None
    columns = (
        rank_column(profile, own.rank),
        Column(
            "component",
            tr("Component"),
            Coded(own.component, own.strings),
            help=tr(
                "APP: the process on the device. PTA: the framework's allocator. GE: the graph engine. PTA+GE: the "
                "sum of both."
            ),
            role="name",
        ),
        moments(profile, "time", tr("Time"), own.time),
        _bytes("allocated", tr("Allocated"), own.allocated),
        _bytes("reserved", tr("Reserved"), own.reserved),
        _bytes("active", tr("Active"), own.active),
    )
    return Table("memory-record", tr("Memory over time"), columns)


def memory_operators(profile: Profile) -> Table | None:
    """One row per piece of memory that an operator took."""
    own = profile.memory_operators
    if own is None or not len(own):
        return None
    size = tr("Negative: taken before the capture.")
    columns = (
        rank_column(profile, own.rank),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        Column("size", tr("Size"), own.size, "B", size, adds_up=False),
        moments(profile, "allocated_at", tr("Allocated at"), own.allocated_at, tr("None: before the capture.")),
        moments(profile, "released_at", tr("Released at"), own.released_at, tr("None: still held at its end.")),
        moments(profile, "inactive_at", tr("Inactive at"), own.inactive_at, tr("When no kernel used it any more.")),
    )
    return Table("memory-operators", tr("Memory of operators"), columns)


def calls(profile: Profile) -> Table | None:
    """One row per rank, level and name."""
    own = profile.calls
    if own is None or not len(own):
        return None
    count = np.where(own.count > 0, own.count, np.nan)
    nested = tr("Levels nest: calls of one level contain those of others.")
    columns = (
        rank_column(profile, own.rank),
        Column("level", tr("Level"), Coded(own.level, own.strings), role="kind"),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        _count("count", tr("Count"), own.count),
        Column("total", tr("Total"), own.total, "s", nested, finest=1e-9, inclusive=True),
        Column("mean", tr("Mean"), own.total / count, "s", tr("Total / count."), finest=1e-9, adds_up=False),
        Column("min", tr("Min"), own.shortest, "s", tr("Of one call."), finest=1e-9, adds_up=False),
        Column("max", tr("Max"), own.longest, "s", tr("Of one call."), finest=1e-9, adds_up=False),
    )
    return Table("calls", tr("Calls"), columns)


def framework_operators(profile: Profile) -> Table | None:
    """One row per call of an operator of the framework."""
    own = profile.framework_operators
    if own is None or not len(own):
        return None
    self_help = tr("Without the operators that it calls.")
    total_help = tr("With the operators that it calls.")
    columns = (
        rank_column(profile, own.rank),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        Column("shapes", tr("Input shapes"), Coded(own.shapes, own.strings)),
        _time("host_self", tr("Host, self"), own.host_self, self_help),
        _nested("host_total", tr("Host, total"), own.host_total, total_help),
        _time("device_self", tr("Device, self"), own.device_self, self_help),
        _nested("device_total", tr("Device, total"), own.device_total, total_help),
        _time("aicore_self", tr("AI Core, self"), own.aicore_self, self_help),
        _nested("aicore_total", tr("AI Core, total"), own.aicore_total, total_help),
        *_texts(own.strings, ("stack", tr("Call stack"), own.stack)),
    )
    return Table("framework-operators", tr("Operators of the framework"), columns)


def _time(key: str, title: str, values: F64, text: str) -> Column:
    return Column(key, title, values, "s", text, finest=1e-9)


def _nested(key: str, title: str, values: F64, text: str) -> Column:
    return Column(key, title, values, "s", text, finest=1e-9, inclusive=True)


def _each(key: str, title: str, nanoseconds: F64, text: str) -> Column:
    return Column(key, title, nanoseconds / SECOND, "s", text, finest=1e-9, adds_up=False)


def _bytes(key: str, title: str, values: I64) -> Column:
    return Column(key, title, values, "B", missing=marked(values < 0), adds_up=False)


def _count(key: str, title: str, values: I64, text: str = "") -> Column:
    return Column(key, title, values, help=text, missing=marked(values < 0), adds_up=False)


def _texts(strings: Strings, *columns: tuple[str, str, Integers]) -> list[Column]:
    """Columns of texts, without those that have none."""
    return [Column(key, title, Coded(ids, strings)) for key, title, ids in columns if (ids >= 0).any()]


def _counters(columns: tuple[TypedColumn, ...]) -> list[Column]:
    """The counters, whose values are as in the file."""
    made: list[Column] = []
    keys: set[str] = set()
    for column in columns:
        key = column.name if column.name not in keys else f"{column.name}_{len(keys)}"
        keys.add(key)
        values = column.of_core(0)
        if column.strings is not None:
            made.append(Column(key, column.name, Coded(values, column.strings)))
            continue
        adds_up = _RATIO.search(column.name) is None
        made.append(Column(key, column.name, values, missing=marked(column.missing(0)), stored=True, adds_up=adds_up))
    return made
