"""Shares of cycles: what a ratio in a metric table means."""

from __future__ import annotations

import numpy as np

from app.formats.ascend_report.metric_rows import PIPES, Metrics
from app.profile.arrays import F64

CYCLE_ROUNDING = 0.02
"""A time has 6 decimals of a microsecond, which is at most this part of a cycle."""


class Shares:
    """``mix``: whether ratios are fractions of the operator's duration rather than of the sub-block's own cycles
    (Ascend operator reports, section 2.1); shares are always of the sub-block's own time."""

    def __init__(self, metrics: Metrics, *, mix: bool, frequency_mhz: float | None) -> None:
        self._metrics = metrics
        self._time = metrics.time
        self._mix = mix
        self._frequency = frequency_mhz
        self._scale: dict[bool, F64] = {}

    def of_time(self, time: F64) -> F64:
        """float64[rows] percent: a part of the sub-block's time."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self._time > 0, 100.0 * time / self._time, np.nan)

    def of_ratio(self, ratio: F64) -> F64:
        """float64[rows] percent of the sub-block's own cycles. In a mix, the divisor of the file's ratios follows from
        a pipe that has both a time and a ratio; NaN if there is none."""
        return 100.0 * ratio * self._divisor() if self._mix else 100.0 * ratio

    def pipe(self, name: str) -> F64:
        """float64[rows] percent: of a pipe, from its time, else from its ratio."""
        share = self.of_time(self._metrics.own(PIPES, f"{name}_time(us)"))
        return np.where(np.isnan(share), self.of_ratio(self._metrics.own(PIPES, f"{name}_ratio")), share)

    def cycles(self, time: F64) -> F64:
        """float64[rows]: whole cycles of times at the operator's frequency; NaN where it is not a whole number, so that
        the frequency was another."""
        cycles = time * (self._frequency or np.nan)
        whole = np.round(cycles)
        return np.where(np.abs(cycles - whole) <= CYCLE_ROUNDING, whole, np.nan)

    def _divisor(self) -> F64:
        """float64[rows]: what a ratio is multiplied with, to become one of the sub-block's own time."""
        metrics, best, scale = self._metrics, np.zeros(len(self._metrics)), np.full(len(self._metrics), np.nan)
        for name in ("cube", "vec", "mte1", "mte2", "mte3", "scalar", "fixpipe"):
            ratio, time = metrics.own(PIPES, f"{name}_ratio"), metrics.own(PIPES, f"{name}_time(us)")
            with np.errstate(divide="ignore", invalid="ignore"):
                own = time / (ratio * self._time)
            better = np.isfinite(own) & (ratio > best)  # the largest ratio has the most digits
            best, scale = np.where(better, ratio, best), np.where(better, own, scale)
        return scale
