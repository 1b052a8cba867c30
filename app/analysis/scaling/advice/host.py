"""Advice on host and transfers."""

from __future__ import annotations

from typing import Final

from app.analysis.scaling.advice.facts import (
    NEEDS_HOST,
    NEEDS_MODEL,
    WORTH,
    Facts,
    Item,
    Judged,
    percent,
    shares,
)
from app.analysis.scaling.inputs import count_of
from app.analysis.scaling.model import Model
from app.analysis.scaling.topology import domains
from app.language import joined, plural, tr


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


ITEMS: Final = (
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
