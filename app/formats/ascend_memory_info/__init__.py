"""memory_info.json: the on-chip memory plan of a Triton kernel for Ascend."""

from __future__ import annotations

from collections.abc import Sequence

from app.formats.ascend_memory_info.sniff import sniff
from app.formats.events import Sink
from app.formats.format import ASCEND, Format
from app.formats.source import Source
from app.language import tr


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_memory_info.read import read

    read(sources, sink)


FORMAT = Format(
    id="ascend-memory-info",
    label=tr("Ascend on-chip memory plans (memory_info.json)"),
    family=ASCEND,
    patterns=("memory_info*.json",),
    sniff=sniff,
    read=_read,
)
