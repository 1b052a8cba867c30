"""Pictures of the exchanges panel: sums per tile over some exchanges, alone or beside a baseline."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct

from app.analysis.poplar.exchanges import Transfers, row_balances, transfers, width
from app.analysis.poplar.names import KIND_TITLES
from app.analysis.poplar.numbers import Measured, counted
from app.language import tr
from app.panels.spec import scene_plot
from app.profile.arrays import I64, Array
from app.profile.profile import Profile
from app.views.axis import TileAxis
from app.views.colours import AMBER, BLUE, SKY
from app.views.differences import compared_with
from app.views.look import Look
from app.views.plot import PlotPicture, difference_plot, plot_picture, sides_of
from app.views.units import change, format_value
from app.widgets.plot.scene import PlotScene

Figure: TypeAlias = Literal["bytes", "cycles", "measured", "code"]
TITLES: Final[dict[Figure, str]] = {
    "bytes": tr("Bytes sent and received"),
    "cycles": tr("Cycles"),
    "measured": tr("Measured and estimated"),
    "code": tr("Code bytes"),
}
SENT, RECEIVED = "#0072B2", "#56B4E9"
ESTIMATED, MEASURED = "#56B4E9", "#D55E00"
KIND_COLOURS: Final = {"internal": SKY, "external": BLUE, "host": AMBER}
"""The colours of the steps that cause them."""


class Words(Struct, frozen=True):
    """Descriptions of the exchanges that are summed over and of how often they ran."""

    which: str
    runs: str

    def __str__(self) -> str:
        return f"{self.which}{self.runs}"


def offered(profile: Profile) -> list[Figure]:
    """The figures that the file has for exchanges."""
    own, measured = profile.exchanges, profile.measured_cycles
    if own is None or width(profile) is None:
        return []
    lists = [part for part in (own.internal, own.external, own.host) if part is not None and len(part)]
    figures: list[Figure] = []
    if any(part.sent is not None or part.received is not None for part in lists):
        figures.append("bytes")
    if any(part.cycles is not None for part in lists):
        figures.append("cycles")
    if measured is not None and not (measured.external_exchanges is None and measured.host_exchanges is None):
        figures.append("measured")
    if any(part.code is not None for part in lists):
        figures.append("code")
    return figures


def picture_of(
    profile: Profile,
    sums: Transfers,
    figure: Figure,
    words: Words,
    before: Transfers | None = None,
    *,
    difference: bool = False,
) -> PlotPicture | None:
    """The bars of a figure; None if the chosen exchanges do not have it. ``before``: the sums of the baseline, as an
    outline, or as the ``difference`` from it."""
    compared = before is not None
    own, other = (
        layers_of(sums, figure, compared=compared),
        [] if before is None else layers_of(before, figure, compared=True),
    )
    if not own and not other:
        return None
    target = profile.target
    clock = target.clock_hz if target is not None else None
    colours = {name: colour for name, _, colour in (*other, *own)}
    layers: list[tuple[str, Array]] = [(name, values) for name, values, _ in own]
    sides, tiles = None, sums.tiles
    if before is not None:
        counts = before.tiles, sums.tiles
        names, sides = sides_of([(name, values) for name, values, _ in other], layers, counts)
        layers, tiles = [(name, after) for name, (_, after) in zip(names, sides.layers, strict=True)], max(counts)
    axis = TileAxis(tiles, group=(target.tiles_per_ipu or 0) if target is not None else 0)
    title, unit = tr("{titles} per tile, {words}", titles=TITLES[figure], words=words), unit_of(figure)
    fills = tuple(colours[name] for name, _ in layers) if len(layers) > 1 else ()
    if sides is not None and difference:
        title = tr("{title}: difference from the baseline", title=title)
        names = tuple(name for name, _ in layers)
        return difference_plot(title, unit, axis, names, sides, colours=fills, clock_hz=clock)
    grouped = sides is None and figure == "measured"
    return plot_picture(title, unit, axis, layers, colours=fills, clock_hz=clock, grouped=grouped, sides=sides)


def unit_of(figure: Figure) -> Literal["B", "cycles"]:
    return "B" if figure in ("bytes", "code") else "cycles"


def layers_of(sums: Transfers, figure: Figure, *, compared: bool = False) -> list[tuple[str, I64, str]]:
    """(name, amounts, colour) of each layer; ``compared``: of what was measured without the estimate beside it, which
    would be four bars."""
    parts: list[tuple[str, I64 | None, str]]
    if figure == "bytes":
        parts = [(tr("Sent"), sums.sent, SENT), (tr("Received"), sums.received, RECEIVED)]
    elif figure == "measured":
        parts = [(tr("Estimated"), sums.estimated, ESTIMATED), (tr("Measured"), sums.measured, MEASURED)]
        if sums.measured is None:
            return []
        parts = parts[compared:]
    elif figure == "code":
        parts = [(tr("Code bytes"), sums.code, SKY)]
    else:
        parts = [(KIND_TITLES[kind], values, KIND_COLOURS[kind]) for kind, values in sums.cycles.items()]
    return [(name, values, colour) for name, values, colour in parts if values is not None]


def summary_line(profile: Profile, sums: Transfers, figure: Figure, look: Look, before: Transfers | None = None) -> str:
    """One line with the sums, the busiest tile and the balance; with a baseline, both sums and what changed most."""
    if before is not None:
        return _summary_of_both((before, sums), figure, look)
    layers = layers_of(sums, figure)
    if not layers:
        return tr("The file has no such figure for the selected exchanges.")
    unit = unit_of(figure)
    parts = [f"{name.lower()} {format_value(int(values.sum()), unit, look)}" for name, values, _ in layers]
    if figure == "measured":
        keys: tuple[Measured, ...] = ("external_exchanges", "host_exchanges")
        parts += [unrecorded.label for key in keys if (unrecorded := counted(profile, key)) is not None]
        return " · ".join(parts)
    total = np.sum([values for _, values, _ in layers], axis=0)
    if bool(np.any(total > 0)):
        busiest = int(np.argmax(total))
        parts.append(
            tr("max on tile {busiest:,}: {total}", busiest=busiest, total=format_value(int(total[busiest]), unit, look))
        )
        parts.append(tr("balance {row_balance}", row_balance=f"{float(row_balances(total[None, :])[0][0]):.3f}"))
    return " · ".join(parts)


def _summary_of_both(sums: tuple[Transfers, Transfers], figure: Figure, look: Look) -> str:
    """One line with the sums of both sides, and the tile that changed most."""
    layers = [{name: values for name, values, _ in layers_of(side, figure, compared=True)} for side in sums]
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


def _scene(profile: Profile, _look: Look) -> PlotScene | None:
    """The first figure, summed over all exchanges once each."""
    figures = offered(profile)
    if not figures or profile.exchanges is None:
        return None
    sums = transfers(profile, np.arange(len(profile.exchanges), dtype=np.int64), all_runs=False)
    picture = None if sums is None else picture_of(profile, sums, figures[0], Words(tr("all exchanges"), ""))
    return None if picture is None else PlotScene(picture)


PLOTS = (scene_plot("exchanges", tr("Exchanges per tile"), lambda profile: bool(offered(profile)), _scene),)
