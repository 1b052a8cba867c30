"""Decodes the arguments of a slice when it is selected."""

from __future__ import annotations

from contextlib import ExitStack

from app.formats.ascend_report.traces import joined_files
from app.formats.ascend_trace import record as one_trace
from app.formats.format import Details
from app.formats.joined import Joined
from app.formats.source import Source
from app.profile.profile import Profile


def record(source: Source, profile: Profile, ordinal: int) -> Details:
    """Event ``ordinal`` with all its fields as in the file. ``source``: the file of the timeline, or the first of
    several that were read as one. Raises FormatError where it cannot be read again."""
    files = joined_files(profile)
    if not files:
        return one_trace.record(source, profile, ordinal)
    with ExitStack() as stack:
        parts = [stack.enter_context(Source(profile.origin.paths[file])) for file in files]
        return one_trace.record(Joined(parts), profile, ordinal)
