"""Which of the four containers of IPU events a file is, by its first bytes."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Final

from app.formats.head import Head
from app.formats.json.text import head_text
from app.formats.tensorflow_events import blocks, sequence, single
from app.formats.tensorflow_events.columns import LATEST
from app.formats.tensorflow_events.tfrecord import LENGTH, length_of
from app.profile.tensorflow import Container

HEAD_BYTES: Final = 65536
_VERSION: Final = b"brain.Event:"
_EVENT_STARTS: Final = b"\x09\x10\x1a\x22\x2a"
"""Tags of the fields that a TensorBoard event can begin with."""
_UNKNOWN: Final = 1 << 62


def container_of(head: bytes, path: Path) -> Container | None:
    """The container, by content alone; None if it is none of them."""
    if length_of(head) is not None and head[LENGTH.size : LENGTH.size + 1] in _EVENT_STARTS:
        return "event file"
    if head[:1] == b"\x09" and len(head) > 9 and _is_time(head[1:9]):
        whole = len(head) if len(head) < HEAD_BYTES else _UNKNOWN
        return "single event" if single.looks_like_one(Head(head, path), whole) else None
    text = head_text(head)
    if blocks.is_text(text):
        return "text"
    return "sequence of reports" if sequence.is_sequence(text) else None


def sniff(head: bytes, path: Path) -> int:
    """3 for the framing of an event file and the text of its events, 2 for a sequence of reports and a single event."""
    container = container_of(head, path)
    if container is None:
        return int(".tfevents." in path.name)
    if container == "event file":
        return 3 if _VERSION in head[:256] or ".tfevents." in path.name else 2
    return 3 if container == "text" else 2


def _is_time(raw: bytes) -> bool:
    value = struct.unpack("<d", raw)[0]
    return math.isfinite(value) and 0 <= value < LATEST
