"""Pictures of the liveness panel: live bytes at each program step, alone or beside a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from app.analysis.poplar.liveness import PER_TILE, PROGRAM, Curve, Peaks, curve, programs_of_nodes
from app.analysis.tables.poplar_live import NodeNames, names_of_nodes
from app.language import tr
from app.panels.spec import scene_plot
from app.profile.arrays import F64, I64, among, combine_at
from app.profile.poplar import Liveness
from app.profile.profile import Profile
from app.views.axis import TileAxis
from app.views.differences import ONLY_BASELINE, ONLY_COMPARISON, compared_with
from app.views.look import Look
from app.views.plot import Limit, PlotPicture, Sides, difference_plot, plot_picture
from app.views.units import format_value
from app.widgets.plot.outline import Flag
from app.widgets.plot.scene import PlotScene

if TYPE_CHECKING:
    from app.analysis.compare.timelines import LiveSteps

ALWAYS, BESIDES = "#0072B2", "#E69F00"
"""The same colours as in the tile memory panel."""
LIMIT_NAME = tr("Memory of all tiles")
WITHOUT_ALWAYS = tr("Live bytes at each program step, without always-live memory")
BASELINE_LIMIT = tr("Memory of all tiles, baseline")


class MomentNames(Struct, frozen=True, eq=False):
    """Names of the program steps: their node, and its program if known."""

    nodes: I64
    names: NodeNames

    def get(self, index: int, default: str = "") -> str:
        if not 0 <= index < len(self.nodes):
            return default
        node = int(self.nodes[index])
        name = self.names.strings.get(int(self.names.name[node]))
        kind = self.names.strings.get(int(self.names.type[node]))
        what = f"{name} ({kind})" if name and kind else name or kind
        return tr("{default}, node {node:,}", default=default, node=node) + (f": {what}" if what else "")


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


class Live(Struct, frozen=True, eq=False):
    """A curve with its picture; ``flags`` mark the peaks. ``steps``: int64[places], the program step at each place of
    the picture, -1 for those of a baseline; None: each place is a step."""

    curve: Curve
    picture: PlotPicture
    flags: tuple[Flag, ...]
    steps: I64 | None = None

    def nodes_at(self, places: I64) -> I64:
        """The nodes of the steps at some places."""
        steps = places if self.steps is None else self.steps[places]
        return self.curve.nodes[steps[steps >= 0]]

    def places_of(self, steps: I64) -> I64:
        """The places of program steps, rising."""
        return steps if self.steps is None else np.flatnonzero(among(self.steps, steps)).astype(np.int64)


class _Side(Struct, frozen=True, eq=False):
    """The curve of a profile along the picture; ``steps``: int64[places], its step at each place, -1 none."""

    profile: Profile
    curve: Curve
    steps: I64
    baseline: bool = False

    @property
    def besides(self) -> F64:
        return np.where(self.steps >= 0, np.append(self.curve.besides, np.nan)[self.steps], np.nan)

    @property
    def always(self) -> F64:
        return np.where(self.steps >= 0, float(self.curve.always or 0), np.nan)

    @property
    def names(self) -> MomentNames:
        return MomentNames(self.curve.nodes, names_of_nodes(self.profile, programs_of_nodes(self.profile)))

    def flag(self, amounts: F64, look: Look) -> Flag | None:
        """The peak of the curve, whose ``amounts`` are those of the picture."""
        if self.curve.peak is None:
            return None
        place = int(np.flatnonzero(self.steps == self.curve.peak)[0])
        amount = format_value(int(amounts[place]), "B", look)
        name = tr("Baseline's peak {amount}", amount=amount) if self.baseline else tr("Peak {amount}", amount=amount)
        return Flag(place, float(amounts[place]), name, self.baseline)


def live(
    profile: Profile,
    *,
    always: bool = True,
    limit: bool = False,
    look: Look | None = None,
    before: tuple[Profile, LiveSteps] | None = None,
    difference: bool = False,
) -> Live | None:
    """The curve, with or without the always-live bytes below it; None for a profile without a liveness tree.
    ``before``: the baseline and its steps beside those of the profile; ``difference``: what differs from it."""
    own = curve(profile)
    if own is None:
        return None
    sides: tuple[_Side, ...] = (_Side(profile, own, np.arange(len(own.nodes))),)
    if before is not None:
        baseline, aligned = before
        own = aligned.after
        sides = _Side(baseline, aligned.before, aligned.steps_before, True), _Side(profile, own, aligned.steps_after)
    base = always and all(side.curve.always is not None for side in sides)
    layers = [(tr("Temporarily live"), [side.besides for side in sides], BESIDES)]
    if base:
        layers.insert(0, (tr("Always live"), [side.always for side in sides], ALWAYS))
    totals = [np.sum([amounts[place] for _, amounts, _ in layers], axis=0) for place in range(len(sides))]
    both, axis = None, TileAxis(len(own.nodes), tr("Program step"), names=sides[-1].names)
    if before is not None:
        both = Sides(
            *(totals[0], totals[1], aligned.steps_after < 0, aligned.steps_before < 0),
            tuple((amounts[0], amounts[1]) for _, amounts, _ in layers),
        )
        axis = _axis(aligned, sides[0].names, sides[1].names)
    colours = tuple(colour for _, _, colour in layers)
    title = tr("Live bytes at each program step") if base else WITHOUT_ALWAYS
    steps = None if before is None else aligned.steps_after
    if both is not None and difference:
        title = tr("{title}: difference from the baseline", title=title)
        names = [name for name, _, _ in layers]
        picture = difference_plot(title, "B", axis, names, both, colours=colours if base else ())
        return Live(own, picture, (), steps)
    limits = [memory_of_all(side.profile) if limit else None for side in sides]
    other = limits[0] if limits[0] != limits[-1] else None
    picture = plot_picture(
        *(title, "B", axis, [(name, amounts[-1]) for name, amounts, _ in layers]),
        limit=None if limits[-1] is None else Limit(limits[-1], LIMIT_NAME),
        colours=colours,
        sides=both,
        baseline_limit=None if other is None else Limit(other, BASELINE_LIMIT),
    )
    flags = (side.flag(amounts, look or Look()) for side, amounts in zip(sides, totals, strict=True))
    return Live(own, picture, tuple(flag for flag in flags if flag is not None), steps)


def _axis(steps: LiveSteps, before: MomentNames, after: MomentNames) -> TileAxis:
    alone = bool((steps.steps_before < 0).any() or (steps.steps_after < 0).any())
    title = tr("Aligned program step") if alone else tr("Program step")
    return TileAxis(len(steps.steps_after), title, names=StepNames(steps, before, after))


def memory_of_all(profile: Profile) -> int | None:
    """Total memory in bytes of the tiles that live bytes are summed over; None if it is not known."""
    memory, target = profile.tile_memory, profile.target
    if memory is None or target is None or not target.bytes_per_tile or not memory.tiles:
        return None
    return target.bytes_per_tile * memory.tiles


def stations_of(live_curve: Curve, tree: Liveness, nodes: I64) -> I64:
    """int64, rising: the program steps of these nodes and of all their descendants."""
    nodes = nodes[(nodes >= 0) & (nodes < len(tree))]
    edges = np.zeros(len(live_curve.nodes) + 1, np.int64)
    combine_at(np.add, edges, np.searchsorted(live_curve.nodes, nodes), 1)
    combine_at(np.add, edges, np.searchsorted(live_curve.nodes, tree.end[nodes]), -1)
    return np.flatnonzero(np.cumsum(edges[:-1]) > 0).astype(np.int64)


def peak_words(both: Peaks, look: Look) -> tuple[str, str]:
    """(both peaks in one line, their definitions)."""
    parts, explained = [], []
    if both.program is not None:
        parts.append(tr("Peak of the program {program}", program=format_value(both.program, "B", look)))
        explained.append(tr("Peak of the program: {program}", program=PROGRAM))
    if both.tiles is not None:
        parts.append(tr("sum of tile peaks {tiles}", tiles=format_value(both.tiles, "B", look)))
        explained.append(tr("Sum of tile peaks: {per_tile}", per_tile=PER_TILE))
    if both.worst_tile is not None and both.worst_tile_bytes is not None:
        parts.append(
            tr(
                "max on a tile {worst_tile_bytes} (tile {worst_tile:,})",
                worst_tile_bytes=format_value(both.worst_tile_bytes, "B", look),
                worst_tile=both.worst_tile,
            )
        )
    if both.always_live is not None:
        parts.append(tr("always live {always_live}", always_live=format_value(both.always_live, "B", look)))
    return " · ".join(parts), "\n\n".join(explained)


def peaks_compared(before: Peaks, after: Peaks, look: Look) -> str:
    """The peaks of both profiles in one line."""
    pairs = (
        (tr("Program peak"), before.program, after.program),
        (tr("sum of tile peaks"), before.tiles, after.tiles),
        (tr("max on a tile"), before.worst_tile_bytes, after.worst_tile_bytes),
        (tr("always live"), before.always_live, after.always_live),
    )
    texts = (
        f"{what} {format_value(other, 'B', look)}, {compared_with(one, other, 'B', look)}"
        for what, one, other in pairs
        if other is not None
    )
    return " · ".join(texts)


def _scene(profile: Profile, look: Look) -> PlotScene | None:
    shown = live(profile, look=look)
    return None if shown is None else PlotScene(shown.picture, shown.flags)


PLOTS = (scene_plot("liveness", tr("Live bytes by program"), lambda profile: profile.liveness is not None, _scene),)
