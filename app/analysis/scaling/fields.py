"""What the scaling model can be given: the one list that panel and command line ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from app.analysis.scaling import amdahl, topology
from app.analysis.scaling.quantities import Kind

Group: TypeAlias = Literal["Replicas and batch", "One micro-batch", "Weight update", "Host", "Rest of the run"]
GROUPS: Final[tuple[Group, ...]] = (
    "Replicas and batch",
    "One micro-batch",
    "Weight update",
    "Host",
    "Rest of the run",
)


@dataclass(frozen=True, slots=True)
class Field:
    """``default`` None: there is none. ``measured`` names what a run says of it; ``more``: seldom needed."""

    key: str
    group: Group
    label: str
    kind: Kind
    default: float | None
    help: str
    measured: str = ""
    more: bool = False

    @property
    def option(self) -> str:
        """As the command line calls it."""
        if self.key == "micro_batch":
            return "--micro-batch-size"
        return "--" + self.key.removesuffix("_seconds").replace("_", "-") + ("-time" if self.kind == "time" else "")


FIELDS: Final = (
    Field(
        "replicas",
        "Replicas and batch",
        "Replicas",
        "count",
        1,
        "R: copies of the model that train side by side.",
        "replicas",
    ),
    Field(
        "ipus_per_replica",
        "Replicas and batch",
        "IPUs of a replica",
        "count",
        1,
        "A model on several IPUs (a pipeline) makes replicas of several.",
        "ipus_per_replica",
    ),
    Field(
        "micro_batch",
        "Replicas and batch",
        "Micro-batch size",
        "count",
        1,
        "MBS: samples that a replica takes at once. A profile does not say it; with 1, a sample is a micro-batch.",
    ),
    Field(
        "accumulation",
        "Replicas and batch",
        "Accumulation",
        "count",
        1,
        "GA: gradient accumulation, the micro-batches of a replica for each weight update.",
        "accumulation",
    ),
    Field(
        "batch",
        "Replicas and batch",
        "Batch kept at",
        "count",
        None,
        "Samples of a weight update that stay the same whatever the replicas; gradient accumulation then follows.",
        more=True,
    ),
    Field(
        "micro_batch_seconds",
        "One micro-batch",
        "IPU",
        "time",
        None,
        "T_MB: a replica computes and exchanges between tiles for one micro-batch.",
        "micro_batch",
    ),
    Field(
        "transfer_seconds",
        "One micro-batch",
        "Host to IPU",
        "time",
        0.0,
        "Transfers from and to the host that the IPUs wait for.",
        "transfer",
    ),
    Field(
        "links_seconds",
        "One micro-batch",
        "IPU to IPU",
        "time",
        0.0,
        "Exchange between IPUs besides the gradients: pipeline, distributed batch norm.",
        "links",
    ),
    Field(
        "waiting_seconds",
        "One micro-batch",
        "Waiting",
        "time",
        0.0,
        "No step runs: sync, and waiting for the host.",
        "waiting",
    ),
    Field(
        "allreduce_seconds",
        "Weight update",
        "Allreduce",
        "time",
        None,
        "T_AR: replicas reduce their gradients, once for each weight update.",
        "allreduce",
    ),
    Field(
        "ring",
        "Weight update",
        "Follows the ring",
        "flag",
        1.0,
        "A given time of the allreduce holds for the replicas of the inputs; for others it changes as that of a ring "
        "does, with (R - 1) / R. No: it is the same for any number of them.",
    ),
    Field(
        "optimiser_seconds",
        "Weight update",
        "Optimiser",
        "time",
        0.0,
        "The optimiser's step and whatever else runs once for each weight update; part of T_AR.",
        "optimiser",
    ),
    Field(
        "gradient_bytes",
        "Weight update",
        "Gradients",
        "size",
        None,
        "Bytes that a replica reduces. Where the time of the allreduce is not given, it is computed from them: "
        "2 (R - 1) / R x S / B, and over gateways beyond one IPU-Link domain.",
    ),
    Field("link_rate", "Weight update", "IPU-Link", "rate", topology.LINK_RATE, topology.LINK_NOTE, more=True),
    Field("gateway_rate", "Weight update", "GW-Link", "rate", topology.GATEWAY_RATE, topology.GATEWAY_NOTE, more=True),
    Field(
        "sharing",
        "Weight update",
        "IPUs that share a GW-Link",
        "count",
        topology.IPUS_PER_MACHINE,
        "The four IPUs of an IPU-Machine use its gateway at once.",
        more=True,
    ),
    Field(
        "domain",
        "Weight update",
        "IPUs of a domain",
        "count",
        topology.LARGEST_DOMAIN,
        "IPUs that IPU-Links alone connect: up to the 64 of a Pod64.",
        more=True,
    ),
    Field(
        "step_seconds",
        "Weight update",
        "Sync of a step",
        "time",
        None,
        "Sync and latency of one exchange of an allreduce: what merging several allreduces saves.",
        more=True,
    ),
    Field(
        "norm_layers",
        "Weight update",
        "Distributed batch norms",
        "count",
        None,
        "Layers with distributed batch norm: each reduces twice for every micro-batch, inside groups of replicas.",
        more=True,
    ),
    Field("span", "Weight update", "Span of a group", "count", 2, "Replicas of a batch-norm group.", more=True),
    Field(
        "host_seconds",
        "Host",
        "Host work",
        "time",
        0.0,
        "Time that one instance on the host needs for one micro-batch of one replica.",
    ),
    Field("instances", "Host", "Instances", "count", 1, "Processes on the hosts (PopRun) that share the replicas."),
    Field("prefetch", "Host", "Prefetch", "flag", 0.0, "Host work and transfers run beside the IPUs."),
    Field("hosts", "Host", "Hosts", "count", 1, "Host machines.", more=True),
    Field("numa_nodes", "Host", "NUMA nodes of a host", "count", None, "As lscpu tells.", more=True),
    Field(
        "constant_share",
        "Rest of the run",
        "Constant share",
        "share",
        0.0,
        f"Share of a single replica's time that no replica shortens. {amdahl.NOTE}",
    ),
    Field(
        "startup_seconds",
        "Rest of the run",
        "Compile and load",
        "time",
        None,
        "Before the first micro-batch; the same for any number of replicas.",
    ),
    Field("run_samples", "Rest of the run", "Samples of the run", "count", None, "Samples of all epochs together."),
)
BY_KEY: Final = {field.key: field for field in FIELDS}
