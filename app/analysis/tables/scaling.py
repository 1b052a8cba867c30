"""The inputs of the scaling model that a run yields."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.scaling.finding import Derived, Finding
from app.analysis.scaling.measure import Measurement, measure
from app.analysis.table import Column, Table
from app.language import tr
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
