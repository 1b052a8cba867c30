"""What is shown of a large file before it is read: found near its end, and true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.formats.events import Event, SectionReady
from app.formats.format import HEAVY_BYTES
from app.formats.poplar import FORMAT
from app.formats.poplar.early import early_section
from app.formats.source import Source
from app.profile.execution import Execution
from app.profile.profile import Section
from app.profile.target import Target
from generators import poplar
from generators.trees import plain, write_cbor, write_json

SCALE = poplar.Scale(tiles_per_ipu=4, compute_sets=5, loops=2)


def large(path: Path, tree: Any) -> Path:
    """The file, after as much of a long name as makes it large."""
    write = write_cbor if path.suffix == ".cbor" else write_json
    return write(path, {"aLongName": 'a "target":{"numTiles": 7} ' * (HEAVY_BYTES // 24), **tree})


def sections(path: Path) -> list[Section]:
    events: list[Event] = []
    with Source(path) as source:
        FORMAT.read([source], events.append)
    return [event.section for event in events if isinstance(event, SectionReady)]


@pytest.mark.parametrize("suffix", [".json", ".cbor"])
def test_the_target_of_a_graph_comes_first(tmp_path: Path, suffix: str) -> None:
    tree = plain(poplar.graph(SCALE))
    first, *others = sections(large(tmp_path / f"graph{suffix}", tree))
    assert isinstance(first, Target)
    assert first.tiles == tree["target"]["numTiles"] == 4
    (complete,) = (section for section in others if isinstance(section, Target))
    assert complete.clock_hz == first.clock_hz == tree["target"]["clockFrequency"]


@pytest.mark.parametrize("suffix", [".json", ".cbor"])
def test_the_cycles_of_an_execution_come_first(tmp_path: Path, suffix: str) -> None:
    tree = plain(poplar.execution(SCALE))
    first, *others = sections(large(tmp_path / f"execution{suffix}", tree))
    assert isinstance(first, Execution)
    assert first.tile_cycles == tree["simulation"]["tileCycles"]
    (complete,) = (section for section in others if isinstance(section, Execution))
    assert complete.cycles == tree["simulation"]["cycles"]


@pytest.mark.parametrize("text", ['{"target":{"numTiles":', '{"target":{"name":1}}', '{"target":[{"numTiles":1}]}', ""])
def test_what_is_no_target_is_not_taken_for_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "graph.json"
    path.write_bytes(b"{" + b" " * HEAVY_BYTES + text.encode())
    with Source(path) as source:
        assert early_section(source, "graph") is None
