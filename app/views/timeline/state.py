"""One timeline as it is shown: its parts, and how it was left, from one run to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.analysis.time.model import TimeModel
from app.analysis.timeline.pipes import has_pipes, noise
from app.profile.arrays import I64, Bool
from app.profile.file_state import TimeNote
from app.views.look import Look, Theme
from app.views.timeline import view as views
from app.views.timeline.colour_choice import CHOICES, ColourBy
from app.views.timeline.colouring import NO_SLOTS, Colours
from app.views.timeline.contents import Contents
from app.views.timeline.counterpart import Counterpart
from app.views.timeline.flows import Flows, PathLines
from app.views.timeline.lanes import Lanes
from app.views.timeline.layout import ROW_HEIGHTS, Layout, RowChoice
from app.views.timeline.model import Model
from app.views.timeline.navigation import Navigation
from app.views.timeline.scene import GUTTER_LEAST, GUTTER_MOST, NO_NOTES, Notes, Place, Scene
from app.views.timeline.shades import Shades
from app.views.timeline.view import Bounds, View

MOST_TIME = 1e300
LONGEST = 200
MOST = 2_000
"""Names of each kind that are saved."""


def nobody() -> None:
    """Is called while no canvas shows a timeline."""


class Shown:
    """``contents``: what is drawn, in colours like those of ``leading`` where it is a baseline; ``lanes``: where lanes
    stand; ``navigation``: what part is seen; ``flows``: whose arrows are drawn; ``path``: the critical path where it is
    shown; ``path_wanted``: whether it is to be shown, as soon as it is known; ``notes``; ``counterpart``: what it is
    compared with; ``view_alone``: the view that it had before it was compared. ``changed`` is called when the view or
    the layout is another one."""

    def __init__(self, model: Model, look: Look, place: Place) -> None:
        self.model = model
        self.look = look
        self.changed: Callable[[], None] = nobody
        self.contents = Contents(model)
        self.leading: Colours | None = None
        self.flows = Flows(model)
        self.path: PathLines | None = None
        self.path_wanted = False
        self.notes = NO_NOTES
        self.counterpart: Counterpart | None = None
        self.shades = self.shades_of(look.theme)
        self.view_alone: View | None = None
        self.lanes = Lanes(model, place, self._arranged)
        self.navigation = Navigation(model, self.lanes, self._moved)

    @property
    def view(self) -> View:
        """What part is seen."""
        return self.navigation.view

    @property
    def bounds(self) -> Bounds:
        """How far the view may go at the moment."""
        return self.navigation.bounds

    @property
    def place(self) -> Place:
        """The parts of the picture."""
        return self.lanes.place

    @property
    def layout(self) -> Layout:
        """Where lanes stand."""
        return self.lanes.layout

    def scene(self) -> Scene:
        """What to paint."""
        contents, flows, layout = self.contents, self.flows, self.lanes.layout
        return Scene(
            model=self.model,
            renderer=contents.renderer,
            tracks=contents.tracks,
            layout=layout,
            view=self.navigation.view,
            place=self.lanes.place,
            shades=self.shades,
            theme=self.look.theme,
            look=self.look,
            colours=contents.colours,
            only_slots=contents.only_slots,
            hits=contents.hits,
            chosen=contents.chosen,
            busy=contents.use.busy,
            notes=self.notes,
            flows=flows.lines,
            centres=flows.centres(layout) if flows.lines is not None or self.path is not None else None,
            alone=contents.alone,
            counterpart=self.counterpart,
            path=self.path,
        )

    def compare(self, counterpart: Counterpart, reach: tuple[float, float]) -> None:
        """Marks what differs from ``counterpart``, which lies at ``reach`` of its times: the view may go that far."""
        if self.view_alone is None:
            self.view_alone = self.view
        everything = self.navigation.shows_everything or self.navigation.is_home
        self.navigation.reach = reach
        self.set_counterpart(counterpart)
        if counterpart.baseline:
            self.shades = self.shades_of(self.look.theme)
        view = replace(views.whole(self.bounds), top=self.view.top) if everything else self.view
        self.navigation.show(views.clamped(view, self.bounds))

    def set_counterpart(self, counterpart: Counterpart) -> None:
        """More is known of what it is compared with."""
        before, self.counterpart = self.counterpart, counterpart
        if before is None or before.partner is not counterpart.partner:
            self.contents.mark_alone(counterpart.alone)

    def end_comparison(self) -> None:
        """Shows it alone again, where it was left before."""
        self.counterpart = None
        self.contents.mark_alone(np.empty(0, np.int64))
        self.navigation.reach = None
        if self.view_alone is not None:
            before, self.view_alone = self.view_alone, None
            self.navigation.show(views.clamped(before, self.bounds))

    def like(self, before: Shown) -> None:
        """The same timeline read again, or further: zoom with its history, folds and rows as they were left. A view of
        everything still is one, and so is the first one."""
        home, everything = before.navigation.is_home, before.navigation.shows_everything
        shift = float(before.model.timeline.origin - self.model.timeline.origin)
        self.lanes.take_over(before.lanes)
        if len(before.model.group_of_lane) != len(self.model.group_of_lane):  # their numbers are others
            groups = before.model.groups
            folded = [groups.group_name(group) for group in sorted(before.lanes.choice.folded_groups)]
            left = {**saved_state(before), "folded_processes": folded}
            self.lanes.choose(_choice(self.model, left))
            self.lanes.hide(*_hidden_lanes(self.model, left))
            self.lanes.set_filter(before.lanes.filter)
            self.lanes.fold_to_fit()
        self.contents.hide(before.contents.hidden)
        self.contents.keep(before.contents.only)
        self.colour_as(before)
        self.show_pipes_only(before.pipes_only)
        self.flows.show(before.flows.names)
        self.path_wanted = before.path_wanted
        self.navigation.history = before.navigation.history.shifted(shift)
        view = self.navigation.home if home else before.view.shifted(shift)
        view = views.whole(self.bounds) if everything and not home else view
        self.navigation.show(views.clamped(replace(view, top=before.view.top), self.bounds))

    @cached_property
    def has_pipes(self) -> bool:
        """Whether there are pipes that can be shown alone."""
        return has_pipes(self.model.timeline)

    @property
    def pipes_only(self) -> bool:
        """Whether only the work of pipes is shown."""
        return self.contents.noise is not None

    def show_pipes_only(self, wanted: bool) -> None:
        """Leaves out flags, barriers and scalar lanes, where there are pipes, or shows them again."""
        if wanted == self.pipes_only or not self.has_pipes:
            return
        left_out = noise(self.model.timeline) if wanted else None
        self.contents.leave_noise(left_out)
        lanes = () if left_out is None else np.flatnonzero(left_out.lanes).tolist()
        self.lanes.leave_out(frozenset(lanes))

    def search(self, matched: Bool | None) -> I64 | None:
        """Brings slices that match (bool[slices]) forward, on the lanes that are shown; None ends the search. Returns
        their indices."""
        if matched is not None and self.lanes.choice.lanes is not None:
            rows = self.model.rows
            shown = self.lanes.layout.lane_bands.place[self.model.lane_of_row] >= 0
            matched = matched & np.repeat(shown, np.diff(rows.first))
        return self.contents.search(matched)

    def colour(self, wanted: ColourBy, only: frozenset[int] = frozenset()) -> None:
        """Colours by another choice, of which only those in the slots ``only`` are shown (none: all)."""
        self._colour(self.model.coloured(wanted), only)

    def colour_as(self, other: Shown) -> None:
        """The same choice, and the same colours left, as in another timeline."""
        own, only = other.contents.colours, other.contents.only_slots
        colours = self.model.coloured(own.wanted)
        self._colour(colours, colours.named(*own.texts(only)) if only and colours.by == own.by else frozenset())

    def colour_like(self, above: Shown) -> bool:
        """The colours of the timeline that this one is compared with: they mean the same, and names share them.
        Returns whether they are others now."""
        known, self.leading = self.leading, above.contents.colours
        only, colours = above.contents.only_slots, self.contents.colours
        if known is not self.leading:
            colours = self.model.coloured(self.leading.wanted, self.leading)
        changed = self._colour(colours, colours.named(*self.leading.texts(only)) if only else frozenset())
        if known is not self.leading:
            self.shades = self.shades_of(self.look.theme)
        return changed

    def _colour(self, colours: Colours, only: frozenset[int]) -> bool:
        own = self.contents
        if colours is own.colours and only == own.only_slots:
            return False
        own.colour(colours, only)
        self.shades = self.shades_of(self.look.theme)
        return True

    def show_path(self, time: TimeModel | None) -> None:
        """Shows the critical path of its model of time; None: no longer."""
        self.path = None if time is None else PathLines.of(self.model, time)
        self.path_wanted = time is not None
        self.changed()

    def set_look(self, look: Look) -> None:
        """Other units or colours."""
        if look.theme != self.look.theme:
            self.shades = self.shades_of(look.theme)
        self.look = look

    def shades_of(self, theme: Theme) -> Shades:
        """The colours in a theme; in a baseline, names have those of the comparison."""
        own, other, known = self.contents.colours, self.leading, {}
        if other is None and self.counterpart is not None and self.counterpart.baseline:
            other = self.counterpart.other.colours
        if other is not None and own.by != "duration":
            known = dict(zip(other.names[2:], Shades.of(other.names, theme).fill[2:], strict=False))
        return Shades.of(own.names, theme, self.model.scale, known, steps=own.by == "duration")

    def set_text(self, height: int) -> None:
        """How high a line of text is."""
        self.lanes.make_room(height, self.notes.height(height))

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """Room is made for them above the rows."""
        self.notes = Notes.of(notes, chosen)
        self.set_text(self.lanes.text)

    def _arranged(self) -> None:
        self.navigation.stay_within()
        self.changed()

    def _moved(self) -> None:
        self.changed()


def saved_state(shown: Shown) -> dict[str, Any]:
    """What differs from how a timeline is shown at first, as plain JSON values: lanes and processes by name, so that it
    still fits when a reader orders them otherwise."""
    model, lanes, view = shown.model, shown.lanes, shown.view
    folded = lanes.choice.folded_groups if lanes.own_folds else frozenset()
    colours = shown.contents.colours
    names, slots = colours.texts(list(shown.contents.only_slots)[:MOST])
    values: dict[str, Any] = {
        "rows": lanes.rows_as if lanes.rows_as != "normal" else "",
        "gutter": lanes.place.gutter if lanes.gutter_chosen else 0,
        "folded_processes": [model.groups.group_name(group) for group in sorted(folded)[:MOST]],
        "unfolded": lanes.own_folds and not folded and shown.bounds.height > shown.bounds.room,
        "folded_lanes": [model.lane_label(lane) for lane in sorted(lanes.choice.folded_lanes)[:MOST]],
        "pins": [model.lane_label(lane) for lane in lanes.choice.pins[:MOST]],
        "lane_order": [model.lane_label(lane) for lane in lanes.choice.lane_order[:MOST]],
        "process_order": [model.groups.group_name(group) for group in lanes.choice.group_order[:MOST]],
        "hidden_lanes": [model.lane_label(lane) for lane in sorted(lanes.hidden)[:MOST]],
        "hidden_counters": [model.counter_path(track) for track in sorted(lanes.hidden_counters)[:MOST]],
        "hidden": sorted(shown.contents.hidden)[:MOST],
        "only": sorted(shown.contents.only)[:MOST],
        "colour_by": "" if colours.wanted == "auto" else colours.wanted,
        "colours": names,
        "colour_slots": slots,
        "flows": list(shown.flows.names),
        "filter": lanes.filter,
        "pipes_only": shown.pipes_only,
        "path": shown.path_wanted,
    }
    saved = {key: value for key, value in values.items() if value}
    if not shown.navigation.is_home:
        saved["start"], saved["end"] = view.start, view.end
    if view.top:
        saved["top"] = view.top
    return saved


def restore(shown: Shown, saved: Mapping[str, Any]) -> None:
    """Shows it as ``saved_state`` left it; whatever does not fit this timeline is ignored."""
    lanes = shown.lanes
    rows = saved.get("rows")
    if rows in (*ROW_HEIGHTS, "all"):
        lanes.rows_as = str(rows)
    gutter = saved.get("gutter")
    if isinstance(gutter, int) and GUTTER_LEAST <= gutter <= GUTTER_MOST:
        lanes.set_gutter(gutter)
    lanes.choose(_choice(shown.model, saved))
    lanes.own_folds = saved.get("unfolded") is True or bool(lanes.choice.folded_groups or lanes.choice.folded_lanes)
    lanes.hide(*_hidden_lanes(shown.model, saved))
    text = saved.get("filter")
    lanes.set_filter(text[:LONGEST] if isinstance(text, str) else "")
    shown.contents.hide(frozenset(_names(saved, "hidden")))
    shown.contents.keep(frozenset(_names(saved, "only")))
    _restore_colours(shown, saved)
    shown.show_pipes_only(saved.get("pipes_only") is True)
    shown.flows.show(tuple(_names(saved, "flows")))
    shown.path_wanted = saved.get("path") is True
    start, end, top = _time(saved.get("start")), _time(saved.get("end")), saved.get("top", 0)
    view = shown.view
    if start is not None and end is not None and start < end:
        view = View(start, end)
    whole_top = top if isinstance(top, int) and 0 <= top <= shown.layout.height else 0
    shown.navigation.show(views.clamped(replace(view, top=whole_top), shown.bounds))


def _restore_colours(shown: Shown, saved: Mapping[str, Any]) -> None:
    wanted: ColourBy = next((by for by in CHOICES if by == saved.get("colour_by")), "auto")
    shown.colour(wanted)
    names, slots = _names(saved, "colours"), _names(saved, "colour_slots")
    if names or slots:
        only = shown.contents.colours.named(names, slots)
        shown.colour(wanted, only if only != NO_SLOTS else frozenset())


CHOSEN = ("folded_processes", "folded_lanes", "pins", "lane_order", "process_order")


def _choice(model: Model, saved: Mapping[str, Any]) -> RowChoice:
    if not any(_names(saved, kind) for kind in CHOSEN):
        return RowChoice()
    groups = {model.groups.group_name(number): number for number in reversed(range(len(model.groups)))}
    lanes = _lanes_by_label(model)
    return RowChoice(
        frozenset(groups[name] for name in _names(saved, "folded_processes") if name in groups),
        frozenset(lanes[name] for name in _names(saved, "folded_lanes") if name in lanes),
        tuple(dict.fromkeys(lanes[name] for name in _names(saved, "pins") if name in lanes)),
        lane_order=tuple(dict.fromkeys(lanes[name] for name in _names(saved, "lane_order") if name in lanes)),
        group_order=tuple(dict.fromkeys(groups[name] for name in _names(saved, "process_order") if name in groups)),
    )


def _hidden_lanes(model: Model, saved: Mapping[str, Any]) -> tuple[frozenset[int], frozenset[int]]:
    """(lanes, counter tracks) that the user hid one by one."""
    names, paths = set(_names(saved, "hidden_lanes")), set(_names(saved, "hidden_counters"))
    lanes = _lanes_by_label(model) if names else {}
    counters = {model.counter_path(track): track for track in model.groups.counters.tolist()} if paths else {}
    return (
        frozenset(lanes[name] for name in names if name in lanes),
        frozenset(counters[path] for path in paths if path in counters),
    )


def _lanes_by_label(model: Model) -> dict[str, int]:
    """The first lane of each label."""
    return {model.lane_label(lane): lane for lane in reversed(model.groups.lanes.tolist())}


def _names(saved: Mapping[str, Any], key: str) -> list[str]:
    value = saved.get(key)
    return [name for name in value[:MOST] if isinstance(name, str)] if isinstance(value, list) else []


def _time(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < MOST_TIME:
        return None
    return float(value)
