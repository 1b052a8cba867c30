"""The operator, its blocks, the blocks of its file with previews of their content, and the files and tables of a
report."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import orjson
from msgspec import Struct

from app.analysis.ascend import launch
from app.analysis.ascend.launch import Fact, block_keys, facts
from app.analysis.ascend.typed_columns import NO_DATA, key_of, role_of, unit_of_share
from app.analysis.digits import known
from app.analysis.table import Coded, Column, Table, Unit
from app.language import Message, Text, joined, plural, tr
from app.profile.arrays import I64, U8
from app.profile.ascend import RawBlocks, TypedColumn
from app.profile.ascend_report import KIND_NAMES, NOT_READ, USE_NAMES, Entries, ReportTable
from app.profile.profile import Profile
from app.profile.strings import Strings

BLOCK_NAMES = {
    0x01: tr("source text"),
    0x02: tr("trace"),
    0x03: tr("source lines"),
    0x04: tr("instructions"),
    0x05: tr("base information"),
    0x06: tr("compute workload, graph"),
    0x07: tr("compute workload, table"),
    0x08: tr("memory paths"),
    0x09: tr("memory tables"),
    0x0A: tr("memory accesses"),
    0x0B: tr("cache sets"),
    0x0C: tr("core load"),
    0x0D: tr("roofline"),
    0x0E: tr("cache lines"),
    0x0F: tr("stall reasons"),
}
UNKNOWN = tr("unknown")
TITLES = {"block id": tr("Block"), "core type": tr("Core type")}
"""Titles of the file that have another name elsewhere in the program."""
DOUBTFUL = tr(
    "A block takes longer than its operator, so the unit of the durations is doubtful; durations are shown as stored."
)


def operator(profile: Profile) -> Table | None:
    """Base information, one row per figure."""
    base = profile.operator
    if base is None:
        return None
    known = [Fact(tr("Operator"), base.name), *facts(base), Fact(tr("Advice"), "; ".join(base.advice))]
    shown = [fact for fact in known if fact.value != ""]
    columns = (
        Column("figure", tr("Figure"), tuple(fact.label for fact in shown)),
        Column("value", tr("Value"), tuple(_text(fact) for fact in shown)),
        Column("unit", tr("Unit"), tuple(fact.unit for fact in shown)),
        Column("meaning", tr("Meaning"), tuple(_on_one_line(fact.help) for fact in shown)),
    )
    return Table("operator", tr("Operator"), columns)


def block_details(profile: Profile) -> Table | None:
    """The block table of the base information, one row per block."""
    base = profile.operator
    if base is None or not base.blocks:
        return None
    doubtful = launch.doubtful(base)
    columns = tuple(_column(column, doubtful) for column in base.blocks)
    note = DOUBTFUL if doubtful else ""
    return Table("block-details", tr("Blocks of the operator"), columns, "block", block_keys(base), note)


def raw_blocks(profile: Profile) -> Table | None:
    """One row per block of the file, of known or unknown type."""
    raw = profile.raw_blocks
    if raw is None or not len(raw):
        return None
    kinds = raw.type.tolist()
    names = tuple(joined(" ", (f"0x{kind:02X}", BLOCK_NAMES.get(kind, UNKNOWN))) for kind in range(256))
    columns = (
        Column(
            "number", tr("Number"), np.arange(1, len(raw) + 1), help=tr("Position in the file, from 1."), role="key"
        ),
        Column("type", tr("Type"), Coded(raw.type.astype("int16"), Strings.of(names))),
        Column("offset", tr("Offset"), raw.offset, help=tr("Offset of the block's header in the file."), role="place"),
        Column(
            "payload",
            tr("Offset of the content"),
            raw.payload,
            help=tr("Offset of the block's content in the file."),
            role="place",
        ),
        Column("size", tr("Size"), raw.size, "B", tr("Size of the content, without padding.")),
        Column("padding", tr("Padding"), raw.padding, "B"),
        Column(
            "version",
            tr("Version"),
            raw.version,
            help=tr("90 is unversioned; 0 for instructions means: assigned to lines by position."),
            role="key",
        ),
        Column("path", tr("Path"), Coded(raw.path, raw.paths), help=tr("Path of the source text.")),
        *([_inside(raw)] if raw.inside else []),
    )
    unknown = sum(kind not in BLOCK_NAMES for kind in kinds)
    note = (
        plural(
            "{unknown} of {count:,} block has an unknown type",
            "{unknown} of {count:,} blocks have an unknown type",
            count=len(kinds),
            unknown=unknown,
        )
        if unknown
        else ""
    )
    return Table("raw-blocks", tr("Blocks of the file"), columns, note=note)


def _inside(raw: RawBlocks) -> Column:
    """The file of a report that the blocks are in."""
    meaning = tr("File inside the report. `export --block {name}/1` saves its first block.", name=raw.inside)
    return Column("inside", tr("File"), Coded(np.zeros(len(raw), np.int32), Strings.of((raw.inside,))), help=meaning)


def _column(column: TypedColumn, doubtful: bool) -> Column:
    values = column.of_core(0)
    timed = "duration" in column.name.lower()
    written = column.name.replace("(μs)", "").replace("(µs)", "").strip() if timed else column.name
    key, title = key_of(written), TITLES.get(written.lower(), written)
    if column.strings is not None:
        return Column(key, title, Coded(values, column.strings))
    unit: Unit = "µs" if timed and not doubtful else ""
    missing = None if values.dtype.kind == "f" else column.missing(0)
    return Column(key, title, values, unit, NO_DATA, missing=missing, role=role_of(column.name), stored=True)


def _text(fact: Fact) -> str:
    """A figure with all its digits."""
    value = fact.value
    if isinstance(value, str):
        return value
    return str(int(value)) if float(value).is_integer() else repr(value if fact.stored else known(value))


UNVERIFIED = tr("The layout of npu-rep was not verified with a file from a device.")


def entries(profile: Profile) -> Table | None:
    """One row per file of the report, in its order."""
    own = profile.entries
    if own is None:
        return None
    columns = (
        Column("number", tr("Number"), np.arange(1, len(own) + 1), help=tr("Position, from 1."), role="key"),
        Column("name", tr("Name"), Coded(own.name, own.strings), role="name"),
        Column(
            "kind",
            tr("Kind"),
            _named(own.kind, KIND_NAMES),
            help=tr("Determined from the content and the name."),
            role="kind",
        ),
        Column("use", tr("Use"), _named(own.use, USE_NAMES), help=tr("Whether and where the profile shows it.")),
        Column("size", tr("Size"), own.size, "B", tr("Size of the content.")),
        *(_places(own) if own.container else ()),
    )
    return Table("entries", tr("Files of the report"), columns, note=_note(own))


def _places(own: Entries) -> tuple[Column, ...]:
    """Columns that only a pack has."""
    variant = own.container
    return (
        Column(
            "offset",
            tr("Offset of the content"),
            own.offset,
            help=tr("Offset of the content in the file."),
            role="place",
        ),
        Column(
            "entry", tr("Offset of the entry"), own.header, help=tr("Offset of the entry in the file."), role="place"
        ),
        _type(
            own.type,
            tr("As stored in the entry; the numbers in {variant} files differ from those in others.", variant=variant),
        ),
    )


def _type(values: I64, meaning: Text) -> Column:
    return Column("type", tr("Type"), values, help=meaning, missing=values < 0, role="key")


def _note(own: Entries) -> str:
    """What kind of pack it is, and how many files are not read."""
    unread = int(np.count_nonzero(own.use == NOT_READ))
    notes = [tr("Pack {variant}.", variant=own.container) if own.container else ""]
    notes.append(UNVERIFIED if own.container.startswith("npu-rep") else "")
    notes.append(
        plural(
            "{unread:,} of {count:,} file is not read.",
            "{unread:,} of {count:,} files are not read.",
            count=len(own),
            unread=unread,
        )
        if unread
        else ""
    )
    return " ".join(note for note in notes if note)


def _named(codes: U8, names: tuple[Text, ...]) -> Coded:
    return Coded(codes.astype(np.int16), Strings.of(names))


PREFIX = "report-table/"
_EXACT = 2.0**53


def report_tables(profile: Profile) -> Iterator[Table]:
    """One table for each table of the report, named ``report-table/NAME``; those of one name have the number of the
    repetition at the end."""
    stored = profile.report_tables
    if stored is None:
        return
    names = _Names()
    for table in stored.tables:
        yield _table(table, names.unique(f"{PREFIX}{table.name}", "/"))


class _Names(Struct):
    """Makes names unique."""

    taken: set[str] = set()

    def unique(self, name: str, between: str) -> str:
        made, count = name, 1
        while made in self.taken:
            count += 1
            made = f"{name}{between}{count}"
        self.taken.add(made)
        return made


def _table(table: ReportTable, table_id: str) -> Table:
    keys = _Names()
    columns = [_report_column(column, keys.unique(key_of(column.name), "_")) for column in table.columns]
    empty = [_is_empty(column) for column in table.columns]
    columns = [
        column for wanted in (False, True) for column, none in zip(columns, empty, strict=True) if none == wanted
    ]
    if any(empty) and not all(empty):
        count = sum(empty)
        note = plural(
            "{file}, all values unchanged. The column without data is the last one.",
            "{file}, all values unchanged. The {count:,} columns without data are the last ones.",
            file=table.file,
            count=count,
        )
    else:
        note = tr("{file}, unchanged.", file=table.file)
    return Table(table_id, table.name, tuple(columns), note=note)


def _is_empty(column: TypedColumn) -> bool:
    """Whether a column has no data (as those of the cubes in the tables of a vector operator)."""
    values = column.of_core(0)
    return bool((np.isnan(values) if column.strings is None else values < 0).all())


def _report_column(column: TypedColumn, key: str) -> Column:
    values = column.of_core(0)
    if column.strings is not None:
        return Column(key, column.name, Coded(values, column.strings))
    missing = np.isnan(values)
    known = values[~missing]
    role, unit = role_of(column.name), unit_of_share(column.name)
    if len(known) and bool(((known == np.floor(known)) & (np.abs(known) < _EXACT)).all()) and not _fractions(column):
        whole = np.where(missing, 0.0, values).astype(np.int64)
        return Column(key, column.name, whole, unit, role=role, missing=missing if missing.any() else None, stored=True)
    return Column(key, column.name, values, unit, role=role, stored=True)


def _fractions(column: TypedColumn) -> bool:
    """Whether the title says that figures are no counts, so that 0.000000 is shown as a fraction."""
    lowered = column.name.lower()
    return lowered.endswith(("ratio", "(us)", "(gb/s)", "(%)", "(kb)", "rate"))


def _on_one_line(text: str) -> str:
    """The text, which can still be translated."""
    if isinstance(text, Message):
        return Message(text.english.replace("\n", " "), text.several, text.arguments)
    return " ".join(text.split())


LINE = 16
_JSON = frozenset((*range(0x02, 0x0A), *range(0x0C, 0x10)))
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def kind_name(kind: int) -> str:
    """``0x05 base information``."""
    return f"0x{kind:02X} {BLOCK_NAMES.get(kind, UNKNOWN)}"


def file_name(kind: int, number: int, source: str = "") -> str:
    """The name for a file with the content of block ``number`` (from 1): by its type in English, with the suffix that
    other tools expect. A source text keeps its own name."""
    base = re.sub(r"[^\w.-]+", "_", source.replace("\\", "/").rsplit("/", 1)[-1])
    if base.strip("._"):
        return f"block-{number}-{base}"
    words = re.sub(r"\W+", "-", BLOCK_NAMES.get(kind, UNKNOWN).english)
    suffix = ".json" if kind in _JSON else ".txt" if kind == 1 else ".bin"
    return f"block-{number}-0x{kind:02X}-{words}{suffix}"


def preview(content: bytes, whole: bool) -> str:
    """``content`` for display: JSON indented (only if it is the ``whole`` block), other text as it is, else bytes as
    hexadecimal lines."""
    if whole and content[:1] in (b"{", b"["):
        try:
            return orjson.dumps(orjson.loads(content), option=orjson.OPT_INDENT_2).decode()
        except ValueError:
            pass
    text = _preview_text(content, whole)
    return hexadecimal(content) if text is None else text


def _preview_text(content: bytes, whole: bool) -> str | None:
    """The content as text; None if it is not text. A character cut off at the end is tolerated."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        if whole or error.start < len(content) - 3:
            return None
        text = content[: error.start].decode("utf-8", "replace")
    return None if _CONTROL.search(text) else text


def hexadecimal(content: bytes) -> str:
    """Offset, bytes and characters, LINE bytes per line."""
    return "\n".join(
        f"{at:08x}  {content[at : at + LINE].hex(' '):<{3 * LINE}} {_letters(content[at : at + LINE])}"
        for at in range(0, len(content), LINE)
    )


def _letters(content: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in content)
