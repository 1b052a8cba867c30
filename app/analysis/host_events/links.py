"""Links between slices of the timeline, events and what is attached to them."""

from __future__ import annotations

import numpy as np

from app.profile.arrays import I64, distinct
from app.profile.profile import Profile

NONE = np.empty(0, np.int64)


def slice_events(profile: Profile, slices: I64) -> I64:
    """The events that the slices represent: for a compilation its begin and its end."""
    events, timeline = profile.host_events, profile.timeline
    if events is None or timeline is None:
        return NONE
    known = slices[(slices >= 0) & (slices < len(timeline.slices.record))]
    rows = timeline.slices.record[known]
    rows = rows[(rows >= 0) & (rows < len(events))]
    begins = events.begin[rows].astype(np.int64)
    return distinct(np.concatenate((rows, begins[begins >= 0])))


def event_slices(profile: Profile, rows: I64) -> I64:
    """The slices that represent these events."""
    events, timeline = profile.host_events, profile.timeline
    if events is None or timeline is None:
        return NONE
    wanted = np.zeros(len(events), np.bool_)
    wanted[rows[(rows >= 0) & (rows < len(events))]] = True
    wanted[np.flatnonzero((events.begin >= 0) & wanted[events.begin])] = True
    record = timeline.slices.record
    inside = (record >= 0) & (record < len(events))
    return np.flatnonzero(inside & wanted[np.where(inside, record, 0)]).astype(np.int64) if len(events) else NONE


def event_reports(profile: Profile, rows: I64) -> I64:
    """The parts attached to these events."""
    events = profile.host_events
    return NONE if events is None else np.flatnonzero(np.isin(events.attached.event, rows)).astype(np.int64)


def report_events(profile: Profile, reports: I64) -> I64:
    """The events that these parts are attached to."""
    events = profile.host_events
    if events is None:
        return NONE
    known = reports[(reports >= 0) & (reports < len(events.attached))]
    return distinct(events.attached.event[known]).astype(np.int64)
