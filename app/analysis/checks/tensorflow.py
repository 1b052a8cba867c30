"""Whether the events of a log and a tensor map are consistent."""

from __future__ import annotations

import numpy as np

from app.analysis.tensor_map import owners, rising, spread, tensor_name, tile_count
from app.language import plural, tr
from app.profile.arrays import I64, among, combine_at, distinct
from app.profile.issue import Issue
from app.profile.profile import Profile
from app.profile.tensorflow import COMPILE_BEGIN, COMPILE_END, HostEvents, TensorMap

SLACK_SECONDS = 1.0
"""A duration may differ by this much from begin and end (which the event records at other moments)."""


def check(profile: Profile) -> list[Issue]:
    """Transfers whose tensors do not add up, compilations without their counterpart or with another duration."""
    events = profile.host_events
    if events is None:
        return []
    name = profile.origin.paths[0].name if profile.origin.paths else profile.name
    return [
        issue for issue in (_sums(events, name), _halves(events, name), _lengths(events, name)) if issue is not None
    ]


def _sums(events: HostEvents, name: str) -> Issue | None:
    own = events.tensors
    if not len(own):
        return None
    total = np.bincount(own.event, np.maximum(own.bytes, 0).astype(np.float64), minlength=len(events))
    complete = np.bincount(own.event[own.bytes < 0], minlength=len(events)) == 0
    listed = np.bincount(own.event, minlength=len(events)) > 0
    wrong = np.flatnonzero(listed & complete & (events.bytes >= 0) & (total != events.bytes))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = plural(
        "its tensors have {count:,} byte, but total_size is {byte:,}",
        "its tensors have {count:,} bytes, but total_size is {byte:,}",
        count=int(total[row]),
        byte=int(events.bytes[row]),
    )
    return Issue(
        "warning",
        tr("{name}: event {row:,}", name=name, row=row),
        _more(tr("inconsistent transfer: {text}", text=text), len(wrong)),
    )


def _halves(events: HostEvents, name: str) -> Issue | None:
    """A begin without its end: a compilation that failed, or that was running when the log ends."""
    begins = np.flatnonzero(events.type == COMPILE_BEGIN)
    open_ones = begins[~among(begins, events.begin)]
    if not len(open_ones):
        return None
    row = int(open_ones[0])
    module = events.strings.get(int(events.module[row])) or tr("without a name")
    text = tr(
        "the compilation of module {module} has no end event: it failed, was repeated, or started before the log",
        module=module,
    )
    return Issue("info", tr("{name}: event {row:,}", name=name, row=row), _more(text, len(open_ones)))


def _lengths(events: HostEvents, name: str) -> Issue | None:
    rows = np.flatnonzero((events.type == COMPILE_END) & (events.begin >= 0) & ~np.isnan(events.duration))
    measured = events.time[rows] - events.time[events.begin[rows]]
    wrong = np.flatnonzero(np.abs(measured - events.duration[rows]) > SLACK_SECONDS)
    if not len(wrong):
        return None
    row = int(rows[wrong[0]])
    text = tr(
        "it states {duration} s, but started {measured} s earlier",
        duration=f"{events.duration[row]:.3f}",
        measured=f"{measured[wrong[0]]:.3f}",
    )
    text = tr(
        "inconsistent compilation time: {text}; figures use the stated duration, the timeline uses the start event",
        text=text,
    )
    return Issue("info", tr("{name}: event {row:,}", name=name, row=row), _more(text, len(wrong)))


def _more(text: str, count: int) -> str:
    return (
        text
        if count == 1
        else plural(
            "{text} ({count:,} more such event)",
            "{text} ({count:,} more such events)",
            count=count - 1,
            text=text,
        )
    )


PLACE = tr("tensor map")


def check_tensor_map(profile: Profile) -> list[Issue]:
    """Totals that are not the sum over the tiles, more elements than a shape has, tiles that are listed twice or that
    the machine does not have."""
    own = profile.tensor_map
    if own is None or not len(own):
        return []
    elements = spread(own).elements
    made = [_totals(own, elements), _shapes(own, elements), _twice(own), _tiles(profile, own)]
    return [issue for issue in made if issue is not None]


def _totals(own: TensorMap, elements: I64) -> Issue | None:
    stated = own.tensors.elements
    wrong = np.flatnonzero((stated >= 0) & (stated != elements))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = plural(
        "its tiles contain {count:,} element, but its total is {stated:,}",
        "its tiles contain {count:,} elements, but its total is {stated:,}",
        count=int(elements[row]),
        stated=int(stated[row]),
    )
    return _issue(own, row, len(wrong), text)


def _shapes(own: TensorMap, elements: I64) -> Issue | None:
    """A tensor may have fewer distinct elements than its shape (broadcast), but not more."""
    shape = own.tensors.shape
    product = np.ones(len(own))
    combine_at(np.multiply, product, shape.owner, shape.items.astype(np.float64))
    wrong = np.flatnonzero((own.tensors.generation > 1) & (elements > product))
    if not len(wrong):
        return None
    row = int(wrong[0])
    text = plural(
        "its tiles contain {count:,} element, but its shape has {product:,}",
        "its tiles contain {count:,} elements, but its shape has {product:,}",
        count=int(elements[row]),
        product=int(product[row]),
    )
    return _issue(own, row, len(wrong), text)


def _twice(own: TensorMap) -> Issue | None:
    if rising(own):
        return None
    owner, tile = owners(own), own.tile
    order = np.lexsort((tile, owner))
    again = order[1:][(np.diff(owner[order]) == 0) & (np.diff(tile[order]) == 0)]
    if not len(again):
        return None
    tensors = distinct(owner[again])
    text = tr("tile {tile:,} is listed more than once; its elements are added", tile=int(tile[again[0]]))
    return _issue(own, int(owner[again[0]]), len(tensors), text)


def _tiles(profile: Profile, own: TensorMap) -> Issue | None:
    target = profile.target
    if target is None or not target.tiles or tile_count(own) <= target.tiles:
        return None
    text = plural(
        "it names tile {tile_count:,}, but the target has {count:,} tile: it belongs to another graph",
        "it names tile {tile_count:,}, but the target has {count:,} tiles: it belongs to another graph",
        count=target.tiles,
        tile_count=tile_count(own) - 1,
    )
    return Issue("warning", PLACE, text)


def _issue(own: TensorMap, row: int, count: int, text: str) -> Issue:
    if count > 1:
        text = plural(
            "{text} ({count:,} more such tensor)", "{text} ({count:,} more such tensors)", text=text, count=count - 1
        )
    where = tr("{place}: tensor {row:,}, {tensor_name}", place=PLACE, row=row, tensor_name=tensor_name(own, row))
    return Issue("warning", where, text)
