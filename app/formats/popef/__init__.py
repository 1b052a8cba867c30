"""PopEF: models for IPUs, stored as blobs of executables, metadata and data.

The layout follows a published schema and the PopEF user guide; it has not been verified on a file written by the
Graphcore SDK. Readers are imported when a file is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.format import POPEF, Format
from app.formats.popef.blobs import read_header
from app.formats.source import Source
from app.language import tr
from app.profile.popef import BLOB_TYPES

PATTERNS = ("*.popef", "*.poplar_exec")


def sniff(head: bytes, path: Path) -> int:
    """3 for a blob header of a known type, 2 for one of a plausible future type, 1 for the name alone."""
    named = int(any(path.match(pattern) for pattern in PATTERNS))

    def read(offset: int, length: int) -> bytes:
        return head[offset : offset + length]

    try:
        header = read_header(read, 0, len(head))
    except FormatError:
        return named
    if header.size < header.length:
        return named
    return 3 if header.type < len(BLOB_TYPES) else 2


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.popef.read import read

    read(sources, sink)


def _group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    from app.formats.popef.read import group

    return group(paths)


def _heavy(sources: Sequence[Source]) -> bool:
    from app.formats.popef.read import heavy

    return heavy(sources)


FORMAT = Format(
    id="popef",
    label=tr("PopEF model (.popef)"),
    family=POPEF,
    patterns=PATTERNS,
    sniff=sniff,
    read=_read,
    group=_group,
    heavy=_heavy,
)
