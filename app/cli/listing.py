"""`tables`: the names that export takes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.analysis.tables import available
from app.cli.reading import opened
from app.cli.terminal import complain, say
from app.profile.profile import Profile

if TYPE_CHECKING:
    from app.panels.panel import PlotSpec


def run(files: Sequence[Path]) -> int:
    """Prints every table and plot of the files; status 1 when a file could not be read."""
    with opened(files) as result:
        for number, profile in enumerate(result.profiles, 1):
            head = f"{number}: {profile.name}" if len(result.profiles) > 1 else profile.name
            say([head, *(f"  {line}" for line in lines(profile))])
        return 1 if result.refusals else 0


def lines(profile: Profile) -> list[str]:
    """One line a table (name, rows, title) and one a plot."""
    tables = [(f"--table {table.id}", f"{table.rows:,} rows", table.title) for table in available(profile)]
    plots = [(f"--plot {plot.id}", "", plot.title) for plot in _plots(profile)]
    rows = [*tables, *plots]
    first = max((len(row[0]) for row in rows), default=0)
    second = max((len(row[1]) for row in rows), default=0)
    return [f"{name:{first}}  {size:>{second}}  {title}".rstrip() for name, size, title in rows]


def _plots(profile: Profile) -> list[PlotSpec]:
    """The plots; none, and a line that says why, on a machine where Qt cannot be loaded."""
    try:
        from app.panels.picture import plots  # draws with Qt, so only here
    except ImportError as error:
        complain(f"plots are left out, because Qt cannot be loaded here: {error}")
        return []
    return plots(profile)
