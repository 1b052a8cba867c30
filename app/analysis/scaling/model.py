"""All results of the scaling model for one set of inputs, and its main figures: what panel and command line show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from app.analysis.figures import Figure
from app.analysis.scaling import amdahl, reduce, ring
from app.analysis.scaling.amdahl import HELP, Fit, fit
from app.analysis.scaling.curve import Accumulation, Curve, Point, accumulation_for, curve, powers_of_two
from app.analysis.scaling.host import Diagnosis, diagnose
from app.analysis.scaling.inputs import Inputs, count_of, knows_allreduce, scenario_of
from app.analysis.scaling.points import Points
from app.analysis.scaling.quantities import a_time
from app.analysis.scaling.reduce import BatchNormGroups, batch_norm, merged_saving
from app.analysis.scaling.scenario import OverLinks, Scenario
from app.analysis.table import Unit
from app.language import plural, tr

SHARE: float = 0.05
"""The share of the allreduce that ``needed`` aims at."""


class Model(Struct, frozen=True, eq=False, kw_only=True):
    """``now``: the update at the replicas of the inputs (None: the batch is too small for so many). ``complete``: False
    if nothing is known of the allreduce; every throughput then excludes it, and is too high. ``needed``: the
    accumulation that reduces the share of the allreduce to SHARE."""

    inputs: Inputs
    scenario: Scenario
    curve: Curve
    now: Point | None
    complete: bool
    points: Points
    fit: Fit | None
    diagnosis: Diagnosis | None
    needed: Accumulation | None

    @property
    def replicas(self) -> int:
        return count_of(self.inputs, "replicas")

    @property
    def batch_norm(self) -> BatchNormGroups | None:
        layers = self.inputs["norm_layers"].value
        if layers is None:
            return None
        return batch_norm(self.replicas, int(layers), count_of(self.inputs, "span"))

    def startup(self, point: Point) -> float | None:
        """Compile and load as a share of a run at the replicas of ``point``, 0..1; None if they are not given."""
        seconds, samples = self.inputs["startup_seconds"].value, self.inputs["run_samples"].value
        if seconds is None or samples is None:
            return None
        return startup_share(seconds, samples / point.throughput)

    def merged(self, count: int) -> float | None:
        """Seconds per weight update that one allreduce saves over ``count``; None without the sync time of a step."""
        step = self.inputs["step_seconds"].value
        return None if step is None else merged_saving(count, self.replicas, step)


def model(inputs: Inputs, points: Points | None = None, replicas: Iterable[int] = ()) -> Model | None:
    """The results; None without the time of a micro-batch. ``replicas``: counts to show besides powers of two.
    ValueError for impossible inputs."""
    scenario = scenario_of(inputs)
    if scenario is None:
        return None
    points = points or Points()
    count = count_of(inputs, "replicas")
    measured = [point.replicas for point in points.points]
    points_curve = curve(scenario, powers_of_two([count, *measured, *replicas]))
    return Model(
        inputs=inputs,
        scenario=scenario,
        curve=points_curve,
        now=points_curve.at(count),
        complete=knows_allreduce(inputs),
        points=points,
        fit=fit(points.points),
        diagnosis=diagnose(points.cases),
        needed=accumulation_for(scenario, count, SHARE) if knows_allreduce(inputs) else None,
    )


def finite(value: float) -> float | None:
    """``value``; None if it is infinite."""
    return value if math.isfinite(value) else None


def startup_share(startup_seconds: float, running_seconds: float) -> float:
    """Compile and load / (compile and load + training), 0..1. It rises when replicas shorten the training."""
    a_time(startup_seconds, tr("time to compile and load"))
    a_time(running_seconds, tr("time to train"))
    total = startup_seconds + running_seconds
    return startup_seconds / total if total else 0.0


WITHOUT: Final = tr(" Without the allreduce, whose time is unknown.")


def results(model: Model) -> list[Figure]:
    """The figures at the replicas of the inputs, then those for any number. Shares are in percent."""
    figures: list[Figure] = []
    if model.now is not None:
        figures += _now(model, model.now)
        figures += _allreduce(model, model.now)
    return [*figures, *_limits(model), *fit_figures(model.fit), *_machine(model)]


def _now(model: Model, point: Point) -> Iterator[Figure]:
    more = "" if model.complete else WITHOUT
    rate = point.throughput
    yield Figure(
        "throughput", tr("Samples/s"), rate, help=tr("R x MBS x GA / time of a weight update.{more}", more=more)
    )
    yield _time("seconds_per_sample", tr("Time per sample"), 1 / rate, tr("1 / throughput. This is not the latency."))
    yield _time(
        "update.seconds",
        tr("Weight update"),
        point.update.seconds,
        tr("GA x T_MB + T_AR, and the time that does not overlap.{more}", more=more),
    )
    yield Figure(
        "update.samples", tr("Batch of a weight update"), _whole(point.update.samples), help=tr("R x MBS x GA.")
    )
    yield Figure("speed_up", tr("Speed-up"), point.speed_up, help=tr("Relative to a single replica.{more}", more=more))
    yield _share("efficiency", tr("Scaling efficiency"), point.efficiency, tr("Speed-up / replicas.{more}", more=more))
    startup = model.startup(point)
    if startup is not None:
        yield _share("startup.share", tr("Compile and load"), startup, tr("Share of the whole run."))


def _allreduce(model: Model, point: Point) -> Iterator[Figure]:
    if not model.complete:
        return
    update = point.update
    yield _time(
        "allreduce.seconds", tr("Allreduce"), update.allreduce, tr("Time per weight update; a single replica has none.")
    )
    yield _share(
        "allreduce.share", tr("Allreduce, share"), update.share(update.allreduce), tr("Share of the weight update.")
    )
    if model.needed is not None:
        help_ = tr(
            "Minimum gradient accumulation that reduces T_AR to {share} % or less: GA >= T_AR (1 - s) / (s T_MB).",
            share=f"{100 * SHARE:g}",
        )
        yield Figure("accumulation.needed", tr("Accumulation needed"), model.needed.needed, help=help_)
        help_ = tr("R x MBS / T_MB: the limit for ever more gradient accumulation.")
        yield Figure("throughput.limit", tr("Maximum samples/s"), model.needed.limit, help=help_)
    links = model.scenario.allreduce.links if isinstance(model.scenario.allreduce, OverLinks) else ring.Links()
    steps = reduce.steps(point.replicas, links, model.scenario.ipus_per_replica)
    help_ = tr("N - 1 of reduce-scatter and N - 1 of allgather in an IPU-Link domain, 2 (M - 1) across M domains.")
    yield Figure("allreduce.steps", tr("Steps of an allreduce"), steps, help=help_)
    yield from _links(model, point)


def _links(model: Model, point: Point) -> Iterator[Figure]:
    """The allreduce, if it is computed: what is sent, and over which links."""
    own, each = model.scenario.allreduce, model.scenario.ipus_per_replica
    if not isinstance(own, OverLinks):
        return
    sent = ring.bytes_each_way(own.size, point.replicas, each)
    yield Figure("allreduce.bytes", tr("Sent by each IPU"), sent, "B", tr("2 (R - 1) / R x S, as in a single domain."))
    phases = reduce.allreduce(own.size, point.replicas, own.links, each)
    if phases.across:
        yield _time("allreduce.inside", tr("Over IPU-Links"), phases.reduce_scatter + phases.allgather, ring.LINK_NOTE)
        yield _time("allreduce.across", tr("Over GW-Links"), phases.across, ring.GATEWAY_NOTE)


def _limits(model: Model) -> Iterator[Figure]:
    ceiling = finite(model.curve.ceiling)
    if ceiling is not None:
        help_ = tr("Amdahl: no number of replicas exceeds it. {note}", note=amdahl.NOTE)
        yield Figure("ceiling", tr("Ceiling, samples/s"), ceiling, help=help_)
        yield _share(
            "constant_share",
            tr("Constant"),
            model.curve.constant,
            tr("Share of one replica's time: {formula}", formula=amdahl.FORMULA),
        )


def fit_figures(fitted: Fit | None) -> Iterator[Figure]:
    """The figures that follow from measured throughputs alone."""
    if fitted is None:
        return
    yield _share("fit.constant_share", tr("Measured: constant"), fitted.constant_share, HELP)
    ceiling = finite(fitted.ceiling)
    if ceiling is not None:
        yield Figure(
            "fit.ceiling", tr("Measured: ceiling, samples/s"), ceiling, help=tr("1 / constant time per sample.")
        )
    yield _share(
        "fit.worst",
        tr("Measured: largest deviation from the fit"),
        fitted.worst,
        tr("Relative to the fitted throughput."),
    )


def _machine(model: Model) -> Iterator[Figure]:
    ipus = model.replicas * model.scenario.ipus_per_replica
    machine = ring.machine_for(ipus)
    count = ring.domains(ipus)
    name = f"{count:,} x {ring.MACHINES[-1].name}" if machine is None else machine.name
    yield Figure("ipus", tr("IPUs"), ipus, help=tr("Replicas x IPUs per replica."))
    yield Figure("machine", tr("Smallest machine"), name, help=tr("Pods have 4 to 64 IPUs. GW-Links connect more."))
    groups = model.batch_norm
    if groups is not None:
        help_ = tr("Twice per layer and micro-batch, forward and backward; not part of T_AR.")
        text = tr(
            "{groups:,} groups of {span:,}, {allreduces:,} allreduces per micro-batch",
            groups=groups.groups,
            span=groups.span,
            allreduces=groups.allreduces,
        )
        yield Figure("batch_norm", tr("Distributed batch norm"), text, help=help_)


def _time(name: str, label: str, seconds: float, help_: str) -> Figure:
    return Figure(name, label, seconds, "s", help_)


def _share(name: str, label: str, share: float, help_: str) -> Figure:
    unit: Unit = "%"
    return Figure(name, label, 100 * share, unit, help_)


def _whole(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def machines() -> list[Figure]:
    """The hardware that applications run on: systems, links, and how IPUs are connected."""
    figures = [
        Figure(
            machine.name,
            machine.name,
            plural(
                "{ipus:,} IPUs, {count:,} IPU-Machine",
                "{ipus:,} IPUs, {count:,} IPU-Machines",
                count=machine.machines,
                ipus=machine.ipus,
            ),
        )
        for machine in ring.MACHINES
    ]
    rates = (
        ("IPU-Link", ring.LINK_RATE, ring.LINK_NOTE),
        ("GW-Link", ring.GATEWAY_RATE, ring.GATEWAY_NOTE),
        (tr("Host link"), ring.HOST_RATE, ring.HOST_NOTE),
    )
    figures += [Figure(name, name, rate / ring.GIGA, "GB/s", note) for name, rate, note in rates]
    for entry in ring.TOPOLOGIES:
        label = f"{entry.name.capitalize()} ({entry.also})" if entry.also.lower() != entry.name else entry.also
        figures.append(Figure(entry.name, label, entry.shape, help=entry.help))
    return figures
