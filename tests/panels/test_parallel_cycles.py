"""Cycles summed over tiles or threads are no duration: they stay cycles where others are shown as times."""

from __future__ import annotations

import numpy as np

from app.analysis.figures.poplar import figures
from app.analysis.matrices import rows_table
from app.analysis.matrix import Matrix
from app.analysis.poplar.runs import Spent
from app.analysis.table import Column, Table
from app.analysis.tables.poplar_memory import figures_table, ipu_table
from app.analysis.tables.poplar_steps import tile_cycles
from app.analysis.tile_figures import Content
from app.panels.tile_memory.compared import compared
from app.panels.tile_memory.picture import bars_of
from app.panels.tile_memory.shown import words
from app.profile.poplar import Execution
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from app.views.look import Look
from app.views.pages.figures import lines
from app.views.steps.spent_picture import picture_of
from app.views.table import Cells
from app.views.tile_memory.places import places

TIME, GIGAHERTZ = Look(cycles_as="time"), 1e9


def headers(table: Table) -> dict[str, str]:
    cells = Cells(table, TIME, GIGAHERTZ)
    return {column.key: cells.header(place) for place, column in enumerate(table.columns)}


def content() -> Content:
    total = np.array([4000.0, 2000.0, 1000.0, 1000.0])
    parts = (("cycles", "Cycles", total, ""),)
    return Content("x", "By tile", "cycles", parts, total, None, True, 2, GIGAHERTZ, title_by_ipu="By IPU")


def test_columns_of_tables() -> None:
    values = np.array([4000, 2000])
    table = Table("t", "", tuple(Column(key, key, values, "cycles", parallel=key == "all") for key in ("own", "all")))
    assert headers(table) == {"own": "own (µs)", "all": "all (cycles)"}
    assert Cells(table, TIME, GIGAHERTZ).text(1, 0) == "4,000"
    ipus, spread = headers(ipu_table(content())), headers(figures_table(content(), np.arange(4), ""))
    assert (ipus["total"], ipus["max_tile"]) == ("Total (cycles)", "Maximum on a tile (µs)")
    assert (spread["total"], spread["mean"]) == ("Total (cycles)", "Mean (µs)")
    names = Strings.of(["a", "b"])
    matrix = Matrix("m", "t", "g", np.array([[4000, 1], [2000, 1]]), "cycles", "", "compute_set", names)
    rows = headers(rows_table(matrix))
    assert (rows["sum"], rows["max"]) == ("Sum (cycles)", "Max (µs)")


def test_kinds_of_cycles_of_a_run() -> None:
    bare = Profile(name="run", origin=Origin("poplar", ()))
    run = bare.with_section(Execution(mode="", cycles=8000, tile_cycles={"compute": 4_000_000}))
    table = tile_cycles(run)
    assert table is not None
    assert headers(table)["cycles"] == "Cycles"
    (spent,) = [figure for figure in figures(run) if figure.name == "execution.tile_cycles"]
    assert [line.value for line in lines(spent, TIME, GIGAHERTZ)] == ["", "4,000,000 cycles"]


def test_only_the_mean_of_a_tile_is_a_time() -> None:
    picture = picture_of(Spent({"compute": 4_000_000}, {"compute": 3_000_000.0}, 1000, 8e6, 0), None, 1e9)
    assert picture is not None
    first, mean, *_, steps = picture.bars[0].tip.splitlines()
    assert first == "compute: 4,000,000 cycles on all tiles, 50.0 %"
    assert mean == "4,000 cycles (4.00 µs) per tile on average"
    assert steps.startswith("From the steps: 3,000,000 cycles.")


def test_sums_over_tiles_in_pictures_and_sentences() -> None:
    own = content()
    both = compared(own, own, difference=False, per_tile=False)
    pictures = [bars_of(own, places(own, view)) for view in ("tile", "ipu")]
    pictures += [both.bars(both.places(view), limit=False, lines=False) for view in ("tile", "ipu")]
    assert [picture.clock_hz for picture in pictures] == [GIGAHERTZ, None] * 2
    assert "max on tile 0: 4.00 µs · sum 8,000 cycles · mean 2.00 µs" in words(own, -1, np.arange(4), "", TIME)
    assert "sum 8,000 cycles, baseline 8,000 cycles" in both.words(-1, np.arange(4), "", TIME)
