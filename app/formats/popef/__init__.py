"""PopEF: models for IPUs, stored as blobs of executables, metadata and data.

The layout follows a published schema and the PopEF user guide; it has not been verified on a file written by the
Graphcore SDK. Readers are imported when a file is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.events import Sink
from app.formats.format import POPEF, Format
from app.formats.popef.sniff import PATTERNS, sniff
from app.formats.source import Source
from app.language import tr


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.popef.read import read

    read(sources, sink)


def _group(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    from app.formats.popef.group import group

    return group(paths)


def _heavy(sources: Sequence[Source]) -> bool:
    from app.formats.popef.group import heavy

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
