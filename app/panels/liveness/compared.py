"""Live bytes of two profiles over matched program steps: the baseline as an outline, or the difference. No widgets."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.compare.comparison import Comparison
from app.analysis.compare.live_steps import LiveSteps
from app.analysis.poplar.liveness import Curve, programs_of_nodes
from app.analysis.tables.poplar_live import names_of_nodes
from app.language import tr
from app.panels.liveness.picture import ALWAYS, BESIDES, LIMIT_NAME, WITHOUT_ALWAYS, Live, MomentNames, memory_of_all
from app.profile.arrays import F64, I64
from app.profile.profile import Profile
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON
from app.views.look import Look
from app.views.plot.picture import Limit, PlotPicture, difference_plot, plot_picture
from app.views.plot.sides import Sides
from app.views.tile_axis import TileAxis
from app.views.units import format_value
from app.widgets.plot.flags import Flag

BASELINE_LIMIT = tr("Memory of all tiles, baseline")


class StepNames(Struct, frozen=True, eq=False):
    """Names of the places: the step of the comparison, else that of the baseline."""

    steps: LiveSteps
    before: MomentNames
    after: MomentNames

    def get(self, index: int, default: str = "") -> str:
        if not 0 <= index < len(self.steps.steps_after):
            return default
        own, other = int(self.steps.steps_after[index]), int(self.steps.steps_before[index])
        step = own if own >= 0 else other
        name = (self.after if own >= 0 else self.before).get(step, tr("program step {step:,}", step=step))
        where = ONLY_BASELINE if own < 0 else ONLY_COMPARISON if other < 0 else ""
        return f"{name} ({where})" if where else name


def live_compared(
    comparison: Comparison, steps: LiveSteps, *, difference: bool, always: bool, limit: bool, look: Look
) -> Live:
    """The curves of both, with or without the always-live bytes below them."""
    profiles = comparison.before, comparison.after
    curves = (steps.before, steps.steps_before), (steps.after, steps.steps_after)
    base = always and all(curve.always is not None for curve, _ in curves)
    amounts = [_amounts(curve, places) for curve, places in curves]
    lasting = [_always(curve, places) for curve, places in curves]
    layers = [(tr("Temporarily live"), amounts, BESIDES)]
    if base:
        layers.insert(0, (tr("Always live"), lasting, ALWAYS))
    totals = [np.sum([own[side] for _, own, _ in layers], axis=0) for side in (0, 1)]
    pairs = tuple((own[0], own[1]) for _, own, _ in layers)
    sides = Sides(totals[0], totals[1], steps.steps_after < 0, steps.steps_before < 0, pairs)
    axis = _axis(steps, profiles)
    names, colours = [name for name, _, _ in layers], tuple(colour for _, _, colour in layers)
    title = tr("Live bytes at each program step") if base else WITHOUT_ALWAYS
    if difference:
        title = tr("{title}: difference from the baseline", title=title)
        picture = difference_plot(title, "B", axis, names, sides, colours=colours if base else ())
        return Live(steps.after, picture, (), steps.steps_after)
    limits = [memory_of_all(profile) if limit else None for profile in profiles]
    other = limits[0] if limits[0] != limits[1] else None
    picture = plot_picture(
        *(title, "B", axis, [(name, own[1]) for name, own, _ in layers]),
        limit=None if limits[1] is None else Limit(limits[1], LIMIT_NAME),
        colours=colours,
        sides=sides,
        baseline_limit=None if other is None else Limit(other, BASELINE_LIMIT),
    )
    return Live(steps.after, picture, _flags(steps, picture, sides, look), steps.steps_after)


def _flags(steps: LiveSteps, picture: PlotPicture, sides: Sides, look: Look) -> tuple[Flag, ...]:
    """The peak of each side, with its amount."""
    flags = []
    for curve, places, amounts, baseline in (
        (steps.before, steps.steps_before, sides.before, True),
        (steps.after, steps.steps_after, picture.totals, False),
    ):
        if curve.peak is not None:
            place = int(np.flatnonzero(places == curve.peak)[0])
            amount = format_value(int(amounts[place]), "B", look)
            name = tr("Baseline's peak {amount}", amount=amount) if baseline else tr("Peak {amount}", amount=amount)
            flags.append(Flag(place, float(amounts[place]), name, baseline))
    return tuple(flags)


def _amounts(curve: Curve, places: I64) -> F64:
    return np.where(places >= 0, np.append(curve.besides, np.nan)[places], np.nan)


def _always(curve: Curve, places: I64) -> F64:
    return np.where(places >= 0, float(curve.always or 0), np.nan)


def _axis(steps: LiveSteps, profiles: tuple[Profile, Profile]) -> TileAxis:
    names = [
        MomentNames(curve.nodes, names_of_nodes(profile, programs_of_nodes(profile)))
        for curve, profile in zip((steps.before, steps.after), profiles, strict=True)
    ]
    alone = bool((steps.steps_before < 0).any() or (steps.steps_after < 0).any())
    title = tr("Aligned program step") if alone else tr("Program step")
    return TileAxis(len(steps.steps_after), title, names=StepNames(steps, names[0], names[1]))
