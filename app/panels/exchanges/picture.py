"""Pictures of the exchanges panel: sums per tile over some exchanges. No widgets."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.poplar.exchanges import Transfers, row_balances, transfers, width
from app.analysis.poplar.names import KIND_TITLES
from app.analysis.poplar.numbers import Measured, counted
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.views.colours import AMBER, BLUE, SKY
from app.views.look import Look
from app.views.plot.picture import PlotPicture, plot_picture
from app.views.theme import Theme
from app.views.tile_axis import TileAxis
from app.views.units import format_value
from app.widgets.plane.scene import draw_whole
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


def picture_of(profile: Profile, sums: Transfers, figure: Figure, words: Words) -> PlotPicture | None:
    """The bars of a figure; None if the chosen exchanges do not have it."""
    layers = layers_of(sums, figure)
    if not layers:
        return None
    target = profile.target
    axis = TileAxis(sums.tiles, group=(target.tiles_per_ipu or 0) if target is not None else 0)
    return plot_picture(
        tr("{titles} per tile, {words}", titles=TITLES[figure], words=words),
        *(unit_of(figure), axis, [(name, values) for name, values, _ in layers]),
        colours=tuple(colour for _, _, colour in layers) if len(layers) > 1 else (),
        clock_hz=target.clock_hz if target is not None else None,
        grouped=figure == "measured",
    )


def unit_of(figure: Figure) -> Literal["B", "cycles"]:
    return "B" if figure in ("bytes", "code") else "cycles"


def layers_of(sums: Transfers, figure: Figure) -> list[tuple[str, I64, str]]:
    """(name, amounts, colour) of each layer."""
    parts: list[tuple[str, I64 | None, str]]
    if figure == "bytes":
        parts = [(tr("Sent"), sums.sent, SENT), (tr("Received"), sums.received, RECEIVED)]
    elif figure == "measured":
        parts = [(tr("Estimated"), sums.estimated, ESTIMATED), (tr("Measured"), sums.measured, MEASURED)]
        if sums.measured is None:
            return []
    elif figure == "code":
        parts = [(tr("Code bytes"), sums.code, SKY)]
    else:
        parts = [(KIND_TITLES[kind], values, KIND_COLOURS[kind]) for kind, values in sums.cycles.items()]
    return [(name, values, colour) for name, values, colour in parts if values is not None]


def summary_line(profile: Profile, sums: Transfers, figure: Figure, look: Look) -> str:
    """One line with the sums, the busiest tile and the balance."""
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


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the first figure, summed over all exchanges once each."""
    figures = offered(profile)
    if not figures or profile.exchanges is None:
        return
    sums = transfers(profile, np.arange(len(profile.exchanges), dtype=np.int64), all_runs=False)
    picture = None if sums is None else picture_of(profile, sums, figures[0], Words(tr("all exchanges"), ""))
    if picture is not None:
        draw_whole(painter, place, PlotScene(picture), Look(theme=theme))
