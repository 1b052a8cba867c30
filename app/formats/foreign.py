"""File types that no reader supports, identified by their first bytes so that an error can say what a file is."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Final

from app.language import tr

SQLITE: Final = b"SQLite format 3\0"
AR: Final = b"!<arch>\n"
_MAGIC: Final[tuple[tuple[bytes, str], ...]] = (
    (AR, tr("an ar archive of object files (Poplar's archive.a is one: `ar t` lists it)")),
    (b"\x7fELF", tr("an ELF program or object file")),
    (b"\x1f\x8b", tr("compressed (gzip); unpack it first")),
    (b"PK\x03\x04", tr("a ZIP archive; unpack it first")),
    (b"\xfd7zXZ\0", tr("compressed (xz); unpack it first")),
    (b"\x28\xb5\x2f\xfd", tr("compressed (zstd); unpack it first")),
    (b"BZh", tr("compressed (bzip2); unpack it first")),
    (b"\x89PNG\r\n", tr("an image")),
    (b"\xff\xd8\xff", tr("an image")),
    (b"%PDF-", tr("a PDF document")),
)
_DATABASE: Final = tr("an SQLite database without the tables of an Ascend capture")
VIEWER_CACHE: Final = re.compile(
    r"(memscope_dump_|leaks_dump_).*\.db|ftrace_data.*\.db|.*\.pkl\.db|mindstudio_insight_data\.db|cluster\.db",
    re.IGNORECASE,
)
"""Names of databases that viewers and other tools write beside captures (Ascend captures, section 1)."""
_TABLE: Final = tr("a table (CSV); open the visualize_data.bin or the trace.json in the same folder")
_BASELINE_WORDS: Final = tr(
    "a baseline that `tilesight baseline` wrote; use it with `tilesight compare BASELINE FILE`, "
    "`tilesight findings FILE --baseline BASELINE`, or in Python with `tilesight.open_baseline`"
)
BASELINE: Final = re.compile(rb'\s*\{\s*"tilesight_baseline"\s*:')
_SEGMENTS = 512
_MEMBER: Final = re.compile(rb'"([^"\\]{1,60})"\s{0,64}:|"(?:[^"\\]|\\.)*+"|[\[{\]}"]')
"""In JSON: a key, another text, a bracket, or the quote of a text that does not end."""
SHOWN_KEYS: Final = 5


def what_it_is(head: bytes, path: Path) -> str:
    """A description of the file type, such as ``an SQLite database …``; "" for an unknown one."""
    name = path.name.lower()
    if head.startswith(SQLITE):
        if VIEWER_CACHE.fullmatch(name):
            return tr("{name}, a database of another viewer; open the folder of the capture instead", name=path.name)
        return _DATABASE
    if name.endswith((".csv", ".csv.gz")) and b"\0" not in head and b"," in head.split(b"\n", 1)[0]:
        return _TABLE
    if BASELINE.match(head):
        return _BASELINE_WORDS
    return next((words for magic, words in _MAGIC if head.startswith(magic)), "")


def json_keys(head: bytes) -> tuple[str, ...]:
    """The first keys of a JSON object, SHOWN_KEYS at most; none where the text does not begin with one."""
    if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return ()
    keys: list[str] = []
    depth = 0
    for match in _MEMBER.finditer(head):
        if match[1] is not None:
            keys += [match[1].decode("utf-8", "replace")] if depth == 1 else []
        elif match[0] in (b"{", b"[", b"}", b"]"):
            depth += 1 if match[0] in (b"{", b"[") else -1
        if depth < 1 or len(keys) == SHOWN_KEYS or match[0] == b'"':
            break
    return tuple(keys)


def is_capnp(head: bytes) -> bool:
    """Whether the file can begin with the segment table of a Cap'n Proto message (its stream framing)."""
    if len(head) < 8:
        return False
    count = struct.unpack_from("<I", head)[0] + 1
    if count > _SEGMENTS or len(head) < 4 + 4 * count:
        return False
    sizes = struct.unpack_from(f"<{count}I", head, 4)
    return int(sizes[0]) > 0
