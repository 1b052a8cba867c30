"""Amdahl's law: how a constant part limits the speed-up (Scaling over replicas, section 7.3), and which part that
is, by a fit to measured throughputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.scaling.points import Measured
from app.analysis.scaling.quantities import a_count, above_zero
from app.language import tr
from app.profile.arrays import F64

FORMULA: Final = tr(
    "1 / (c + (1 - c) / k), with c the constant share of the time and k how many times faster the rest is."
)
NOTE: Final = tr(
    "With half of the time constant, four times the compute gives 1.6x and 40 % efficiency: 1 / (0.5 + 0.5 / 4). The "
    "vendor's guide prints 2.5x and 62.5 % for this case. 62.5 % is the remaining run time, and 2.5x would need a "
    "constant share of 20 %. The figures here follow the formula."
)


def constant_share(first: float, first_replicas: int, second: float, second_replicas: int) -> float:
    """The constant share that two run times of the same work imply (Karp and Flatt; derived): (t2 / t1 - 1 / k) / (1 -
    1 / k) with k = R2 / R1. Below 0 if the second is more than k times as fast, above 1 if it is slower. ValueError for
    equal replicas or impossible numbers."""
    above_zero(first, tr("first time"))
    above_zero(second, tr("second time"))
    a_count(first_replicas, "replicas")
    a_count(second_replicas, "replicas")
    factor = second_replicas / first_replicas
    if factor == 1:
        raise ValueError(tr("both times are for the same number of replicas"))
    return (second / first - 1 / factor) / (1 - 1 / factor)


HELP: Final = tr(
    "Time per sample = a + b / R, with the smallest relative deviations of the throughputs (neither part below 0). a "
    "is constant, and 1 / a is the ceiling. With two points this is the constant share after Karp and Flatt."
)


class Fit(Struct, frozen=True):
    """Seconds of a sample: ``constant`` + ``scaling`` / replicas. ``first``: the fewest replicas measured;
    ``worst``: the largest relative deviation of a measured throughput from the fit."""

    constant: float
    scaling: float
    first: int
    worst: float

    @property
    def ceiling(self) -> float:
        """The limit of samples per second for ever more replicas; infinite without a constant part."""
        return 1 / self.constant if self.constant else math.inf

    @property
    def constant_share(self) -> float:
        """Of the time at the fewest replicas measured, 0..1."""
        return self.constant / (self.constant + self.scaling / self.first)

    def throughput(self, replicas: int) -> float:
        """Samples per second."""
        return 1 / (self.constant + self.scaling / replicas)


def fit(points: Sequence[Measured]) -> Fit | None:
    """The fit; None with fewer than two different counts of replicas."""
    if len({point.replicas for point in points}) < 2:
        return None
    replicas = np.array([point.replicas for point in points], np.float64)
    rate = np.array([point.throughput for point in points], np.float64)
    best = min((_solved(replicas, rate, parts) for parts in ((0, 1), (1,), (0,))), key=lambda fitted: fitted[0])
    constant, scaling = best[1]
    first = int(replicas.min())
    fitted = Fit(constant, scaling, first, 0.0)
    predicted = np.array([fitted.throughput(int(count)) for count in replicas])
    return Fit(constant, scaling, first, float(np.max(np.abs(rate / predicted - 1))))


def _solved(replicas: F64, rate: F64, parts: Sequence[int]) -> tuple[float, tuple[float, float]]:
    """(squared relative deviation, (constant, scaling)) with only these parts; infinite if one is negative."""
    columns = np.stack([rate, rate / replicas], axis=1)
    scale = np.abs(columns).max(axis=0)
    wanted = np.ones(len(rate))
    answer = np.linalg.lstsq((columns / scale)[:, parts], wanted, rcond=None)[0]
    whole = np.zeros(2)
    whole[list(parts)] = answer
    if bool(np.any(whole < 0)):
        return math.inf, (0.0, 0.0)
    error = float(np.sum((columns / scale @ whole - wanted) ** 2))
    constant, scaling = (whole / scale).tolist()
    return error, (constant, scaling)
