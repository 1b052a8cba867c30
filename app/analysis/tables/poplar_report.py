"""What belongs to a Poplar report: its files, notes of framework and application, lowered variables, texts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.poplar.columns import given
from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.profile import Profile


def files(profile: Profile) -> Table | None:
    """One row per file of the report."""
    found = profile.report_files
    if found is None:
        return None
    shown = tuple("shown" if read else tr("not shown") for read in found.read.tolist())
    columns = (
        Column("file", tr("File"), found.names),
        Column("what", tr("What it is"), found.what),
        Column("size", tr("Size"), found.size, "B", tr("Bytes of the file.")),
        Column("state", tr("State"), shown, help=tr("The issues say what to use for those that are not shown.")),
    )
    return Table("report-files", tr("Report files"), columns)


def notes(profile: Profile) -> list[Table]:
    """One table per file, one row per value."""
    found = profile.notes
    return [] if found is None else [_notes(found.files[file], file, profile) for file in range(len(found.files))]


def _notes(name: str, file: int, profile: Profile) -> Table:
    found = profile.notes
    assert found is not None
    rows = np.flatnonzero(found.file == file)
    columns = (
        Column("key", tr("Key"), Coded(found.key[rows], found.strings), help=tr("Keys from the outside in.")),
        Column("value", tr("Value"), Coded(found.value[rows], found.strings)),
    )
    return Table(f"notes/{name}", name, columns)


def variables(profile: Profile) -> Table | None:
    """One row per lowered variable."""
    found = profile.variables
    if found is None:
        return None
    columns = [
        given("variable", tr("Variable"), found.number, help_=tr("The compiler's own number."), role="key"),
        Column("name", tr("Name"), Coded(found.name, found.strings)),
        given("size", tr("Size"), found.size, "B"),
        given("tile", tr("Tile"), found.tile, role="key"),
    ]
    per_ipu = profile.target.tiles_per_ipu if profile.target is not None else None
    if per_ipu and per_ipu > 0:
        columns.append(given("ipu", "IPU", np.where(found.tile >= 0, found.tile // per_ipu, -1)))
    columns += [
        Column(
            "offset",
            tr("Address"),
            found.offset,
            help=tr("On its tile."),
            missing=found.offset < 0,
            hexadecimal=True,
        ),
        Column("category", tr("Category"), Coded(found.category, found.strings)),
        given("alignment", tr("Alignment"), found.alignment, "B", adds_up=False),
        Column("allocated", tr("Allocated"), found.allocated),
        Column("constant", tr("Constant"), found.constant),
        Column("always_live", tr("Always live"), found.always_live),
        Column("executable", tr("Executable"), found.executable),
        Column("vertex_code", tr("Vertex code"), found.vertex_code),
        Column("interleaved", tr("Interleaved"), found.interleaved, help=tr("Whether it lies in interleaved memory.")),
        given(
            "class",
            tr("Class"),
            found.equivalence,
            help_=tr("Variables of one class of equivalence are laid out alike."),
        ),
    ]
    note = tr("Variables of one tile may share addresses where they are never live together.")
    return Table("variables", tr("Lowered variables"), tuple(columns), "variable", note=note)


def texts(profile: Profile) -> list[Table]:
    """One table per text, one row per line."""
    return [] if profile.texts is None else list(_texts(profile))


def _texts(profile: Profile) -> Iterator[Table]:
    found = profile.texts
    assert found is not None
    for number, name in enumerate(found.names):
        ids = np.arange(found.first[number], found.first[number + 1], dtype=np.int64)
        columns = (
            Column("line", tr("Line"), ids - found.first[number] + 1),
            Column("text", tr("Text"), Coded(ids, found.lines)),
        )
        yield Table(f"text/{name}", name, columns)
