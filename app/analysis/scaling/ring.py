"""The machines that replicas run on, and the allreduce in one IPU-Link domain (Scaling over replicas, 7.9.1 and
7.9.2).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.scaling.quantities import a_count, a_time, above_zero
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


IPUS_PER_MACHINE: Final = 4
LARGEST_DOMAIN: Final = 64
"""IPUs that IPU-Links alone can connect: those of a Pod64."""

GIGA: Final = 1e9
LINK_RATE: Final = 64 * GIGA
LINK_NOTE: Final = tr(
    "64 GB/s between IPUs, which the guide calls bidirectional: if this is the sum of both directions, enter 32 GB/s."
)
GATEWAY_RATE: Final = 25 * GIGA
GATEWAY_NOTE: Final = tr(
    "Two links of 100 Gb/s between a pair of IPU-Machines: 200 Gb/s = 25 GB/s, shared by the four IPUs of a machine. "
    "The guide prints 200 GBps."
)
HOST_RATE: Final = 12.5 * GIGA
HOST_NOTE: Final = tr("100 Gb/s Ethernet between a host and an IPU-Machine.")


class Machine(Struct, frozen=True):
    """A system as sold: all of its IPUs are in one IPU-Link domain."""

    name: str
    machines: int

    @property
    def ipus(self) -> int:
        return self.machines * IPUS_PER_MACHINE


MACHINES: Final = tuple(Machine(tr("Pod{count}", count=4 * count), count) for count in (1, 2, 4, 8, 16))
"""Pod4 (one IPU-Machine) to Pod64; also sold as IPU-POD and Bow Pod."""

TopologyName: TypeAlias = Literal["mesh", "torus", "barley-twist"]


class Topology(Struct, frozen=True):
    """``shape``: how the IPUs of a domain are connected, N the length of the ladder."""

    name: TopologyName
    also: str
    shape: str
    help: str


TOPOLOGIES: Final = (
    Topology("mesh", "ladder", "2 x N", tr("Two columns of IPUs with a rung in each row; the default.")),
    Topology(
        "torus", "wheel", "2 x N", tr("The ladder with its upper end connected to its lower one by loop-back cables.")
    ),
    Topology(
        "barley-twist", tr("Barley-twist"), "2 x 2 x N", tr("A torus of two ladders that are twisted into each other.")
    ),
)


class Links(Struct, frozen=True):
    """The links that an allreduce uses: ``link`` between IPUs of a domain, each way; ``gateway`` between a pair of
    IPU-Machines of two domains, which ``sharing`` IPUs use at once; ``domain``: IPUs that IPU-Links connect."""

    link: float = LINK_RATE
    gateway: float = GATEWAY_RATE
    sharing: int = IPUS_PER_MACHINE
    domain: int = LARGEST_DOMAIN


def machine_for(ipus: int) -> Machine | None:
    """The smallest system with that many IPUs; None beyond one domain."""
    a_count(ipus, "IPUs")
    return next((machine for machine in MACHINES if machine.ipus >= ipus), None)


def domains(ipus: int, domain: int = LARGEST_DOMAIN) -> int:
    """How many IPU-Link domains of ``domain`` IPUs hold ``ipus``."""
    a_count(ipus, "IPUs")
    a_count(domain, tr("IPUs per domain"))
    return -(-ipus // domain)


def is_power_of_two(count: int) -> bool:
    """Whether ``count`` is a power of two. IPUs are allocated in such numbers, because replicas form rings (section
    7)."""
    return count >= 1 and count & (count - 1) == 0
