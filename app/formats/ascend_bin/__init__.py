"""Ascend operator files (visualize_data.bin). Readers are imported when a file is read."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats.ascend_bin.blocks import sniff
from app.formats.events import Sink
from app.formats.format import ASCEND, Format
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_bin.reader import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_bin.reader import read

    read(sources, sink, pool)


FORMAT = Format(
    id="ascend-bin",
    label=tr("Ascend operator files (.bin)"),
    family=ASCEND,
    patterns=("*.bin",),
    sniff=sniff,
    read=_read,
    record_files=lambda _profile: (),
    read_divided=_read_divided,
)
