"""Memory of tiles by what it is made of, and the matrices behind the heat table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.analysis.matrices import available, column_figures, row_figures
from app.analysis.memory import BREAKDOWNS, GAPS, replicas, series, verdict
from app.profile.profile import Profile
from fakes.matrices import by_id


def test_without_breakdown(profile: Profile, tree: Any) -> None:
    by_tile = tree["memory"]["byTile"]
    with_gaps, without = series(profile), series(profile, gaps=False)
    assert with_gaps is not None
    assert without is not None
    assert with_gaps.total.tolist() == by_tile["totalIncludingGaps"]
    assert without.total.tolist() == by_tile["total"]
    assert with_gaps.limit == tree["target"]["bytesPerTile"]


@pytest.mark.parametrize("gaps", [True, False])
def test_regions_end_where_the_memory_does(profile: Profile, tree: Any, gaps: bool) -> None:
    found = series(profile, "region", gaps=gaps)
    assert found is not None
    assert found.total.tolist() == tree["memory"]["byTile"]["totalIncludingGaps" if gaps else "total"]
    assert [part.key for part in found.parts][:3] == ["interleaved", "nonInterleaved", "overflowed"]
    assert len(found.parts) == (4 if gaps else 3)


def test_categories_that_are_not_overlapped_add_up_to_the_tiles(profile: Profile, tree: Any) -> None:
    found = series(profile, "category", gaps=False)
    assert found is not None
    assert found.total.tolist() == tree["memory"]["byTile"]["total"]
    full = series(profile, "category")
    assert full is not None
    assert full.total.tolist() == tree["memory"]["byTile"]["totalIncludingGaps"]
    assert [part.key for part in full.parts] == [*(part.key for part in found.parts), GAPS]
    assert all(part.help for part in found.parts)
    shared = series(profile, "category", overlapped=True)
    assert shared is not None
    assert int(shared.total.sum()) > 0


def test_liveness_by_tile(profile: Profile, tree: Any) -> None:
    liveness = tree["memory"]["liveness"]
    found = series(profile, "liveness")
    assert found is not None
    assert [part.values.tolist() for part in found.parts] == [
        liveness["alwaysLive"]["bytesByTile"],
        liveness["notAlwaysLive"]["maxBytesByTile"],
    ]


def test_what_the_file_lacks_is_not_drawn(profile_of: Callable[[Any], Profile]) -> None:
    profile = profile_of({"memory": {"byTile": {"total": [5, 7]}}})
    assert [by for by in BREAKDOWNS if series(profile, by) is not None] == []
    found = series(profile, gaps=False)
    assert found is not None
    assert found.limit is None
    assert verdict(profile) is None
    assert replicas(profile) is None


def test_verdict_names_the_worst_tiles(profile: Profile, tree: Any) -> None:
    sizes = tree["memory"]["byTile"]["totalIncludingGaps"]
    limit = tree["target"]["bytesPerTile"]
    found = verdict(profile)
    assert found is not None
    worst = sorted(range(len(sizes)), key=lambda tile: -sizes[tile])[:5]
    assert [(tile.tile, tile.ipu, tile.with_gaps) for tile in found.worst] == [(t, t // 20, sizes[t]) for t in worst]
    assert (found.fits, found.tiles_over) == (False, 3)
    assert found.headroom == limit - max(sizes)
    assert found.total_share == pytest.approx(sum(sizes) / (limit * len(sizes)))


def test_each_matrix_is_named_and_stands_for_something(profile: Profile, tree: Any) -> None:
    found = available(profile)
    assert len({matrix.id for matrix in found}) == len(found)
    assert len(found) == 3 + 7 + 7 + 4 + 3 + 3
    for matrix in found:
        rows, columns = matrix.values.shape
        assert len(matrix.row_names) == rows
        assert columns == (len(matrix.column_names) if matrix.column_names is not None else 40)
        assert by_id(profile, matrix.id) is not None
    host = by_id(profile, "host-exchange-sent")
    assert host is not None
    assert host.first_row == len(tree["exchanges"]["bytesSentByTile"]) + 2
    assert host.row_names[1] == "images/hostToDevice"


@pytest.mark.parametrize("name", ["compute-set-total-bytes", "compute-set-padding-bytes", "compute-set-cycles"])
def test_shared_code_is_not_added(profile: Profile, name: str) -> None:
    matrix = by_id(profile, name)
    assert matrix is not None
    wide = matrix.values.astype(np.int64)
    shared = "total" in name
    assert matrix.column_summary == ("maximum" if shared else "sum")
    assert ("shared" in matrix.help.lower() or "share" in matrix.help) == shared
    assert row_figures(matrix).tolist() == wide.sum(axis=1).tolist()
    assert column_figures(matrix).tolist() == (wide.max(axis=0) if shared else wide.sum(axis=0)).tolist()
