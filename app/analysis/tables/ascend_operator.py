"""The operator, its blocks, and the blocks of its file."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend import durations
from app.analysis.ascend.base_info import Fact, facts
from app.analysis.ascend.typed_columns import NO_DATA, key_of, role_of
from app.analysis.digits import known
from app.analysis.table import Coded, Column, Table, Unit
from app.analysis.tables.ascend_memory import block_number
from app.language import Message, joined, plural, tr
from app.profile.arrays import I64
from app.profile.ascend import Operator, RawBlocks, TypedColumn
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


def _on_one_line(text: str) -> str:
    """The text, which can still be translated."""
    if isinstance(text, Message):
        return Message(text.english.replace("\n", " "), text.several, text.arguments)
    return " ".join(text.split())


def block_details(profile: Profile) -> Table | None:
    """The block table of the base information, one row per block."""
    base = profile.operator
    if base is None or not base.blocks:
        return None
    doubtful = durations.doubtful(base)
    columns = tuple(_column(column, doubtful) for column in base.blocks)
    note = DOUBTFUL if doubtful else ""
    return Table("block-details", tr("Blocks of the operator"), columns, "block", block_keys(base), note)


def block_keys(base: Operator) -> I64:
    """int64[rows of the block table]: the number of each block, -1 for unnumbered ones."""
    if not any(column.name.lower() == "block id" for column in base.blocks):
        return np.full(len(base.blocks[0].values) if base.blocks else 0, -1, np.int64)
    return np.array([block_number(name) for name in durations.block_names(base)], np.int64)


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
