"""Profiles that have every table, from which the help describes the columns of tables: small files of its own, and the
bundled samples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from app.analysis.table import Table
from app.analysis.tables import TABLES, TableSpec
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.profile import Profile
from app.resources import resource

ORDER = (
    "samples/matmul_leakyrelu.bin",
    "help/examples/pipes",
    "help/examples/plan",
    "samples/resnet-1472-tiles",
    "samples/OPPROF_20260821101500_QWERTYUIOPASDFGH",
    "samples/events.out.tfevents.1559736000.host",
    "samples/resnet_inference.popef",
    "help/examples/poplar",
    "help/examples/capture",
    "samples/paged_attention_20260918_101500",
    "samples/wormhole-mlp",
    "help/examples/tiles",
)
"""Below the resources. The first that has a table has most of its columns, so that few are read for a page."""
RICHER = {"raw-blocks": ORDER[4], "exchanges-per-tile": ORDER[7], "lanes": ORDER[10]}
"""Tables with more columns elsewhere."""
_SPECS = {spec.id: spec for spec in TABLES}


def example(table_id: str) -> Table:
    """A table of that name with all its columns. KeyError if there is no such table."""
    spec = _SPECS[table_id]
    for path in (RICHER.get(table_id, ORDER[0]), *ORDER):
        for table in _tables(path, spec):
            return table
    raise KeyError(table_id)


def profiles() -> Iterator[Profile]:
    """All example profiles."""
    for path in ORDER:
        yield from _read(path)


def release() -> None:
    """Forgets the profiles; they are read again when they are needed."""
    _read.cache_clear()


def _tables(path: str, spec: TableSpec) -> Iterator[Table]:
    for profile in _read(path):
        yield from (table for table in spec.tables(profile) if table.columns)


@cache
def _read(path: str) -> tuple[Profile, ...]:
    jobs, _ = plan([resource(*path.split("/"))])
    return tuple(profile for job in jobs for profile in read(job.format, job.paths))
