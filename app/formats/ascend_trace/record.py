"""Decodes the arguments of a slice when it is selected."""

from __future__ import annotations

from app.formats.errors import FormatError
from app.formats.format import Details
from app.formats.json.again import record_at
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile


def record(source: Source, profile: Profile, ordinal: int) -> Details:
    """Event ``ordinal`` with all its fields as in the file. Raises FormatError where it cannot be read again."""
    pieces = profile.timeline.pieces if profile.timeline else None
    if pieces is None:
        raise FormatError(tr("this timeline does not contain the offsets of its events"), path=str(source.path))
    event = record_at(source, pieces, ordinal)
    if not isinstance(event, dict):
        raise FormatError(tr("the file changed since it was read"), path=str(source.path))
    return event
