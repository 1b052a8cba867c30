"""A file may state any number of IPUs: checking a pair takes no memory in proportion to it."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from app.formats.collect import read
from app.formats.poplar import FORMAT
from generators import poplar
from generators.trees import plain, write_json

IPUS = 1_000_000
MOST_BYTES = 20_000_000


def test_a_million_ipus_are_not_listed(tmp_path: Path) -> None:
    scale = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=2, tiles_per_ipu=4, loops=1)
    tree = {**plain(poplar.graph(scale)), **plain(poplar.execution(scale))}
    tree["target"]["numIPUs"] = IPUS
    path = write_json(tmp_path / "graph.json", tree)
    tracemalloc.start()
    try:
        assert read(FORMAT, [path])
        assert tracemalloc.get_traced_memory()[1] < MOST_BYTES
    finally:
        tracemalloc.stop()
