"""Formulas of the scaling model in another form than the program's (Scaling over replicas, sections 7.2.1, 7.3)."""

from __future__ import annotations


def allreduce_share(accumulation: float, micro_batch_seconds: float, allreduce_seconds: float) -> float:
    """T_AR / (GA x T_MB + T_AR), 0..1 (derived)."""
    return allreduce_seconds / (accumulation * micro_batch_seconds + allreduce_seconds)


def efficiency(first: float, first_replicas: int, second: float, second_replicas: int) -> float:
    """(second / first) / (R2 / R1), of the throughputs at two counts of replicas; 1 is ideal (derived)."""
    return second / first / (second_replicas / first_replicas)


def time_left(constant: float, factor: float) -> float:
    """Amdahl: c + (1 - c) / k, the share of the run time that remains when all but ``constant`` becomes ``factor``
    times faster."""
    return constant + (1 - constant) / factor


def speed_up(constant: float, factor: float) -> float:
    """1 / (c + (1 - c) / k)."""
    return 1.0 / time_left(constant, factor)
