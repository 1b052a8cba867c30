"""A trace of the pipes of a core that set flags and wait for them, as a file."""

from __future__ import annotations

from pathlib import Path

import orjson

from app.profile.timeline import Timeline
from generators.schedules import flagged


def write(path: Path, line: Timeline | None = None) -> Path:
    """Writes the schedule ``flagged()`` (or ``line``, of one process) as a Chrome trace in microseconds."""
    line = flagged() if line is None else line
    slices, lanes, strings = line.slices, line.lanes, line.strings
    events: list[dict[str, object]] = []
    for lane, (process, thread) in enumerate(zip(lanes.process.tolist(), lanes.thread.tolist(), strict=True)):
        first, last = (int(slices.first[row]) for row in lanes.first_row[lane : lane + 2])
        for index in range(first, last):
            name = strings.get(int(slices.name[index]))
            times = {"ts": round(float(slices.start[index]), 6), "dur": round(float(slices.duration[index]), 6)}
            events.append({"ph": "X", "name": name, "pid": strings.get(process), "tid": strings.get(thread), **times})
    path.write_bytes(orjson.dumps({"traceEvents": events}))
    return path
