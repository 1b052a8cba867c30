"""Along the arrows of a timeline."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.timeline.times import linked
from app.profile.timeline import Flows


@pytest.mark.parametrize(
    ("index", "direction", "other"), [(0, 1, 2), (2, -1, 1), (2, 1, None), (0, -1, None), (1, 1, 2), (3, 1, None)]
)
def test_the_nearest_arrow_is_followed(index: int, direction: int, other: int | None) -> None:
    """Arrows: 0 to 3 (at 9), 0 to 2 (at 5), 1 to 2 (from 4), 3 to nowhere."""
    flows = Flows(
        category=np.zeros(4, np.int32),
        from_time=np.array([1.0, 1.0, 4.0, 6.0]),
        from_lane=np.zeros(4, np.int32),
        from_slice=np.array([0, 0, 1, 3]),
        to_time=np.array([9.0, 5.0, 5.0, 7.0]),
        to_lane=np.zeros(4, np.int32),
        to_slice=np.array([3, 2, 2, -1]),
    )
    assert linked(flows, index, direction) == other
