"""What belongs to a Poplar report: its files, notes of framework and application, lowered variables, texts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.poplar.columns import masked
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.profile import Profile


def files(profile: Profile) -> Table | None:
    """One row per file of the report."""
    own = profile.report_files
    if own is None:
        return None
    shown = tuple(tr("shown") if read else tr("not shown") for read in own.read.tolist())
    columns = (
        Column("file", tr("File"), own.names),
        Column("what", tr("Meaning"), own.what),
        Column("size", tr("Size"), own.size, "B", tr("Size of the file.")),
        Column(
            "state", tr("State"), shown, help=tr("The Issues panel explains what to use for files that are not shown.")
        ),
    )
    return Table("report-files", tr("Report files"), columns)


def notes(profile: Profile) -> list[Table]:
    """One table per file, one row per value."""
    own = profile.notes
    return [] if own is None else [_notes(own.files[file], file, profile) for file in range(len(own.files))]


def _notes(name: str, file: int, profile: Profile) -> Table:
    own = profile.notes
    assert own is not None
    rows = np.flatnonzero(own.file == file)
    columns = (
        Column(
            "key", tr("Key"), Coded(own.key[rows], own.strings), help=tr("Keys from the outermost to the innermost.")
        ),
        Column("value", tr("Value"), Coded(own.value[rows], own.strings)),
    )
    return Table(f"notes/{name}", name, columns)


def variables(profile: Profile) -> Table | None:
    """One row per lowered variable."""
    own = profile.variables
    if own is None:
        return None
    columns = [
        masked("variable", tr("Variable"), own.number, help_=tr("Number given by the compiler."), role="key"),
        Column("name", tr("Name"), Coded(own.name, own.strings)),
        masked("size", tr("Size"), own.size, "B"),
        masked("tile", tr("Tile"), own.tile, role="key"),
    ]
    per_ipu = profile.target.tiles_per_ipu if profile.target is not None else None
    if per_ipu and per_ipu > 0:
        columns.append(masked("ipu", "IPU", np.where(own.tile >= 0, own.tile // per_ipu, -1), role="key"))
    columns += [
        Column(
            "offset",
            tr("Address"),
            own.offset,
            help=tr("Address on its tile."),
            missing=own.offset < 0,
            hexadecimal=True,
        ),
        Column("category", tr("Category"), Coded(own.category, own.strings)),
        masked("alignment", tr("Alignment"), own.alignment, "B", adds_up=False),
        Column("allocated", tr("Allocated"), own.allocated),
        Column("constant", tr("Constant"), own.constant),
        Column("always_live", tr("Always live"), own.always_live),
        Column("executable", tr("Executable"), own.executable),
        Column("vertex_code", tr("Vertex code"), own.vertex_code),
        Column("interleaved", tr("Interleaved"), own.interleaved, help=tr("Whether it is in interleaved memory.")),
        masked(
            "class",
            tr("Class"),
            own.equivalence,
            help_=tr("Variables of one equivalence class have the same layout."),
        ),
    ]
    note = tr("Variables of one tile may share addresses if they are never live at the same time.")
    return Table("variables", tr("Lowered variables"), tuple(columns), "variable", note=note)


def texts(profile: Profile) -> list[Table]:
    """One table per text, one row per line."""
    return [] if profile.texts is None else list(_texts(profile))


def _texts(profile: Profile) -> Iterator[Table]:
    own = profile.texts
    assert own is not None
    for number, name in enumerate(own.names):
        ids = np.arange(own.first[number], own.first[number + 1], dtype=np.int64)
        columns = (
            Column("line", tr("Line"), ids - own.first[number] + 1, role="key"),
            Column("text", tr("Text"), Coded(ids, own.lines), role="code"),
        )
        yield Table(f"text/{name}", name, columns)
