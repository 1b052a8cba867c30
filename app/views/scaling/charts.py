"""Data of the panel's charts, independent of any screen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.analysis.scaling.curve import Curve, Point, powers_of_two
from app.analysis.scaling.model import Model
from app.analysis.table import Unit
from app.language import labelled, plural, tr
from app.views.differences import compared_with
from app.views.look import Look
from app.views.scaling.study import Study
from app.views.units import format_value, percent

Role: TypeAlias = Literal["model", "what if", "ideal", "fit", "measured", "baseline"]
BASELINE: Final = tr("Baseline")
WITHOUT: Final = tr("no allreduce (time unknown)")
PARTS: Final = (
    ("host", tr("Host")),
    ("transfer", tr("Host to IPU")),
    ("ipu", "IPU"),
    ("links", tr("IPU to IPU")),
    ("waiting", tr("Waiting")),
    ("constant", tr("Constant")),
)
"""Parts of a bar, from bottom to top."""
FAR: Final = 8.0
"""A ceiling higher than this multiple of the figures is given as text, not drawn."""


class Line(Struct, frozen=True):
    """``places``: (replicas, value) by rising replicas."""

    name: str
    role: Role
    places: tuple[tuple[int, float], ...]

    def at(self, replicas: int) -> float | None:
        return next((value for count, value in self.places if count == replicas), None)


class Curves(Struct, frozen=True):
    """``counts``: numbers of replicas on the axis; ``now``: the number in the inputs; ``limit``: a horizontal line
    (value, name); ``log``: whether the value axis is logarithmic."""

    title: str
    unit: Unit
    counts: tuple[int, ...]
    now: int
    lines: tuple[Line, ...]
    limit: tuple[float, str] | None
    log: bool

    @property
    def ends(self) -> tuple[float, float]:
        """Least and largest value on the axis."""
        values = [value for line in self.lines for _, value in line.places] + ([self.limit[0]] if self.limit else [])
        if not self.log:
            return 0.0, 10.0 * math.ceil(max(110.0, *values) / 10.0)
        low, high = min(values), max(values)
        return 2.0 ** math.floor(math.log2(low) - 0.1), 2.0 ** math.ceil(math.log2(high) + 0.1)

    def about(self, replicas: int) -> str:
        """All values at a number of replicas."""
        rows = [(line.name, line.at(replicas)) for line in self.lines]
        texts = [labelled(name, self._figure(value)) for name, value in rows if value is not None]
        return "\n".join([_replicas(replicas), *texts])

    def _figure(self, value: float) -> str:
        return percent(value) if self.unit == "%" else tr("{value} samples/s", value=format_value(value, self.unit))


class Bars(Struct, frozen=True):
    """``layers``: (name, seconds for each of ``counts``), from the bottom; ``before``: totals without the what-if, None
    if nothing was changed; ``startup``: share of the run (0..1) for each, None if unknown; ``shares``: each bar is
    scaled to 100 percent; ``baseline``: totals of the baseline (NaN: not known), None without one."""

    title: str
    counts: tuple[int, ...]
    now: int
    layers: tuple[tuple[str, tuple[float, ...]], ...]
    before: tuple[float, ...] | None
    startup: tuple[float | None, ...]
    shares: bool
    baseline: tuple[float, ...] | None = None

    @property
    def unit(self) -> Unit:
        return "%" if self.shares else "s"

    @property
    def totals(self) -> tuple[float, ...]:
        return tuple(sum(values) for values in zip(*(layer for _, layer in self.layers), strict=True))

    @property
    def top(self) -> float:
        others = [value for value in (*(self.before or ()), *(self.baseline or ())) if not math.isnan(value)]
        return max((*self.totals, *others), default=1.0) or 1.0

    def about(self, replicas: int) -> str:
        place = self.counts.index(replicas)
        parts = [(name, values[place]) for name, values in self.layers if values[place]]
        whole = sum(value for _, value in parts)
        texts = [labelled(name, self._figure(value, whole)) for name, value in reversed(parts)]
        head = _replicas(replicas) if self.shares else labelled(_replicas(replicas), format_value(whole, "s"))
        share = self.startup[place]
        more: list[str] = (
            [] if share is None else [tr("Compile and load: {share} of the run", share=percent(100 * share))]
        )
        if self.before is not None:
            more.insert(0, tr("Before: {before}", before=format_value(self.before[place], "s")))
        if self.baseline is not None:
            compared = compared_with(self.baseline[place], whole, "s", Look())
            more.append(f"{compared[:1].upper()}{compared[1:]}")
        return "\n".join([head, *texts, *more])

    def _figure(self, value: float, whole: float) -> str:
        if self.shares:
            return percent(value)
        return f"{format_value(value, 's')}, {percent(100 * value / whole)}"


def throughput(study: Study, before: Study | None = None) -> Curves | None:
    """Samples per second against replicas, with the ideal line and the ceiling; without a model, the measured points
    alone. ``before``: the baseline, whose curve is beside."""
    model = study.model
    if model is None or not model.curve.points:
        return _measured_alone(study)
    points = model.curve.points
    name = tr("Model") if model.complete else tr("No allreduce")
    lines = [
        Line(tr("Ideal"), "ideal", tuple((point.replicas, point.ideal) for point in points)),
        Line(name, "model", _throughputs(points)),
    ]
    if study.what_if is not None:
        lines.append(Line(tr("What if"), "what if", _throughputs(study.what_if.points)))
    if before is not None and before.model is not None and before.model.curve.points:
        lines.append(Line(BASELINE, "baseline", _throughputs(before.model.curve.points)))
    lines += _measured(study, [point.replicas for point in points])
    title = (
        tr("Samples/s over replicas") if model.complete else tr("Samples/s over replicas, {without}", without=WITHOUT)
    )
    return Curves(title, "", _counts(points, lines), model.replicas, tuple(lines), _limit(study, lines), True)


def _measured_alone(study: Study) -> Curves | None:
    """The measured points alone, for use without a model."""
    points = study.points.points
    if not points:
        return None
    counts = powers_of_two([point.replicas for point in points], at_least=1)
    lines, limit = _measured(study, counts), None
    if study.fit is not None:
        alone = study.fit.throughput(1)
        lines.insert(0, Line(tr("Ideal"), "ideal", tuple((count, alone * count) for count in counts)))
        near = study.fit.ceiling <= FAR * max(point.throughput for point in points)
        limit = (study.fit.ceiling, tr("Ceiling of the fit")) if near else None
    return Curves(tr("Samples/s over replicas, as measured"), "", counts, 0, tuple(lines), limit, True)


def _measured(study: Study, counts: Sequence[int]) -> list[Line]:
    """The measured points, and the curve fitted to them."""
    lines: list[Line] = []
    if study.fit is not None:
        own = study.fit
        fitted = tuple((count, own.throughput(count)) for count in counts if count >= own.first)
        lines.append(Line(tr("Fitted"), "fit", fitted))
    if study.points.points:
        measured = tuple((point.replicas, point.throughput) for point in study.points.points)
        lines.append(Line(tr("Measured"), "measured", measured))
    return lines


def efficiency(study: Study, before: Study | None = None) -> Curves | None:
    """Speed-up over a single replica, divided by replicas. Measured values are relative to the fit's single replica, or
    to the model's if there is no fit."""
    model = study.model
    if model is None or not model.curve.points:
        return None
    points = model.curve.points
    lines = [Line(tr("Ideal"), "ideal", tuple((point.replicas, 100.0) for point in points))]
    if model.complete:
        lines.append(Line(tr("Model"), "model", _efficiencies(points)))
    if study.what_if is not None and model.complete:
        lines.append(Line(tr("What if"), "what if", _efficiencies(study.what_if.points)))
    if before is not None and before.model is not None and before.model.complete and before.model.curve.points:
        lines.append(Line(BASELINE, "baseline", _efficiencies(before.model.curve.points)))
    lines += _measured_efficiency(model)
    title = tr("Scaling efficiency over replicas") if model.complete else tr("Scaling efficiency: needs the allreduce")
    return Curves(title, "%", _counts(points, lines), model.replicas, tuple(lines), None, False)


def _measured_efficiency(model: Model) -> Iterable[Line]:
    measured = model.points.points
    if not measured:
        return
    alone = next((point.throughput for point in measured if point.replicas == 1), None)
    if alone is None:
        alone = model.fit.throughput(1) if model.fit is not None else model.curve.alone
    places = tuple((point.replicas, 100 * point.throughput / alone / point.replicas) for point in measured)
    yield Line(tr("Measured"), "measured", places)


def time(study: Study, before: Study | None = None, *, shares: bool = False) -> Bars | None:
    """The parts of a weight update against replicas, with the changes of the sliders; and how long it takes in the
    baseline ``before``."""
    model = study.model
    if model is None or not model.curve.points:
        return None
    shown = study.what_if or model.curve
    updates = [point.update for point in shown.points]
    wholes = [100 / own.seconds if shares else 1.0 for own in updates]
    layers = []
    for key, name in PARTS:
        values = tuple(getattr(own, key) * by for own, by in zip(updates, wholes, strict=True))
        if any(values):
            layers.append((name, values))
    title: str = (
        tr("Weight update over replicas")
        if model.complete
        else tr("Weight update over replicas, {without}", without=WITHOUT)
    )
    startup = tuple(model.startup(point) for point in shown.points)
    if any(share is not None for share in startup):
        title += tr("; above: compile and load as a share of the run")
    return Bars(
        tr("Shares: {title}", title=f"{title[:1].lower()}{title[1:]}") if shares else title,
        tuple(point.replicas for point in shown.points),
        model.replicas,
        tuple(layers),
        _before(study, model.curve, shown) if not shares else None,
        startup,
        shares,
        _baseline(before, shown) if not shares else None,
    )


def _baseline(before: Study | None, shown: Curve) -> tuple[float, ...] | None:
    if before is None or before.model is None:
        return None
    known = {point.replicas: point.update.seconds for point in before.model.curve.points}
    return tuple(known.get(point.replicas, math.nan) for point in shown.points)


def _before(study: Study, base: Curve, shown: Curve) -> tuple[float, ...] | None:
    if study.what_if is None:
        return None
    known = {point.replicas: point.update.seconds for point in base.points}
    return tuple(known.get(point.replicas, math.nan) for point in shown.points)


def _limit(study: Study, lines: Sequence[Line]) -> tuple[float, str] | None:
    shown = study.what_if or (study.model.curve if study.model is not None else None)
    if shown is None or not math.isfinite(shown.ceiling):
        return None
    top = max(value for line in lines if line.role != "ideal" for _, value in line.places)
    return (shown.ceiling, tr("Ceiling")) if shown.ceiling <= FAR * top else None


def _throughputs(points: Sequence[Point]) -> tuple[tuple[int, float], ...]:
    return tuple((point.replicas, point.throughput) for point in points)


def _efficiencies(points: Sequence[Point]) -> tuple[tuple[int, float], ...]:
    return tuple((point.replicas, 100 * point.efficiency) for point in points)


def _counts(points: Sequence[Point], lines: Iterable[Line]) -> tuple[int, ...]:
    return tuple(sorted({point.replicas for point in points} | {count for line in lines for count, _ in line.places}))


def _replicas(count: int) -> str:
    return plural("{count:,} replica", "{count:,} replicas", count=count)
