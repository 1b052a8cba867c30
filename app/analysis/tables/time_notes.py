"""A user's notes on a timeline, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.analysis.table import Column, Table
from app.analysis.timeline.places import time_column
from app.analysis.timeline.units import timeline_table
from app.language import tr
from app.profile.file_state import NOTE_COLOURS, TimeNote
from app.profile.timeline import Timeline

ID = "time-notes"


def time_notes(timeline: Timeline, notes: Sequence[TimeNote]) -> Table:
    """One row per note, in the order of creation; a moment has no length."""
    start = np.array([note.start for note in notes], np.float64)
    end = np.array([note.end for note in notes], np.float64)
    moment = start == end
    columns = (
        Column("name", tr("Name"), tuple(note.text for note in notes)),
        time_column(timeline, "start", tr("Start"), start),
        Column(
            "duration",
            tr("Duration"),
            end - start,
            timeline.unit,
            tr("End minus start; a point in time has none."),
            moment,
        ),
        time_column(timeline, "end", tr("End"), end, missing=moment),
        Column("colour", tr("Colour"), tuple(NOTE_COLOURS[note.colour % len(NOTE_COLOURS)] for note in notes)),
    )
    return timeline_table(timeline, ID, tr("Notes"), columns)
