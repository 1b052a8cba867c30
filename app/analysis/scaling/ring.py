"""The allreduce in one IPU-Link domain: a ring of replicas (Scaling over replicas, section 7.9.2)."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.scaling.sound import a_count, a_time, above_zero
from app.language import tr


class Steps(Struct, frozen=True):
    """Exchanges of one ring allreduce."""

    reduce_scatter: int
    allgather: int

    @property
    def total(self) -> int:
        return self.reduce_scatter + self.allgather


def steps(replicas: int) -> Steps:
    """R - 1 steps to scatter the sums, and as many to gather them; none for a single replica."""
    a_count(replicas, "replicas")
    return Steps(replicas - 1, replicas - 1)


def bytes_each_way(size: float, replicas: int, ipus_per_replica: int = 1) -> float:
    """Bytes that each IPU sends (and receives): 2 x (R - 1) / R of its gradients, which approaches twice their size. A
    replica of several IPUs is assumed to hold its gradients in equal parts, so that as many rings run in parallel
    (derived)."""
    a_time(size, tr("bytes of the gradients"))
    a_count(replicas, "replicas")
    a_count(ipus_per_replica, tr("IPUs per replica"))
    return 2 * (replicas - 1) / replicas * size / ipus_per_replica


def seconds(size: float, replicas: int, rate: float, ipus_per_replica: int = 1) -> float:
    """Time of a ring allreduce of ``size`` bytes over links of ``rate`` bytes per second each way."""
    above_zero(rate, tr("bandwidth of a link"))
    return bytes_each_way(size, replicas, ipus_per_replica) / rate
