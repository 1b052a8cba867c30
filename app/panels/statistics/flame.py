"""The flame graph of nested slices: a frame for each path of names, as wide as its total."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.analysis.timeline.slice_paths import SlicePaths, is_nested, slice_paths
from app.language import plural, tr
from app.panels.spec import PlotSpec
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look, Theme
from app.views.statistics.tabs import SELECT_MOST
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.views.units import format_value
from app.widgets.abilities import HasPicture
from app.widgets.context import Context
from app.widgets.frame import stack_in
from app.widgets.texts import Readout
from app.widgets.timeline.frames import FrameCanvas
from app.widgets.timeline.picture import draw_timeline

SOURCE = "slice-flame"
TITLE = tr("Flame graph of slices")
HINT = tr(
    "Slices with the same names around them are one frame, as wide as their total. Click a frame to select its slices; "
    "Ctrl+drag to zoom."
)


class SliceFlame(QWidget, HasPicture):
    """The frames, and a line about the one under the pointer."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.paths: SlicePaths | None = None
        self.canvas = FrameCanvas(context.display, self, TITLE, self._about)
        self.canvas.setObjectName(SOURCE)
        self.readout = Readout(context.display, self)
        stack_in(self, (self.canvas, 1), self.readout)
        self.setFocusProxy(self.canvas)
        self.canvas.chosen.connect(self._chosen)
        self.canvas.pointed.connect(self._say)
        self._say(None)

    def show_paths(self, paths: SlicePaths | None) -> None:
        """Shows other frames; None or without any: nothing."""
        if paths is self.paths:
            return
        self.paths = paths
        self._say(None)
        if paths is None or not len(paths):
            self.canvas.show_timeline(None)
            return
        place = Place(self.canvas.width(), self.canvas.height())
        self.canvas.show_timeline(Shown(Model.of(paths.as_timeline()), self._context.display.look, place))

    def mark(self, slices: I64) -> None:
        """Marks the frames of these slices (int64)."""
        if self.paths is not None and self.canvas.shown is not None:
            frames = distinct(self.paths.of_slice[slices]).astype(np.int64)
            self.canvas.set_selected(frames[frames >= 0])

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws all frames."""
        if self.paths is not None:
            draw_timeline(painter, place, self.paths.as_timeline(), replace(self._context.display.look, theme=theme))

    def _chosen(self, frame: int | None) -> None:
        slices = [] if frame is None or self.paths is None else self.paths.slices_of(frame)[:SELECT_MOST].tolist()
        self._context.document.selection.set(Selection("slice", tuple(slices), SOURCE) if slices else None)

    def _about(self, frame: int) -> list[str]:
        """The path of a frame, its total, self time and number of slices."""
        paths = self.paths
        if paths is None:
            return []
        line, look = paths.timeline, self._context.display.look
        total, own = (
            format_value(float(values[frame]), line.unit, look, line.clock_hz) for values in (paths.total, paths.own)
        )
        return [
            *paths.texts(np.array([frame])),
            tr("total {total}, self {own}", total=total, own=own),
            plural("{count:,} slice", "{count:,} slices", count=int(paths.count[frame])),
        ]

    def _say(self, frame: int | None) -> None:
        if frame is None:
            self.readout.say(HINT, muted=True)
        else:
            path, *figures = self._about(frame)
            self.readout.say(f"{', '.join(figures)}: {path}")  # a long path is cut


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the frames of all slices."""
    if profile.timeline is not None:
        draw_timeline(painter, place, slice_paths(profile.timeline).as_timeline(), Look(theme=theme))


PLOTS = (
    PlotSpec(
        "slice-flame", tr("Slices as a flame by path"), lambda profile: is_nested(profile.timeline), draw, plain=True
    ),
)
