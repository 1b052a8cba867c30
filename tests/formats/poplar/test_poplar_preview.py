"""What is shown of a large Poplar file before it is read: found near its ends, and true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.formats.events import SectionReady
from app.formats.poplar import FORMAT
from app.formats.poplar.preview import preview
from app.formats.source import Source
from app.profile.poplar import Execution
from app.profile.profile import Section, Target
from generators import poplar
from generators.trees import plain, write_cbor, write_json

SCALE = poplar.Scale(tiles_per_ipu=4, compute_sets=5, loops=2)
LARGE = 9 << 20


def large(path: Path, tree: Any) -> Path:
    """The file, after as much of a long name as makes it large."""
    write = write_cbor if path.suffix == ".cbor" else write_json
    return write(path, {"aLongName": 'a "target":{"numTiles": 7} ' * (LARGE // 24), **tree})


def first_sections(path: Path) -> list[Section]:
    assert FORMAT.preview is not None
    with Source(path) as source:
        return [event.section for event in FORMAT.preview([source]) if isinstance(event, SectionReady)]


@pytest.mark.parametrize("suffix", [".json", ".cbor"])
def test_the_target_of_a_graph(tmp_path: Path, suffix: str) -> None:
    tree = plain(poplar.graph(SCALE))
    (first,) = (one for one in first_sections(large(tmp_path / f"graph{suffix}", tree)) if isinstance(one, Target))
    assert first.tiles == tree["target"]["numTiles"] == 4
    assert first.clock_hz == tree["target"]["clockFrequency"]


@pytest.mark.parametrize("suffix", [".json", ".cbor"])
def test_the_cycles_of_an_execution(tmp_path: Path, suffix: str) -> None:
    tree = plain(poplar.execution(SCALE))
    first, *_ = first_sections(large(tmp_path / f"execution{suffix}", tree))
    assert isinstance(first, Execution)
    assert first.tile_cycles == tree["simulation"]["tileCycles"]


@pytest.mark.parametrize("text", ['{"target":{"numTiles":', '{"target":{"name":1}}', '{"target":[{"numTiles":1}]}', ""])
def test_what_is_no_target_is_not_taken_for_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "graph.json"
    path.write_bytes(b'{"computeSets":{},' + b" " * LARGE + text.encode())
    with Source(path) as source:
        assert list(preview([source])) == []
