"""What the timeline says about the thing under the pointer. No Qt."""

from __future__ import annotations

import numpy as np

from app.language import plural, tr
from app.profile.pipes import MARKS, PIPE_STATES, REGIONS, TRACE_POINTS_LANE, USER_MARKS, busy_pipes, split_lane
from app.profile.pypto import READY
from app.views import colours
from app.views.timeline.bands import Band
from app.views.timeline.compared_words import about_lane, about_pair
from app.views.timeline.model import Model
from app.views.timeline.state import Shown
from app.views.units import exact, percent
from app.widgets.timeline.pick import Hit

MOVES = tr("Drag the name to move the lane")
REMARKS = {
    PIPE_STATES: tr("times at which a pipe of this core becomes busy or idle"),
    REGIONS: tr("ranges that the program marks; not counted as work of the pipe"),
    MARKS: tr("points in time that the program marks"),
    TRACE_POINTS_LANE: tr("the pairing of TRACE_START and TRACE_STOP is not documented: shown as stored"),
    USER_MARKS: tr("ranges from TRACE_START to TRACE_STOP in the source"),
    READY: tr("tasks whose dependencies have ended and that have not begun; one without dependencies never counts"),
}


def describe(shown: Shown, at: Hit) -> str:
    """The tooltip; "" where there is nothing to say."""
    if at.zone == "border":
        return tr("Drag to resize the names")
    if at.zone in ("start", "end"):
        return tr("Drag to move this edge of the range")
    if at.zone == "ruler":
        return tr("Drag to measure and to set the range; Ctrl+wheel zooms")
    if at.zone == "notes":
        return "" if at.note is None else about_note(shown, at.note)
    if at.zone == "pin" and at.band is not None:
        return tr("Click to unpin this lane (P)") if at.band.pinned else tr("Click to pin this lane to the top (P)")
    if at.zone in ("names", "fold") and at.band is not None:
        return about_band(shown, at.band)
    if at.zone != "body":
        return ""
    if at.index is not None:
        return "\n".join((about_slice(shown, at.index, at.count), *about_partner(shown, at.index)))
    if at.band is not None and at.band.kind == "counter":
        return about_counter(shown, at.band.index, at.time)
    if at.band is not None and at.band.folded:
        return about_band(shown, at.band)
    return ""


def moment(shown: Shown, time: float, finest: float = 0.0) -> str:
    """A moment as precisely as the view, or as ``finest``, demands."""
    return shown.model.clock.moment(time, shown.look, (shown.view.start, shown.view.end), finest)


def about_slice(shown: Shown, index: int, count: int = 1) -> str:
    """Name, start and duration (in human units and exactly), lane, and how many slices the pixel stands for."""
    model, look = shown.model, shown.look
    start, length = model.start_of(index), model.duration_of(index)
    lines = [model.name(index)]
    if count > 1:
        lines.append(tr("the longest of {count:,} slices in this pixel; zoom in to see the others", count=count))
    if model.is_instant(index):
        lines.append(
            tr("instant at {shown} (exactly {exactly})", shown=moment(shown, start), exactly=model.clock.exactly(start))
        )
    else:
        lines.append(
            tr(
                "start {shown} (exactly {exactly})",
                shown=moment(shown, start, length / 10),
                exactly=model.clock.exactly(start),
            )
        )
        took = tr(
            "{span} (exactly {exactly})", span=model.clock.span(length, look), exactly=model.clock.exactly(length)
        )
        lines.append(tr("duration {took}", took=took) if model.timed(index) else tr("duration not in the file"))
        if model.rows.key[index] == model.waiting_key:
            lines.append(tr("waits: nothing runs in it"))
    lines.append(tr("lane {lane_label}", lane_label=model.lane_label(model.lane_of(index))))
    pipes = busy_pipes(model.name(index)) if model.is_instant(index) else None
    if pipes is not None:
        which = ", ".join(pipes) or tr("none")
        lines.append(tr("pipes busy from here on: {which}", which=which))
    category = model.category(index)
    if category and colours.label(category) not in (model.thread(model.lane_of(index)), model.name(index)):
        called = colours.label(category)
        lines.append(tr("category {category}", category=category) + (f" ({called})" if called != category else ""))
    return "\n".join(lines)


def about_partner(shown: Shown, index: int) -> list[str]:
    """How a slice differs from the one that it is compared with; nothing without a comparison."""
    return [] if shown.counterpart is None else about_pair(shown.counterpart, index, shown.look)


def about_note(shown: Shown, index: int) -> str:
    """Its whole name and its times."""
    note, clock = shown.notes.notes[index], shown.model.clock
    lines = [
        note.text,
        tr("at {shown} (exactly {exactly})", shown=moment(shown, note.start), exactly=clock.exactly(note.start)),
    ]
    if not note.moment:
        length = note.end - note.start
        lines.append(
            tr("{span} long (exactly {exactly})", span=clock.span(length, shown.look), exactly=clock.exactly(length))
        )
    return "\n".join(lines)


def about_band(shown: Shown, band: Band) -> str:
    """What a heading or the name of a lane stands for."""
    model = shown.model
    if band.kind == "process":
        groups = model.groups
        count = int(groups.first_lane[band.index + 1] - groups.first_lane[band.index])
        lanes = plural("{count:,} lane", "{count:,} lanes", count=count)
        clicks = (
            tr("Click the triangle to expand, the name to select its lanes")
            if band.folded
            else tr("Click the triangle to collapse, the name to select its lanes")
        )
        return f"{process_title(model, band.index)}: {lanes}\n{clicks}"
    if band.kind == "counter":
        track = shown.contents.tracks[band.index]
        values = tr("{low} to {high}", low=exact(track.low, ""), high=exact(track.high, ""))
        about = plural(
            "{counter_label}\nvalues from {values}, {count:,} point",
            "{counter_label}\nvalues from {values}, {count:,} points",
            count=len(track.time),
            counter_label=model.counter_label(band.index),
            values=values,
        )
        return "\n".join(filter(None, (about, REMARKS.get(model.counter_label(band.index)))))
    first_row = model.timeline.lanes.first_row
    first, last = int(first_row[band.index]), int(first_row[band.index + 1])
    count = int(model.rows.first[last] - model.rows.first[first])
    lines = [model.lane_label(band.index) or tr("(no name)"), _contents(shown, first, last, count)]
    if last - first > 1:
        lines[-1] = plural(
            "{slices} on {count:,} row",
            "{slices} on {count:,} rows",
            count=last - first,
            slices=lines[-1],
        )
        lines.append(
            tr("Click the triangle, or press E, to expand")
            if band.folded
            else tr("Click the triangle, or press E, to collapse")
        )
    lines += about_remarks(model.thread(band.index))
    if any(shown.lanes.next_drop(band, way) is not None for way in (-1, 1)):
        lines.append(MOVES)
    if shown.contents.use.busy[band.index] == shown.contents.use.busy[band.index]:
        lines += about_use(shown, band.index)
    elif count and not model.timed(int(model.rows.first[first])):
        lines.append(tr("the durations of its slices are not in the file"))
    if shown.counterpart is not None:
        lines += about_lane(shown.counterpart, band.index, shown.look)
    return "\n".join(lines)


def about_remarks(lane: str) -> list[str]:
    """What a lane means that holds no work of a pipe."""
    thread, what = split_lane(lane)
    said = REMARKS.get(what or thread)
    return [] if said is None else [said]


def process_title(model: Model, group: int) -> str:
    """The heading of a process; a bare number is the id of a process that the file does not name."""
    name = model.groups.group_name(group)
    if name.isdecimal():
        return tr("Process {name}", name=name)
    return name or tr("(no process name)")


def _contents(shown: Shown, first: int, last: int, count: int) -> str:
    """How many slices, or instants, the rows [first, last) of a lane hold."""
    if bool(shown.model.moments[first:last].all()):
        return plural("{count:,} instant", "{count:,} instants", count=count)
    return plural("{count:,} slice", "{count:,} slices", count=count)


def about_use(shown: Shown, lane: int) -> list[str]:
    """How busy a lane is, and with how much at once: more than 100 % of the time when durations are added up."""
    use, measured = shown.contents.use, shown.contents.measured
    share = percent(100 * float(use.busy[lane]))
    lines: list[str] = [tr("busy {share} of the {measured} (union of its slices)", share=share, measured=measured)]
    if use.waiting[lane]:
        waiting = percent(100 * float(use.waiting[lane]))
        lines = [
            tr("busy {share} of the {measured} (union of its slices, without waiting)", share=share, measured=measured),
            tr("waits {waiting} of that time", waiting=waiting),
        ]
    if use.at_once[lane] > 1:
        summed, most = percent(100 * float(use.summed[lane])), int(use.at_once[lane])
        text = tr(
            "up to {most:,} slices at once: their durations add up to {summed} of that time", most=most, summed=summed
        )
        lines.append(text)
    noise = shown.contents.noise
    if noise is not None and bool(noise.slices[shown.model.slices_of(lane)].any()):
        lines.append(tr("includes hidden flags and barriers"))
    return lines


def about_counter(shown: Shown, track: int, time: float) -> str:
    """The value at the pointer."""
    value = shown.contents.tracks[track].at(time)
    shown_value = tr("no value yet") if value is None else exact(value, "")
    return tr(
        "{counter_label}: {shown_value}\nat {shown}",
        counter_label=shown.model.counter_label(track),
        shown_value=shown_value,
        shown=moment(shown, time),
    )


def selected_words(shown: Shown, index: int | None, lanes: tuple[int, ...]) -> str:
    """What a screen reader says of the selection: a slice, else a lane, else how much there is."""
    if index is not None:
        return about_slice(shown, index)
    band = shown.layout.lane_bands.get(lanes[0]) if len(lanes) == 1 else None
    return total(shown) if band is None else about_band(shown, band)


def total(shown: Shown) -> str:
    """How much there is, for people and screen readers."""
    timeline = shown.model.timeline
    count = len(shown.model.rows.start) - len(timeline.instants.slice)
    lanes = int(np.count_nonzero(np.diff(timeline.lanes.first_row)))
    everything = tr(
        "{slices} on {lanes}",
        slices=plural("{count:,} slice", "{count:,} slices", count=count),
        lanes=plural("{count:,} lane", "{count:,} lanes", count=lanes),
    )
    noise = shown.contents.noise
    return everything if noise is None else tr("{everything}, {hidden}", everything=everything, hidden=noise.text)
