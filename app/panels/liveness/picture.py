"""Pictures of the liveness panel: live bytes at each program step. No widgets."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.poplar.liveness import PER_TILE, PROGRAM, Curve, Peaks, curve, programs_of_nodes
from app.analysis.tables.poplar_live import NodeNames, names_of_nodes
from app.language import tr
from app.profile.arrays import I64, combine_at
from app.profile.liveness import Liveness
from app.profile.profile import Profile
from app.views.differences import compared_with
from app.views.look import Look
from app.views.plot.picture import Limit, PlotPicture, plot_picture
from app.views.theme import Theme
from app.views.tile_axis import TileAxis
from app.views.units import format_value
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.flags import Flag
from app.widgets.plot.scene import PlotScene

ALWAYS, BESIDES = "#0072B2", "#E69F00"
"""The same colours as in the tile memory panel."""
LIMIT_NAME = tr("Memory of all tiles")
WITHOUT_ALWAYS = tr("Live bytes at each program step, without always-live memory")


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
        return steps if self.steps is None else np.flatnonzero(np.isin(self.steps, steps)).astype(np.int64)


def live(profile: Profile, *, always: bool = True, limit: bool = False, look: Look | None = None) -> Live | None:
    """The curve, with or without the always-live bytes below it; None for a profile without a liveness tree."""
    live_curve = curve(profile)
    if live_curve is None:
        return None
    names = MomentNames(live_curve.nodes, names_of_nodes(profile, programs_of_nodes(profile)))
    layers = [(tr("Temporarily live"), live_curve.besides)]
    colours: tuple[str, ...] = (BESIDES,)
    base = 0
    if always and live_curve.always is not None:
        layers.insert(0, (tr("Always live"), np.full(len(live_curve.nodes), float(live_curve.always))))
        colours = (ALWAYS, BESIDES)
        base = live_curve.always
    line = None
    if limit and (memory := memory_of_all(profile)) is not None:
        line = Limit(memory, LIMIT_NAME)
    title = WITHOUT_ALWAYS if len(layers) == 1 else tr("Live bytes at each program step")
    axis = TileAxis(len(live_curve.nodes), tr("Program step"), names=names)
    picture = plot_picture(title, "B", axis, layers, limit=line, colours=colours)
    flags: tuple[Flag, ...] = ()
    if live_curve.peak is not None:
        amount = base + float(live_curve.besides[live_curve.peak])
        text = tr("Peak {amount}", amount=format_value(int(amount), "B", look or Look()))
        flags = (Flag(live_curve.peak, amount, text),)
    return Live(live_curve, picture, flags)


def memory_of_all(profile: Profile) -> int | None:
    """Total memory in bytes of the tiles that live bytes are summed over; None if it is not known."""
    memory, target = profile.tile_memory, profile.target
    if memory is None or target is None or not target.bytes_per_tile or not memory.tiles:
        return None
    return target.bytes_per_tile * memory.tiles


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


def stations_of(live_curve: Curve, tree: Liveness, nodes: I64) -> I64:
    """int64, rising: the program steps of these nodes and of all their descendants."""
    nodes = nodes[(nodes >= 0) & (nodes < len(tree))]
    edges = np.zeros(len(live_curve.nodes) + 1, np.int64)
    combine_at(np.add, edges, np.searchsorted(live_curve.nodes, nodes), 1)
    combine_at(np.add, edges, np.searchsorted(live_curve.nodes, tree.end[nodes]), -1)
    return np.flatnonzero(np.cumsum(edges[:-1]) > 0).astype(np.int64)


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the whole curve."""
    shown = live(profile, look=Look(theme=theme))
    if shown is not None:
        draw_whole(painter, place, PlotScene(shown.picture, shown.flags), Look(theme=theme))
