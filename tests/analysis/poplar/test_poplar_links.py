"""From programs to steps, slices, compute sets, exchanges and tiles, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.analysis.poplar.graph import call_targets, descendants, on_cycles
from app.analysis.relations import LINKS, translate
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection


def linked(profile: Profile, kind: Kind, index: int, to: Kind) -> list[int]:
    found: list[int] = translate(profile, Selection(kind, (index,)), to).tolist()
    return found


def test_a_step_and_its_slice(profile: Profile) -> None:
    assert profile.timeline is not None
    for number in (0, 5, 17):
        record = int(profile.timeline.slices.record[number])
        assert linked(profile, "slice", number, "step") == [record]
        assert linked(profile, "step", record, "slice") == [number]


def test_a_program_has_the_steps_of_all_below_it(profile: Profile, tree: Any) -> None:
    steps = tree["simulation"]["steps"]
    programs = tree["programs"]
    leaf = next(n for n, program in enumerate(programs) if program["type"] == "OnTileExecute")
    own = [number for number, step in enumerate(steps) if step.get("program") == leaf]
    assert linked(profile, "program", leaf, "step") == own
    assert len(own) == 3
    everything = [number for number, step in enumerate(steps) if "program" in step]
    assert linked(profile, "program", 0, "step") == everything
    call = next(n for n, program in enumerate(programs) if program["type"] == "Call")
    body = tree["functionPrograms"][programs[call]["target"]]
    assert linked(profile, "program", call, "step") == linked(profile, "program", body, "step") != []


def test_compute_sets_and_where_they_run(profile: Profile, tree: Any) -> None:
    total = tree["memory"]["byComputeSet"]["totalBytes"]
    assert linked(profile, "compute_set", 2, "tile") == [tile for tile, size in enumerate(total[2]) if size > 0]
    assert linked(profile, "tile", 39, "compute_set") == [c for c, row in enumerate(total) if row[39] > 0]
    steps = tree["simulation"]["steps"]
    own = [number for number, step in enumerate(steps) if step.get("computeSet") == 4]
    assert linked(profile, "compute_set", 4, "step") == own
    assert linked(profile, "step", own[0], "compute_set") == [4]
    assert linked(profile, "compute_set", 4, "vertex_type") == tree["computeSets"]["vertexTypes"][4]
    kinds = tree["computeSets"]["vertexTypes"]
    assert linked(profile, "vertex_type", 2, "compute_set") == [c for c, row in enumerate(kinds) if 2 in row]
    slices = linked(profile, "compute_set", 4, "slice")
    assert len(slices) == len(own)


def test_exchanges_are_counted_in_one_row(profile: Profile, tree: Any) -> None:
    internal = len(tree["exchanges"]["bytesSentByTile"])
    external = len(tree["externalExchanges"]["bytesSentByTile"])
    stream = next(n for n, p in enumerate(tree["programs"]) if p["type"] == "StreamCopy" and p["exchange"] == 1)
    assert linked(profile, "program", stream, "exchange") == [internal + external + 1]
    assert linked(profile, "exchange", internal + external + 1, "program") == [stream]
    steps = [n for n, step in enumerate(tree["simulation"]["steps"]) if step.get("hostExchange") == 1]
    assert linked(profile, "exchange", internal + external + 1, "step") == steps
    assert linked(profile, "step", steps[0], "exchange") == [internal + external + 1]
    sent, received = (tree["externalExchanges"][key][0] for key in ("bytesSentByTile", "bytesReceivedByTile"))
    tiles = [tile for tile, (a, b) in enumerate(zip(sent, received, strict=True)) if a or b]
    assert linked(profile, "exchange", internal, "tile") == tiles


def test_tiles_of_programs_and_steps_are_those_of_sets_and_exchanges(profile: Profile, tree: Any) -> None:
    total = tree["memory"]["byComputeSet"]["totalBytes"]
    moved = [
        [a + b for a, b in zip(sent, received, strict=True)]
        for sent, received in zip(
            tree["exchanges"]["bytesSentByTile"], tree["exchanges"]["bytesReceivedByTile"], strict=True
        )
    ]
    exchange = next(n for n, p in enumerate(tree["programs"]) if p["type"] == "DoExchange" and p["exchange"] == 2)
    on_tiles = [tile for tile, size in enumerate(moved[2]) if size > 0]
    assert linked(profile, "program", exchange, "tile") == on_tiles != []
    step = next(n for n, s in enumerate(tree["simulation"]["steps"]) if s.get("program") == exchange)
    assert linked(profile, "step", step, "tile") == on_tiles
    assert profile.timeline is not None
    slice_ = profile.timeline.slices.record.tolist().index(step)
    assert linked(profile, "slice", slice_, "tile") == on_tiles
    layer = next(n for n, p in enumerate(tree["programs"]) if exchange in p.get("children", []))
    below = [tree["programs"][child] for child in tree["programs"][layer]["children"]]
    rows = [total[p["computeSet"]] if "computeSet" in p else moved[p["exchange"]] for p in below]
    assert linked(profile, "program", layer, "tile") == [
        t for t, sizes in enumerate(zip(*rows, strict=True)) if any(sizes)
    ]
    idle = next(tile for tile, size in enumerate(moved[2]) if size == 0)
    assert exchange not in linked(profile, "tile", idle, "program")
    assert exchange in linked(profile, "tile", on_tiles[0], "program")
    assert step in linked(profile, "tile", on_tiles[0], "step")
    runs = next(n for n, p in enumerate(tree["programs"]) if p.get("computeSet") == 3)
    assert (runs in linked(profile, "tile", idle, "program")) == (total[3][idle] > 0)


def test_every_link_survives_what_is_not_there(profile: Profile, profile_of: Callable[[Any], Profile]) -> None:
    bare = profile_of({"profilerMode": "NONE"})
    for link in (link for links in LINKS.values() for link in links.values()):
        assert link(bare, np.array([0, 3], np.int64)).tolist() == []
        found = link(profile, np.array([-5, 0, 10**9], np.int64))
        assert found.dtype == np.int64
        assert np.array_equal(found, np.unique(found))


def test_cycles_end(profile_of: Callable[[Any], Profile]) -> None:
    programs = [
        {"type": "Sequence", "children": [1]},
        {"type": "Call", "target": 0},
        {"type": "Sequence", "children": [2, 3]},
        {"type": "Sync"},
    ]
    own = profile_of({"programs": programs, "controlPrograms": [0], "functionPrograms": [0]}).programs
    assert own is not None
    assert call_targets(own).tolist() == [-1, 0, -1, -1]
    assert on_cycles(own).tolist() == [True, True, True, False]
    assert descendants(own, np.array([1])).tolist() == [0, 1]
    assert descendants(own, np.array([2])).tolist() == [2, 3]


@pytest.mark.parametrize("depth", [30_000])
def test_deep_programs_are_walked_in_time(profile_of: Callable[[Any], Profile], depth: int) -> None:
    programs: list[Any] = [{"type": "Sequence", "children": [n + 1]} for n in range(depth)]
    own = profile_of({"programs": [*programs, {"type": "Sync"}]}).programs
    assert own is not None
    assert not on_cycles(own).any()
    assert len(descendants(own, np.array([0]))) == depth + 1
