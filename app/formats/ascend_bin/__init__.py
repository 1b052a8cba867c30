"""Ascend operator files (visualize_data.bin). Readers are imported when a file is read."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats.ascend_bin.sniff import sniff
from app.formats.events import Sink
from app.formats.format import ASCEND, Details, Format
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_bin.reader import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_bin.reader import read

    read(sources, sink, pool)


def _record(source: Source, profile: Profile, ordinal: int) -> Details:
    from app.formats.ascend_trace.record import record

    return record(source, profile, ordinal)


FORMAT = Format(
    id="ascend-bin",
    label=tr("Ascend operator files (.bin)"),
    family=ASCEND,
    patterns=("*.bin",),
    sniff=sniff,
    read=_read,
    record=_record,
    read_divided=_read_divided,
)
