"""Texts about an event and its attached parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.analysis.host_events import is_path, missing_reports
from app.language import labelled, tr
from app.profile.tensorflow import CONTENTS, ROLES, HostEvents, event_type
from app.views.look import Look
from app.views.units import format_value

NOTHING = tr("Select an event to see its reports and data.")


def title(events: HostEvents, event: int, count: int) -> str:
    """``COMPILE_END · cluster_1 · after 2.5 s``; of several events the first."""
    parts = [event_type(int(events.type[event]))]
    if name := events.strings.get(int(events.module[event])):
        parts.append(name)
    seconds = float(events.since()[event])
    if seconds == seconds:
        parts.append(tr("after {seconds}", seconds=format_value(seconds, "s")))
    if count > 1:
        parts.append(tr("the first of {count:,} events", count=count))
    return " · ".join(parts)


def part_line(events: HostEvents, part: int, look: Look) -> str:
    """``Compilation report: JSON, 12.3 MiB``, or the path that it was written to."""
    own = events.attached
    what = ROLES[int(own.role[part])].capitalize()
    if is_path(events, part):
        return tr("{what}: in a file, {path}", what=what, path=events.strings.get(int(own.path[part])))
    return labelled(what, f"{CONTENTS[int(own.content[part])]}, {format_value(int(own.size[part]), 'B', look)}")


def why_none(events: HostEvents, event: int) -> str:
    """Why an event has no report; "" if it has one or none is expected."""
    ids, reasons = missing_reports(events)
    return reasons.get(int(ids[event]))


def question(paths: Sequence[Path]) -> str:
    """The files that will be looked for if the user agrees."""
    places = "; ".join(str(path) for path in paths)
    return tr(
        "The path comes from the log. Tilesight searches for {places} and reads the file as a "
        "profile. Nothing in it is executed.",
        places=places,
    )


def not_there(paths: Sequence[Path]) -> str:
    return tr("There is no such file: {paths}", paths="; ".join(str(path) for path in paths))
