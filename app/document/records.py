"""What a profile leaves in its file: the arguments of single records, decoded when somebody asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.document.document import Entry
from app.document.held_files import HeldFiles
from app.language import tr


def read_record(entry: Entry, held: HeldFiles, ordinal: int) -> Mapping[str, Any]:
    """The arguments of record ``ordinal`` of the timeline; none where its format keeps none. ``held`` knows how the
    file was when it was read: FormatError where it has changed. May be called in a thread."""
    from app.formats.errors import FormatError
    from app.formats.registry import by_id
    from app.formats.source import Source
    from app.store.stamps import difference

    read = by_id(entry.profile.origin.format).record
    timeline = entry.profile.timeline
    if read is None or timeline is None or timeline.pieces is None:
        return {}
    path = entry.profile.origin.paths[timeline.pieces.file]
    before = held.stamp(entry.job, path)
    with Source(path) as source:
        if before is not None and difference(before):
            raise FormatError(tr("the file has changed since it was read; reload it"), path=str(path))
        return read(source, entry.profile, ordinal)
