"""Decodes the arguments of single records, which stay in the file until they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.document.entry import Entry
from app.document.loaded_files import LoadedFiles
from app.language import tr


def read_record(entry: Entry, loaded_files: LoadedFiles, ordinal: int) -> Mapping[str, Any]:
    """The arguments of record ``ordinal`` of the timeline; empty where the format has none. Raises FormatError where
    the file has changed since it was read, by its stamp in ``loaded_files``. May run in any thread."""
    from app.formats.errors import FormatError
    from app.formats.registry import by_id
    from app.formats.source import Source
    from app.store.stamps import difference

    read = by_id(entry.profile.origin.format).record
    timeline = entry.profile.timeline
    if read is None or timeline is None or timeline.pieces is None:
        return {}
    path = entry.profile.origin.paths[timeline.pieces.file]
    before = loaded_files.stamp(entry.job, path)
    with Source(path) as source:
        if before is not None and difference(before):
            raise FormatError(tr("the file has changed since it was read; reload it"), path=str(path))
        return read(source, entry.profile, ordinal)
