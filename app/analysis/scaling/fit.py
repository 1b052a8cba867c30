"""Fits Amdahl's law to measured throughputs: which part of the time replicas shorten, and which they do not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.scaling.points import Measured
from app.language import tr
from app.profile.arrays import F64

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
