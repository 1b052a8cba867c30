"""Sums per tile over exchanges of two profiles: the baseline as an outline, or the difference. No widgets."""

from __future__ import annotations

import numpy as np

from app.analysis.poplar.exchanges import Transfers
from app.language import tr
from app.panels.exchanges.picture import TITLES, Figure, Words, layers_of, unit_of
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.views.differences import compared_with
from app.views.look import Look
from app.views.plot.picture import PlotPicture, difference_plot, plot_picture
from app.views.plot.sides import sides_of
from app.views.tile_axis import TileAxis
from app.views.units import change, format_value

Layer = tuple[str, I64, str]


def picture_compared(
    profile: Profile, sums: tuple[Transfers, Transfers], figure: Figure, words: Words, *, difference: bool
) -> PlotPicture | None:
    """The bars of a figure; None if neither side has it. What was measured is compared with what was measured."""
    layers = [_layers(side, figure) for side in sums]
    if not any(layers):
        return None
    counts = sums[0].tiles, sums[1].tiles
    before, after = ([(name, values) for name, values, _ in own] for own in layers)
    names, sides = sides_of(before, after, counts)
    known = {name: colour for own in layers for name, _, colour in own}
    colours = tuple(known[name] for name in names) if len(names) > 1 else ()
    target = profile.target
    clock = target.clock_hz if target is not None else None
    axis = TileAxis(max(counts), group=(target.tiles_per_ipu or 0) if target is not None else 0)
    title = tr("{titles} per tile, {words}", titles=TITLES[figure], words=words)
    unit = unit_of(figure)
    if difference:
        title = tr("{title}: difference from the baseline", title=title)
        return difference_plot(title, unit, axis, names, sides, colours=colours, clock_hz=clock)
    shown = [(name, after) for name, (_, after) in zip(names, sides.layers, strict=True)]
    return plot_picture(title, unit, axis, shown, colours=colours, clock_hz=clock, sides=sides)


def summary_compared(sums: tuple[Transfers, Transfers], figure: Figure, look: Look) -> str:
    """One line with the sums of both sides, and the tile that changed most."""
    layers = [{name: values for name, values, _ in _layers(side, figure)} for side in sums]
    unit = unit_of(figure)
    texts = []
    for name in dict.fromkeys((*layers[1], *layers[0])):
        before, after = (int(own[name].sum()) if name in own else None for own in layers)
        shown = format_value(after, unit, look)
        texts.append(f"{name.lower()} {shown}, {compared_with(before, after, unit, look)}")
    tiles = min(side.tiles for side in sums)
    totals = [np.sum([values[:tiles] for values in own.values()], axis=0) for own in layers if own]
    if len(totals) == len(layers):
        difference = totals[1] - totals[0]
        tile = int(np.argmax(np.abs(difference)))
        if difference[tile]:
            most = change(int(difference[tile]), unit, look)
            texts.append(tr("most changed tile {tile:,}: {change}", tile=tile, change=most))
        else:
            texts.append(tr("no tile differs"))
    return " · ".join(texts)


def _layers(sums: Transfers, figure: Figure) -> list[Layer]:
    layers = layers_of(sums, figure)
    return layers[-1:] if figure == "measured" else layers  # beside the estimate that would be four bars
