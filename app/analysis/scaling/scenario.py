"""One application, described so that its throughput can be computed for any number of replicas, and variations of
it."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from app.analysis.scaling import reduce
from app.analysis.scaling.quantities import a_count, a_share, a_time, above_zero
from app.analysis.scaling.ring import Links
from app.language import tr


class Timed(Struct, frozen=True):
    """An allreduce that took ``seconds``. ``at``: the replicas it was measured with, if it scales like a ring with (R -
    1) / R; None: it takes the same time for any number of replicas."""

    seconds: float
    at: int | None = None


class OverLinks(Struct, frozen=True):
    """An allreduce of ``size`` bytes of gradients, computed from the links it runs over."""

    size: float
    links: Links = field(default_factory=Links)


Allreduce: TypeAlias = Timed | OverLinks


class Scenario(Struct, frozen=True, kw_only=True):
    """Times are seconds for one micro-batch on one replica, unless stated otherwise.

    ``micro_batch_seconds``: the IPUs compute and exchange between tiles (T_MB); ``links_seconds``: exchange between
    IPUs other than of gradients (pipeline, distributed batch norm); ``transfer_seconds``: host to IPU and back;
    ``waiting_seconds``: sync and any time without a step; ``optimiser_seconds``: the optimiser, for each weight update
    (T_AR is the allreduce and this). ``host_seconds``: work of one instance on the host; ``instances`` of it share the
    replicas. ``prefetch``: host and transfers overlap with the IPUs. ``constant_share``: the share of a single
    replica's time that replicas do not shorten (0..1). ``micro_batch`` and ``accumulation``: MBS and GA; ``batch``: a
    fixed number of samples per weight update, from which GA follows (None: the batch grows with the replicas).
    """

    micro_batch_seconds: float
    allreduce: Allreduce = Timed(0.0)
    micro_batch: int = 1
    accumulation: float = 1
    ipus_per_replica: int = 1
    links_seconds: float = 0.0
    transfer_seconds: float = 0.0
    waiting_seconds: float = 0.0
    optimiser_seconds: float = 0.0
    host_seconds: float = 0.0
    instances: int = 1
    prefetch: bool = False
    constant_share: float = 0.0
    batch: int | None = None

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if name.endswith("_seconds"):
                a_time(getattr(self, name), name.removesuffix("_seconds").replace("_", " "))
        a_count(self.micro_batch, tr("micro-batch size"))
        a_count(self.accumulation, tr("gradient accumulation"))
        a_count(self.ipus_per_replica, tr("IPUs per replica"))
        a_count(self.instances, tr("instances on the host"))
        a_share(self.constant_share, tr("constant share"))
        if self.constant_share == 1:
            raise ValueError(tr("constant share: if all of the time is constant, there is nothing to scale"))
        if self.batch is not None:
            a_count(self.batch, tr("batch of a weight update"))


class Update(Struct, frozen=True, kw_only=True):
    """One weight update at a number of replicas; seconds. ``host`` and ``transfer``: what the IPUs wait for (less than
    all of it with prefetch); ``ipu``: computing and the optimiser; ``links``: between IPUs, including ``allreduce``;
    ``constant``: what replicas do not shorten."""

    replicas: int
    accumulation: float
    samples: float
    host: float
    transfer: float
    ipu: float
    links: float
    allreduce: float
    waiting: float
    constant: float

    @property
    def seconds(self) -> float:
        return self.host + self.transfer + self.ipu + self.links + self.waiting + self.constant

    @property
    def throughput(self) -> float:
        """Samples per second."""
        return self.samples / self.seconds

    def share(self, seconds: float) -> float:
        """``seconds`` as a share of the whole update, 0..1."""
        return seconds / self.seconds


def allreduce_seconds(allreduce: Allreduce, replicas: int, ipus_per_replica: int = 1) -> float:
    """Seconds of an allreduce; 0 for a single replica, which has nothing to reduce."""
    a_count(replicas, "replicas")
    if replicas == 1:
        return 0.0
    if isinstance(allreduce, OverLinks):
        return reduce.allreduce(allreduce.size, replicas, allreduce.links, ipus_per_replica).seconds
    a_time(allreduce.seconds, tr("time of the allreduce"))
    if allreduce.at is None or allreduce.at == 1:
        return allreduce.seconds
    return allreduce.seconds * _ring_share(replicas) / _ring_share(allreduce.at)


def update(scenario: Scenario, replicas: int) -> Update | None:
    """The weight update at ``replicas``; None if a fixed batch is too small for so many."""
    scaled = _scaling(scenario, replicas)
    if scaled is None or not scenario.constant_share:
        return scaled
    return replace(scaled, constant=scaled.samples * constant_per_sample(scenario))


def constant_per_sample(scenario: Scenario) -> float:
    """Seconds per sample that replicas do not shorten: ``constant_share`` of the time of a single replica."""
    share = scenario.constant_share
    if not share:
        return 0.0
    alone = _scaling(scenario, 1)
    if alone is None:
        raise ValueError(tr("the batch of a weight update is smaller than one micro-batch"))
    return share / (1 - share) * alone.seconds / alone.samples


def _scaling(scenario: Scenario, replicas: int) -> Update | None:
    """The update without the constant part."""
    a_count(replicas, "replicas")
    count = scenario.accumulation
    if scenario.batch is not None:
        count = scenario.batch / (replicas * scenario.micro_batch)
        if count < 1:
            return None
    allreduce = allreduce_seconds(scenario.allreduce, replicas, scenario.ipus_per_replica)
    ipu = count * scenario.micro_batch_seconds + scenario.optimiser_seconds
    links = count * scenario.links_seconds + allreduce
    waiting = count * scenario.waiting_seconds
    host = replicas * count * scenario.host_seconds / min(scenario.instances, replicas)
    transfer = count * scenario.transfer_seconds
    fed = host + transfer
    if fed + ipu + links + waiting <= 0:
        raise ValueError(tr("all times are 0"))
    seen = max(0.0, fed - ipu - links - waiting) / fed if scenario.prefetch and fed else 1.0
    return Update(
        replicas=replicas,
        accumulation=count,
        samples=replicas * scenario.micro_batch * count,
        host=host * seen,
        transfer=transfer * seen,
        ipu=ipu,
        links=links,
        allreduce=allreduce,
        waiting=waiting,
        constant=0.0,
    )


def _ring_share(replicas: int) -> float:
    return (replicas - 1) / replicas


class WhatIf(Struct, frozen=True, kw_only=True):
    """Factors of times (1: unchanged); ``accumulation``, ``instances``: factors of counts. With a fixed batch, the
    factor of accumulation applies to the batch."""

    micro_batch: float = 1.0
    allreduce: float = 1.0
    host: float = 1.0
    accumulation: float = 1.0
    instances: float = 1.0

    @property
    def changes(self) -> bool:
        return self != WhatIf()


def changed(scenario: Scenario, what_if: WhatIf) -> Scenario:
    """The scenario with the factors applied. Gradient accumulation and instances stay at 1 or more; ``host`` applies to
    its work and its transfers."""
    for name in ("micro_batch", "allreduce", "host", "accumulation", "instances"):
        above_zero(getattr(what_if, name), name.replace("_", " "))
    batch = scenario.batch
    return replace(
        scenario,
        micro_batch_seconds=scenario.micro_batch_seconds * what_if.micro_batch,
        links_seconds=scenario.links_seconds * what_if.micro_batch,
        allreduce=_faster(scenario.allreduce, what_if.allreduce),
        host_seconds=scenario.host_seconds * what_if.host,
        transfer_seconds=scenario.transfer_seconds * what_if.host,
        accumulation=max(1.0, scenario.accumulation * what_if.accumulation),
        instances=max(1, round(scenario.instances * what_if.instances)),
        batch=None if batch is None else max(1, round(batch * what_if.accumulation)),
    )


def _faster(allreduce: Allreduce, factor: float) -> Allreduce:
    """The allreduce at ``factor`` times the duration; a computed one by that part of its bytes."""
    if isinstance(allreduce, OverLinks):
        return replace(allreduce, size=allreduce.size * factor)
    return replace(allreduce, seconds=allreduce.seconds * factor)
