"""How wide a table may become when its rows are padded to one width: by what the file holds of it."""

from __future__ import annotations

MAX_COLUMNS = 1024
PADDING = 8
"""A padded table has at most so many times the cells of the file, and ROOM more."""
ROOM = 65536


def most_columns(rows: int, cells: int) -> int:
    """The most columns that a table of ``rows`` rows may have whose rows hold ``cells`` cells in all; at least one."""
    return max(1, min(MAX_COLUMNS, (PADDING * cells + ROOM) // max(rows, 1)))
