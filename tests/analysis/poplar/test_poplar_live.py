"""The curve of live bytes, and which program each node stands for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.poplar.liveness import curve, programs_of_nodes
from app.analysis.relations import translate
from app.analysis.tables import by_id
from app.analysis.trees import live_tree
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.poplar import Liveness, most_below
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.strings import Strings, joined
from generators import poplar
from generators.trees import write_json

SCALE = poplar.Scale(compute_sets=20, loops=2)


def tree(parents: list[int], sizes: list[int], programs: list[int] | None = None) -> Liveness:
    """A tree of nodes in preorder."""
    depth = [0] * len(parents)
    end = [node + 1 for node in range(len(parents))]
    for node, parent in enumerate(parents):
        depth[node] = depth[parent] + 1 if parent >= 0 else 0
    for node in range(len(parents) - 1, -1, -1):
        if parents[node] >= 0:
            end[parents[node]] = max(end[parents[node]], end[node])
    none = np.full(len(parents), -1, np.int32)
    return Liveness(
        strings=Strings.of(()),
        bytes=np.array(sizes, np.int64),
        depth=np.array(depth, np.int32),
        parent=np.array(parents, np.int32),
        end=np.array(end, np.int32),
        name=none,
        program=none if programs is None else np.array(programs, np.int32),
    )


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("live") / "graph.json"
    (profile,) = read(FORMAT, [write_json(path, poplar.graph(SCALE))])
    return profile


def with_tree(profile: Profile, live: Liveness) -> Profile:
    return replace(profile, liveness=live)


def test_leaves_make_the_curve_where_parents_include_what_is_below(network: Profile) -> None:
    found, own = curve(network), network.liveness
    assert found is not None
    assert own is not None
    leaves = [node for node in range(len(own)) if own.end[node] == node + 1]
    assert found.nodes.tolist() == leaves
    assert found.peak is not None
    assert found.besides[found.peak] == own.bytes.max()
    assert network.tile_memory is not None
    assert network.tile_memory.always_live is not None
    assert found.always == int(network.tile_memory.always_live.sum())


def test_a_parent_with_more_than_all_below_is_a_moment_of_its_own(network: Profile) -> None:
    live = tree([-1, 0, 0, 2, 2], [50, 10, 90, 90, -1])
    found = curve(with_tree(network, live))
    assert found is not None
    assert found.nodes.tolist() == [1, 3, 4]
    assert found.peak == 1
    assert np.isnan(found.besides[2])
    own = curve(with_tree(network, tree([-1, 0, 0, 2, 2], [50, 10, 95, 90, -1])))
    assert own is not None
    assert own.nodes.tolist() == [1, 2, 3, 4]
    assert own.peak == 1


def test_most_below_is_that_of_a_loop_over_all_nodes() -> None:
    random = np.random.default_rng(4)
    parents = [-1]
    for node in range(1, 200):
        path = [node - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(int(random.choice([*path, -1])))
    sizes = random.integers(-1, 50, 200).tolist()
    live = tree(parents, sizes)
    want = [max(sizes[node + 1 : int(live.end[node])], default=-1) for node in range(200)]
    assert most_below(live).tolist() == want


def test_without_bytes_there_is_no_peak(network: Profile) -> None:
    found = curve(with_tree(network, tree([-1, -1], [-1, -1])))
    assert found is not None
    assert found.peak is None
    assert curve(replace(network, liveness=None)) is None
    assert curve(with_tree(network, tree([], []))) is None


def test_programs_are_told_by_the_shape_or_by_the_file(network: Profile, tmp_path: Path) -> None:
    told = programs_of_nodes(network)
    assert told is not None
    assert told.known == "shape"
    named = replace(SCALE, named_liveness=True)
    (other,) = read(FORMAT, [write_json(tmp_path / "graph.json", poplar.graph(named))])
    given = programs_of_nodes(other)
    assert given is not None
    assert given.known == "file"
    assert other.liveness is not None
    assert np.array_equal(given.program, other.liveness.program)
    assert np.array_equal(told.program, given.program)


def test_a_call_may_stand_for_its_function(network: Profile) -> None:
    """Another writer might put what a function runs right below the call."""
    told, live, programs = programs_of_nodes(network), network.liveness, network.programs
    assert told is not None
    assert live is not None
    assert programs is not None
    texts = programs.strings.tolist()
    parents = live.parent.tolist()
    drop = [p >= 0 and texts[programs.type[told.program[p]]] == "Call" for p in parents]
    assert any(drop)
    kept = [node for node, gone in enumerate(drop) if not gone]
    place = {node: number for number, node in enumerate(kept)}

    def above(node: int) -> int:
        parent = parents[node]
        while parent >= 0 and drop[parent]:
            parent = parents[parent]
        return place[parent] if parent >= 0 else -1

    flat = tree([above(node) for node in kept], live.bytes[kept].tolist())
    again = programs_of_nodes(with_tree(network, flat))
    assert again is not None
    assert again.program.tolist() == told.program[kept].tolist()


def test_a_tree_of_another_shape_names_no_programs(network: Profile) -> None:
    odd = with_tree(network, tree([-1, 0, 0], [1, 2, 3]))
    assert programs_of_nodes(odd) is None
    assert translate(odd, Selection("liveness", (1,)), "program").tolist() == []
    assert by_id(odd, "liveness") is not None
    assert programs_of_nodes(replace(odd, programs=None)) is None


def test_nodes_and_programs_lead_to_one_another(network: Profile) -> None:
    told = programs_of_nodes(network)
    assert told is not None
    program = int(told.program[7])
    assert translate(network, Selection("liveness", (7,)), "program").tolist() == [program]
    nodes = translate(network, Selection("program", (program,)), "liveness")
    assert nodes.tolist() == np.flatnonzero(told.program == program).tolist()
    outside = with_tree(network, tree([-1, 0], [1, 2], [5_000, 0]))
    assert translate(outside, Selection("liveness", (0, 1)), "program").tolist() == [0]


def test_the_table_and_the_tree_name_the_programs(network: Profile) -> None:
    table = by_id(network, "liveness")
    assert table is not None
    assert table.selects == "liveness"
    assert "does not name the programs" in table.note
    cells = {column.key: column for column in table.columns}
    assert network.programs is not None
    program = int(cells["program"].value(3) or 0)
    assert cells["type"].value(3) == network.programs.strings[int(network.programs.type[program])]
    found = live_tree(network)
    assert found is not None
    assert found.table.columns[0].key == "name"
    assert found.root_titles[0] == "control program 0"
    assert found.path(3)[-1] == 3
    assert network.liveness is not None
    assert found.in_order(np.arange(len(network.liveness))).tolist() == list(range(len(network.liveness)))
    assert live_tree(replace(network, liveness=None)) is None


def test_joined_texts_keep_their_ids() -> None:
    both = joined(Strings.of(["a", "bc"]), Strings.of(["", "d"]))
    assert both.tolist() == ["a", "bc", "", "d"]
    assert joined(Strings.of(()), Strings.of(["x"])).tolist() == ["x"]
