"""Places in time: told apart, and exact."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.tables.timeline import some_slices
from app.analysis.timeline.times import absolute, finest, length_of, moment
from app.profile.timeline import Timeline
from app.views.table import Cells
from app.views.units import place
from generators.timelines import timeline

ORIGIN = Decimal("1718180919106042.250")


def close() -> Timeline:
    """A thousand slices of 0.3 us, 0.1 us apart, some 5 ms after the first."""
    slices = [(0.0, 0.3, "first", ""), *((4900 + n * 0.4, 0.3, f"op{n}", "") for n in range(1000))]
    return timeline([("p", "t", [slices])])


def test_hits_that_lie_close_are_told_apart() -> None:
    line = close()
    table = some_slices(line, np.arange(1, 400), "found", "Found")
    cells = Cells(table)
    column = [column.key for column in table.columns].index("start")
    texts = [cells.text(column, row) for row in range(table.rows)]
    assert len(set(texts)) == len(texts)
    assert (texts[0], texts[1], cells.header(column)) == ("4.9000", "4.9004", "Start (ms)")


def test_what_must_be_seen_follows_the_slices() -> None:
    assert finest(close()) == pytest.approx(0.3)
    assert finest(timeline([("p", "t", [[(5.0, 0.0, "a", "")]])])) == 0.0
    assert finest(timeline([])) == 0.0
    wide = timeline([("p", "t", [[(n * 1000.0, 500.0, "a", "") for n in range(50_000)]])])
    assert finest(wide) == 500.0


@pytest.mark.parametrize(
    ("value", "finest_", "text"),
    [(4913.2, 0.3, "4.9132 ms"), (0.0, 0.001, "0 ns"), (0.25, 0.001, "250 ns"), (1e6, 0.1, "1.0000000 s")],
)
def test_a_place_has_digits_enough(value: float, finest_: float, text: str) -> None:
    assert place(value, "µs", finest_) == text


def test_the_timestamp_of_the_file_is_exact() -> None:
    line = replace(close(), origin=ORIGIN)
    assert absolute(line, 4900.4) == Decimal("1718180919110942.650")
    assert moment(line, 4900.4) == "1,718,180,919,110,942.650 µs"
    assert moment(close(), 4900.4) == "4,900.4 µs"
    assert moment(close(), 5.0) == "5 µs"
    assert length_of(line) == Decimal("5299.9")
    (start,) = [column for column in some_slices(line, np.arange(3), "f", "F").columns if column.key == "start"]
    assert start.help == "Relative to 1,718,180,919,106,042.250 µs, where the first slice starts."
