"""The files of a report, wherever they lie: in a folder, or as entries of the packs `.rep`, `.ncrep` and `.npu-rep`
(Ascend operator reports, section 1), which are parsed here."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from app.formats.ascend_bin.blocks import sniff as is_operator_file
from app.formats.ascend_report import PACK_MAGICS
from app.formats.ascend_trace import sniff as is_trace
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.tolerant import head_text
from app.formats.source import Excerpt, Source
from app.language import plural, tr

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


CANN, NPU = PACK_MAGICS
HEAD: Final = 36
VERSION: Final = 0x00010000
ENTRY_MAGICS: Final = (b"rep-file", NPU)
NAME: Final = slice(8, 136)
MOST_ENTRIES: Final = 1 << 16
"""Entries of a pack that are read; a report has some dozens."""
_LARGEST_HEAD: Final = 4096
_REST: Final = {160: struct.Struct("<HHIQQ"), 164: struct.Struct("<IIIQQ")}
"""What follows the name, by the size of an entry: type, two numbers, length, offset."""


class Head(Struct, frozen=True):
    """The head of a pack. ``variant``: its name for people; ``first``: where the entries begin."""

    variant: str
    version: int
    first: int
    entry_size: int
    count: int
    length: int


class Pack(Struct, frozen=True, eq=False):
    """A pack and its usable entries, in the order of its table. ``offset``: of its first byte in the file."""

    head: Head
    offset: int
    size: int
    members: tuple[Member, ...]


def is_pack(head: bytes) -> bool:
    """Whether a file with these first bytes is a pack."""
    return head.startswith(PACK_MAGICS)


def read_pack(source: Source, file: int, offset: int, size: int, problems: Problems) -> Pack:
    """The pack in ``size`` bytes of ``source`` from ``offset``. Entries that are damaged are reported and left out.
    Raises FormatError where the head cannot be used."""
    window = Excerpt(source, offset, size)
    head = _head(window, offset, problems)
    entries = list(_entries(window, head, offset, problems))
    _report_names(entries, problems)
    members = tuple(_member(entry, source, file, offset, problems) for entry in _apart(entries, problems, offset))
    return Pack(head, offset, size, members)


def same_entry(source: Source, header: int, name: str, size: int) -> bool:
    """Whether the entry at ``header`` of a file still has this name and these bytes of content."""
    if header + NAME.stop > source.size:
        return False
    raw = source.read(header, min(max(_REST), source.size - header))
    if not raw.startswith(ENTRY_MAGICS) or _name(raw[NAME])[0] != name:
        return False
    return any(rest.unpack_from(raw, NAME.stop)[3] == size for length, rest in _REST.items() if len(raw) >= length)


class _Entry(Struct, frozen=True):
    """An entry; ``header`` and ``offset`` count from the first byte of its pack."""

    name: str
    type: int
    header: int
    offset: int
    size: int

    @property
    def end(self) -> int:
        return self.offset + self.size


def _head(window: Source, base: int, problems: Problems) -> Head:
    if window.size < HEAD:
        text = tr("the pack ends inside its header of {head} bytes", head=HEAD)
        raise FormatError(text, path=str(window.path), offset=base)
    raw = window.read(0, HEAD)
    if raw.startswith(CANN):
        version, count, first, length, payload = struct.unpack_from("<IIIQQ", raw, 8)
        head = Head("cann-rep", version, first, 160, count, length)
        if count and payload != first + 160 * count:
            text = tr("the header states that the content starts at byte {payload:,}; this is ignored", payload=payload)
            problems.add("info", tr("invalid headers"), base, text)
    elif raw.startswith(NPU):
        version, _, first, count, entry, _, length = struct.unpack_from("<IHHIIIQ", raw, 8)
        head = Head(f"npu-rep {entry}", version, first, entry, count, length)
    else:
        raise FormatError(tr("no pack starts here"), path=str(window.path), offset=base)
    return _usable(head, window, base, problems)


def _usable(head: Head, window: Source, base: int, problems: Problems) -> Head:
    """The head with what is wrong in it reported, and its count limited to the entries that the pack has room for."""
    if head.entry_size not in _REST:
        text = tr("unknown entry size {size:,} bytes; 160 and 164 are known", size=head.entry_size)
        raise FormatError(text, path=str(window.path), offset=base)
    first, count = head.first, head.count
    if head.version != VERSION:
        text = tr("version {version} is unknown; it is read like 0x00010000", version=f"0x{head.version:08X}")
        problems.add("warning", tr("unknown versions"), base, text)
    if head.length != window.size:
        text = plural(
            "the header states {count:,} byte, but there are {size:,}",
            "the header states {count:,} bytes, but there are {size:,}",
            count=head.length,
            size=window.size,
        )
        problems.add("warning", tr("wrong lengths"), base, text)
    if not HEAD <= first <= min(_LARGEST_HEAD, window.size):
        text = tr(
            "a header of {first:,} bytes is impossible; entries are read from byte {head}", first=first, head=HEAD
        )
        problems.add("warning", tr("invalid headers"), base, text)
        first = HEAD
    room = (window.size - first) // head.entry_size
    if count > room:
        text = plural(
            "{count:,} entry is declared, but there is space for {room:,}",
            "{count:,} entries are declared, but there is space for {room:,}",
            count=count,
            room=room,
        )
        problems.add("error", tr("missing entries"), base, text)
        count = room
    if count > MOST_ENTRIES:
        text = tr("only the first {most:,} of {count:,} entries are read", most=MOST_ENTRIES, count=count)
        problems.add("error", tr("missing entries"), base, text)
        count = MOST_ENTRIES
    return Head(head.variant, head.version, first, head.entry_size, count, head.length)


def _entries(window: Source, head: Head, base: int, problems: Problems) -> Iterator[_Entry]:
    """The entries whose own fields are right."""
    records = [_record(window, head, number) for number in range(head.count)]
    table_end = max((each.entry.header for each in records if not each.wrong), default=0) + head.entry_size
    for number, each in enumerate(records, 1):
        entry, wrong = each.entry, each.wrong
        if not wrong and (entry.offset < table_end or entry.end > window.size):
            wrong = plural(
                "{name}: its {count:,} byte at offset {offset:,} is not inside the pack",
                "{name}: its {count:,} bytes at offset {offset:,} are not inside the pack",
                count=entry.size,
                name=entry.name,
                offset=entry.offset,
            )
        if wrong:
            text = tr("entry {number:,} is skipped: {wrong}", number=number, wrong=wrong)
            problems.add("error", tr("damaged entries"), base + entry.header, text)
        else:
            yield entry


class _Record(Struct, frozen=True):
    """An entry as stored, and what is wrong with its name or beginning, or ""."""

    entry: _Entry
    wrong: str


def _record(window: Source, head: Head, number: int) -> _Record:
    at = head.first + head.entry_size * number
    raw = window.read(at, head.entry_size)
    kind, _, _, size, offset = _REST[head.entry_size].unpack_from(raw, NAME.stop)
    name, wrong = _name(raw[NAME])
    if not raw.startswith(ENTRY_MAGICS):
        wrong = tr("it does not start like an entry")
    return _Record(_Entry(name, kind, at, offset, size), wrong)


def _name(raw: bytes) -> tuple[str, str]:
    """(the name in an entry, what is wrong with it or "")."""
    text = raw.split(b"\0", 1)[0]
    try:
        name = text.decode()
    except UnicodeDecodeError:
        return "", tr("its name is not UTF-8")
    if not name.strip() or name in (".", ".."):
        return "", tr("it has no usable name")
    if "/" in name or "\\" in name:
        return "", tr("its name {name} contains folders", name=name)
    if not name.isprintable():
        return "", tr("its name contains invisible characters: {name}", name=name)
    return name, ""


def _report_names(entries: Sequence[_Entry], problems: Problems) -> None:
    names: set[str] = set()
    for entry in entries:
        if entry.name in names:
            text = tr("there are several entries {name}; the first is read", name=entry.name)
            problems.add("warning", tr("duplicate names"), None, text)
        names.add(entry.name)


def _apart(entries: Sequence[_Entry], problems: Problems, base: int) -> list[_Entry]:
    """The entries without those that overlap others: as many as possible remain, in the order of the table."""
    usable: set[int] = set()
    done = 0
    for entry in sorted(entries, key=lambda entry: (entry.end, entry.offset)):
        if entry.offset >= done or not entry.size:
            usable.add(entry.header)
            done = max(done, entry.end)
        else:
            text = tr("{name} is skipped: its bytes overlap another entry", name=entry.name)
            problems.add("error", tr("damaged entries"), base + entry.header, text)
    return [entry for entry in entries if entry.header in usable]


def _member(entry: _Entry, source: Source, file: int, base: int, problems: Problems) -> Member:
    kind: MemberKind = "other"
    try:
        kind = kind_of(entry.name, source.read(base + entry.offset, min(entry.size, HEAD_BYTES)))
    except FormatError as error:  # the file changes while it is read
        text = tr("{name} cannot be read: {error}", name=entry.name, error=error.text)
        problems.add("error", tr("damaged entries"), base + entry.header, text)
    return Member(
        entry.name, kind, source, file, base + entry.offset, entry.size, header=base + entry.header, type=entry.type
    )
