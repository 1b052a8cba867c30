"""Limits the width of tables whose rows are padded to one width, in proportion to the cells in the file."""

from __future__ import annotations

MAX_COLUMNS = 1024
PADDING = 8
"""A padded table has at most PADDING times the cells of the file, plus ROOM."""
ROOM = 65536


def most_columns(rows: int, cells: int) -> int:
    """The largest number of columns of a table with ``rows`` rows and ``cells`` cells in the file; at least 1."""
    return max(1, min(MAX_COLUMNS, (PADDING * cells + ROOM) // max(rows, 1)))
