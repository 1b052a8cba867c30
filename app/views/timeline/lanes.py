"""Which lanes of a timeline stand where: folds, pins, filter, heights, and the room beside and above them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict, replace

from app.profile.arrays import I64, distinct
from app.views.timeline.bands import COUNTER, LANE, PROCESS, Band
from app.views.timeline.layout import ROW_HEIGHTS, Layout, RowChoice, Sizes, lay_out, lay_out_to_fit
from app.views.timeline.model import Model, Processes
from app.views.timeline.order import Drop, displaced, drop_at, moved, next_drop
from app.views.timeline.scene import (
    GUTTER,
    GUTTER_LEAST,
    GUTTER_LONG,
    GUTTER_MOST,
    GUTTER_NARROW,
    GUTTER_SHARE,
    Place,
    ruler_height,
)

PICTURE_ROW = 48
USUAL_TEXT = 16
NAME_MARGIN, NAME_WIDTH = 100, 7
MOST_NAMES = 256


class Arrangement(Struct, frozen=True):
    """What a person arranged of lanes: fields of ``RowChoice``, and the lanes and counters that were hidden one by one.
    None: as it is."""

    folded_groups: frozenset[int] | None = None
    folded_lanes: frozenset[int] | None = None
    pins: tuple[int, ...] | None = None
    lane_order: tuple[int, ...] | None = None
    group_order: tuple[int, ...] | None = None
    hidden: frozenset[int] | None = None
    hidden_counters: frozenset[int] | None = None

    def changed_from(self, other: Arrangement) -> Arrangement:
        """Only what is not the same in ``other``: undoing it leaves alone what else has changed since."""
        return Arrangement(**{name: value for name, value in asdict(self).items() if value != getattr(other, name)})


class Lanes:
    """``place``: the parts of the picture; ``changed`` is called when it or the layout is another one; ``choice``: what
    is folded, pinned, left out and moved; ``filter``: the text that lanes are filtered by; ``noisy``: lanes that are
    left out besides; ``own_folds``: whether a person folded or unfolded anything; ``folds_settled``: whether folds stay
    as they are though no person chose them; ``hidden``, ``hidden_counters``: those that the user hid one by one;
    ``rows_as``: how high rows are; ``text``: how high a line of text is; ``gutter_chosen``: whether a person set the
    width of the names."""

    layout: Layout

    def __init__(self, model: Model, place: Place, changed: Callable[[], None]) -> None:
        self.model = model
        self.place = place
        self.changed = changed
        self.choice = RowChoice()
        self.filter = ""
        self.own_folds = self.folds_settled = self._fitted = False
        self.noisy: frozenset[int] = frozenset()
        self.hidden: frozenset[int] = frozenset()
        self.hidden_counters: frozenset[int] = frozenset()
        self.rows_as = "normal"
        self.text = 0
        self.gutter_chosen = False
        self._named = room_for_names(model)
        self._laid_out: tuple[str, Sizes, RowChoice, int] | None = None
        self._lay_out()

    @property
    def sizes(self) -> Sizes:
        """How high rows, headings and counters are."""
        return Sizes.of(self.rows_as, self.text)

    # -- what is folded, pinned and left out --------------------------------------------------------------

    def choose(self, choice: RowChoice) -> None:
        """Other rows are folded, pinned or left out."""
        self.choice = choice
        self._arrange()

    def toggle_group(self, group: int) -> None:
        self.own_folds = True
        self.choose(replace(self.choice, folded_groups=self.choice.folded_groups ^ {group}))

    def toggle_lane(self, lane: int) -> None:
        self.own_folds = True
        self.choose(replace(self.choice, folded_lanes=self.choice.folded_lanes ^ {lane}))

    def toggle_fold(self, band: Band) -> None:
        """Folds a process or a lane of several rows, or unfolds it."""
        if band.kind == "process":
            self.toggle_group(band.index)
        elif band.kind == "lane" and self.foldable(band.index):
            self.toggle_lane(band.index)

    def toggle_pin(self, lane: int) -> None:
        """Pins a lane below those that are pinned already, or sends it back to its place."""
        pins = self.choice.pins
        pins = tuple(pin for pin in pins if pin != lane) if lane in pins else (*pins, lane)
        self.choose(replace(self.choice, pins=pins))

    def unpin_all(self) -> None:
        self.choose(replace(self.choice, pins=()))

    def fold_all(self, fold: bool) -> None:
        self.own_folds = True
        groups = frozenset(range(len(self.model.groups))) if fold else frozenset()
        self.choose(replace(self.choice, folded_groups=groups, folded_lanes=frozenset()))

    def fold_to_fit(self, *, again: bool = True) -> None:
        """Folds processes to strips where not all lanes fit into the room, so that all processes are seen: the first of
        them that still have room stay open. Nothing once a person chose, all open while lanes are filtered by a text.
        Only the first time, unless ``again``."""
        if self.own_folds or self.folds_settled or (self._fitted and not again):
            return
        self._fitted = True
        folded = self._too_many() if not self.filter.strip() else frozenset[int]()
        if folded != self.choice.folded_groups:
            self.choose(replace(self.choice, folded_groups=folded))

    def _too_many(self) -> frozenset[int]:
        """The processes that have no room for their lanes; none of a single one. Processes that have nothing but
        counters are left out of account: they stand below."""
        groups, room = self.model.groups, int(self.place.body.height)
        full = np.flatnonzero(np.diff(groups.first_lane) > 0)
        if len(full) < 2:
            return frozenset()
        layout = self._layout_of(replace(self.choice, folded_groups=frozenset()))
        if self.rows_as not in ROW_HEIGHTS:
            return frozenset(full.tolist()) if layout.height > room else frozenset()
        count = len(groups)
        heads = _heights(layout, PROCESS, np.arange(count), count)
        below = _heights(layout, LANE, self.model.group_of_lane, count)
        below += _heights(layout, COUNTER, _group_of_counter(groups), count)
        left = room - layout.fixed - int(heads[full].sum())
        if int(below[full].sum()) <= left:
            return frozenset()
        folded = set(full.tolist())
        for group in self.choice.groups_of(groups).tolist():
            if group in folded and below[group] <= left:
                folded.remove(group)
                left -= int(below[group])
        return frozenset(folded)

    def open_row(self, row: int) -> None:
        """Opens whatever row ``row`` is folded in."""
        lane = int(self.model.lane_of_row[row])
        self.open_lane(lane)
        if lane in self.choice.folded_lanes:
            self.toggle_lane(lane)

    def open_lane(self, lane: int) -> None:
        """Unfolds the process of a lane, which then stays open."""
        group = int(self.model.group_of_lane[lane])
        if group in self.choice.folded_groups and lane not in self.choice.pins:
            self.folds_settled = True
            self.choose(replace(self.choice, folded_groups=self.choice.folded_groups - {group}))

    def set_filter(self, text: str) -> None:
        """Leaves only lanes and counters whose label holds all words of ``text``."""
        self.filter = text
        self._leave_lanes()
        if self._fitted:
            self.fold_to_fit()

    def leave_out(self, lanes: frozenset[int]) -> None:
        """Leaves these lanes out, besides those that the filter leaves out."""
        if lanes != self.noisy:
            self.noisy = lanes
            self._leave_lanes()

    def hide(self, lanes: frozenset[int], counters: frozenset[int] = frozenset()) -> None:
        """Leaves these lanes and counter tracks out, and no others that the user hid; they are no longer pinned."""
        if (lanes, counters) != (self.hidden, self.hidden_counters):
            self.hidden, self.hidden_counters = lanes, counters
            self.choice = replace(self.choice, pins=tuple(pin for pin in self.choice.pins if pin not in lanes))
            self._leave_lanes()

    def hide_bands(self, bands: Sequence[Band]) -> None:
        """Leaves lanes, counters, and all lanes and counters of processes out."""
        lanes, counters = set(self.hidden), set(self.hidden_counters)
        for band in bands:
            lanes.update(self.lanes_of(band))
            if band.kind == "counter":
                counters.add(band.index)
            elif band.kind == "process":
                counters.update(self.model.groups[band.index].counters)
        self.hide(frozenset(lanes), frozenset(counters))

    def show_lane(self, lane: int) -> None:
        """Shows a lane that the user hid."""
        self.hide(self.hidden - {lane}, self.hidden_counters)

    @property
    def any_hidden(self) -> bool:
        """Whether the user hid lanes or counters one by one."""
        return bool(self.hidden or self.hidden_counters)

    def _leave_lanes(self) -> None:
        lanes, counters = matching(self.model, self.filter)
        left_out = self.noisy | self.hidden
        if left_out:
            lanes = (frozenset(self.model.groups.lanes.tolist()) if lanes is None else lanes) - left_out
        if self.hidden_counters:
            every = frozenset(self.model.groups.counters.tolist())
            counters = (every if counters is None else counters) - self.hidden_counters
        self.choose(replace(self.choice, lanes=lanes, counters=counters))

    @property
    def arrangement(self) -> Arrangement:
        """What a person arranged, for ``arrange``."""
        choice = self.choice
        return Arrangement(
            choice.folded_groups,
            choice.folded_lanes,
            choice.pins,
            choice.lane_order,
            choice.group_order,
            self.hidden,
            self.hidden_counters,
        )

    def arrange(self, wanted: Arrangement) -> None:
        """Arranges lanes as they were, as far as ``wanted`` says."""
        fields = {name: value for name, value in asdict(wanted).items() if value is not None}
        self.hidden = fields.pop("hidden", self.hidden)
        self.hidden_counters = fields.pop("hidden_counters", self.hidden_counters)
        self.choice = replace(self.choice, **fields)
        self._leave_lanes()

    # -- the order ----------------------------------------------------------------------------------------

    def drop_at(self, band: Band, y: int) -> Drop | None:
        """The place that a band is moved to when it is dragged to pixel ``y`` of the rows."""
        return drop_at(self.layout, self.model, band, y)

    def next_drop(self, band: Band, direction: int) -> Drop | None:
        """The place of a band one further down (+1) or up (-1); None at the ends."""
        return next_drop(self.layout, self.model, band, direction)

    def move(self, band: Band, drop: Drop) -> None:
        """Moves a pinned lane, a lane in its process, or a process."""
        choice, groups = self.choice, self.model.groups
        if band.pinned:
            pins = moved(np.array(choice.pins, np.int64), band.index, drop)
            self.choose(replace(choice, pins=tuple(pins.tolist())))
        elif band.kind == "lane":
            lanes = displaced(moved(choice.lanes_of(groups), band.index, drop), groups.lanes)
            self.choose(replace(choice, lane_order=lanes))
        elif band.kind == "process":
            order = displaced(moved(choice.groups_of(groups), band.index, drop), np.arange(len(groups)))
            self.choose(replace(choice, group_order=order))

    @property
    def any_moved(self) -> bool:
        """Whether lanes or processes do not stand where the file has them."""
        return bool(self.choice.lane_order or self.choice.group_order)

    def restore_order(self) -> None:
        """Moves all lanes and processes to where the file has them."""
        self.choose(replace(self.choice, lane_order=(), group_order=()))

    # -- questions ----------------------------------------------------------------------------------------

    def foldable(self, lane: int) -> bool:
        """Whether a lane has several rows."""
        first_row = self.model.timeline.lanes.first_row
        return 0 <= lane < len(first_row) - 1 and bool(first_row[lane + 1] - first_row[lane] > 1)

    def left_out(self, lane: int) -> bool:
        """Whether a lane is left out."""
        return self.choice.lanes is not None and lane not in self.choice.lanes

    def lanes_of(self, band: Band) -> tuple[int, ...]:
        """The lanes that a band stands for, without those that the filter leaves out; none for a counter."""
        if band.kind == "process":
            return tuple(lane for lane in self.model.groups[band.index].lanes if not self.left_out(lane))
        return (band.index,) if band.kind == "lane" else ()

    def heading(self, group: int) -> Band | None:
        """The heading of a process; None where it has none, or is left out."""
        headings = self.layout.headings
        places = np.flatnonzero(headings.indices == group).tolist()
        return headings[places[0]] if places else None

    # -- sizes --------------------------------------------------------------------------------------------

    def set_rows(self, rows_as: str) -> None:
        """``tall``, ``normal``, ``compact``, ``all``: as high as lets all of them be seen at once, or ``picture``: the
        same, higher where there is room."""
        before = self.sizes.row
        self.rows_as = rows_as
        self._arrange()
        if self._fitted and (rows_as not in ROW_HEIGHTS or self.sizes.row < before):
            self.fold_to_fit()  # higher rows fold nothing that is open

    def resize(self, width: int, height: int) -> None:
        """Another size; names give way to rows until a person chooses their width."""
        larger = max(1.0, self.text / USUAL_TEXT)
        most = min(max(GUTTER, self._named), GUTTER_LONG)
        natural = int(min(max(width * GUTTER_SHARE, GUTTER_NARROW), most) * larger)
        gutter = self.place.gutter if self.gutter_chosen else natural
        ruler = ruler_height(self.text, height)
        self._arrange(replace(self.place, width=width, height=height, gutter=gutter, ruler=ruler))

    def set_gutter(self, gutter: int) -> None:
        """Width of the names, in sensible limits."""
        self.gutter_chosen = True
        most = max(GUTTER_LEAST, min(GUTTER_MOST, self.place.width // 2))
        self._arrange(replace(self.place, gutter=min(max(gutter, GUTTER_LEAST), most)))

    def make_room(self, text: int, notes: int) -> None:
        """How high a line of text is, which rows, headings and the ruler make room for, and all lines of notes."""
        self.text = text
        self._arrange(replace(self.place, ruler=ruler_height(text, self.place.height), notes=notes))

    def take_over(self, before: Lanes) -> None:
        """Everything as it was left in the same timeline before it was read again, or further."""
        self.rows_as, self.gutter_chosen = before.rows_as, before.gutter_chosen
        self.own_folds, self.folds_settled = before.own_folds, before.folds_settled
        self._fitted = before._fitted
        if len(before.model.groups) == len(self.model.groups):
            self.choice, self.filter = before.choice, before.filter
            self.hidden, self.hidden_counters = before.hidden, before.hidden_counters
        self._arrange(before.place)

    # -- within -------------------------------------------------------------------------------------------

    def _arrange(self, place: Place | None = None) -> None:
        """Lays lanes out again, in another place of the picture if need be."""
        before = self.place, self.layout
        if place is not None:
            self.place = place
        self._lay_out()
        if before != (self.place, self.layout):
            self.changed()

    def _lay_out(self) -> None:
        """Another layout, where anything that decides it has changed."""
        sizes, room = self.sizes, int(self.place.body.height)
        fixed_heights = self.rows_as in ROW_HEIGHTS
        decided = self.rows_as, sizes, self.choice, 0 if fixed_heights and not self.choice.pins else room
        if decided == self._laid_out:
            return
        self._laid_out = decided
        self.layout = self._layout_of(self.choice)

    def _layout_of(self, choice: RowChoice) -> Layout:
        sizes, first_row, room = self.sizes, self.model.timeline.lanes.first_row, int(self.place.body.height)
        if self.rows_as in ROW_HEIGHTS:
            return lay_out(self.model.groups, first_row, choice, sizes, room)
        most = replace(sizes, row=PICTURE_ROW) if self.rows_as == "picture" else sizes
        return lay_out_to_fit(self.model.groups, first_row, choice, room, most)


def _heights(layout: Layout, kind: int, group_of: I64, count: int) -> I64:
    """int64[count]: the pixels that bands of a kind take in each of ``count`` processes; ``group_of``: int64, the
    process of each heading, lane or counter. Pinned lanes are none of it."""
    bands = layout.bands
    which = (bands.kinds == kind) & (bands.pinned == 0)
    return np.bincount(group_of[bands.indices[which]], bands.height[which], count).astype(np.int64)


def _group_of_counter(groups: Processes) -> I64:
    """int64[counter tracks]: the process of each."""
    group_of = np.zeros(int(groups.counters.max(initial=-1)) + 1, np.int64)
    group_of[groups.counters] = groups.of_counters()
    return group_of


def room_for_names(model: Model) -> int:
    """Logical pixels beside which most names of lanes fit at the usual size of text, with a percentage."""
    timeline = model.timeline
    longest = max((len(timeline.strings.get(text)) for text in distinct(timeline.lanes.thread)[:MOST_NAMES]), default=0)
    return NAME_MARGIN + longest * NAME_WIDTH


def matching(model: Model, text: str) -> tuple[frozenset[int] | None, frozenset[int] | None]:
    """(lanes, counter tracks) whose label holds all words of ``text``, in any case; (None, None), which is all of them,
    for an empty text."""
    words = text.casefold().split()
    if not words:
        return None, None

    def fits(label: str) -> bool:
        folded = label.casefold()
        return all(word in folded for word in words)

    groups = model.groups
    names = [groups.group_name(group) for group in range(len(groups))] if len(groups.counters) else []
    tracks = zip(groups.counters.tolist(), groups.of_counters().tolist(), strict=True)
    return (
        frozenset(lane for lane in groups.lanes.tolist() if fits(model.lane_label(lane))),
        frozenset(track for track, group in tracks if fits(f"{names[group]} / {model.counter_label(track)}")),
    )
