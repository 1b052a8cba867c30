"""memory_info.json: the on-chip memory plan of a Triton kernel for Ascend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.events import Sink
from app.formats.format import ASCEND, Format
from app.formats.json.tolerant import head_text
from app.formats.source import Source
from app.language import tr

_NAMES = ("memory_info.json", "memory_info_aic.json", "memory_info_aiv.json")


def sniff(head: bytes, path: Path) -> int:
    """3 for the keys that only such files have, 1 for an object in a file of that name."""
    text = head_text(head)
    if not text.startswith(b"{"):
        return 0
    if b'"memory_info_array"' in text or (b'"KernelName"' in text and b'"Record"' in text):
        return 3
    return int(path.name in _NAMES)


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
