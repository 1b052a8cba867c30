"""All results of the scaling model for one set of inputs: what panel and command line show."""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from app.analysis.scaling.curve import Accumulation, Curve, Point, accumulation_for, curve, powers_of_two
from app.analysis.scaling.fit import Fit, fit
from app.analysis.scaling.host import Diagnosis, diagnose
from app.analysis.scaling.inputs import Inputs, count_of, knows_allreduce, scenario_of
from app.analysis.scaling.points import Points
from app.analysis.scaling.reduce import BatchNormGroups, batch_norm, merged_saving
from app.analysis.scaling.scenario import Scenario
from app.analysis.scaling.sound import a_time
from app.language import tr

SHARE: float = 0.05
"""The share of the allreduce that ``needed`` aims at."""


class Model(Struct, frozen=True, eq=False, kw_only=True):
    """``now``: the update at the replicas of the inputs (None: the batch is too small for so many). ``complete``: False
    if nothing is known of the allreduce; every throughput then excludes it, and is too high. ``needed``: the
    accumulation that reduces the share of the allreduce to SHARE."""

    inputs: Inputs
    scenario: Scenario
    curve: Curve
    now: Point | None
    complete: bool
    points: Points
    fit: Fit | None
    diagnosis: Diagnosis | None
    needed: Accumulation | None

    @property
    def replicas(self) -> int:
        return count_of(self.inputs, "replicas")

    @property
    def batch_norm(self) -> BatchNormGroups | None:
        layers = self.inputs["norm_layers"].value
        if layers is None:
            return None
        return batch_norm(self.replicas, int(layers), count_of(self.inputs, "span"))

    def startup(self, point: Point) -> float | None:
        """Compile and load as a share of a run at the replicas of ``point``, 0..1; None if they are not given."""
        seconds, samples = self.inputs["startup_seconds"].value, self.inputs["run_samples"].value
        if seconds is None or samples is None:
            return None
        return startup_share(seconds, samples / point.throughput)

    def merged(self, count: int) -> float | None:
        """Seconds per weight update that one allreduce saves over ``count``; None without the sync time of a step."""
        step = self.inputs["step_seconds"].value
        return None if step is None else merged_saving(count, self.replicas, step)


def model(inputs: Inputs, points: Points | None = None, replicas: Iterable[int] = ()) -> Model | None:
    """The results; None without the time of a micro-batch. ``replicas``: counts to show besides powers of two.
    ValueError for impossible inputs."""
    scenario = scenario_of(inputs)
    if scenario is None:
        return None
    points = points or Points()
    count = count_of(inputs, "replicas")
    measured = [point.replicas for point in points.points]
    points_curve = curve(scenario, powers_of_two([count, *measured, *replicas]))
    return Model(
        inputs=inputs,
        scenario=scenario,
        curve=points_curve,
        now=points_curve.at(count),
        complete=knows_allreduce(inputs),
        points=points,
        fit=fit(points.points),
        diagnosis=diagnose(points.cases),
        needed=accumulation_for(scenario, count, SHARE) if knows_allreduce(inputs) else None,
    )


def finite(value: float) -> float | None:
    """``value``; None if it is infinite."""
    return value if math.isfinite(value) else None


def startup_share(startup_seconds: float, running_seconds: float) -> float:
    """Compile and load / (compile and load + training), 0..1. It rises when replicas shorten the training."""
    a_time(startup_seconds, tr("time to compile and load"))
    a_time(running_seconds, tr("time to train"))
    total = startup_seconds + running_seconds
    return startup_seconds / total if total else 0.0
