"""The flame graph of a run: a timeline whose rows are the parts of step names, linked to the document by steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from app.analysis.poplar.flame import NOTE, Flame, flame, flame_pieces
from app.language import labelled, plural, tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Ranges, Selection, TimeRange
from app.views.look import Look, Theme
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.views.units import cycles_and_time
from app.widgets.abilities import HandlesEscape, HasPicture, Searchable
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.frame import stack_in
from app.widgets.refresh import Refresh
from app.widgets.texts import Readout
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.pick import in_sight
from app.widgets.timeline.picture import draw_timeline
from app.widgets.timeline.search_controls import CanvasSearch, SearchBar
from app.widgets.tips import set_tip

MOST_CHOSEN = 50_000
HINT = tr("A frame groups the steps with the same name prefix. Click it to select its steps; drag to set the range.")
FLAT_HINT = tr("Steps in order of execution, of all kinds. Click one to select it; drag to set the range.")
FOLLOWED: tuple[Kind, ...] = ("step", "slice", "program", "compute_set", "exchange", "vertex_type", "liveness")
NOTHING: I64 = np.empty(0, np.int64)


class FlameView(QWidget, HasPicture, Searchable, HandlesEscape):
    """The flame graph, with a search and a line about the hovered slice. ``controls``: those that the heading of a
    panel may take. Abilities: HasPicture, Searchable, HandlesEscape."""

    def __init__(self, context: Context, parent: QWidget | None = None, *, flat: bool = False) -> None:
        """``flat``: shows all steps in one row."""
        super().__init__(parent)
        self._context = context
        self._flat = flat
        self._source = "steps-flat" if flat else "flame"
        self._hint = FLAT_HINT if flat else HINT
        self._profile: Profile | None = None
        self.flame: Flame | None = None
        self.canvas = TimelineCanvas(context.display, self)
        self.canvas.stage.one_lane = True
        self.bar = SearchBar(tr("Find steps by name") if flat else tr("Find frames by name"), self)
        self.search = CanvasSearch(self.bar.search, self.canvas, self, with_share=True)
        self.readout = Readout(context.display, self)
        self.controls = Controls(self, (self.bar, 1))
        stack_in(self, self.controls, (self.canvas, 1), self.readout)
        self.setFocusProxy(self.canvas)
        self.bar.search.field.left.connect(self.canvas.setFocus)
        document = context.document
        self._marking = Refresh(self, self._mark_soon)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self.canvas.chosen.connect(self._chosen)
        self.canvas.pointed.connect(self._pointed)
        self.canvas.range_chosen.connect(self._set_range)
        self._say(None)

    def show_profile(self, profile: Profile | None) -> Iterator[None]:
        """Shows the flame graph of a profile, built in pieces if it is another profile; the display changes with the
        last piece."""
        same = profile is not None and self._profile is not None and profile.timeline is self._profile.timeline
        if same:
            self._profile = profile
            return
        flame_graph = model = None
        if profile is not None:
            flame_graph = yield from flame_pieces(profile, flat=self._flat)
            if flame_graph is not None:
                yield
                model = Model.of(flame_graph.timeline)
                yield
        self._profile = profile
        self.flame = flame_graph
        if model is None:
            self.canvas.show_timeline(None)
            return
        place = Place(self.canvas.width(), self.canvas.height())
        self.canvas.show_timeline(Shown(model, self._context.display.look, place))
        self._ranged(self._context.document.ranges.value)
        self._selected(self._context.document.selection.value)
        self.search.now()

    # -- abilities ----------------------------------------------------------------------------------------

    def start_find(self) -> None:
        self.bar.search.start()

    def find_step(self, direction: int) -> None:
        self.search.step(direction)

    def handle_escape(self) -> bool:
        """Ends the search."""
        return self.bar.search.clear()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws the whole flame graph."""
        if self.flame is not None:
            draw_timeline(painter, place, self.flame.timeline, replace(self._context.display.look, theme=theme))

    # -- the document -------------------------------------------------------------------------------------

    def _selected(self, _: Selection | None) -> None:
        if self._marking.seen or not self.window().isVisible():
            self._mark_soon()
        else:
            self._marking.request()

    def _mark_soon(self) -> None:
        self._context.document.linked.attempt(self._mark)

    def _mark(self) -> None:
        shown, selection = self.canvas.shown, self._context.document.selection.value
        if shown is None or (selection is not None and selection.source == self._source):
            return
        index = self._slices(selection)
        self.canvas.set_selected(index)
        if len(index) and not in_sight(shown, index):
            self.canvas.reveal(int(index[0]))
        self.search.say()

    def _slices(self, selection: Selection | None) -> I64:
        if self._profile is None or self.flame is None or selection is None or selection.kind not in FOLLOWED:
            return NOTHING
        return self.flame.slices_of(self._context.document.linked.items(self._profile, selection, "step"))

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or self._marking.seen or not self.window().isVisible():
            self._context.document.linked.attempt(self._mark_hovered)

    def _mark_hovered(self) -> None:
        hover = self._context.document.hover.value
        if self.canvas.shown is not None and (hover is None or hover.source != self._source):
            self.canvas.set_hovered(self._slices(hover))

    def _ranged(self, ranges: Ranges) -> None:
        if self.canvas.shown is not None:
            self.canvas.set_range(ranges.time)

    # -- the canvas ---------------------------------------------------------------------------------------

    def _chosen(self, index: int | None) -> None:
        if index is None or self.flame is None:
            self._context.document.selection.clear()
            self.canvas.set_selected(NOTHING)
            return
        steps = self.flame.steps_of(index)[:MOST_CHOSEN]
        self.canvas.set_selected(np.array([index], np.int64))
        self._context.document.selection.set(Selection("step", tuple(steps.tolist()), self._source))

    def _pointed(self, index: int | None) -> None:
        self._say(index)
        step = -1
        if index is not None and self.flame is not None:
            step = int(self.flame.timeline.slices.record[index])
        self._context.document.hover.set(Selection("step", (step,), self._source) if step >= 0 else None)

    def _set_range(self, stretch: TimeRange | None) -> None:
        ranges = self._context.document.ranges
        ranges.set(replace(ranges.value, time=stretch))

    def _say(self, index: int | None) -> None:
        self.readout.say(self._hint if index is None else self._about(index), muted=index is None)
        if not self._flat:
            set_tip(self.readout, NOTE)

    def _about(self, index: int) -> str:
        """The path to a slice, its duration, and the number of its steps."""
        flame_graph = self.flame
        if flame_graph is None:
            return ""
        slices = flame_graph.timeline.slices
        parts = []
        for row in range(int(np.searchsorted(slices.first, index, "right"))):
            low, high = int(slices.first[row]), int(slices.first[row + 1])
            place = low + int(np.searchsorted(flame_graph.first[low:high], flame_graph.first[index], "right")) - 1
            parts.append(flame_graph.timeline.strings.get(int(slices.name[place])))
        count = int(flame_graph.after[index] - flame_graph.first[index])
        clock = 1 / flame_graph.timeline.seconds_per_unit if flame_graph.timeline.seconds_per_unit else None
        length = cycles_and_time(round(float(slices.duration[index])), clock)
        return labelled("/".join(parts), length) + (
            plural(
                " · {count:,} step",
                " · {count:,} steps",
                count=count,
            )
            if count > 1
            else ""
        )


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the flame graph of a whole run."""
    flame_graph = flame(profile)
    if flame_graph is not None:
        draw_timeline(painter, place, flame_graph.timeline, Look(theme=theme))


def has_flame(profile: Profile) -> bool:
    """Whether there are steps on a timeline in cycles."""
    line = profile.timeline
    return profile.steps is not None and line is not None and line.unit == "cycles" and len(line.slices.start) > 0
