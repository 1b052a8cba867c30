"""Advice on what replicas do not shorten."""

from __future__ import annotations

from app.analysis.scaling.advice.facts import (
    NEEDS_MODEL,
    WORTH,
    Facts,
    Judged,
    percent,
)
from app.language import tr


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


def by_share(share: float, figures: str) -> Judged:
    return ("due" if share >= WORTH else "fine"), figures
