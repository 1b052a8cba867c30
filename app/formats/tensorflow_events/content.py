"""The contents of reports inside events: the report itself, or the path of the file that it was written to."""

from __future__ import annotations

from typing import Final

from app.formats.source import Source
from app.formats.tensorflow_events.ipu_event import Place
from app.profile.tensorflow import CAPNP, CBOR, JSON, PATH, POPLAR_GRAPH, TEXT

LONGEST_PATH: Final = 4096
_ENDINGS: Final = (".json", ".cbor", ".txt", ".capnp")
_CBOR_TAG: Final = 0xD9
_CBOR_MAP: Final = 5


def content_of(source: Source, role: int, place: Place) -> tuple[int, str]:
    """(index into CONTENTS, the path where it is one) by the first bytes (IpuTraceEvent, section 2)."""
    head = source.read(place.begin, min(place.size, LONGEST_PATH))
    if not head:
        return TEXT, ""
    if head[0] == _CBOR_TAG or head[0] >> 5 == _CBOR_MAP:
        return CBOR, ""
    if head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return JSON, ""
    path = _path(head) if place.size <= LONGEST_PATH else ""
    if path:
        return PATH, path
    return (CAPNP if role == POPLAR_GRAPH else TEXT), ""


def _path(head: bytes) -> str:
    """The text, if it looks like a file path: short, on one line, and beginning or ending like one."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    text = text.removesuffix("\n")
    named = text.startswith(("/", ".")) or text.lower().endswith(_ENDINGS)
    return text if named and text.isprintable() else ""
