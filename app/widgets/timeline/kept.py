"""How a timeline was left, as plain JSON values: lanes and processes by name, so that it still fits when a reader
orders them otherwise. No Qt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.widgets.timeline import view as views
from app.widgets.timeline.layout import ROW_HEIGHTS, Choice
from app.widgets.timeline.model import Model
from app.widgets.timeline.scene import GUTTER_LEAST, GUTTER_MOST
from app.widgets.timeline.state import Shown
from app.widgets.timeline.view import View

MOST_TIME = 1e300
LONGEST = 200
MOST = 2_000
"""Names of each kind that are kept."""


def kept(shown: Shown) -> dict[str, Any]:
    """What differs from how a timeline is shown at first."""
    model, choice, view = shown.model, shown.choice, shown.view
    found: dict[str, Any] = {
        "rows": shown.rows_as if shown.rows_as != "normal" else "",
        "gutter": shown.place.gutter if shown.gutter_chosen else 0,
        "folded_processes": [model.groups.group_name(group) for group in sorted(choice.folded_groups)[:MOST]],
        "folded_lanes": [model.lane_label(lane) for lane in sorted(choice.folded_lanes)[:MOST]],
        "pins": [model.lane_label(lane) for lane in choice.pins[:MOST]],
    }
    found |= {
        "hidden": sorted(shown.contents.hidden)[:MOST],
        "flows": list(shown.contents.flow_names),
        "filter": shown.lane_filter,
    }
    found = {key: value for key, value in found.items() if value}
    if replace(view, top=0) != replace(views.whole(shown.bounds), top=0):
        found["start"], found["end"] = view.start, view.end
    if view.top:
        found["top"] = view.top
    return found


def restore(shown: Shown, found: Mapping[str, Any]) -> None:
    """Shows it as ``kept`` found it; whatever does not fit this timeline is passed over."""
    rows = found.get("rows")
    if rows in (*ROW_HEIGHTS, "all"):
        shown.rows_as = str(rows)
    gutter = found.get("gutter")
    if isinstance(gutter, int) and GUTTER_LEAST <= gutter <= GUTTER_MOST:
        shown.set_gutter(gutter)
    shown.choose_rows(_choice(shown.model, found))
    text = found.get("filter")
    shown.filter_lanes(text[:LONGEST] if isinstance(text, str) else "")
    shown.contents.hide(frozenset(_names(found, "hidden")))
    shown.contents.show_flows(tuple(_names(found, "flows")))
    start, end, top = _time(found.get("start")), _time(found.get("end")), found.get("top", 0)
    view = shown.view
    if start is not None and end is not None and start < end:
        view = View(start, end)
    whole_top = top if isinstance(top, int) and 0 <= top <= shown.layout.height else 0
    shown.view = views.clamped(replace(view, top=whole_top), shown.bounds)


def _choice(model: Model, found: Mapping[str, Any]) -> Choice:
    if not any(_names(found, kind) for kind in ("folded_processes", "folded_lanes", "pins")):
        return Choice()
    groups = {model.groups.group_name(number): number for number in reversed(range(len(model.groups)))}
    lanes = {model.lane_label(lane): lane for lane in reversed(model.groups.lanes.tolist())}
    return Choice(
        frozenset(groups[name] for name in _names(found, "folded_processes") if name in groups),
        frozenset(lanes[name] for name in _names(found, "folded_lanes") if name in lanes),
        tuple(dict.fromkeys(lanes[name] for name in _names(found, "pins") if name in lanes)),
    )


def _names(found: Mapping[str, Any], key: str) -> list[str]:
    value = found.get(key)
    return [name for name in value[:MOST] if isinstance(name, str)] if isinstance(value, list) else []


def _time(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) < MOST_TIME:
        return None
    return float(value)
