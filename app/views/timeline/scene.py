"""Everything that one picture of a timeline is made from, and where things stand in it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from app.profile.arrays import F64, I64
from app.profile.file_state import TimeNote
from app.views.look import Theme
from app.views.timeline.colouring import Colours
from app.views.timeline.contents import Tracks
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.cover import Pixels
from app.views.timeline.flows import Centres, FlowLines
from app.views.timeline.layout import SPARED, Layout
from app.views.timeline.model import Model
from app.views.timeline.raster import Renderer
from app.views.timeline.shades import Shades
from app.views.timeline.view import View

if TYPE_CHECKING:
    from app.views.look import Look
    from app.views.timeline.flows import PathLines

RULER = 42
"""Two lines: flags (the length of the range, the moment under the pointer), and the numbers of the ticks."""
LOW = 120
"""Pixels: in a lower picture the ruler is one line, over which the flags stand, so that more lanes are seen."""
BAND = 6
"""Height of the band of a range above the numbers of such a ruler."""
GUTTER, GUTTER_NARROW, GUTTER_SHARE = 184, 128, 0.26
GUTTER_LONG = 256
"""Room that long names get by themselves, at most."""
GUTTER_LEAST, GUTTER_MOST = 64, 640
FAR = 2.0
"""Widths of the body beyond which what lies outside may as well lie at that distance."""


class Box(NamedTuple):
    """A rectangle in logical pixels."""

    x: float
    y: float
    width: float
    height: float


class Place(Struct, frozen=True):
    """The parts of a picture of ``width`` x ``height``: names of lanes to the left, above the ruler and (where there
    are any) notes, rows for the rest."""

    width: int
    height: int
    gutter: int = GUTTER
    ruler: int = RULER
    notes: int = 0

    @property
    def low(self) -> bool:
        """Whether the ruler has one line only."""
        return self.ruler < RULER

    @property
    def above(self) -> int:
        """Pixels above the numbers of the ruler."""
        return BAND if self.low else self.ruler // 2

    @property
    def head(self) -> int:
        """Pixels above the rows."""
        return self.ruler + self.notes

    @property
    def body(self) -> Box:
        return Box(self.gutter, self.head, max(self.width - self.gutter, 1), max(self.height - self.head, 1))


def ruler_height(text: int, height: int) -> int:
    """The pixels of the ruler of a picture of ``height``, with lines of text ``text`` pixels high."""
    two = max(RULER, 2 * text + 12)
    return two if height >= LOW else min(text + 12, RULER - 1)


MOST_LINES = 3
"""Stretches that overlap stand on lines of their own, no more than these."""


class Notes(Struct, frozen=True, eq=False):
    """``notes`` in the order they were made; ``start``, ``end``: float64; ``line``: int64, from the top;
    ``chosen``: the index of the chosen one, None where none is."""

    notes: tuple[TimeNote, ...]
    start: F64
    end: F64
    line: I64
    chosen: int | None = None

    @classmethod
    def of(cls, notes: tuple[TimeNote, ...], chosen: int | None = None) -> Notes:
        start = np.array([note.start for note in notes], np.float64)
        end = np.array([note.end for note in notes], np.float64)
        return cls(notes, start, end, lines_of(start, end), chosen)

    @property
    def chosen_note(self) -> TimeNote | None:
        return None if self.chosen is None else self.notes[self.chosen]

    @property
    def lines(self) -> int:
        return int(self.line.max(initial=-1)) + 1

    def height(self, text: int) -> int:
        """Pixels for all lines under texts of this height; 0 without notes."""
        return self.lines * line_height(text) + 1 if self.notes else 0


def line_height(text: int) -> int:
    return max(16, text + 3)


def lines_of(start: F64, end: F64) -> I64:
    """int64: the line of each: the first on which it overlaps none before it in time, the last where all are taken."""
    line = np.zeros(len(start), np.int64)
    free = [-np.inf] * MOST_LINES
    for index in np.lexsort((-end, start)).tolist():
        place = next((number for number, until in enumerate(free) if until <= start[index]), MOST_LINES - 1)
        line[index] = place
        free[place] = max(free[place], end[index])
    return line


NO_NOTES = Notes.of(())


class Scene(Struct, frozen=True, eq=False, dict=True):
    """``colours``: what they go by, and ``only_slots``: those that are left, all if there are none; ``hits``: the
    slices that match a search, None without one; ``chosen``: those that are selected where they are several; ``busy``:
    float64[lanes], the share of the whole that each lane is busy, NaN unknown; ``notes``; ``flows``: those of the
    chosen categories, with the ``centres`` of what they join; ``alone``: the slices that only this side of a comparison
    has; ``counterpart``: the other side; ``path``: the critical path, None where it is not shown."""

    model: Model
    renderer: Renderer
    tracks: Tracks
    layout: Layout
    view: View
    place: Place
    shades: Shades
    theme: Theme
    look: Look
    colours: Colours
    only_slots: frozenset[int] = frozenset()
    hits: Renderer | None = None
    chosen: Renderer | None = None
    busy: F64 | None = None
    notes: Notes = NO_NOTES
    flows: FlowLines | None = None
    centres: Centres | None = None
    alone: Renderer | None = None
    counterpart: Counterpart | None = None
    path: PathLines | None = None

    @cached_property
    def body(self) -> Box:
        return self.place.body

    @property
    def less_alone(self) -> bool:
        """Whether the slices that only one side has are those of the baseline: of a flame graph of differences, these
        are elided frames."""
        return self.model.elides_baseline if self.counterpart is None else self.counterpart.baseline

    @property
    def forward(self) -> Renderer | None:
        """The slices that keep their colours while all others recede; None where all are alike."""
        return self.chosen if self.hits is None else self.hits

    def pixels(self, ratio: float = 1.0) -> Pixels:
        """The pixels of the body on a screen with ``ratio`` of them to a logical one."""
        width = max(1, round(self.body.width * ratio))
        return Pixels(self.view.start, self.view.span / width, width)

    def x(self, time: float) -> float:
        """Where a moment stands in the picture."""
        return self.body.x + self.view.x(time, self.body.width)

    def near_x(self, time: float) -> float:
        """The same, no farther away than paint engines calculate well."""
        far = self.body.width * FAR
        return min(max(self.x(time), self.body.x - far), self.body.x + self.body.width + far)

    def all_near_x(self, times: F64) -> F64:
        """float64: ``near_x`` of many moments."""
        x = self.body.x + (times - self.view.start) * (self.body.width / self.view.span)
        far = self.body.width * FAR
        return np.clip(x, self.body.x - far, self.body.x + self.body.width + far)

    def time(self, x: float) -> float:
        """The moment at ``x``."""
        return self.view.time(x - self.body.x, self.body.width)

    def slice_box(self, index: int) -> Box | None:
        """Where a slice stands, at least a pixel wide, cut to the body; None where it is out of sight."""
        placed = self.layout.row_y(self.model.rows.row_of(index))
        if placed is None:
            return None
        start = self.model.start_of(index)
        left, right = self.x(start), self.x(start + self.model.duration_of(index))
        y = self.body.y + self.layout.line(placed[0], self.view.top)
        top = self.body.y + self.layout.edge(placed[0])
        body_right, body_bottom = self.body.x + self.body.width, self.body.y + self.body.height
        bottom = y + placed[1] - (1 if placed[1] >= SPARED else 0)
        if right < self.body.x or left > body_right or bottom < top or y > body_bottom:
            return None
        left, right = max(left, self.body.x - 8), min(max(right, left + 1), body_right + 8)
        y = max(y, top) if self.layout.fixed else y
        return Box(left, y, right - left, bottom - y)

    def lane_y(self, lane: int) -> float | None:
        """The middle of a lane in the picture, folded or not; None where it stands nowhere."""
        band = self.layout.lane_bands.get(lane)
        return None if band is None else self.body.y + self.layout.line(band.y, self.view.top) + band.height / 2
