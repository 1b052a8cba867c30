"""The inputs of the scaling model that a run yields, and the model as tables: throughput against replicas, and the
checklist."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.scaling.advice import Advice
from app.analysis.scaling.amdahl import HELP
from app.analysis.scaling.measure import Derived, Finding, Measurement, measure
from app.analysis.scaling.model import Model
from app.analysis.table import Column, Table
from app.language import tr
from app.profile.arrays import F64
from app.profile.profile import Profile

TITLES: Final = {
    "replicas": tr("Replicas"),
    "ipus_per_replica": tr("IPUs per replica"),
    "accumulation": tr("Gradient accumulation"),
    "period": tr("One repeat of the micro-batch loop"),
    "micro_batch": tr("IPU: computing and exchange between tiles"),
    "links": tr("IPU to IPU, excluding the gradients"),
    "transfer": tr("Host to IPU and back"),
    "waiting": tr("Waiting"),
    "allreduce": tr("Allreduce of the gradients"),
    "allreduces": tr("Allreduces of a weight update"),
    "optimiser": tr("Optimiser and other steps of a weight update"),
    "update": tr("Weight update"),
}


def measured(profile: Profile) -> Table | None:
    """One row per figure; None for a profile without steps."""
    return None if profile.steps is None or not len(profile.steps) else table_of(measure(profile))


def table_of(measurement: Measurement) -> Table:
    """The figures of a measurement that exists already."""
    rows: list[Finding] = [getattr(measurement, name) for name in TITLES]
    values = [row.value if isinstance(row, Derived) else np.nan for row in rows]
    times = np.array([isinstance(row, Derived) and row.unit == "s" for row in rows])
    amounts = np.array(values, np.float64)
    steps = np.array([len(row.steps) if isinstance(row, Derived) else 0 for row in rows], np.int64)
    note = "" if measurement.loop is None else tr("Micro-batch loop: {loop}.", loop=measurement.loop.label)
    columns = (
        Column("figure", tr("Figure"), tuple(TITLES.values())),
        Column("time", tr("Time"), np.where(times, amounts, np.nan), "s"),
        Column("count", tr("Count"), np.where(times, np.nan, amounts)),
        Column("steps", tr("Steps"), steps, help=tr("Number of steps it was measured from."), missing=steps == 0),
        Column("how", tr("Change"), tuple(row.how if isinstance(row, Derived) else row.why for row in rows)),
    )
    return Table("scaling-measured", tr("Scaling: measured times"), columns, note=note)


WITHOUT = tr("The time of the allreduce is unknown: these figures exclude it, and no run reaches them.")


def curve_table(model: Model) -> Table:
    """One row per number of replicas."""
    points = model.curve.points
    updates = [point.update for point in points]
    replicas = np.array([point.replicas for point in points], np.int64)

    def seconds(key: str, title: str, help_: str) -> Column:
        return Column(key, title, np.array([getattr(own, key) for own in updates], np.float64), "s", help_)

    def numbers(values: list[float]) -> F64:
        return np.array(values, np.float64)

    rate = numbers([point.throughput for point in points])
    share = numbers([100 * own.share(own.allreduce) for own in updates])
    columns = [
        Column("replicas", tr("Replicas"), replicas),
        Column("ipus", tr("IPUs"), replicas * model.scenario.ipus_per_replica, help=tr("Replicas x IPUs per replica.")),
        Column("throughput", tr("Samples/s"), rate, help=tr("Samples of a weight update / its time.")),
        Column(
            "ideal",
            tr("Ideal"),
            numbers([p.ideal for p in points]),
            help=tr("A single replica's throughput x replicas."),
        ),
        Column(
            "speed_up",
            tr("Speed-up"),
            numbers([point.speed_up for point in points]),
            help=tr("Relative to one replica."),
        ),
        Column(
            "efficiency", tr("Efficiency"), numbers([100 * p.efficiency for p in points]), "%", share_of=tr("the ideal")
        ),
        Column("accumulation", tr("Accumulation"), numbers([own.accumulation for own in updates])),
        Column(
            "samples", tr("Batch"), numbers([own.samples for own in updates]), help=tr("Samples of a weight update.")
        ),
        seconds("seconds", tr("Weight update"), tr("Time from one update to the next: the sum of the parts.")),
        seconds("host", tr("Host"), tr("Host work that the IPUs wait for.")),
        seconds("transfer", tr("Host to IPU"), tr("Transfers that the IPUs wait for.")),
        seconds("ipu", "IPU", tr("Computing, exchange between tiles, optimiser.")),
        seconds("links", tr("IPU to IPU"), tr("The allreduce, and other exchange between IPUs.")),
        seconds("allreduce", tr("Allreduce"), tr("Part of IPU to IPU.")),
        seconds("waiting", tr("Waiting"), tr("Time without any step.")),
        seconds("constant", tr("Constant"), tr("Time that more replicas do not reduce.")),
        Column("allreduce_share", tr("Allreduce, share"), share, "%", share_of=tr("the weight update")),
        Column("per_sample", tr("Time per sample"), 1 / rate, "s", tr("1 / throughput; not the latency.")),
        *_startup(model),
        *_measured(model),
    ]
    return Table("scaling", tr("Throughput over replicas"), tuple(columns), note="" if model.complete else WITHOUT)


def _startup(model: Model) -> list[Column]:
    shares = [model.startup(point) for point in model.curve.points]
    if not any(share is not None for share in shares):
        return []
    values = np.array([np.nan if share is None else 100 * share for share in shares])
    return [Column("startup", tr("Compile and load, share"), values, "%", share_of=tr("the run"))]


def _measured(model: Model) -> list[Column]:
    known = {point.replicas: point.throughput for point in model.points.points}
    if not known:
        return []
    points = model.curve.points
    rate = np.array([known.get(point.replicas, np.nan) for point in points])
    throughputs = np.array([point.throughput for point in points])
    columns = [
        Column("measured", tr("Measured"), rate, help=tr("Pasted or loaded samples/s; the last of several.")),
        Column("measured_share", tr("Measured / model"), 100 * rate / throughputs, "%", share_of=tr("the model")),
    ]
    if model.fit is not None:
        fitted = np.array([model.fit.throughput(point.replicas) for point in points])
        columns.append(Column("fitted", tr("Fitted"), fitted, help=HELP))
    return columns


def advice_table(advice: list[Advice]) -> Table:
    """One row per item of the checklist."""
    columns = (
        Column("state", tr("State"), tuple(item.state for item in advice), help=tr("due: the figures call for it.")),
        Column("item", tr("Topic"), tuple(item.title for item in advice)),
        Column("figures", tr("Figures"), tuple(item.figures for item in advice)),
        Column("what", tr("Action"), tuple(item.what for item in advice)),
    )
    return Table("scaling-checklist", tr("Checklist for scaling"), columns)
