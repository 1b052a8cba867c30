"""The flame graph of two runs: how much longer or shorter the steps of each name take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.steps.flame import draw
from app.profile.arrays import I64, distinct
from app.profile.selection import Selection, TimeRange
from app.views.look import Look, Theme
from app.views.steps.difference_frames import CLASSES, DifferenceFrames, difference_frames
from app.views.timeline.legend_entries import entries
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.widgets.abilities import HandlesEscape, HasPicture, Searchable
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.empty import OrEmpty
from app.widgets.fields import Chooser
from app.widgets.frame import column_of, stack_in
from app.widgets.texts import Readout
from app.widgets.timeline.frames import FrameCanvas
from app.widgets.timeline.legend import Legend
from app.widgets.timeline.picture import draw_timeline_of
from app.widgets.timeline.search_controls import CanvasSearch, SearchBar

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

SOURCE = "flame-differences"
MOST_CHOSEN = 50_000
SCALE = dict(CLASSES)
HINT = tr(
    "Steps grouped by name prefix, all runs of a name merged. Widths are the cycles of one "
    "side; striped frames exist only on the other. Click a frame to select its steps; "
    "Ctrl+drag to zoom."
)
NOTHING: I64 = np.empty(0, np.int64)


class DifferenceFlame(QWidget, HasPicture, Searchable, HandlesEscape):
    """Computed in the background; the former graph stays until then. ``widths``: whose cycles the widths are;
    ``controls``: those that the heading of a panel may take."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._comparison: Comparison | None = None
        self._stretch: TimeRange | None = None
        self._background = Background(self)
        self.widths = Chooser(tr("Widths of the frames"), self)
        self.widths.offer([tr("Widths: comparison"), tr("Widths: baseline")], [False, True])
        self.widths.setMinimumWidth(self.widths.sizeHint().width())
        self.frames: DifferenceFrames | None = None
        self.canvas = FrameCanvas(context.display, self, tr("Flame graph of differences"), self._about)
        self.canvas.setObjectName("difference-flame")
        self.readout = Readout(context.display, self)
        self.legend = Legend(context.display, self)
        self.stack = OrEmpty(context.display, column_of((self.canvas, 1), self.legend), self)
        self.bar = SearchBar(tr("Find frames by name"), self)
        self.search = CanvasSearch(self.bar.search, self.canvas, self, with_share=True)
        self.bar.search.field.left.connect(self.canvas.setFocus)
        self.controls = Controls(self, self.widths, (self.bar, 1))
        stack_in(self, self.controls, (self.stack, 1), self.readout)
        self.setFocusProxy(self.canvas)
        self.widths.currentIndexChanged.connect(self._again)
        self.canvas.chosen.connect(self._chosen)
        self.canvas.pointed.connect(self._pointed)
        context.document.selection.changed.connect(self._selected)
        context.display.changed.connect(self._look_changed)
        self._say(None)

    @property
    def busy(self) -> bool:
        """Whether differences are being computed."""
        return self._background.busy

    def show_comparison(self, comparison: Comparison | None, stretch: TimeRange | None) -> None:
        """Shows the differences of a comparison, of the steps in a range; None: nothing."""
        self._comparison, self._stretch = comparison, stretch
        if comparison is None:
            self._background.cancel()
            self.frames = None
            self.canvas.show_timeline(None)
            return
        baseline = bool(self.widths.currentData())

        def take(frames: DifferenceFrames | None) -> None:
            self._take(frames)

        self._background.run(
            Task(
                lambda token, _: difference_frames(comparison, stretch, baseline=baseline, check=token.check),
                take,
                self._fail,
            )
        )

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws the whole graph."""
        frames = self.frames
        if frames is not None:
            look = replace(self._context.display.look, theme=theme)
            width, height = self.canvas.width(), self.canvas.height()
            draw_timeline_of(painter, place, _shown(frames, look, Place(width, height)))

    # -- abilities ----------------------------------------------------------------------------------------

    def start_find(self) -> None:
        self.bar.search.start()

    def find_step(self, direction: int) -> None:
        self.search.step(direction)

    def handle_escape(self) -> bool:
        """Ends the search."""
        return self.bar.search.clear()

    # -- inside -------------------------------------------------------------------------------------------

    def _again(self) -> None:
        self.show_comparison(self._comparison, self._stretch)

    def _take(self, frames: DifferenceFrames | None) -> None:
        self.frames = frames
        if frames is None or not len(frames.flame):
            self.canvas.show_timeline(None)
            self.stack.show_empty(tr("Only one of the two profiles has steps."))
            return
        self.stack.show_content()
        shown = _shown(frames, self._context.display.look, Place(self.canvas.width(), self.canvas.height()))
        self.canvas.show_timeline(shown)
        self.legend.set_entries(entries(shown.model, shown.contents.colours, shown.shades, shown.look))
        self._say(None)
        self._selected(self._context.document.selection.value)
        self.search.now()

    def _fail(self, error: FormatError) -> None:
        self.stack.show_empty(tr("The steps cannot be compared: {error}", error=error))

    def _selected(self, selection: Selection | None) -> None:
        frames, document = self.frames, self._context.document
        if frames is None or frames.tree is None or document.profile is None:
            return
        if selection is None or selection.source == SOURCE or selection.kind != "step":
            if selection is None or selection.source != SOURCE:
                self.canvas.set_selected(NOTHING)
            return
        of_step = frames.tree.totals.paths.of_step
        steps = np.array(selection.indices, np.int64)
        self.canvas.set_selected(frames.frames_of(distinct(of_step[steps[(steps >= 0) & (steps < len(of_step))]])))

    def _chosen(self, index: int | None) -> None:
        """Selects the steps of the comparison that a frame stands for."""
        frames, selection = self.frames, self._context.document.selection
        node = -1 if index is None or frames is None else frames.node(index)
        steps = NOTHING
        if frames is not None and frames.tree is not None and node >= 0:
            steps = frames.tree.steps_of(np.array([node], np.int64))[:MOST_CHOSEN]
        selection.set(Selection("step", tuple(steps.tolist()), SOURCE) if len(steps) else None)
        self.canvas.set_selected(NOTHING if index is None else np.array([index], np.int64))

    def _look_changed(self) -> None:
        shown = self.canvas.shown
        if shown is not None:
            shown.set_look(self._context.display.look)
            self.legend.set_entries(entries(shown.model, shown.contents.colours, shown.shades, shown.look))

    def _pointed(self, index: int | None) -> None:
        self._say(index)

    def _about(self, index: int) -> list[str]:
        return [] if self.frames is None else list(self.frames.about(index))

    def _say(self, index: int | None) -> None:
        if index is None or self.frames is None:
            self.readout.say(HINT, muted=True)
        else:
            self.readout.say(": ".join((self.frames.about(index)[0], ", ".join(self.frames.about(index)[1:]))))


def _shown(frames: DifferenceFrames, look: Look, place: Place) -> Shown:
    model = replace(Model.of(frames.timeline, SCALE), elides_baseline=not frames.baseline)
    shown = Shown(model, look, place)
    shown.contents.mark_alone(np.flatnonzero(frames.flame.elided))
    return shown


def draw_differences(painter: QPainter, place: QRectF, comparison: Comparison, theme: Theme) -> None:
    """Draws the differences of all steps, in widths of the comparison; its flame graph alone if only it has steps."""
    frames = difference_frames(comparison, None, baseline=False, check=lambda: None)
    if frames is None or not len(frames.flame):
        draw(painter, place, comparison.after, theme)
        return
    draw_timeline_of(painter, place, _shown(frames, Look(theme=theme), Place(int(place.width()), int(place.height()))))
