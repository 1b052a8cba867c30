"""Throughput and efficiency against replicas that train in parallel and reduce their gradients after some
micro-batches: the curve, its ideal, and its ceiling.

Scaling over replicas, section 7.2.1: a weight update takes GA x T_MB + T_AR, with GA the gradient accumulation
factor, T_MB the time of one micro-batch on one replica, and T_AR that of the gradients' allreduce and the
optimiser's update.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from msgspec import Struct

from app.analysis.scaling import ring
from app.analysis.scaling.quantities import a_count, a_share, a_time
from app.analysis.scaling.scenario import OverLinks, Scenario, Update, constant_per_sample, update
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


MOST_REPLICAS = 1 << 20
FEWEST_SHOWN = 64


class Point(Struct, frozen=True):
    """``ideal``: samples per second if the throughput of a single replica scaled perfectly."""

    update: Update
    ideal: float

    @property
    def replicas(self) -> int:
        return self.update.replicas

    @property
    def throughput(self) -> float:
        return self.update.throughput

    @property
    def efficiency(self) -> float:
        """Throughput / ideal, 0..1 (above 1 if a single replica is slowed down by work that others take over)."""
        return self.update.throughput / self.ideal

    @property
    def speed_up(self) -> float:
        """Relative to a single replica."""
        return self.efficiency * self.update.replicas


class Curve(Struct, frozen=True):
    """``points`` by rising replicas; ``alone``: samples per second of a single replica; ``ceiling``: what no number of
    replicas exceeds (Amdahl), infinite if nothing is constant; ``constant``: the corresponding constant share of a
    single replica's time (0..1)."""

    points: tuple[Point, ...]
    alone: float
    ceiling: float

    @property
    def constant(self) -> float:
        return self.alone / self.ceiling

    def at(self, replicas: int) -> Point | None:
        return next((point for point in self.points if point.replicas == replicas), None)


def curve(scenario: Scenario, replicas: Iterable[int]) -> Curve:
    """The points at ``replicas``, without those for which a fixed batch is too small. ValueError if it is too small
    even for a single replica."""
    alone = update(scenario, 1)
    if alone is None:
        raise ValueError(tr("the batch of a weight update is smaller than one micro-batch"))
    updates = [made for count in sorted(set(replicas)) if (made := update(scenario, count)) is not None]
    points = tuple(Point(made, alone.throughput * made.replicas) for made in updates)
    return Curve(points, alone.throughput, ceiling(scenario))


def powers_of_two(including: Iterable[int] = (), at_least: int = FEWEST_SHOWN) -> tuple[int, ...]:
    """1, 2, 4, … up to ``at_least`` or twice the largest of ``including``, whichever is larger, together with
    ``including``."""
    wanted = set(including)
    for count in wanted:
        a_count(count, "replicas")
        if count > MOST_REPLICAS:
            raise ValueError(
                tr("replicas: {count:,} is more than {most_replicas:,}", count=count, most_replicas=MOST_REPLICAS)
            )
    top = max(at_least, 2 * max(wanted, default=1))
    return tuple(sorted(wanted | {1 << power for power in range(top.bit_length()) if 1 << power <= top}))


def ceiling(scenario: Scenario) -> float:
    """The limit of samples per second for ever more replicas; infinite if there is none. It follows from what does not
    shrink with the replicas: the host's work for each sample, the constant part and, for a fixed batch, the allreduce
    and the optimiser."""
    host = scenario.host_seconds / scenario.micro_batch / scenario.instances
    update_part = 0.0
    if scenario.batch is not None:
        update_part = (_allreduce_of_many(scenario) + scenario.optimiser_seconds) / scenario.batch
    beside = max(host, update_part) if scenario.prefetch else host + update_part
    seconds = beside + constant_per_sample(scenario)
    return 1.0 / seconds if seconds else math.inf


def _allreduce_of_many(scenario: Scenario) -> float:
    """The limit of the allreduce time for ever more replicas, in seconds."""
    reduce = scenario.allreduce
    if isinstance(reduce, OverLinks):
        links, size = reduce.links, reduce.size / scenario.ipus_per_replica
        inside = max(1, links.domain // scenario.ipus_per_replica)
        inner = ring.bytes_each_way(size, inside) / links.link
        return inner + 2 * size / inside / links.gateway * links.sharing
    return reduce.seconds if reduce.at is None or reduce.at == 1 else reduce.seconds / ((reduce.at - 1) / reduce.at)


class Accumulation(Struct, frozen=True):
    """The effect of gradient accumulation: ``needed``, the least GA that limits the allreduce to ``share`` of the time;
    the throughput with it; and ``limit``, that of the throughput for ever more accumulation."""

    share: float
    needed: int
    throughput: float
    limit: float


def accumulation_for(scenario: Scenario, replicas: int, share: float) -> Accumulation | None:
    """The accumulation that limits the allreduce to ``share`` of the time. None if no accumulation helps (nothing is
    reduced, or the micro-batch takes no time) or the batch is too small. The allreduce here is T_AR: it includes the
    optimiser."""
    now = update(scenario, replicas)
    if now is None:
        return None
    each = (now.seconds - now.allreduce - scenario.optimiser_seconds) / now.accumulation
    reduce = now.allreduce + scenario.optimiser_seconds
    if each <= 0 or reduce <= 0 or share <= 0:
        return None
    needed = accumulation_for_share(share, each, reduce)
    args = replicas, scenario.micro_batch
    return Accumulation(
        share,
        needed,
        throughput(*args, needed, each, reduce),
        throughput_limit(*args, each),
    )
