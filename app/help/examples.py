"""Profiles that have every table, from which the help describes the columns of tables: small files of its own, and the
bundled samples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from app.analysis.table import Table
from app.analysis.tables import TABLES, TableSpec
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from app.resources import resource

_SPECS = {spec.id: spec for spec in TABLES}


def example(table_id: str) -> Table:
    """A table of that name with all its columns. KeyError if there is no such table."""
    spec = _SPECS[table_id]
    best: Table | None = None
    for folder in _folders():
        for table in _tables(folder, spec):
            if best is None or len(table.columns) > len(best.columns):
                best = table
    if best is None:
        raise KeyError(table_id)
    return best


def profiles() -> Iterator[Profile]:
    """All example profiles."""
    for folder in _folders():
        yield from _read(folder)


def _tables(folder: Path, spec: TableSpec) -> Iterator[Table]:
    for profile in _read(folder):
        yield from (table for table in spec.tables(profile) if table.columns)


def _folders() -> tuple[Path, ...]:
    """Of the help's own examples and of the samples, in a fixed order."""
    own = (path for path in resource("help", "examples").iterdir() if not path.name.startswith("."))
    samples = (path for path in resource("samples").iterdir() if path.suffix not in (".png", ".json"))
    return (*sorted(own), *sorted(path for path in samples if not path.name.startswith(".")))


@cache
def _read(path: Path) -> tuple[Profile, ...]:
    jobs, _ = plan([path])
    return tuple(profile for job in jobs for profile in read(job.format, job.paths))
