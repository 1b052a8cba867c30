"""The guide's advice as a checklist, judged by the figures (Scaling over replicas, chapter 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from app.analysis.scaling.advice import host, ipus, run
from app.analysis.scaling.advice.facts import Facts, Judged, State
from app.language import tr

__all__ = ["Advice", "Facts", "State", "checklist"]


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
    order: dict[State, int] = {"due": 0, "unknown": 1, "fine": 2}
    return sorted(made, key=lambda item: order[item.state])


class _Item(Struct, frozen=True):
    id: str
    title: str
    judge: Callable[[Facts], Judged]
    what: str


def _items() -> Iterator[_Item]:
    yield _Item(
        "prefetch",
        tr("Prefetch"),
        host.prefetch,
        tr("Let the host fill Streaming Memory while the IPUs compute. I/O tiles overlap the transfers on the chip."),
    )
    yield _Item(
        "instances",
        tr("PopDist instances"),
        host.instances,
        tr(
            "Spread data loading over more processes (PopDist, started with PopRun), and over more hosts when one is "
            "full."
        ),
    )
    yield _Item(
        "numa",
        tr("Instances and NUMA nodes"),
        host.numa,
        tr(
            "Run no more instances than NUMA nodes, each bound to its own node, so that they do not slow each other "
            "down."
        ),
    )
    yield _Item(
        "hosts",
        tr("One host per Pod"),
        host.hosts,
        tr("Across Pods, start with PopRun on at least one host per Pod."),
    )
    yield _Item(
        "three-kinds",
        tr("Three kinds of data"),
        host.three_kinds,
        tr(
            "Compare real, generated and synthetic data at each number of replicas. If the gap widens, host I/O is "
            "the bottleneck."
        ),
    )
    yield _Item(
        "less-data",
        tr("Less host data"),
        host.less_data,
        tr(
            "Send narrower types (8-bit images), generate random numbers on the IPU, return metrics rather than "
            "predictions. Keep the data on a fast local drive or in a cache."
        ),
    )
    yield _Item(
        "accumulation",
        tr("Gradient accumulation"),
        ipus.accumulation,
        tr(
            "Reduce gradients less often. The batch of an update grows with it, so check that training still converges."
        ),
    )
    yield _Item(
        "merge",
        tr("Merge allreduces"),
        ipus.merge,
        tr("Reduce all gradients together, of any type and length: each allreduce less saves its syncs."),
    )
    yield _Item(
        "exchange-code",
        tr("Exchange code"),
        ipus.exchange_code,
        tr(
            "Code for communication grows with the replicas: watch the memory, and try the available memory "
            "proportion. Keep the memory-saving layout of GCL (syncful.useOptimisedLayout) on: switching it off costs "
            "memory and may save cycles."
        ),
    )
    yield _Item(
        "pipeline",
        tr("Pipeline instead of replication"),
        ipus.pipeline,
        tr(
            "A model that fills one IPU, or recomputes to fit, may be faster as a pipeline over two IPUs than as two "
            "replicas."
        ),
    )
    yield _Item(
        "sharding",
        tr("Replicated tensor sharding"),
        ipus.sharding,
        tr("Shard the optimiser's state over the replicas instead of storing it in each of them."),
    )
    yield _Item(
        "batch-size",
        tr("Larger micro-batch"),
        ipus.batch,
        tr("If there is free memory, a larger micro-batch uses the IPU better and reduces the share of the allreduce."),
    )
    yield _Item(
        "startup",
        tr("Compile and load"),
        run.startup,
        tr("Compile before the run and store the executables. Validate in the same graph, or once at the end."),
    )
    yield _Item(
        "constant",
        tr("Constant parts"),
        run.constant,
        tr("Move imports and reports to the start or end, write checkpoints less often, and run the rest in parallel."),
    )
    yield _Item("power-of-two", tr("Powers of two"), ipus.power_of_two, tr("IPUs are allocated in powers of two."))


_ITEMS: Final = tuple(_items())
