"""`tables`: the names that export accepts."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from app.analysis.poplar.tile_content import CONTENTS
from app.analysis.table import Table
from app.analysis.tables import ListedTable, listed
from app.analysis.tile_sets import EXAMPLE
from app.cli.common_words import add_files, add_jobs, add_tiles
from app.cli.interrupts import ctrl_c_later
from app.cli.reading import opened
from app.cli.terminal import complain, say
from app.cli.tiles import NoTiles, tables_on
from app.language import plural, tr
from app.profile.profile import Profile
from app.views.pages.document import aligned

if TYPE_CHECKING:
    from app.panels.spec import PlotSpec

SIZES: Final = frozenset({1})
"""The column of rows, which are numbers."""


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    add_tiles(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a file could not be read, 2 if no file has any of the tiles."""
    tiles: str | None = options.tiles
    wrong = ""
    with opened(options.files, options.jobs) as result:
        named = 0
        for number, profile in enumerate(result.profiles, 1):
            head = f"{number}: {profile.name}" if len(result.profiles) > 1 else profile.name
            try:
                shown = lines(profile) if tiles is None else aligned(_tables(tables_on(profile, tiles)), SIZES)
            except NoTiles as error:
                wrong = wrong or f"{profile.name}: {error}"
                continue
            named += 1
            say([head, *(f"  {line}" for line in shown)])
        if result.profiles and not named:
            complain(wrong)
            return 2
        return 1 if result.refusals else 0


def lines(profile: Profile) -> Iterator[str]:
    """One line per table (name, rows, title) and one per plot; tables of some tiles are named without building them."""
    tables = _tables(listed(profile))
    if profile.tile_memory is not None:
        tables += [
            (
                f"--table {spec.table} --tiles N",
                "",
                tr("{spec} of selected tiles (such as {example})", spec=spec.title, example=EXAMPLE),
            )
            for spec in CONTENTS.values()
            if spec.has(profile)
        ]
    return aligned([*tables, *((f"--plot {plot.id}", "", plot.title) for plot in _plots(profile))], SIZES)


def _tables(tables: Iterable[Table | ListedTable]) -> list[tuple[str, str, str]]:
    return [
        (
            f"--table {table.id}",
            "" if table.rows is None else plural("{count:,} row", "{count:,} rows", count=table.rows),
            table.title,
        )
        for table in tables
    ]


def _plots(profile: Profile) -> list[PlotSpec]:
    """The plots; none, with a message, on a machine where Qt cannot be loaded."""
    try:
        with ctrl_c_later():
            from app.panels.picture import plots  # draws with Qt, so only here
    except ImportError as error:
        complain(tr("plots are skipped because Qt cannot be loaded: {error}", error=error))
        return []
    return plots(profile)
