"""The cost of an allreduce within a domain or across several, merged or separate, and that of distributed batch
norm."""

from __future__ import annotations

from msgspec import Struct

from app.analysis.scaling import ring
from app.analysis.scaling.quantities import a_count, a_time, above_zero
from app.analysis.scaling.ring import Links
from app.language import tr


class Phases(Struct, frozen=True):
    """Seconds of the three phases over N x M: ``reduce_scatter`` and ``allgather`` over IPU-Links inside each of the M
    domains, ``across`` domains over GW-Links (0 for a single domain)."""

    reduce_scatter: float
    across: float
    allgather: float

    @property
    def seconds(self) -> float:
        return self.reduce_scatter + self.across + self.allgather


def three_phases(size: float, inside: int, domains: int, links: Links, ipus_per_replica: int = 1) -> Phases:
    """An allreduce of ``size`` bytes over M ``domains`` with N replicas ``inside`` each: 2 (N - 1) / N x S / B_link + 2
    (M - 1) / M x (S / N) / B_gateway, the latter multiplied by the number of IPUs that share a gateway (Scaling over
    replicas, sections 7.9.1 and 7.9.2; the cost of the ring, applied to each phase: derived)."""
    above_zero(links.gateway, tr("bandwidth of the gateway"))
    a_count(links.sharing, tr("IPUs that share a gateway"))
    inner = ring.seconds(size, inside, links.link, ipus_per_replica) / 2
    part = size / inside
    across = ring.bytes_each_way(part, domains, ipus_per_replica) / links.gateway * links.sharing
    return Phases(inner, across, inner)


def allreduce(size: float, replicas: int, links: Links, ipus_per_replica: int = 1) -> Phases:
    """The same for ``replicas`` in total, in as many domains as their IPUs need."""
    return three_phases(size, *shape(replicas, links, ipus_per_replica), links, ipus_per_replica)


def shape(replicas: int, links: Links, ipus_per_replica: int = 1) -> tuple[int, int]:
    """(replicas inside of each domain, domains): N and M."""
    a_count(replicas, "replicas")
    a_count(links.domain, tr("IPUs per domain"))
    inside = max(1, min(replicas, links.domain // ipus_per_replica))
    return inside, -(-replicas // inside)


def steps(replicas: int, links: Links, ipus_per_replica: int = 1) -> int:
    """Exchanges of an allreduce over N x M: those of the ring inside, and of that across."""
    return sum(ring.steps(count).total for count in shape(replicas, links, ipus_per_replica))


def merged_saving(count: int, replicas: int, step_seconds: float) -> float:
    """Seconds that one allreduce saves over ``count`` of them with the same total of bytes: every omitted step saves
    its sync and latency, (k - 1) x 2 (R - 1) x t_step (derived; the guide says only that merging helps)."""
    a_count(count, "allreduces")
    a_time(step_seconds, tr("sync and latency of a step"))
    return (count - 1) * ring.steps(replicas).total * step_seconds


class BatchNormGroups(Struct, frozen=True):
    """Distributed batch norm: ``groups`` of ``span`` replicas; ``allreduces`` of a group for each micro-batch."""

    groups: int
    span: int
    allreduces: int

    @property
    def steps(self) -> int:
        """Exchanges of a group for each micro-batch."""
        return self.allreduces * ring.steps(self.span).total


def batch_norm(replicas: int, layers: int, span: int = 2) -> BatchNormGroups:
    """Every layer reduces inside its group once forward and once backward for each micro-batch, which is not part of
    T_AR. ValueError if the replicas cannot form such groups."""
    a_count(replicas, "replicas")
    a_time(layers, "layers")
    a_count(span, "span")
    if replicas % span:
        raise ValueError(tr("{replicas} replicas cannot form groups of {span}", replicas=replicas, span=span))
    return BatchNormGroups(replicas // span, span, 2 * layers if span > 1 else 0)
