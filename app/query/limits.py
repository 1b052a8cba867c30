"""What a query may use, unless it is told otherwise."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

MEMORY_MB: Final = 2048
MOST_THREADS: Final = 4
SHOWN_ROWS: Final = 100_000
"""Rows of a result that the window shows."""


def duckdb_installed() -> bool:
    """Whether queries can be run. Does not import it."""
    return find_spec("duckdb") is not None
