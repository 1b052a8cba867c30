"""The inputs of the scaling model, each value with its origin, and the scenario that they form: the one list for
panel and command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.scaling import amdahl, ring
from app.analysis.scaling.measure import Derived, Finding, Measurement
from app.analysis.scaling.quantities import Kind, above_zero
from app.analysis.scaling.ring import Links
from app.analysis.scaling.scenario import Allreduce, OverLinks, Scenario, Timed
from app.language import tr

Group: TypeAlias = str
MICRO_BATCH: Final = tr("One micro-batch")
GROUPS: Final[tuple[Group, ...]] = (
    tr("Replicas and batch"),
    MICRO_BATCH,
    tr("Weight update"),
    tr("Host"),
    tr("Remaining run"),
)


class Field(Struct, frozen=True):
    """One input; ``default`` None: it has none. ``measured``: the measurement that corresponds to it; ``more``: rarely
    needed."""

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
        """The name of its command-line option."""
        if self.key == "micro_batch":
            return "--micro-batch-size"
        return "--" + self.key.removesuffix("_seconds").replace("_", "-") + ("-time" if self.kind == "time" else "")


FIELDS: Final = (
    Field(
        "replicas",
        tr("Replicas and batch"),
        tr("Replicas"),
        "count",
        1,
        tr("R: copies of the model that train in parallel."),
        "replicas",
    ),
    Field(
        "ipus_per_replica",
        tr("Replicas and batch"),
        tr("IPUs per replica"),
        "count",
        1,
        tr("A model that spans several IPUs (a pipeline) uses several IPUs per replica."),
        "ipus_per_replica",
    ),
    Field(
        "micro_batch",
        tr("Replicas and batch"),
        tr("Micro-batch size"),
        "count",
        1,
        tr(
            "MBS: samples that a replica processes at once. Profiles do not contain it; with 1, a sample is a "
            "micro-batch."
        ),
    ),
    Field(
        "accumulation",
        tr("Replicas and batch"),
        tr("Accumulation"),
        "count",
        1,
        tr("GA: gradient accumulation, the micro-batches per replica and weight update."),
        "accumulation",
    ),
    Field(
        "batch",
        tr("Replicas and batch"),
        tr("Constant batch"),
        "count",
        None,
        tr("Samples of a weight update, constant for any number of replicas; gradient accumulation then follows."),
        more=True,
    ),
    Field(
        "micro_batch_seconds",
        tr("One micro-batch"),
        "IPU",
        "time",
        None,
        tr("T_MB: time in which a replica computes and exchanges between tiles for one micro-batch."),
        "micro_batch",
    ),
    Field(
        "transfer_seconds",
        tr("One micro-batch"),
        tr("Host to IPU"),
        "time",
        0.0,
        tr("Transfers from and to the host that the IPUs wait for."),
        "transfer",
    ),
    Field(
        "links_seconds",
        tr("One micro-batch"),
        tr("IPU to IPU"),
        "time",
        0.0,
        tr("Exchange between IPUs other than the gradients: pipeline, distributed batch norm."),
        "links",
    ),
    Field(
        "waiting_seconds",
        tr("One micro-batch"),
        tr("Waiting"),
        "time",
        0.0,
        tr("No step runs: sync, and waiting for the host."),
        "waiting",
    ),
    Field(
        "allreduce_seconds",
        tr("Weight update"),
        tr("Allreduce"),
        "time",
        None,
        tr("T_AR: time in which replicas reduce their gradients, once per weight update."),
        "allreduce",
    ),
    Field(
        "ring",
        tr("Weight update"),
        tr("Scale with the ring"),
        "flag",
        1.0,
        tr(
            "Yes: the time of the allreduce is for the replicas above, and scales for other numbers like that of a "
            "ring, with (R - 1) / R. No: it is the same for any number of replicas."
        ),
    ),
    Field(
        "optimiser_seconds",
        tr("Weight update"),
        tr("Optimiser"),
        "time",
        0.0,
        tr("The optimiser's step and everything else that runs once per weight update; part of T_AR."),
        "optimiser",
    ),
    Field(
        "gradient_bytes",
        tr("Weight update"),
        tr("Gradients"),
        "size",
        None,
        tr(
            "Bytes that a replica reduces. If the time of the allreduce is not entered, it is computed from them: 2 "
            "(R - 1) / R x S / B, and over gateways beyond one IPU-Link domain."
        ),
    ),
    Field("link_rate", tr("Weight update"), "IPU-Link", "rate", ring.LINK_RATE, ring.LINK_NOTE, more=True),
    Field("gateway_rate", tr("Weight update"), "GW-Link", "rate", ring.GATEWAY_RATE, ring.GATEWAY_NOTE, more=True),
    Field(
        "sharing",
        tr("Weight update"),
        tr("IPUs that share a GW-Link"),
        "count",
        ring.IPUS_PER_MACHINE,
        tr("The four IPUs of an IPU-Machine share its gateway."),
        more=True,
    ),
    Field(
        "domain",
        tr("Weight update"),
        tr("IPUs per domain"),
        "count",
        ring.LARGEST_DOMAIN,
        tr("IPUs connected by IPU-Links alone: up to the 64 of a Pod64."),
        more=True,
    ),
    Field(
        "step_seconds",
        tr("Weight update"),
        tr("Sync per exchange"),
        "time",
        None,
        tr("Sync and latency of one exchange of an allreduce, which merging several allreduces saves."),
        more=True,
    ),
    Field(
        "norm_layers",
        tr("Weight update"),
        tr("Distributed batch norms"),
        "count",
        None,
        tr("Layers with distributed batch norm: each reduces twice per micro-batch, inside groups of replicas."),
        more=True,
    ),
    Field("span", tr("Weight update"), tr("Group size"), "count", 2, tr("Replicas per batch-norm group."), more=True),
    Field(
        "host_seconds",
        tr("Host"),
        tr("Host work"),
        "time",
        0.0,
        tr("Time that one host instance needs for one micro-batch of one replica."),
    ),
    Field(
        "instances",
        tr("Host"),
        tr("Instances"),
        "count",
        1,
        tr("Processes on the hosts (PopRun), over which the replicas are distributed."),
    ),
    Field(
        "prefetch",
        tr("Host"),
        tr("Prefetch"),
        "flag",
        0.0,
        tr("Host work and transfers overlap with the work of the IPUs."),
    ),
    Field("hosts", tr("Host"), tr("Hosts"), "count", 1, tr("Host machines."), more=True),
    Field("numa_nodes", tr("Host"), tr("NUMA nodes per host"), "count", None, tr("As reported by lscpu."), more=True),
    Field(
        "constant_share",
        tr("Remaining run"),
        tr("Constant share"),
        "share",
        0.0,
        tr("Share of a single replica's time that more replicas do not reduce. {note}", note=amdahl.NOTE),
    ),
    Field(
        "startup_seconds",
        tr("Remaining run"),
        tr("Compile and load"),
        "time",
        None,
        tr("Time before the first micro-batch, the same for any number of replicas."),
    ),
    Field(
        "run_samples",
        tr("Remaining run"),
        tr("Samples of the run"),
        "count",
        None,
        tr("Samples of all epochs together."),
    ),
)
BY_KEY: Final = {field.key: field for field in FIELDS}


Origin: TypeAlias = Literal["typed", "profile", "default", "missing"]


class Input(Struct, frozen=True, eq=False):
    """``value``: None if the origin is "missing". ``finding``: what the profile says about it, used or not."""

    value: float | None
    origin: Origin
    finding: Finding | None = None


Inputs: TypeAlias = Mapping[str, Input]
"""All fields, by key."""


def settle(typed: Mapping[str, float], measured: Measurement | None) -> dict[str, Input]:
    """The value of each field: as typed, else from the profile, else its default."""
    inputs: dict[str, Input] = {}
    for field in FIELDS:
        finding: Finding | None = getattr(measured, field.measured) if measured and field.measured else None
        if field.key in typed:
            inputs[field.key] = Input(typed[field.key], "typed", finding)
        elif isinstance(finding, Derived):
            inputs[field.key] = Input(finding.value, "profile", finding)
        else:
            inputs[field.key] = Input(field.default, "missing" if field.default is None else "default", finding)
    return inputs


def count_of(inputs: Inputs, key: str) -> int:
    """A whole number that has a default."""
    return int(inputs[key].value or 0)


def scenario_of(inputs: Inputs) -> Scenario | None:
    """The scenario; None without the time of a micro-batch. An unknown allreduce takes no time: see
    ``knows_allreduce``. ValueError for an impossible value."""
    if inputs["micro_batch_seconds"].value is None:
        return None
    times = {key: float(inputs[key].value or 0.0) for key in BY_KEY if key.endswith("_seconds")}
    for key in ("allreduce_seconds", "startup_seconds", "step_seconds"):
        del times[key]
    batch = inputs["batch"].value
    return Scenario(
        **times,
        allreduce=_allreduce(inputs),
        micro_batch=count_of(inputs, "micro_batch"),
        accumulation=count_of(inputs, "accumulation"),
        ipus_per_replica=count_of(inputs, "ipus_per_replica"),
        instances=count_of(inputs, "instances"),
        prefetch=bool(inputs["prefetch"].value),
        constant_share=float(inputs["constant_share"].value or 0.0),
        batch=None if batch is None else int(batch),
    )


def knows_allreduce(inputs: Inputs) -> bool:
    """Whether the time of the allreduce is given, or can be computed."""
    return inputs["allreduce_seconds"].value is not None or inputs["gradient_bytes"].value is not None


def links_of(inputs: Inputs) -> Links:
    """The links that an allreduce uses. ValueError for an impossible bandwidth."""
    link, gateway = (float(inputs[key].value or 0.0) for key in ("link_rate", "gateway_rate"))
    above_zero(link, "IPU-Link")
    above_zero(gateway, "GW-Link")
    return Links(link, gateway, count_of(inputs, "sharing"), count_of(inputs, "domain"))


def _allreduce(inputs: Inputs) -> Allreduce:
    """A typed time takes precedence over gradients, and those over a measured time."""
    time, size = inputs["allreduce_seconds"], inputs["gradient_bytes"]
    if size.value is not None and time.origin != "typed":
        return OverLinks(size.value, links_of(inputs))
    at = count_of(inputs, "replicas") if inputs["ring"].value else None
    return Timed(time.value or 0.0, at)
