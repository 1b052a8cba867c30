"""A file may state any number of IPUs: checking a pair takes neither time nor memory in proportion to it."""

from __future__ import annotations

from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from generators import poplar
from generators.trees import plain, write_json

KIB_PER_MIB = 1024


@pytest.mark.parametrize("ipus", [10**7, 2**40])
def test_any_number_of_ipus_is_checked_at_once(tmp_path: Path, ipus: int) -> None:
    scale = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=2, tiles_per_ipu=4, loops=1)
    tree = {**plain(poplar.graph(scale)), **plain(poplar.execution(scale))}
    tree["target"]["numIPUs"] = ipus
    path = write_json(tmp_path / "graph.json", tree)
    before = getrusage(RUSAGE_SELF).ru_maxrss
    assert read(FORMAT, [path])
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < 200 * KIB_PER_MIB
