"""Generated Poplar profiles for the analysis tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_json

SCALE = poplar.Scale(seed=2, ipus=2, tiles_per_ipu=20, compute_sets=14, loops=3, over=3)


@pytest.fixture(scope="session")
def scale() -> poplar.Scale:
    return SCALE


@pytest.fixture(scope="session")
def tree() -> Any:
    """Graph and execution as plain values."""
    return {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    (found,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("pair"), SCALE))
    return found


@pytest.fixture
def profile_of(tmp_path: Path) -> Callable[[Any], Profile]:
    """Reads a tree of plain values as one file."""

    def make(values: Any) -> Profile:
        return read(FORMAT, [write_json(tmp_path / "graph.json", values)])[0]

    return make
