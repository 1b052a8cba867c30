"""Very many cores, and very many sub-cores of one: the first have cards, the table has all."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.ascend import cores as cards
from app.analysis.ascend.cores import levels
from app.formats.ascend_bin import FORMAT
from app.panels.core_load.cards import MOST_CARDS, MOST_TILES, picture_of
from app.views.look import Look
from generators.ascend_hostile import cores, sub_cores
from generators.reading import profile_of

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("make", [cores, sub_cores])
def test_very_many_have_no_card_each(make: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    load = profile_of(FORMAT, make(5_000)).core_load
    assert load is not None
    made = []
    tile = cards.Tile

    def counted(*of: object) -> cards.Tile:
        made.append(of)
        return tile(*of)  # type: ignore[arg-type]

    monkeypatch.setattr(cards, "Tile", counted)
    picture = picture_of(load, "cycles", Look())
    assert len(made) == sum(len(card.tiles) for card in picture.cards)
    assert 0 < len(made) <= MOST_CARDS
    assert max(len(card.tiles) for card in picture.cards) <= MOST_TILES >= len(picture.names)
    with_tiles = sum(bool(card.tiles) for card in picture.cards)
    assert with_tiles + picture.left_out == cards.count_of_cores(load) == (5_000 if make is cores else 1)


@given(st.lists(st.tuples(st.sampled_from([1.0, 2.5, 7.0, 1e9, np.nan]), st.integers(0, 3)), max_size=12))
def test_levels_are_those_of_each_kind_by_itself(rows: list[tuple[float, int]]) -> None:
    values = np.array([value for value, _ in rows], np.float64)
    kinds = np.array([kind for _, kind in rows], np.int32)
    for row, level in enumerate(levels(values, kinds).tolist()):
        own = values[(kinds == kinds[row]) & ~np.isnan(values)]
        if np.isnan(values[row]):
            assert level == -1
        elif len(own) < 2 or np.ptp(own) == 0:
            assert level == 0
        else:
            z = (values[row] - own.mean()) / own.std(ddof=1)
            assert 10 / (1 + np.exp(-z)) == pytest.approx(level + 0.5, abs=0.5 + 1e-9)
