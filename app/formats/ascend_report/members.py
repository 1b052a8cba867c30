"""The files of a report, wherever they lie: in a folder, or as entries of a pack."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.formats.ascend_bin.sniff import sniff as is_operator_file
from app.formats.ascend_report.sniff import PACK_MAGICS
from app.formats.ascend_trace.sniff import sniff as is_trace
from app.formats.json.text import head_text
from app.formats.source import Excerpt, Source

MemberKind: TypeAlias = Literal["pack", "operator", "trace", "csv", "json", "sqlite", "protobuf", "text", "other"]
KINDS: Final[tuple[MemberKind, ...]] = (
    "pack",
    "operator",
    "trace",
    "csv",
    "json",
    "sqlite",
    "protobuf",
    "text",
    "other",
)
HEAD_BYTES: Final = 65536
_NOWHERE: Final = Path()
_SQLITE: Final = b"SQLite format 3\0"
_BY_ENDING: Final[dict[str, MemberKind]] = {
    "csv": "csv",
    "json": "json",
    "jsonl": "json",
    "db": "sqlite",
    "sqlite": "sqlite",
    "sqlite3": "sqlite",
    "pb": "protobuf",
    "protobuf": "protobuf",
    "txt": "text",
    "ini": "text",
    "log": "text",
}


class Member(Struct, frozen=True, eq=False):
    """One file of a report.

    ``name``: its path in the report with ``/`` (``simulator/core0.veccore0/trace.json``; a pack has no folders);
    ``kind``: by content and name; ``source``: the file of the job that holds it, number ``file`` of the profile's
    paths; its bytes are ``size`` from ``offset``. ``header``: where its entry begins in that file, -1 for a file of its
    own; ``type``: the number in that entry, -1 without one.
    """

    name: str
    kind: MemberKind
    source: Source
    file: int
    offset: int
    size: int
    header: int = -1
    type: int = -1

    @property
    def base(self) -> str:
        """The name without folders."""
        return self.name.rsplit("/", 1)[-1]

    @property
    def end(self) -> int:
        return self.offset + self.size

    def window(self) -> Source:
        """Its bytes alone, at offsets from 0. The path of a part names it."""
        window = Excerpt(self.source, self.offset, self.size)
        if self.header >= 0:
            window.path = self.source.path / self.name
        return window


def kind_of(name: str, head: bytes) -> MemberKind:
    """The kind of a file with these first bytes: by content where that is certain, else by the ending of its name."""
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    if head.startswith(PACK_MAGICS):
        return "pack"
    if head.startswith(_SQLITE):
        return "sqlite"
    by_name = _BY_ENDING.get(ending)
    if by_name == "csv":
        return "csv"
    if _is_trace(name, head):
        return "trace"
    if ending == "bin" and is_operator_file(head, _NOWHERE) >= 2:
        return "operator"
    return by_name or "other"


def _is_trace(name: str, head: bytes) -> bool:
    """Whether a text is one trace; a line of JSON among others is none."""
    if name.lower().endswith(".jsonl") or head_text(head)[:1] not in (b"{", b"["):
        return False
    return is_trace(head, _NOWHERE) >= 2
