"""The machines that replicas run on, as data (Scaling over replicas, section 7.9.1)."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.scaling.sound import a_count
from app.language import tr

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
