"""What a timeline shows at the moment, and how gestures change it. No Qt."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.profile.arrays import F64, I64, Bool
from app.profile.selection import TimeRange
from app.profile.time_note import TimeNote
from app.widgets.display import Look
from app.widgets.timeline import view as views
from app.widgets.timeline.busy import lane_shares
from app.widgets.timeline.counters import Track
from app.widgets.timeline.layout import Layout
from app.widgets.timeline.model import Model
from app.widgets.timeline.notes import NO_NOTES, Notes
from app.widgets.timeline.raster import Renderer
from app.widgets.timeline.scene import (
    GUTTER,
    GUTTER_LEAST,
    GUTTER_MOST,
    GUTTER_NARROW,
    GUTTER_SHARE,
    RULER,
    Place,
    Scene,
)
from app.widgets.timeline.shades import Shades
from app.widgets.timeline.stacking import ROW_HEIGHTS, Choice, Sizes, lay_out, lay_out_to_fit
from app.widgets.timeline.view import Bounds, History, View

BUDGET = 0.006
"""Seconds of building at a time, so that a frame is never late for it."""
PICTURE_ROW = 48
USUAL_TEXT = 16
DONE = object()


class Shown:
    """One timeline on one canvas. Every change of the view goes through ``go``, so that it can be taken back."""

    def __init__(self, model: Model, look: Look, place: Place) -> None:
        self.model = model
        self.look = look
        self.place = place
        self.renderer = Renderer.of(model.rows, model.start, model.end)
        self.marks = Renderer.of(model.marks, model.start, model.end)
        tracks = len(model.timeline.counters.name)
        self.tracks = tuple(Track.of(model.timeline.counters, track) for track in range(tracks))
        self.shades = Shades.of(model.slot_names, look.theme)
        self.gutter_chosen = False
        self._text = 0
        self.busy: F64 = np.full(len(model.timeline.lanes.thread), np.nan)
        self.found: Renderer | None = None
        self.chosen: Renderer | None = None
        self.choice = Choice()
        self.notes = NO_NOTES
        self.chosen_note: TimeNote | None = None
        self.rows_as = "normal"
        self.history = History()
        self.layout: Layout = lay_out((), np.zeros(1, np.int64), Choice(), Sizes(1))
        self.view = View(model.start, model.end)
        self._work: dict[str, Iterator[None]] = {}
        self.measure(None)
        self._work["all"] = self.renderer.pyramid.build(model.rows)
        self._focused: tuple[View, TimeRange] | None = None
        self.arrange()
        self.view = views.whole(self.bounds)

    # -- what there is ------------------------------------------------------------------------------------

    @property
    def bounds(self) -> Bounds:
        """How far the view may go at the moment."""
        return replace(self.model.bounds, height=self.layout.height, room=int(self.place.body.height))

    def scene(self) -> Scene:
        """What to paint."""
        return Scene(
            model=self.model,
            renderer=self.renderer,
            marks=self.marks,
            tracks=self.tracks,
            layout=self.layout,
            view=self.view,
            place=self.place,
            shades=self.shades,
            theme=self.look.theme,
            look=self.look,
            found=self.found,
            chosen=self.chosen,
            busy=self.busy,
            notes=self.notes,
        )

    def work(self) -> bool:
        """Builds a little more of what makes zoomed-out views quick; False when nothing is left to do."""
        until = time.perf_counter() + BUDGET
        while self._work and time.perf_counter() < until:
            name, builder = next(reversed(self._work.items()))
            if next(builder, DONE) is DONE:
                del self._work[name]
        return bool(self._work)

    def measure(self, stretch: TimeRange | None) -> None:
        """Finds out, bit by bit, how much of a stretch (None: the whole) each lane is busy."""
        self.measured = "time from the first to the last slice" if stretch is None else "range"
        self._work["busy"] = lane_shares(self.model, self.busy, stretch)

    # -- how it is shown ----------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Another size; names give way to rows until a person chooses their width."""
        larger = max(1.0, self._text / USUAL_TEXT)
        natural = int(min(max(width * GUTTER_SHARE, GUTTER_NARROW), GUTTER) * larger)
        gutter = self.place.gutter if self.gutter_chosen else natural
        self.place = replace(self.place, width=width, height=height, gutter=gutter)
        self.arrange()

    def set_gutter(self, gutter: int) -> None:
        """Width of the names, in sensible limits."""
        self.gutter_chosen = True
        most = max(GUTTER_LEAST, min(GUTTER_MOST, self.place.width // 2))
        self.place = replace(self.place, gutter=min(max(gutter, GUTTER_LEAST), most))

    def like(self, before: Shown) -> None:
        """The same timeline read again: zoom, folds and rows as they were left."""
        self.place, self.rows_as, self.gutter_chosen = before.place, before.rows_as, before.gutter_chosen
        if len(before.model.groups) == len(self.model.groups):
            self.choice = before.choice
        self.arrange()
        self.view = views.clamped(before.view, self.bounds)

    @property
    def sizes(self) -> Sizes:
        """How high rows, headings and counters are."""
        return Sizes.of(self.rows_as, self._text)

    def set_text(self, height: int) -> None:
        """How high a line of text is, which rows, headings and the ruler make room for."""
        self._text = height
        self.place = replace(self.place, ruler=max(RULER, height + 12), notes=self.notes.height(height))
        self.arrange()

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """Room is made for them above the rows."""
        self.notes, self.chosen_note = Notes.of(notes), None if chosen is None else notes[chosen]
        self.set_text(self._text)

    def set_look(self, look: Look) -> None:
        if look.theme != self.look.theme:
            self.shades = Shades.of(self.model.slot_names, look.theme)
        self.look = look

    def set_rows(self, rows_as: str) -> None:
        """``tall``, ``normal``, ``compact``, ``all``: as high as lets all of them be seen at once, or ``picture``: the
        same, higher where there is room."""
        self.rows_as = rows_as
        self.arrange()

    def choose_rows(self, choice: Choice) -> None:
        """Other rows are folded, pinned or left out."""
        self.choice = choice
        self.arrange()

    def toggle_group(self, group: int) -> None:
        self.choose_rows(replace(self.choice, folded_groups=self.choice.folded_groups ^ {group}))

    def toggle_lane(self, lane: int) -> None:
        self.choose_rows(replace(self.choice, folded_lanes=self.choice.folded_lanes ^ {lane}))

    def toggle_pin(self, lane: int) -> None:
        """Pins a lane below those that are pinned already, or sends it back to its place."""
        pins = self.choice.pins
        pins = tuple(pin for pin in pins if pin != lane) if lane in pins else (*pins, lane)
        self.choose_rows(replace(self.choice, pins=pins))

    def unpin_all(self) -> None:
        self.choose_rows(replace(self.choice, pins=()))

    def fold_all(self, fold: bool) -> None:
        groups = frozenset(range(len(self.model.groups))) if fold else frozenset()
        self.choose_rows(replace(self.choice, folded_groups=groups, folded_lanes=frozenset()))

    def open_row(self, row: int) -> None:
        """Opens whatever row ``row`` is folded in."""
        lane = int(self.model.lane_of_row[row])
        group = self.model.group_of_lane[lane]
        choice = self.choice
        in_group = group in choice.folded_groups and lane not in choice.pins
        if in_group or lane in choice.folded_lanes:
            groups = choice.folded_groups - ({group} if in_group else set())
            self.choose_rows(replace(choice, folded_groups=groups, folded_lanes=choice.folded_lanes - {lane}))

    def arrange(self) -> None:
        """Lays lanes out again and keeps the view inside."""
        sizes, first_row = self.sizes, self.model.timeline.lanes.first_row
        room = int(self.place.body.height)
        if self.rows_as in ROW_HEIGHTS:
            self.layout = lay_out(self.model.groups, first_row, self.choice, sizes, room)
        else:
            most = replace(sizes, row=PICTURE_ROW) if self.rows_as == "picture" else sizes
            self.layout = lay_out_to_fit(self.model.groups, first_row, self.choice, room, most)
        self.view = views.clamped(self.view, self.bounds)

    def search(self, matched: Bool | None) -> I64 | None:
        """Brings the slices that match (bool[slices]) forward; None: all alike. Returns the matching indices."""
        self._work.pop("found", None)
        if matched is None:
            self.found = None
            return None
        index = np.flatnonzero(matched)
        rows = self.model.rows.chosen(index)
        self.found = Renderer.of(rows, self.model.start, self.model.end)
        self._work["found"] = self.found.pyramid.build(rows)
        return index

    def choose(self, index: I64) -> None:
        """Slices that are selected, several at once."""
        self._work.pop("chosen", None)
        self.chosen = None
        if len(index) > 1:
            rows = self.model.rows.chosen(index)
            self.chosen = Renderer.of(rows, self.model.start, self.model.end)
            self._work["chosen"] = self.chosen.pyramid.build(rows)

    # -- gestures -----------------------------------------------------------------------------------------

    def go(self, view: View, kind: str = "") -> bool:
        """Changes the view; False when it stays what it is."""
        if view == self.view:
            return False
        self.history.leave(self.view, kind, time.monotonic())
        self.view = view
        self._focused = None
        return True

    def back(self) -> None:
        self.view = views.clamped(self.history.back(self.view), self.bounds)

    def forward(self) -> None:
        self.view = views.clamped(self.history.forward(self.view), self.bounds)

    def fit(self) -> bool:
        return self.go(replace(views.whole(self.bounds), top=0))

    def extent(self, index: I64) -> TimeRange | None:
        """From the first start to the last end of slices."""
        if not len(index):
            return None
        start = self.model.rows.start[index]
        return TimeRange(float(start.min()), float((start + self.model.rows.duration[index]).max()))

    def focus(self, index: I64) -> bool:
        """Brings slices to view; where that changes nothing any more, shows everything."""
        return self.focus_stretch(self.extent(index), int(index[0]) if len(index) else None)

    def focus_stretch(self, stretch: TimeRange | None, index: int | None = None) -> bool:
        """Brings a stretch of time, and the row of slice ``index``, to view (a moment without zooming); where that
        changes nothing any more, shows everything."""
        if stretch is None or self._focused == (self.view, stretch):
            self._focused = None
            return self.fit()
        start, end = stretch.start, stretch.end
        half = self.view.span / 2
        view = views.around(self.view, start, end, self.bounds)
        if start == end and index is None:
            view = views.clamped(View(start - half, start + half, self.view.top), self.bounds)
        changed = self.go(view if index is None else self._with_row(view, index))
        self._focused = (self.view, stretch)
        return changed

    def reveal(self, index: int, kind: str = "") -> bool:
        """Brings a slice to view without changing the zoom."""
        start = self.model.start_of(index)
        view = views.revealing(self.view, start, start + self.model.duration_of(index), self.bounds)
        return self.go(self._with_row(view, index), kind)

    def reveal_stretch(self, start: float, end: float) -> bool:
        """Brings a stretch of time to view without changing the zoom."""
        return self.go(views.revealing(self.view, start, end, self.bounds))

    def show_stretch(self, start: float, end: float) -> bool:
        """Zooms to a stretch of time."""
        return self.go(views.clamped(View(start, end, self.view.top), self.bounds))

    def _with_row(self, view: View, index: int) -> View:
        row = self.model.rows.row_of(index)
        self.open_row(row)
        placed = self.layout.row_y(row)
        if placed is None or placed[0] < self.layout.fixed:
            return view
        top = placed[0] - 4 - self.sizes.head - self.layout.fixed
        return views.revealing_rows(view, top, placed[0] + placed[1] + 4, self.bounds)
