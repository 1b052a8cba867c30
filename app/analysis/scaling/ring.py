"""The allreduce of one IPU-Link domain: a ring of replicas (Scaling over replicas, section 7.9.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from app.analysis.scaling.sound import a_count, a_time, above_zero
from app.language import tr
from app.profile.arrays import F64

RingName: TypeAlias = Literal["direct", "online"]


@dataclass(frozen=True, slots=True)
class Steps:
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
    """What each IPU sends (and receives): 2 x (R - 1) / R of its gradients, which tends to twice of them. A replica of
    several IPUs is taken to hold its gradients in equal parts, so that as many rings run side by side (derived)."""
    a_time(size, tr("bytes of the gradients"))
    a_count(replicas, "replicas")
    a_count(ipus_per_replica, tr("IPUs of a replica"))
    return 2 * (replicas - 1) / replicas * size / ipus_per_replica


def bytes_each_step(size: float, replicas: int, ipus_per_replica: int = 1) -> float:
    """S / R: what each IPU sends in one step."""
    return bytes_each_way(size, replicas, ipus_per_replica) / max(steps(replicas).total, 1)


def seconds(size: float, replicas: int, rate: float, ipus_per_replica: int = 1) -> float:
    """Time of a ring allreduce of ``size`` bytes over links of ``rate`` bytes per second each way."""
    above_zero(rate, tr("bandwidth of a link"))
    return bytes_each_way(size, replicas, ipus_per_replica) / rate


def order(replicas: int, ring: RingName) -> tuple[int, ...]:
    """Replicas, counted from the lowest, in the order in which each hands on to the next, the last one to the first.
    A direct ring goes up and closes from top to bottom; a ring online steps over every other replica on the way up and
    takes those on the way down."""
    a_count(replicas, "replicas")
    if ring == "direct":
        return tuple(range(replicas))
    down = range(replicas - 1 - replicas % 2, 0, -2)
    return (*range(0, replicas, 2), *down)


def longest_hop(replicas: int, ring: RingName, *, loopback: bool = False) -> int:
    """How far apart neighbours of the ring lie at the most. With loop-back cables, top and bottom lie side by side."""
    ring_order = order(replicas, ring)
    after = (*ring_order[1:], ring_order[0])
    far = [abs(a - b) for a, b in zip(ring_order, after, strict=True)]
    return max(min(hop, replicas - hop) if loopback else hop for hop in far)


def reduce_scatter(tensors: F64) -> F64:
    """float64[replicas, elements] to [replicas, elements / replicas]: row r holds part r of the sum of all."""
    replicas, elements = tensors.shape
    if elements % replicas:
        raise ValueError(
            tr(
                "{elements} elements cannot be shared evenly by {replicas} replicas",
                elements=elements,
                replicas=replicas,
            )
        )
    sums: F64 = tensors.sum(axis=0)
    return sums.reshape(replicas, elements // replicas)


def allgather(parts: F64) -> F64:
    """float64[replicas, part] to [replicas, replicas x part]: every replica has all parts."""
    return np.tile(parts.reshape(-1), (len(parts), 1))
