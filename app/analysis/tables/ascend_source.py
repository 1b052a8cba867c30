"""Source texts, their lines and the instructions made of them."""

from __future__ import annotations

import numpy as np

from app.analysis.ascend.cores import core_names
from app.analysis.ascend.typed_columns import of_all_cores
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import I32, I64, distinct
from app.profile.ascend import Instructions, Lines, Sources
from app.profile.profile import Profile
from app.profile.strings import Interner, Strings


def sources(profile: Profile) -> Table | None:
    """One row per source text."""
    texts = profile.sources
    if texts is None or not len(texts.paths):
        return None
    sizes = np.diff(texts.texts.ends, prepend=0)
    rows = np.array([len(line_texts(text)) for text in texts.texts], np.int64)
    count = np.zeros(len(texts.paths), np.int64)
    if profile.lines is not None:
        measured = {path: n for n, path in enumerate(profile.lines.paths)}
        per_file = np.bincount(profile.lines.file, minlength=len(profile.lines.paths))
        count = np.array([int(per_file[measured[p]]) if p in measured else 0 for p in texts.paths], np.int64)
    columns = (
        Column("path", tr("Path"), tuple(texts.paths)),
        Column("lines", tr("Lines"), rows),
        Column("size", tr("Size"), sizes, "B"),
        Column("measured", tr("Measured lines"), count, help=tr("Lines of this file with figures in the line table.")),
    )
    return Table("sources", tr("Source texts"), columns)


def source_lines(profile: Profile) -> Table | None:
    """One row per measured line, with its columns for every core."""
    lines = profile.lines
    if lines is None:
        return None
    columns = (*line_columns(profile, lines), *of_all_cores(lines.columns, core_names(profile)))
    return Table("source-lines", tr("Source lines"), columns, "line", note=_missing_text(profile, lines))


def line_columns(profile: Profile, lines: Lines) -> tuple[Column, ...]:
    """What a line is; its costs follow."""
    columns = [
        Column("file", tr("File"), Coded(lines.file, lines.paths), role="key"),
        Column("line", tr("Line"), lines.line, missing=lines.line < 0, role="key"),
    ]
    if profile.sources is not None:
        columns.append(Column("text", tr("Text"), _line_texts(lines, profile.sources), role="code"))
    if profile.instructions is not None:
        count = instruction_counts(lines, profile.instructions)
        columns.append(
            Column("instructions", tr("Instructions"), count, help=tr("Instructions in the line's address ranges."))
        )
    return tuple(columns)


def instructions(profile: Profile) -> Table | None:
    """One row per instruction, with its columns for every core."""
    own = profile.instructions
    if own is None:
        return None
    columns = (*instruction_columns(own), *of_all_cores(own.columns, core_names(profile)))
    return Table("instructions", tr("Instructions"), columns, "instruction")


def instruction_columns(own: Instructions) -> tuple[Column, ...]:
    """What an instruction is; its costs follow."""
    return (
        Column("address", tr("Address"), own.address, missing=own.address < 0, hexadecimal=True),
        Column("pipe", tr("Pipe"), Coded(own.pipe, own.strings)),
        Column("text", tr("Instruction"), Coded(own.text, own.strings), help=tr("Disassembly."), role="code"),
        Column("file", tr("File"), Coded(own.file, own.strings), help=tr("Innermost source location."), role="key"),
        Column(
            "line",
            tr("Line"),
            own.line,
            help=tr("Innermost source location."),
            missing=own.line < 0,
            role="key",
        ),
    )


def instruction_counts(lines: Lines, own: Instructions) -> I64:
    """int64[lines]: how many instructions are in each line's ranges (those in two ranges of a line count twice)."""
    addresses = own.address[own.by_address]
    begin = np.searchsorted(addresses, lines.range_start, "left")
    end = np.searchsorted(addresses, lines.range_end, "right")
    before = np.concatenate((np.zeros(1, np.int64), np.cumsum(end - begin)))
    counts: I64 = before[lines.first_range[1:]] - before[lines.first_range[:-1]]
    return counts


def line_texts(text: str) -> list[str]:
    """The lines of a source text, as editors count them."""
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def _line_texts(lines: Lines, texts: Sources) -> Coded:
    """The text of each line, if the file contains it."""
    number_of = {path: number for number, path in enumerate(texts.paths)}
    interner = Interner()
    ids: I32 = np.full(len(lines.line), -1, np.int32)
    for file in distinct(lines.file).tolist():
        source = number_of.get(lines.paths.get(file), -1)
        rows = np.flatnonzero(lines.file == file)
        if source >= 0:
            written = line_texts(texts.texts[source])
            for row in rows.tolist():
                line = int(lines.line[row]) - 1
                if 0 <= line < len(written):
                    ids[row] = interner(written[line].strip())
    return Coded(ids, interner.strings() if interner.ids else Strings.of(()))


def _missing_text(profile: Profile, lines: Lines) -> str:
    if profile.sources is not None or not len(lines.line):
        return ""
    return tr("This file contains no source texts, so only line numbers are known.")
