"""Statistics of many groups are those of each group alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.amounts import MANY, spread


@pytest.mark.parametrize("groups", [1, 3, 700, 70_000, 200_000])
def test_every_group_by_itself(groups: int) -> None:
    dice = np.random.default_rng(groups)
    group = dice.integers(0, groups, 60_000)
    group[: 2 * MANY] = groups // 2  # one with many amounts
    amounts = np.round(dice.random(len(group)) * 50, 1)  # with equal ones
    made = spread(group, amounts, groups)
    order = np.argsort(group, kind="stable")
    borders = np.flatnonzero(np.diff(group[order])) + 1
    parts = np.split(amounts[order], borders)
    present = np.unique(group[order])
    assert made.median[present].tolist() == [float(np.median(part)) for part in parts]
    assert made.least[present].tolist() == [float(part.min()) for part in parts]
    assert int(np.count_nonzero(~np.isnan(made.median))) == len(present)


def test_no_amounts() -> None:
    made = spread(np.empty(0, np.int64), np.empty(0), 2)
    assert np.isnan(made.median).all()
    assert made.count.tolist() == [0, 0]
