"""A million slices grouped by SQL: ``PYTHONPATH=.:tests python tests/benchmarks/bench_query.py``."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.analysis.table import Coded
from app.analysis.tables import by_id
from app.profile.profile import Origin, Profile
from app.query import session as session_module
from app.query.session import Session, sources_of
from benchmarks.clock import median
from benchmarks.record import Record
from benchmarks.report import show as show_records
from benchmarks.size import FULL, Size
from benchmarks.targets import GROUPED
from generators.timelines import random_timeline

GROUP = "select name, sum(duration) as total from slices group by name"


def measure(size: Size) -> list[Record]:
    """By numpy: the texts as numbers, sorted and summed."""
    line = random_timeline(size.rows, 64)
    profile = Profile(name="trace", origin=Origin("chrome-trace", (Path("trace.json"),)), timeline=line)
    table = by_id(profile, "slices")
    assert table is not None
    columns = {column.key: column.values for column in table.columns}
    names, durations = columns["name"], columns["duration"]
    assert isinstance(names, Coded)
    assert isinstance(durations, np.ndarray)

    def by_numpy() -> None:
        groups, inverse = np.unique(names.ids, return_inverse=True)
        np.bincount(inverse, durations, len(groups))

    what, numpy_ms = f"{size.rows:,} slices", median(by_numpy, size.repeats)
    records = []
    for way, rows in (("as they are installed", session_module.ARROW_ROWS), ("without pyarrow", size.rows + 1)):
        session_module.ARROW_ROWS, before = rows, session_module.ARROW_ROWS  # type: ignore[misc]
        try:
            with Session(sources_of([profile])) as session:
                first = median(lambda own=session: own.run("select count(*) from slices"), 1)  # type: ignore[misc]
                again = median(lambda own=session: own.run(GROUP), size.repeats)  # type: ignore[misc]
        finally:
            session_module.ARROW_ROWS = before  # type: ignore[misc]
        bound = GROUPED if size.full else None
        records += [
            Record(f"{what}: the table made and passed on, {way}", "", first, "ms"),
            Record(
                f"{what}: grouped by name, {way}",
                "",
                again,
                "ms",
                ratio_at_most=bound,
                baseline=numpy_ms,
                against="np.unique and np.bincount",
            ),
        ]
    return records


if __name__ == "__main__":
    show_records(measure(FULL))
