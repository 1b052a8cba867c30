"""Advice on what replicas do not shorten, and on their number."""

from __future__ import annotations

from typing import Final

from app.analysis.scaling.advice.facts import (
    NEEDS_MODEL,
    WORTH,
    Facts,
    Item,
    Judged,
    percent,
)
from app.analysis.scaling.topology import is_power_of_two
from app.language import plural, tr


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


ITEMS: Final = (
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
