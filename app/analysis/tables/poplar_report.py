"""What stands beside a Poplar report: its files, notes of framework and application, lowered variables, texts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.poplar.columns import given
from app.analysis.table import Coded, Column, Table
from app.profile.profile import Profile


def files(profile: Profile) -> Table | None:
    """One row a file of the report."""
    found = profile.report_files
    if found is None:
        return None
    shown = tuple("shown" if read else "not shown" for read in found.read.tolist())
    columns = (
        Column("file", "File", found.names),
        Column("what", "What it is", found.what),
        Column("size", "Size", found.size, "B", "Bytes of the file."),
        Column("state", "State", shown, help="The issues say what to use for those that are not shown."),
    )
    return Table("report-files", "Report files", columns)


def notes(profile: Profile) -> list[Table]:
    """One table a file, one row a value."""
    found = profile.notes
    return [] if found is None else [_notes(found.files[file], file, profile) for file in range(len(found.files))]


def _notes(name: str, file: int, profile: Profile) -> Table:
    found = profile.notes
    assert found is not None
    rows = np.flatnonzero(found.file == file)
    columns = (
        Column("key", "Key", Coded(found.key[rows], found.strings), help="Keys from the outside in."),
        Column("value", "Value", Coded(found.value[rows], found.strings)),
    )
    return Table(f"notes/{name}", name, columns)


def variables(profile: Profile) -> Table | None:
    """One row a lowered variable."""
    found = profile.variables
    if found is None:
        return None
    columns = [
        given("variable", "Variable", found.number, help_="The compiler's own number.", role="key"),
        Column("name", "Name", Coded(found.name, found.strings)),
        given("size", "Size", found.size, "B"),
        given("tile", "Tile", found.tile, role="key"),
    ]
    per_ipu = profile.target.tiles_per_ipu if profile.target is not None else None
    if per_ipu and per_ipu > 0:
        columns.append(given("ipu", "IPU", np.where(found.tile >= 0, found.tile // per_ipu, -1)))
    columns += [
        Column(
            "offset",
            "Address",
            found.offset,
            help="On its tile.",
            missing=found.offset < 0,
            hexadecimal=True,
        ),
        Column("category", "Category", Coded(found.category, found.strings)),
        given("alignment", "Alignment", found.alignment, "B", adds_up=False),
        Column("allocated", "Allocated", found.allocated),
        Column("constant", "Constant", found.constant),
        Column("always_live", "Always live", found.always_live),
        Column("executable", "Executable", found.executable),
        Column("vertex_code", "Vertex code", found.vertex_code),
        Column("interleaved", "Interleaved", found.interleaved, help="Whether it lies in interleaved memory."),
        given("class", "Class", found.equivalence, help_="Variables of one class of equivalence are laid out alike."),
    ]
    note = "Variables of one tile may share addresses where they are never live together."
    return Table("variables", "Lowered variables", tuple(columns), "variable", note=note)


def texts(profile: Profile) -> list[Table]:
    """One table a text, one row a line."""
    return [] if profile.texts is None else list(_texts(profile))


def _texts(profile: Profile) -> Iterator[Table]:
    found = profile.texts
    assert found is not None
    for number, name in enumerate(found.names):
        ids = np.arange(found.first[number], found.first[number + 1], dtype=np.int64)
        columns = (
            Column("line", "Line", ids - found.first[number] + 1),
            Column("text", "Text", Coded(ids, found.lines)),
        )
        yield Table(f"text/{name}", name, columns)
