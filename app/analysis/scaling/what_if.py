"""Variations of an application."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from app.analysis.scaling.scenario import Allreduce, OverLinks, Scenario
from app.analysis.scaling.sound import above_zero


class WhatIf(Struct, frozen=True, kw_only=True):
    """Factors of times (1: unchanged); ``accumulation``, ``instances``: factors of counts. With a fixed batch, the
    factor of accumulation applies to the batch."""

    micro_batch: float = 1.0
    allreduce: float = 1.0
    host: float = 1.0
    accumulation: float = 1.0
    instances: float = 1.0

    @property
    def changes(self) -> bool:
        return self != WhatIf()


def changed(scenario: Scenario, what_if: WhatIf) -> Scenario:
    """The scenario with the factors applied. Gradient accumulation and instances stay at 1 or more; ``host`` applies to
    its work and its transfers."""
    for name in ("micro_batch", "allreduce", "host", "accumulation", "instances"):
        above_zero(getattr(what_if, name), name.replace("_", " "))
    batch = scenario.batch
    return replace(
        scenario,
        micro_batch_seconds=scenario.micro_batch_seconds * what_if.micro_batch,
        links_seconds=scenario.links_seconds * what_if.micro_batch,
        allreduce=_faster(scenario.allreduce, what_if.allreduce),
        host_seconds=scenario.host_seconds * what_if.host,
        transfer_seconds=scenario.transfer_seconds * what_if.host,
        accumulation=max(1.0, scenario.accumulation * what_if.accumulation),
        instances=max(1, round(scenario.instances * what_if.instances)),
        batch=None if batch is None else max(1, round(batch * what_if.accumulation)),
    )


def _faster(allreduce: Allreduce, factor: float) -> Allreduce:
    """The allreduce at ``factor`` times the duration; a computed one by that part of its bytes."""
    if isinstance(allreduce, OverLinks):
        return replace(allreduce, size=allreduce.size * factor)
    return replace(allreduce, seconds=allreduce.seconds * factor)
