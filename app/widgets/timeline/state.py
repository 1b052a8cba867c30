"""What a timeline shows at the moment, and how gestures change it. No Qt."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from app.profile.arrays import F64, I64, Bool
from app.profile.selection import TimeRange
from app.widgets.display import Look
from app.widgets.timeline import view as views
from app.widgets.timeline.busy import lane_shares
from app.widgets.timeline.counters import Track
from app.widgets.timeline.layout import ROW_HEIGHTS, Folds, Layout, Sizes, lay_out, lay_out_to_fit
from app.widgets.timeline.model import Model
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
        self._gutter_chosen = False
        self._text = 0
        self.busy: F64 = np.full(len(model.timeline.lanes.thread), np.nan)
        self.found: Renderer | None = None
        self.chosen: Renderer | None = None
        self.folds = Folds()
        self.rows_as = "normal"
        self.history = History()
        self.layout: Layout = lay_out((), np.zeros(1, np.int64), Folds(), Sizes(1))
        self.view = View(model.start, model.end)
        self._work: dict[str, Iterator[None]] = {}
        self.measure(None)
        self._work["all"] = self.renderer.pyramid.build(model.rows)
        self._focused: View | None = None
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
        gutter = self.place.gutter if self._gutter_chosen else natural
        self.place = replace(self.place, width=width, height=height, gutter=gutter)
        self.arrange()

    def set_gutter(self, gutter: int) -> None:
        """Width of the names, in sensible limits."""
        self._gutter_chosen = True
        most = max(GUTTER_LEAST, min(GUTTER_MOST, self.place.width // 2))
        self.place = replace(self.place, gutter=min(max(gutter, GUTTER_LEAST), most))

    def like(self, before: Shown) -> None:
        """The same timeline read again: zoom, folds and rows as they were left."""
        self.place, self.rows_as, self._gutter_chosen = before.place, before.rows_as, before._gutter_chosen
        if len(before.model.groups) == len(self.model.groups):
            self.folds = before.folds
        self.arrange()
        self.view = views.clamped(before.view, self.bounds)

    @property
    def sizes(self) -> Sizes:
        """How high rows, headings and counters are."""
        return Sizes.of(self.rows_as, self._text)

    def set_text(self, height: int) -> None:
        """How high a line of text is, which rows, headings and the ruler make room for."""
        self._text = height
        self.place = replace(self.place, ruler=max(RULER, height + 12))
        self.arrange()

    def set_look(self, look: Look) -> None:
        if look.theme != self.look.theme:
            self.shades = Shades.of(self.model.slot_names, look.theme)
        self.look = look

    def set_rows(self, rows_as: str) -> None:
        """``tall``, ``normal``, ``compact``, ``all``: as high as lets all of them be seen at once, or ``picture``: the
        same, higher where there is room."""
        self.rows_as = rows_as
        self.arrange()

    def set_folds(self, folds: Folds) -> None:
        self.folds = folds
        self.arrange()

    def toggle_group(self, group: int) -> None:
        self.set_folds(replace(self.folds, groups=self.folds.groups ^ {group}))

    def toggle_lane(self, lane: int) -> None:
        self.set_folds(replace(self.folds, lanes=self.folds.lanes ^ {lane}))

    def fold_all(self, fold: bool) -> None:
        groups = frozenset(range(len(self.model.groups))) if fold else frozenset()
        self.set_folds(Folds(groups=groups))

    def unfold_row(self, row: int) -> None:
        """Opens whatever row ``row`` is folded in."""
        lane = int(self.model.lane_of_row[row])
        group = self.model.group_of_lane[lane]
        if group in self.folds.groups or lane in self.folds.lanes:
            self.set_folds(Folds(self.folds.groups - {group}, self.folds.lanes - {lane}))

    def arrange(self) -> None:
        """Lays lanes out again and keeps the view inside."""
        sizes, first_row = self.sizes, self.model.timeline.lanes.first_row
        if self.rows_as in ROW_HEIGHTS:
            self.layout = lay_out(self.model.groups, first_row, self.folds, sizes)
        else:
            most = replace(sizes, row=PICTURE_ROW) if self.rows_as == "picture" else sizes
            room = int(self.place.body.height)
            self.layout = lay_out_to_fit(self.model.groups, first_row, self.folds, room, most)
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

    def focus(self, index: I64) -> bool:
        """Brings slices to view; where that changes nothing any more, shows everything."""
        before = self._focused
        if not len(index) or (before is not None and before == self.view):
            self._focused = None
            return self.fit()
        start = float(self.model.rows.start[index].min())
        end = float((self.model.rows.start[index] + self.model.rows.duration[index]).max())
        changed = self.go(self._with_row(views.around(self.view, start, end, self.bounds), int(index[0])))
        self._focused = self.view
        return changed

    def reveal(self, index: int, kind: str = "") -> bool:
        """Brings a slice to view without changing the zoom."""
        start = self.model.start_of(index)
        view = views.revealing(self.view, start, start + self.model.duration_of(index), self.bounds)
        return self.go(self._with_row(view, index), kind)

    def show_stretch(self, start: float, end: float) -> bool:
        """Zooms to a stretch of time."""
        return self.go(views.clamped(View(start, end, self.view.top), self.bounds))

    def _with_row(self, view: View, index: int) -> View:
        row = self.model.rows.row_of(index)
        self.unfold_row(row)
        placed = self.layout.row_y(row)
        if placed is None:
            return view
        return views.revealing_rows(view, placed[0] - 4 - self.sizes.head, placed[0] + placed[1] + 4, self.bounds)
