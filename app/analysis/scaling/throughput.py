"""Samples per second of replicas that train in parallel and reduce their gradients after some micro-batches.

Scaling over replicas, section 7.2.1: a weight update takes GA x T_MB + T_AR, with GA the gradient accumulation factor,
T_MB the time of one micro-batch on one replica, and T_AR that of the gradients' allreduce and the optimiser's update.
"""

from __future__ import annotations

import math

from app.analysis.scaling.sound import a_count, a_share, a_time
from app.language import tr

ROUNDING = 1e-9


def update_seconds(accumulation: float, micro_batch_seconds: float, allreduce_seconds: float) -> float:
    """GA x T_MB + T_AR: from one weight update to the next."""
    a_count(accumulation, tr("gradient accumulation"))
    a_time(micro_batch_seconds, tr("time of a micro-batch"))
    a_time(allreduce_seconds, tr("time of the allreduce"))
    return accumulation * micro_batch_seconds + allreduce_seconds


def update_batch(replicas: int, micro_batch: int, accumulation: float) -> float:
    """R x MBS x GA: the samples of one weight update."""
    a_count(replicas, "replicas")
    a_count(micro_batch, tr("micro-batch size"))
    a_count(accumulation, tr("gradient accumulation"))
    return replicas * micro_batch * accumulation


def throughput(
    replicas: int, micro_batch: int, accumulation: float, micro_batch_seconds: float, allreduce_seconds: float
) -> float:
    """Samples per second: R x MBS x GA / (GA x T_MB + T_AR)."""
    seconds = update_seconds(accumulation, micro_batch_seconds, allreduce_seconds)
    if seconds <= 0:
        raise ValueError(tr("the times of micro-batch and allreduce are both 0"))
    return update_batch(replicas, micro_batch, accumulation) / seconds


def throughput_limit(replicas: int, micro_batch: int, micro_batch_seconds: float) -> float:
    """The limit of the throughput for ever more gradient accumulation: R x MBS / T_MB (derived)."""
    return throughput(replicas, micro_batch, 1, micro_batch_seconds, 0.0)


def accumulation_for_share(share: float, micro_batch_seconds: float, allreduce_seconds: float) -> int:
    """The least gradient accumulation that limits the allreduce to ``share`` (0..1) of the time: GA >= T_AR x (1 - s) /
    (s x T_MB) (derived)."""
    a_share(share, tr("share of the allreduce"))
    a_time(allreduce_seconds, tr("time of the allreduce"))
    if not micro_batch_seconds > 0:
        raise ValueError(tr("the time of a micro-batch must be above 0"))
    needed = allreduce_seconds * (1 - share) / (share * micro_batch_seconds) if share > 0 else math.inf
    if not math.isfinite(needed):
        raise ValueError(tr("no gradient accumulation reduces the share of the allreduce to 0"))
    return max(1, math.ceil(needed * (1 - ROUNDING)))
