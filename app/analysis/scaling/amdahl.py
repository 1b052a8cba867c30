"""Amdahl's law: how a constant part limits the speed-up (Scaling over replicas, section 7.3)."""

from __future__ import annotations

from typing import Final

from app.analysis.scaling.sound import a_count, above_zero
from app.language import tr

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
