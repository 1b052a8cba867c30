"""The guide's advice as a checklist, judged by the figures (Scaling over replicas, chapter 7): the facts that it
judges, and its items on host and transfers, on replicas with their gradients and memory, and on what replicas do not
shorten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from msgspec import Struct, field

from app.analysis.memory import verdict
from app.analysis.scaling.amdahl import Fit, fit
from app.analysis.scaling.doubling import growing_exchange_code
from app.analysis.scaling.host import Diagnosis, diagnose
from app.analysis.scaling.inputs import count_of
from app.analysis.scaling.measure import Derived, Measurement
from app.analysis.scaling.model import Model
from app.analysis.scaling.points import Points
from app.analysis.scaling.ring import domains, is_power_of_two
from app.analysis.table import Table
from app.language import joined, plural, tr
from app.profile.profile import Profile

State: TypeAlias = Literal["due", "fine", "unknown"]
Judged: TypeAlias = tuple[State, str]

WORTH: Final = 0.05
"""A share of the time that justifies action. Our own choice: the guide gives no figure."""

NEEDS_MODEL: Final = tr("needs the time of a micro-batch")
NEEDS_ALLREDUCE: Final = tr("needs the time of the allreduce, or the bytes of the gradients")
NEEDS_HOST: Final = tr("needs the time of host work or transfers, or measurements with the three kinds of data")


class Facts(Struct, frozen=True, eq=False):
    """What the checklist judges; ``memory``: the categories of two profiles compared; ``points``: the measured
    throughputs, if there is no model."""

    model: Model | None = None
    measured: Measurement | None = None
    profile: Profile | None = None
    memory: Table | None = None
    points: Points = field(default_factory=Points)

    @property
    def diagnosis(self) -> Diagnosis | None:
        """The diagnosis from the three kinds of data."""
        return self.model.diagnosis if self.model is not None else diagnose(self.points.cases)

    @property
    def fit(self) -> Fit | None:
        return self.model.fit if self.model is not None else fit(self.points.points)


class Item(Struct, frozen=True):
    """An item of the checklist: ``judge`` says whether ``what`` is to be done."""

    id: str
    title: str
    judge: Callable[[Facts], Judged]
    what: str


def shares(facts: Facts, *parts: str) -> float | None:
    """The share of these parts in a weight update at the replicas of the inputs; None without one."""
    point = facts.model.now if facts.model is not None else None
    return None if point is None else sum(point.update.share(getattr(point.update, part)) for part in parts)


def fullest(facts: Facts) -> float | None:
    """The share of its memory that the fullest tile uses; None if unknown."""
    judged = verdict(facts.profile) if facts.profile is not None else None
    return judged.share if judged is not None and judged.worst else None


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def prefetch(facts: Facts) -> Judged:
    fed = shares(facts, "host", "transfer")
    if fed is None:
        return "unknown", NEEDS_MODEL
    assert facts.model is not None
    if facts.model.scenario.prefetch:
        return "fine", tr("on; the IPUs still wait {fed} of the time", fed=percent(fed))
    if not host_is_known(facts.model):
        return "unknown", NEEDS_HOST
    return ("due" if fed >= WORTH else "fine"), tr("host and transfers take {fed} of a weight update", fed=percent(fed))


def instances(facts: Facts) -> Judged:
    host = shares(facts, "host")
    diagnosis = facts.diagnosis
    if diagnosis is not None and diagnosis.limit in ("loading", "both"):
        return "due", diagnosis.text
    if host is None:
        return "unknown", NEEDS_MODEL
    assert facts.model is not None
    if facts.model.inputs["host_seconds"].origin == "default":
        return ("fine", diagnosis.text) if diagnosis is not None else ("unknown", NEEDS_HOST)
    limit = facts.model.scenario
    most = limit.instances / limit.host_seconds * limit.micro_batch if limit.host_seconds else 0.0
    waits = percent(host)
    figures = tr("the IPUs wait {share} of the time for the host", share=waits)
    if most:
        rate = f"{most:,.0f}" if most >= 100 else f"{most:.3g}"
        figures = tr(
            "the IPUs wait {share} of the time for the host, which can feed {rate} samples/s", share=waits, rate=rate
        )
    return ("due" if host >= WORTH else "fine"), figures


def numa(facts: Facts) -> Judged:
    if facts.model is None:
        return "unknown", NEEDS_MODEL
    inputs = facts.model.inputs
    nodes = inputs["numa_nodes"].value
    if nodes is None:
        return "unknown", tr("enter the number of NUMA nodes of a host (see lscpu)")
    instances, all_nodes = count_of(inputs, "instances"), int(nodes) * count_of(inputs, "hosts")
    figures = tr("{instances:,} instances on {all_nodes:,} NUMA nodes", instances=instances, all_nodes=all_nodes)
    return ("fine" if instances <= all_nodes else "due"), figures


def hosts(facts: Facts) -> Judged:
    if facts.model is None:
        return "unknown", NEEDS_MODEL
    inputs = facts.model.inputs
    pods = domains(facts.model.replicas * facts.model.scenario.ipus_per_replica)
    hosts = count_of(inputs, "hosts")
    figures = (
        plural("{count:,} Pod", "{count:,} Pods", count=pods),
        plural("{count:,} host", "{count:,} hosts", count=hosts),
    )
    return ("due" if hosts < pods else "fine"), joined(", ", figures)


def less_data(facts: Facts) -> Judged:
    diagnosis = facts.diagnosis
    if diagnosis is not None and diagnosis.limit in ("transfer", "both"):
        return "due", diagnosis.text
    share = shares(facts, "transfer")
    if share is None or facts.model is None:
        return "unknown", NEEDS_MODEL
    if facts.model.inputs["transfer_seconds"].origin == "default":
        return ("fine", diagnosis.text) if diagnosis is not None else ("unknown", tr("enter the time of transfers"))
    return ("due" if share >= WORTH else "fine"), tr("transfers take {share} of a weight update", share=percent(share))


def three_kinds(facts: Facts) -> Judged:
    diagnosis = facts.diagnosis
    if diagnosis is None:
        return "unknown", tr("measure with real, generated and synthetic data, and paste the throughputs")
    return ("due" if diagnosis.grows or diagnosis.limit == "contradiction" else "fine"), diagnosis.text


def host_is_known(model: Model) -> bool:
    return any(model.inputs[key].origin != "default" for key in ("host_seconds", "transfer_seconds"))


HOST_ITEMS: Final = (
    Item(
        "prefetch",
        tr("Prefetch"),
        prefetch,
        tr("Let the host fill Streaming Memory while the IPUs compute. I/O tiles overlap the transfers on the chip."),
    ),
    Item(
        "instances",
        tr("PopDist instances"),
        instances,
        tr(
            "Spread data loading over more processes (PopDist, started with PopRun), and over more hosts when one is "
            "full."
        ),
    ),
    Item(
        "numa",
        tr("Instances and NUMA nodes"),
        numa,
        tr(
            "Run no more instances than NUMA nodes, each bound to its own node, so that they do not slow each other "
            "down."
        ),
    ),
    Item(
        "hosts",
        tr("One host per Pod"),
        hosts,
        tr("Across Pods, start with PopRun on at least one host per Pod."),
    ),
    Item(
        "three-kinds",
        tr("Three kinds of data"),
        three_kinds,
        tr(
            "Compare real, generated and synthetic data at each number of replicas. If the gap widens, host I/O is "
            "the bottleneck."
        ),
    ),
    Item(
        "less-data",
        tr("Less host data"),
        less_data,
        tr(
            "Send narrower types (8-bit images), generate random numbers on the IPU, return metrics rather than "
            "predictions. Keep the data on a fast local drive or in a cache."
        ),
    ),
)


ALLREDUCE: Final = 0.1
POOR: Final = 0.8
FULL: Final = 0.9
ROOMY: Final = 0.7


def accumulation(facts: Facts) -> Judged:
    share = shares(facts, "allreduce")
    if share is None or facts.model is None:
        return "unknown", NEEDS_MODEL
    if not facts.model.complete and facts.model.replicas > 1:
        return "unknown", NEEDS_ALLREDUCE
    figures = tr("the allreduce takes {share} of a weight update", share=percent(share))
    needed = facts.model.needed
    if share < ALLREDUCE or needed is None:
        return "fine", figures
    return "due", tr(
        "{figures}; an accumulation of {needed:,} reduces it to {share}",
        figures=figures,
        needed=needed.needed,
        share=percent(needed.share),
    )


def merge(facts: Facts) -> Judged:
    allreduces = facts.measured.allreduces if facts.measured is not None else None
    if not isinstance(allreduces, Derived):
        return "unknown", tr("needs a profile whose step names contain their allreduces")
    count = int(allreduces.value)
    saved = facts.model.merged(count) if facts.model is not None else None
    text = plural("{count:,} allreduce per weight update", "{count:,} allreduces per weight update", count=count)
    if saved:
        text = tr("{text}; merging them saves {saved} ms per update", text=text, saved=f"{1e3 * saved:,.3g}")
    return ("due" if count > 1 else "fine"), text


def exchange_code(facts: Facts) -> Judged:
    if facts.memory is None:
        return "unknown", tr("open a second profile with twice the replicas, and compare")
    grown = growing_exchange_code(facts.memory)
    return (
        ("due", tr("grows: {grown}", grown=", ".join(grown)))
        if grown
        else ("fine", tr("no category of exchange code grows"))
    )


def pipeline(facts: Facts) -> Judged:
    point = facts.model.now if facts.model is not None else None
    full = fullest(facts)
    if point is None or facts.model is None or (full is None and not facts.model.complete):
        return "unknown", NEEDS_MODEL
    if facts.model.scenario.ipus_per_replica > 1:
        return "fine", tr(
            "a replica has {ipus_per_replica:,} IPUs already", ipus_per_replica=facts.model.scenario.ipus_per_replica
        )
    figures = [tr("efficiency {efficiency}", efficiency=percent(point.efficiency))] if facts.model.complete else []
    figures += [tr("the fullest tile is at {full}", full=percent(full))] if full is not None else []
    due = (facts.model.complete and point.efficiency < POOR) or (full is not None and full >= FULL)
    return ("due" if due else "fine"), joined(", ", figures)


def sharding(facts: Facts) -> Judged:
    full = fullest(facts)
    replicas = facts.model.replicas if facts.model is not None else None
    if full is None or replicas is None:
        return "unknown", tr("needs a profile with the memory of tiles")
    figures = plural(
        "{count:,} replica, the fullest tile is at {full}",
        "{count:,} replicas, the fullest tile is at {full}",
        count=replicas,
        full=percent(full),
    )
    return ("due" if replicas > 1 and full >= FULL else "fine"), figures


def batch(facts: Facts) -> Judged:
    full = fullest(facts)
    if full is None:
        return "unknown", tr("needs a profile with the memory of tiles")
    return ("due" if full < ROOMY else "fine"), tr("the fullest tile is at {full}", full=percent(full))


IPU_ITEMS: Final = (
    Item(
        "accumulation",
        tr("Gradient accumulation"),
        accumulation,
        tr(
            "Reduce gradients less often. The batch of an update grows with it, so check that training still converges."
        ),
    ),
    Item(
        "merge",
        tr("Merge allreduces"),
        merge,
        tr("Reduce all gradients together, of any type and length: each allreduce less saves its syncs."),
    ),
    Item(
        "exchange-code",
        tr("Exchange code"),
        exchange_code,
        tr(
            "Code for communication grows with the replicas: watch the memory, and try the available memory "
            "proportion. Keep the memory-saving layout of GCL (syncful.useOptimisedLayout) on: switching it off costs "
            "memory and may save cycles."
        ),
    ),
    Item(
        "pipeline",
        tr("Pipeline instead of replication"),
        pipeline,
        tr(
            "A model that fills one IPU, or recomputes to fit, may be faster as a pipeline over two IPUs than as two "
            "replicas."
        ),
    ),
    Item(
        "sharding",
        tr("Replicated tensor sharding"),
        sharding,
        tr("Shard the optimiser's state over the replicas instead of storing it in each of them."),
    ),
    Item(
        "batch-size",
        tr("Larger micro-batch"),
        batch,
        tr("If there is free memory, a larger micro-batch uses the IPU better and reduces the share of the allreduce."),
    ),
)


def startup(facts: Facts) -> Judged:
    point = facts.model.now if facts.model is not None else None
    share = facts.model.startup(point) if facts.model is not None and point is not None else None
    if share is None:
        return "unknown", tr("enter the time to compile and load, and the samples of the run")
    return ("due" if share >= WORTH else "fine"), tr(
        "compiling and loading take {share} of the run", share=percent(share)
    )


def constant(facts: Facts) -> Judged:
    if facts.fit is not None:
        share = facts.fit.constant_share
        return by_share(share, tr("measured throughputs fit a constant share of {share}", share=percent(share)))
    if facts.model is None:
        return "unknown", NEEDS_MODEL
    if facts.model.inputs["constant_share"].origin == "default":
        return "unknown", tr("paste measured throughputs, or enter the constant share")
    share = facts.model.scenario.constant_share
    return by_share(share, tr("{share} of a single replica's time is constant", share=percent(share)))


def power_of_two(facts: Facts) -> Judged:
    if facts.model is None:
        return "unknown", NEEDS_MODEL
    ipus = facts.model.replicas * facts.model.scenario.ipus_per_replica
    return ("fine" if is_power_of_two(ipus) else "due"), plural("{count:,} IPU", "{count:,} IPUs", count=ipus)


def by_share(share: float, figures: str) -> Judged:
    return ("due" if share >= WORTH else "fine"), figures


RUN_ITEMS: Final = (
    Item(
        "startup",
        tr("Compile and load"),
        startup,
        tr("Compile before the run and store the executables. Validate in the same graph, or once at the end."),
    ),
    Item(
        "constant",
        tr("Constant parts"),
        constant,
        tr("Move imports and reports to the start or end, write checkpoints less often, and run the rest in parallel."),
    ),
    Item(
        "power-of-two",
        tr("Powers of two"),
        power_of_two,
        tr("IPUs are allocated in powers of two."),
    ),
)


__all__ = ["Advice", "Facts", "State", "checklist"]

_ITEMS: Final = (*HOST_ITEMS, *IPU_ITEMS, *RUN_ITEMS)
_ORDER: Final[tuple[State, ...]] = ("due", "unknown", "fine")


class Advice(Struct, frozen=True):
    """``figures``: why it is due or not, or what needs to be known; ``what``: what to do."""

    id: str
    title: str
    state: State
    figures: str
    what: str


def checklist(facts: Facts) -> list[Advice]:
    """The items that are due, then the unknown ones, then those that are fine; each in the guide's order."""
    made = [Advice(item.id, item.title, *item.judge(facts), item.what) for item in _ITEMS]
    return sorted(made, key=lambda item: _ORDER.index(item.state))
