"""Reads ops_perf_results: the operations of a run, one row each (Tenstorrent, section 2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from app.formats.csv.lines import LineProblems
from app.formats.csv.table import read_table
from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr
from app.profile.arrays import F64, I32, I64, among, middle, sealed
from app.profile.ascend import TypedColumn, column_named
from app.profile.strings import Strings
from app.profile.tenstorrent import ON_DEVICE, ON_HOST, SIGNPOST, Operations

ON_A_DEVICE: Final = "tt_dnn_device"
MARKED: Final = "signpost"
ARCH: Final = "DEVICE ARCH"
HIGHEST_GHZ: Final = 100.0


def read_operations(source: Source, problems: LineProblems, tick: Callable[[int], None]) -> Operations:
    """The rows of the file. Raises FormatError where it has no operations."""
    table = read_table(source, source.path.name, source.path.name, problems, tick)
    code = column_named(table.columns, "OP CODE")
    if code is None or code.strings is None:
        raise FormatError(tr("the table names no operations (OP CODE)"), path=str(source.path))
    ids: I32 = code.values[:, 0]
    place = np.full(table.rows, ON_HOST, np.uint8)
    kinds = column_named(table.columns, "OP TYPE")
    if kinds is not None and kinds.strings is not None:
        for text, own in ((ON_A_DEVICE, ON_DEVICE), (MARKED, SIGNPOST)):
            place[among(kinds.values[:, 0], kinds.strings.find(text))] = own
    strings = code.strings
    if (ids < 0).any():
        strings = Strings.of([*strings.tolist(), ""])
        ids = np.where(ids < 0, len(strings) - 1, ids).astype(np.int32)
    return Operations(
        strings=strings,
        code=sealed(ids),
        place=sealed(place),
        device=sealed(_whole(table.columns, "DEVICE ID", table.rows, 1 << 16).astype(np.int32)),
        call=sealed(_whole(table.columns, "GLOBAL CALL COUNT", table.rows, 1 << 53)),
        columns=table.columns,
    )


def _whole(columns: tuple[TypedColumn, ...], title: str, rows: int, limit: int) -> I64:
    """int64: whole numbers from 0 on, -1 for anything else."""
    column = column_named(columns, title)
    if column is None or column.values.dtype.kind != "f":
        return np.full(rows, -1, np.int64)
    values: F64 = column.values[:, 0]
    good = (values >= 0) & (values < limit) & (values == np.floor(values))
    return np.where(good, np.where(good, values, 0).astype(np.int64), -1)


def arch_of(own: Operations) -> str:
    """The first architecture that the file states, "" without one."""
    column = column_named(own.columns, ARCH)
    if column is None or column.strings is None:
        return ""
    known = column.values[column.values >= 0]
    return column.strings.get(int(known[0])) if len(known) else ""


def clock_of(own: Operations) -> float | None:
    """Hz: the median of cycles over nanoseconds; None where no row has both (section 2)."""
    cycles = own.number("DEVICE FW END CYCLE") - own.number("DEVICE FW START CYCLE")
    length = own.number("DEVICE FW DURATION [ns]")
    known = (cycles > 0) & (length > 0)
    if not known.any():
        return None
    ghz = middle(cycles[known] / length[known])
    return round(ghz * 1000) * 1e6 if 0.001 < ghz < HIGHEST_GHZ else None
