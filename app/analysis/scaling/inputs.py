"""The inputs of the scaling model, each value with its origin, and the scenario that they form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from app.analysis.scaling.fields import BY_KEY, FIELDS
from app.analysis.scaling.finding import Derived, Finding
from app.analysis.scaling.measure import Measurement
from app.analysis.scaling.scenario import Allreduce, OverLinks, Scenario, Timed
from app.analysis.scaling.sound import above_zero
from app.analysis.scaling.topology import Links

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
