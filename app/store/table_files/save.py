"""Writes a table to a file, whose name says which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from app.analysis.about import About
from app.analysis.export import BLOCK_ROWS, export
from app.analysis.table import Table
from app.profile.arrays import I64
from app.store.outputs import output_file
from app.store.table_files.kinds import TEXTS

Look: TypeAlias = Callable[[int], None]
"""Called with the number of rows written so far; it may raise to stop."""


def save_table(
    table: Table,
    target: Path,
    about: About,
    inputs: Iterable[Path] = (),
    *,
    rows: I64 | None = None,
    remarks: bool = False,
    look: Look = lambda _: None,
    more: Iterable[Table] = (),
) -> str:
    """Writes ``target``, completely or not at all, and returns what such a file does not hold of the table, "" if it
    holds everything. The suffix of ``target`` is one of KINDS, and its library is installed. ``rows``,
    ``remarks``, ``more``: as in ``export``. OSError if it cannot be written (TooManyColumnsError, MixedNumbersError),
    OutputIsInputError if it is one of ``inputs``."""
    suffix = target.suffix.lower()
    with output_file(target, inputs) as part:
        if suffix == ".xlsx":
            from app.store.table_files.workbook import write_workbook  # needs XlsxWriter

            return write_workbook(table, part, about, rows, look, more=more)
        if suffix == ".parquet":
            from app.store.table_files.parquet import write_parquet  # needs pyarrow

            write_parquet(table, part, about, rows, look, more)
        else:
            with part.open("w", encoding="utf-8", newline="") as file:
                count = table.rows if rows is None else len(rows)
                for number, piece in enumerate(export(table, TEXTS[suffix], rows, about, remarks=remarks, more=more)):
                    look(min(number * BLOCK_ROWS, count))
                    file.write(piece)
    return ""
