"""Things of every kind of every family."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from app.analysis.tables import available
from app.formats.collect import read
from app.formats.registry import by_id, plan
from app.profile.profile import Profile
from app.profile.selection import Selection
from generators import many_profiles


def one_of_each(folder: Path) -> Iterator[tuple[Profile, Selection]]:
    """For each table whose rows are things, its profile (written to ``folder``) and some of these things."""
    many_profiles.write(folder, 8)
    for job in plan([folder])[0]:
        for profile in read(by_id(job.format.id), job.paths):
            for table in available(profile):
                if table.selects is None or not table.rows:
                    continue
                keys = [table.key(row) for row in (0, table.rows // 2, table.rows - 1)]
                chosen = tuple(sorted({key for key in keys if key >= 0}))
                if chosen:
                    yield profile, Selection(table.selects, chosen)
