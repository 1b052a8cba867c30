"""Advice on replicas, their gradients, and their memory."""

from __future__ import annotations

from typing import Final

from app.analysis.scaling.advice.facts import (
    NEEDS_ALLREDUCE,
    NEEDS_MODEL,
    Facts,
    Item,
    Judged,
    fullest,
    percent,
    shares,
)
from app.analysis.scaling.doubling import growing_exchange_code
from app.analysis.scaling.finding import Derived
from app.language import joined, plural, tr

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


ITEMS: Final = (
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
