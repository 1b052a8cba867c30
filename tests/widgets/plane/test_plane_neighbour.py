"""The next and the previous of numbered things."""

from __future__ import annotations

import pytest

from app.widgets.plane.scene import neighbour


@pytest.mark.parametrize(
    ("place", "direction", "count", "wanted"),
    [
        (-1, 1, 3, 0),
        (-1, -1, 3, 2),
        (0, 1, 3, 1),
        (2, 1, 3, 2),
        (0, -1, 3, 0),
        (2, -1, 3, 1),
        (-1, 1, 0, -1),
        (-1, -1, 0, -1),
    ],
)
def test_neighbours_stop_at_the_ends(place: int, direction: int, count: int, wanted: int) -> None:
    assert neighbour(place, direction, count) == wanted
