"""Bars of block durations."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.analysis.ascend import launch
from app.language import joined, tr
from app.profile.operator import Operator
from app.profile.profile import Profile
from app.profile.strings import Strings
from app.views.colours import sub_block_colour
from app.views.look import Look
from app.views.plot.picture import Limit, PlotPicture, plot_picture
from app.views.theme import Theme
from app.views.tile_axis import TileAxis
from app.widgets.plane.scene import draw_whole
from app.widgets.plot.scene import PlotScene

TITLE = tr("Duration of each block")
DOUBTFUL = tr("as stored; the unit is uncertain")


def picture_of(base: Operator) -> PlotPicture | None:
    """A group of bars per block, a bar per sub-block; None if the file has no durations of blocks. If a block takes
    longer than its operator, the file's unit cannot be right, so no unit is shown."""
    stored = launch.of_blocks(base)
    if not stored.size:
        return None
    names = launch.sub_block_names(base)
    doubtful = launch.doubtful(base)
    axis = TileAxis(
        len(stored),
        tr("Block"),
        names=Strings.of(tr("block {name}", name=name) for name in launch.block_names(base)),
    )
    limit = Limit(base.duration_us, tr("Operator")) if base.duration_us and not doubtful else None
    return plot_picture(
        joined(", ", (TITLE, DOUBTFUL)) if doubtful else TITLE,
        "" if doubtful else "µs",
        axis,
        [(name, stored[:, place]) for place, name in enumerate(names)],
        limit=limit,
        colours=tuple(map(sub_block_colour, names)) if len(names) > 1 else (),
        grouped=True,
    )


def offered(profile: Profile) -> bool:
    return profile.operator is not None and picture_of(profile.operator) is not None


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    picture = None if profile.operator is None else picture_of(profile.operator)
    if picture is not None:
        draw_whole(painter, place, PlotScene(picture), Look(theme=theme))
