"""Tables of profiles in which one part is empty that another refers to (found by the soak)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.analysis.figures import figures
from app.analysis.tables import available
from app.formats.collect import read
from app.formats.poplar import FORMAT
from generators import poplar
from generators.trees import plain, write_json


@pytest.fixture
def tree() -> Any:
    return plain(poplar.graph(poplar.Scale(tiles_per_ipu=4, compute_sets=3, exchanges=2, named_liveness=True)))


@pytest.mark.parametrize("empty", ["programs", "controlPrograms", "functionPrograms", "vertexTypes", "computeSets"])
def test_tables_of_a_graph_without(tmp_path: Path, tree: Any, empty: str) -> None:
    tree[empty] = [[]] if isinstance(tree[empty], list) else {}
    (profile,) = read(FORMAT, [write_json(tmp_path / "graph.json", tree)])
    assert {table.id for table in available(profile)} >= {"liveness", "tiles"}
    assert figures(profile)
