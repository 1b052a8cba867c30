"""Numbers that identify things are not subtracted, and shares differ in percentage points: in figures, tables,
conditions and all texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from app.analysis.compare.as_table import as_table
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.conditions import Condition, NotEvaluated, parse
from app.analysis.compare.matching import match
from app.analysis.compare.overview import all_figures
from app.analysis.compare.plans import Plan
from app.analysis.compare.tables import compared
from app.analysis.export import export
from app.analysis.table import Column, Table
from app.analysis.tables import each
from app.formats.collect import read
from app.formats.registry import plan
from app.panels.comparison.panel import SignedCells
from app.profile.profile import Origin, Profile
from app.views.differences import difference_of
from app.views.pages.comparison import table_section
from app.views.pages.document import page_lines
from app.views.table import Cells
from app.views.units import change, percent_change

ROOT = Path(__file__).parents[3]
FILES = (
    *(ROOT / "resources" / "samples").glob("*.bin"),
    *(ROOT / "resources" / "samples").glob("OPPROF_*"),
    *(ROOT / "resources" / "samples").glob("events.out.*"),
    *(ROOT / "resources" / "samples").glob("*.popef"),
    *(ROOT / "resources" / "help" / "examples").iterdir(),
)
IDENTIFYING = frozenset(
    (
        *("tile", "ipu", "core", "device", "rank", "block_id", "line", "step", "number", "record", "program", "index"),
        *("offset", "address", "pc", "entry", "level", "most_step", "fullest", "worst", "at", "output", "version"),
        *("first_step", "start", "end", "from", "to", "from_time", "to_time", "pid", "task_id", "stream_id", "part"),
    )
)
"""Keys of columns whose numbers say which or where, in any table."""


@pytest.fixture
def shares() -> tuple[Table, Table]:
    def table(shares: list[float], tiles: list[int]) -> Table:
        return Table(
            "t",
            "Shares",
            (
                Column("name", "Name", ("a", "b"), role="name"),
                Column("share", "Busy share", np.array(shares), "%"),
                Column("tile", "Fullest tile", np.array(tiles), role="key"),
                Column("size", "Size", np.array([10, 20]), "B"),
            ),
        )

    return table([40.0, 10.0], [1105, 3]), table([44.0, 10.0], [10, 3])


def listed() -> Iterator[Profile]:
    for path in FILES:
        for job in plan([path])[0]:
            yield from read(job.format, job.paths)


def test_columns_that_say_which_or_where_are_marked_so_in_all_samples() -> None:
    seen = set()
    for profile in listed():
        for table in each(profile):
            for column in table.columns:
                if column.key in IDENTIFYING and column.numeric:
                    assert column.is_key or column.is_place, (table.id, column.key)
                    seen.add((table.id.partition("/")[0], column.key))
    assert len(seen) > 40


def test_a_share_differs_in_points_and_an_id_not_at_all(shares: tuple[Table, Table]) -> None:
    made = compared(*shares, match(*shares, Plan(names=("name",))))
    share, tile = made.column("share"), made.column("tile")
    assert share is not None
    assert tile is not None
    assert made.difference(share).values.tolist() == [4.0, 0.0]
    assert np.isnan(made.percent(share)).all()
    assert not made.difference(tile).known.any()
    assert np.isnan(made.percent(tile)).all()
    assert made.changed.tolist() == [True, False], "an id that is another one is a change all the same"
    table = as_table(made)
    keys = [column.key for column in table.columns]
    assert keys[2:] == [
        *("share_before", "share_after", "share_difference", "tile_before", "tile_after"),
        *("size_before", "size_after", "size_difference", "size_percent"),
    ]
    assert "share_difference [pp]" in next(iter("".join(export(table, "csv")).splitlines()))
    cells = Cells(table)
    assert cells.text(keys.index("share_difference"), 0) == "+4.0"
    assert cells.header(keys.index("share_difference")) == "Busy share, difference (pp)"
    assert cells.tip(keys.index("share_difference"), 0).endswith("4 pp")
    text = "\n".join(page_lines(table_section(made, None)))
    assert "40.0 %      44.0 %     +4.0 pp\n" in f"{text}\n"
    assert "1,105" not in text


def test_texts_of_differences_say_points() -> None:
    assert change(4.0, "%") == "+4.0 pp"
    assert change(-0.01, "%") == ">−0.1 pp"
    assert difference_of(40.0, 44.0, "%") == "+4.0 pp"
    assert difference_of(40.0, 44.0, "B") == "+4 B (+10.0 %)"
    assert percent_change(4.0, 40.0) == "+10.0 %"


def test_figures_have_points_and_ids_have_none() -> None:
    share = ComparedFigure("report.l2_hit_rate", "L2 hit rate", 40.0, 44.0, "%")
    tile = ComparedFigure("memory.max_tile", "Fullest tile", 1105, 10, role="key")
    assert (share.difference, share.percent) == (4.0, None)
    assert (tile.difference, tile.percent, tile.changed) == (None, None, True)
    table = all_figures([share, tile])
    texts = {
        (column.key, row): SignedCells(table).text(place, row)
        for place, column in enumerate(table.columns)
        for row in range(table.rows)
    }
    assert (texts["difference", 0], texts["percent", 0]) == ("+4.0 pp", None)
    assert (texts["before", 1], texts["after", 1], texts["difference", 1]) == ("1,105", "10", None)


class _Figures(Comparison, frozen=True):
    """A comparison of two figures only."""

    @property
    def figures(self) -> list[ComparedFigure]:
        return [
            ComparedFigure("share", "Share", 40.0, 44.0, "%"),
            ComparedFigure("tile", "Tile", 1105, 10, role="key"),
        ]


def test_conditions_on_shares_are_in_points_and_none_is_on_the_difference_of_an_id() -> None:
    empty = Profile(name="p", origin=Origin("poplar", ()))
    comparison = _Figures(empty, empty)

    def holds(text: str) -> bool:
        condition: Condition = parse(text)
        return condition.holds(comparison)

    assert holds("share > +3 %")
    assert holds("share > +3 pp")
    assert not holds("share > +5 %"), "it is 10 % of the baseline, but four points"
    assert holds("tile == 10")
    with pytest.raises(NotEvaluated, match="only identifies"):
        holds("tile > +0")


def test_the_fullest_tile_has_no_difference_in_a_comparison_of_files() -> None:
    (job,) = plan([ROOT / "resources" / "help" / "examples" / "poplar"])[0]
    (profile,) = read(job.format, job.paths)
    figure = next(one for one in Comparison(profile, profile).figures if one.id == "memory.max_tile")
    assert figure.before == figure.after
    assert figure.difference is None
