"""What the scaling model is given, each value with where it is from, and the scenario that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.analysis.scaling.fields import BY_KEY, FIELDS
from app.analysis.scaling.finding import Finding, Found
from app.analysis.scaling.measure import Measurement
from app.analysis.scaling.scenario import Allreduce, OverLinks, Scenario, Timed
from app.analysis.scaling.sound import above_zero
from app.analysis.scaling.topology import Links

Origin: TypeAlias = Literal["typed", "profile", "default", "missing"]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """``value`` None where the origin is "missing". ``finding``: what the profile says of it, used or not."""

    value: float | None
    origin: Origin
    finding: Finding | None = None


Inputs: TypeAlias = Mapping[str, Given]
"""By key, all fields."""


def settle(typed: Mapping[str, float], measured: Measurement | None) -> dict[str, Given]:
    """Each value as it was typed, else as the profile says, else its default."""
    found: dict[str, Given] = {}
    for field in FIELDS:
        finding: Finding | None = getattr(measured, field.measured) if measured and field.measured else None
        if field.key in typed:
            found[field.key] = Given(typed[field.key], "typed", finding)
        elif isinstance(finding, Found):
            found[field.key] = Given(finding.value, "profile", finding)
        else:
            found[field.key] = Given(field.default, "missing" if field.default is None else "default", finding)
    return found


def count_of(inputs: Inputs, key: str) -> int:
    """A whole number that has a default."""
    return int(inputs[key].value or 0)


def scenario_of(inputs: Inputs) -> Scenario | None:
    """None without the time of a micro-batch. Where nothing is known of the allreduce it takes no time: see
    ``knows_allreduce``. ValueError for a value that cannot be."""
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
    """Whether its time is given, or can be computed."""
    return inputs["allreduce_seconds"].value is not None or inputs["gradient_bytes"].value is not None


def links_of(inputs: Inputs) -> Links:
    """What an allreduce runs over."""
    link, gateway = (float(inputs[key].value or 0.0) for key in ("link_rate", "gateway_rate"))
    above_zero(link, "IPU-Link")
    above_zero(gateway, "GW-Link")
    return Links(link, gateway, count_of(inputs, "sharing"), count_of(inputs, "domain"))


def _allreduce(inputs: Inputs) -> Allreduce:
    """A typed time counts before typed gradients, and those before a measured time."""
    time, size = inputs["allreduce_seconds"], inputs["gradient_bytes"]
    if size.value is not None and time.origin != "typed":
        return OverLinks(size.value, links_of(inputs))
    at = count_of(inputs, "replicas") if inputs["ring"].value else None
    return Timed(time.value or 0.0, at)
