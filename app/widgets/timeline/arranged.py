"""Which rows of a timeline stand where: folds, pins, filter, heights, notes. No Qt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.profile.time_note import TimeNote
from app.widgets.timeline import view as views
from app.widgets.timeline.contents import Contents
from app.widgets.timeline.filter import matching
from app.widgets.timeline.layout import ROW_HEIGHTS, Band, Choice, Sizes, lay_out, lay_out_to_fit
from app.widgets.timeline.model import Model
from app.widgets.timeline.notes import NO_NOTES, Notes
from app.widgets.timeline.scene import (
    GUTTER,
    GUTTER_LEAST,
    GUTTER_MOST,
    GUTTER_NARROW,
    GUTTER_SHARE,
    RULER,
    Place,
)
from app.widgets.timeline.view import Bounds, View

PICTURE_ROW = 48
USUAL_TEXT = 16


class Arranged:
    """The contents of one timeline in their places, and the part of it that is seen."""

    def __init__(self, model: Model, place: Place) -> None:
        self.model = model
        self.contents = Contents(model)
        self.place = place
        self.gutter_chosen = False
        self._text = 0
        self._laid_out: tuple[str, Sizes, Choice, int] | None = None
        self.choice = Choice()
        self.lane_filter = ""
        self.notes = NO_NOTES
        self.chosen_note: TimeNote | None = None
        self.rows_as = "normal"
        self.view = View(model.start, model.end)
        self.arrange()
        self.view = views.whole(self.bounds)

    @property
    def bounds(self) -> Bounds:
        """How far the view may go at the moment."""
        return replace(self.model.bounds, height=self.layout.height, room=int(self.place.body.height))

    @property
    def sizes(self) -> Sizes:
        """How high rows, headings and counters are."""
        return Sizes.of(self.rows_as, self._text)

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
        group = int(self.model.group_of_lane[lane])
        choice = self.choice
        in_group = group in choice.folded_groups and lane not in choice.pins
        if in_group or lane in choice.folded_lanes:
            groups = choice.folded_groups - ({group} if in_group else set())
            self.choose_rows(replace(choice, folded_groups=groups, folded_lanes=choice.folded_lanes - {lane}))

    def foldable(self, lane: int) -> bool:
        """Whether a lane has several rows."""
        first_row = self.model.timeline.lanes.first_row
        return 0 <= lane < len(first_row) - 1 and bool(first_row[lane + 1] - first_row[lane] > 1)

    def left_out(self, lane: int) -> bool:
        """Whether the filter of lanes leaves a lane out."""
        return self.choice.lanes is not None and lane not in self.choice.lanes

    def lanes_of(self, band: Band) -> tuple[int, ...]:
        """The lanes that a band stands for, without those that the filter leaves out; none for a counter."""
        if band.kind == "process":
            return tuple(lane for lane in self.model.groups[band.index].lanes if not self.left_out(lane))
        return (band.index,) if band.kind == "lane" else ()

    def heading(self, group: int) -> Band | None:
        """The heading of a process; None where it has none, or is left out."""
        headings = self.layout.headings
        place = int(np.searchsorted(headings.indices, group))
        return headings[place] if place < len(headings) and headings.indices[place] == group else None

    def open_lane(self, lane: int) -> None:
        """Unfolds the process of a lane."""
        group = int(self.model.group_of_lane[lane])
        if group in self.choice.folded_groups and lane not in self.choice.pins:
            self.choose_rows(replace(self.choice, folded_groups=self.choice.folded_groups - {group}))

    def filter_lanes(self, text: str) -> None:
        """Leaves only lanes and counters whose label holds all words of ``text``."""
        self.lane_filter = text
        lanes, counters = matching(self.model, text)
        self.choose_rows(replace(self.choice, lanes=lanes, counters=counters))

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

    def set_text(self, height: int) -> None:
        """How high a line of text is, which rows, headings and the ruler make room for."""
        self._text = height
        self.place = replace(self.place, ruler=max(RULER, 2 * height + 12), notes=self.notes.height(height))
        self.arrange()

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """Room is made for them above the rows."""
        self.notes, self.chosen_note = Notes.of(notes), None if chosen is None else notes[chosen]
        self.set_text(self._text)

    def arrange(self) -> None:
        """Lays lanes out again, where anything that decides it has changed, and keeps the view inside."""
        sizes, first_row, room = self.sizes, self.model.timeline.lanes.first_row, int(self.place.body.height)
        fixed_heights = self.rows_as in ROW_HEIGHTS
        decided = self.rows_as, sizes, self.choice, 0 if fixed_heights and not self.choice.pins else room
        if decided != self._laid_out:
            self._laid_out = decided
            if fixed_heights:
                self.layout = lay_out(self.model.groups, first_row, self.choice, sizes, room)
            else:
                most = replace(sizes, row=PICTURE_ROW) if self.rows_as == "picture" else sizes
                self.layout = lay_out_to_fit(self.model.groups, first_row, self.choice, room, most)
        self.view = views.clamped(self.view, self.bounds)
