"""Each fact stands once in the details."""

from __future__ import annotations

import numpy as np

from app.analysis.details import Row
from app.analysis.table import Column, Table
from app.views.details.once import arguments_once, stated_once


def ints(key: str, value: int, unit: str = "cycles", role: str = "") -> Column:
    return Column(key, key.title(), np.array([value]), unit, role=role)  # type: ignore[arg-type]


def text(key: str, value: str) -> Column:
    return Column(key, key.title(), (value,))


def row(*columns: Column, selects: str = "slice") -> Row:
    return Row(Table("t", "T", columns, selects), 0)  # type: ignore[arg-type]


def keys(*rows: Row) -> list[list[str]]:
    return [[column.key for column in columns] for columns in stated_once(rows, 7)]


SLICE = (text("thread", "OnTileExecute"), ints("start", 100), ints("duration", 1000), ints("end", 1100))


def test_a_step_repeats_nothing_of_its_slice() -> None:
    step = (text("type", "OnTileExecute"), ints("cycles", 999), ints("from", 100), ints("to", 1100), ints("data", 5))
    assert keys(row(*SLICE), row(*step)) == [["thread", "start", "duration", "end"], ["data"]]
    assert keys(row(*step))[0] == ["type", "cycles", "from", "to", "data"]


def test_what_differs_is_stated() -> None:
    assert keys(row(*SLICE), row(ints("cycles", 900), ints("from", 200)))[1] == ["cycles", "from"]
    assert keys(row(*SLICE, ints("self", 400)))[0][-1] == "self"
    assert keys(row(*SLICE, ints("self", 1000)))[0][-1] == "end"


def test_cycles_in_seconds_are_the_same_fact() -> None:
    time = Column("time", "Time", np.array([1e-6]), "s")
    assert keys(row(ints("cycles", 900), time)) == [["cycles"]]
    assert keys(row(time)) == [["time"]]


def test_the_number_of_the_thing_is_in_its_title() -> None:
    assert keys(row(ints("tile", 7, "", "key"), ints("ipu", 7, "", "key"), selects="tile")) == [["ipu"]]


def test_a_total_of_nothing_below_is_the_figure_itself() -> None:
    program = (ints("number", 7, "", "key"), ints("cycles", 900))
    assert keys(row(*program, ints("total_cycles", 900), selects="program")) == [["cycles"]]
    assert keys(row(*program, ints("total_cycles", 950), selects="program")) == [["cycles", "total_cycles"]]


def test_a_category_is_stated_and_a_colour_not() -> None:
    assert keys(row(*SLICE, text("category", "background_memory_dump")))[0][-1] == "end"
    assert keys(row(*SLICE, text("category", "OnTileExecute")))[0][-1] == "end"
    assert keys(row(*SLICE, text("category", "cuda_runtime")))[0][-1] == "category"


def test_arguments_that_stand_above_are_left_out() -> None:
    assert arguments_once({"pc_addr": "0x112440e0", "bid": 1, "n": 5}, ["0x112440e0", "1", "5"]) == {"bid": 1, "n": 5}
