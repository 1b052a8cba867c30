"""Host and transfers."""

from __future__ import annotations

from app.analysis.scaling.advice.facts import (
    NEEDS_HOST,
    NEEDS_MODEL,
    WORTH,
    Facts,
    Judged,
    percent,
    several,
    shares,
)
from app.analysis.scaling.inputs import count_of
from app.analysis.scaling.model import Model
from app.analysis.scaling.topology import domains


def prefetch(facts: Facts) -> Judged:
    fed = shares(facts, "host", "transfer")
    if fed is None:
        return "unknown", NEEDS_MODEL
    assert facts.model is not None
    if facts.model.scenario.prefetch:
        return "fine", f"on; the IPUs still wait {percent(fed)} of the time"
    if not host_is_known(facts.model):
        return "unknown", NEEDS_HOST
    return ("due" if fed >= WORTH else "fine"), f"host and transfers take {percent(fed)} of a weight update"


def instances(facts: Facts) -> Judged:
    host = shares(facts, "host")
    found = facts.diagnosis
    if found is not None and found.limit in ("loading", "both"):
        return "due", found.text
    if host is None:
        return "unknown", NEEDS_MODEL
    assert facts.model is not None
    if facts.model.inputs["host_seconds"].origin == "default":
        return ("fine", found.text) if found is not None else ("unknown", NEEDS_HOST)
    limit = facts.model.scenario
    most = limit.instances / limit.host_seconds * limit.micro_batch if limit.host_seconds else 0.0
    figures = f"the IPUs wait {percent(host)} of the time for the host"
    if most:
        figures += (
            f", which can feed {most:,.0f} samples/s" if most >= 100 else f", which can feed {most:.3g} samples/s"
        )
    return ("due" if host >= WORTH else "fine"), figures


def numa(facts: Facts) -> Judged:
    if facts.model is None:
        return "unknown", NEEDS_MODEL
    inputs = facts.model.inputs
    nodes = inputs["numa_nodes"].value
    if nodes is None:
        return "unknown", "type how many NUMA nodes a host has (lscpu)"
    instances, all_nodes = count_of(inputs, "instances"), int(nodes) * count_of(inputs, "hosts")
    figures = f"{instances:,} instances on {all_nodes:,} NUMA nodes"
    return ("fine" if instances <= all_nodes else "due"), figures


def hosts(facts: Facts) -> Judged:
    if facts.model is None:
        return "unknown", NEEDS_MODEL
    inputs = facts.model.inputs
    pods = domains(facts.model.replicas * facts.model.scenario.ipus_per_replica)
    hosts = count_of(inputs, "hosts")
    return ("due" if hosts < pods else "fine"), f"{several(pods, 'Pod')}, {several(hosts, 'host')}"


def less_data(facts: Facts) -> Judged:
    found = facts.diagnosis
    if found is not None and found.limit in ("transfer", "both"):
        return "due", found.text
    share = shares(facts, "transfer")
    if share is None or facts.model is None:
        return "unknown", NEEDS_MODEL
    if facts.model.inputs["transfer_seconds"].origin == "default":
        return ("fine", found.text) if found is not None else ("unknown", "type the time of transfers")
    return ("due" if share >= WORTH else "fine"), f"transfers take {percent(share)} of a weight update"


def three_kinds(facts: Facts) -> Judged:
    found = facts.diagnosis
    if found is None:
        return "unknown", "measure with real, generated and synthetic data, and paste the throughputs"
    return ("due" if found.grows or found.limit == "contradiction" else "fine"), found.text


def host_is_known(model: Model) -> bool:
    return any(model.inputs[key].origin != "default" for key in ("host_seconds", "transfer_seconds"))
