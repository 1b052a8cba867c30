"""Damaged and hostile Poplar files: one clear issue or error each, and what is whole is read."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.checks import check
from app.analysis.figures import figures
from app.analysis.tables import available
from app.formats.collect import Collector, read
from app.formats.errors import FormatError
from app.formats.poplar import FORMAT
from app.formats.source import Source
from app.profile.profile import Profile
from generators import poplar
from generators.trees import plain, write_cbor, write_json

SCALE = poplar.Scale(mode="COMPUTE_SETS", tiles_per_ipu=6, compute_sets=4, vertex_types=3, categories=3, loops=2)


def opened(path: Path, tree: Any) -> Profile:
    return read(FORMAT, [write_json(path, tree)])[0]


def texts(profile: Profile) -> list[str]:
    return [f"{issue.severity} {issue.where}: {issue.text}" for issue in profile.issues]


@pytest.fixture
def graph() -> Any:
    return plain(poplar.graph(SCALE))


@pytest.fixture
def run() -> Any:
    return plain(poplar.execution(SCALE))


def short_row(tree: Any) -> None:
    tree["memory"]["byComputeSet"]["codeBytes"][2].pop()


def missing_row(tree: Any) -> None:
    tree["exchanges"]["bytesSentByTile"].pop()


def words_for_numbers(tree: Any) -> None:
    tree["memory"]["byTile"]["total"][1] = "many"


def short_array(tree: Any) -> None:
    tree["memory"]["byTile"]["overflowed"].pop()


def fractions(tree: Any) -> None:
    tree["memory"]["byVertexType"]["codeBytes"][0][0] = 1.5


def immense(tree: Any) -> None:
    tree["memory"]["byTile"]["interleaved"][0] = 2**60


def types_of_other_length(tree: Any) -> None:
    tree["vertexTypes"]["sizes"].append(4)


def unequal_lists(tree: Any) -> None:
    tree["computeSets"]["vertexTypes"][0].append(0)


def lost_child(tree: Any) -> None:
    tree["programs"][0]["children"].append(9999)


def lost_root(tree: Any) -> None:
    tree["controlPrograms"] = [0, 77777]


def no_object(tree: Any) -> None:
    tree["target"] = [1, 2]


def unknown(tree: Any) -> None:
    tree["somethingNew"] = {"deep": [1, 2, {"x": 3}]}
    tree["programs"][0]["newField"] = 1


CASES: list[tuple[Callable[[Any], None], str]] = [
    (short_row, "error g.json: memory.byComputeSet.codeBytes: skipped: row 2 has 5 numbers, but row 0 has 6"),
    (missing_row, "error g.json: exchanges.bytesSentByTile: skipped: 3 rows for 4 exchanges"),
    (words_for_numbers, "error g.json: memory.byTile.total: skipped: expected only whole numbers here"),
    (
        short_array,
        "error g.json: memory.byTile.overflowed: skipped: 5 entries, but the preceding arrays per tile have 6",
    ),
    (fractions, "error g.json: memory.byVertexType.codeBytes: skipped: expected only whole numbers here"),
    (immense, "error g.json: memory.byTile.interleaved: skipped: a number here is too large"),
    (types_of_other_length, "error g.json: vertexTypes.sizes: skipped: 4 sizes for 3 vertex types"),
    (unequal_lists, "error g.json: computeSets.vertexTypes: skipped: its rows are not as long"),
    (lost_child, "error g.json: programs[0].children: 1 child is not the index of a program"),
    (lost_root, "error g.json: controlPrograms[1]: 1 entry is not the index of a program"),
    (no_object, "error g.json: target: skipped: expected an object here"),
    (unknown, "info g.json: unknown keys, ignored: programs[].newField, somethingNew"),
]


@pytest.mark.parametrize(("damage", "issue"), CASES, ids=[damage.__name__ for damage, _ in CASES])
def test_damage_is_told_and_the_rest_read(
    tmp_path: Path, graph: Any, damage: Callable[[Any], None], issue: str
) -> None:
    damage(graph)
    profile = opened(tmp_path / "g.json", graph)
    assert [text for text in texts(profile) if issue in text]
    assert len(profile.issues) == 1
    sections = {"target", "graph", "vertex_types", "compute_sets", "programs", "tile_memory", "liveness"}
    assert sections - set(profile.filled()) <= {"target"}
    assert shows(profile)


def shows(profile: Profile) -> bool:
    """Figures, checks and tables can be made of what was read."""
    check(profile)
    figures(profile)
    return all(table.columns for table in available(profile))


def test_a_lost_record_keeps_the_numbers_of_the_others(tmp_path: Path, graph: Any) -> None:
    expected = opened(tmp_path / "g.json", graph).programs
    graph["programs"][2] = "damaged"
    profile = opened(tmp_path / "g.json", graph)
    assert expected is not None
    assert profile.programs is not None
    assert len(profile.programs) == len(expected)
    assert profile.programs.type[2] == -1
    assert [i for i in range(len(expected)) if profile.programs.compute_set[i] != expected.compute_set[i]] == []
    assert "cannot be decoded" in texts(profile)[0]
    assert shows(profile)


def test_wrong_fields_of_steps_count_as_not_given(tmp_path: Path, run: Any) -> None:
    steps = run["simulation"]["steps"]
    timed = [number for number, step in enumerate(steps) if "cycles" in step]
    steps[timed[0]]["cycles"] = "ten"
    steps[timed[1]]["cycles"] = 2**60
    steps[timed[2]]["cyclesFrom"] = -7
    steps[timed[3]]["name"] = None
    steps[timed[4]]["tileBalance"] = None
    profile = opened(tmp_path / "e.json", run)
    assert profile.steps is not None
    assert profile.steps.cycles[timed[:2]].tolist() == [-1, -1]
    assert profile.steps.cycles_from[timed[2]] == -1
    assert len(profile.steps) == len(steps)
    assert any("steps[].cycles: 2 values" in text for text in texts(profile))
    assert any("1 value is negative" in text for text in texts(profile))
    assert shows(profile)


def test_what_a_file_does_not_measure_is_not_zero(tmp_path: Path, run: Any) -> None:
    del run["simulation"]["tileCycles"]["globalExchange"]
    del run["simulation"]["cycles"]
    profile = opened(tmp_path / "e.json", run)
    assert profile.execution is not None
    assert profile.execution.cycles is None
    assert "globalExchange" not in profile.execution.tile_cycles
    del run["simulation"]
    alone = opened(tmp_path / "e.json", run)
    assert alone.steps is None
    assert alone.timeline is None


@pytest.mark.parametrize("writer", [write_json, write_cbor])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.8, 0.99])
def test_a_cut_file_gives_what_stands_before(tmp_path: Path, writer: Callable[[Path, Any], Path], share: float) -> None:
    path = writer(tmp_path / "graph.x", poplar.graph(SCALE))
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    if share < 0.1:  # not even one section is whole
        with pytest.raises(FormatError, match="ends"):
            read(FORMAT, [path])
        return
    (profile,) = read(FORMAT, [path])
    assert profile.filled()
    assert [issue for issue in profile.issues if "cannot be read completely" in issue.text and "byte" in issue.text]
    assert shows(profile)


@pytest.mark.parametrize("writer", [write_json, write_cbor])
def test_a_run_that_is_cut_off_shows_its_first_steps(
    tmp_path: Path, run: Any, writer: Callable[[Path, Any], Path]
) -> None:
    run = {"profilerMode": run["profilerMode"], "simulation": {"steps": run["simulation"]["steps"]}}
    path = writer(tmp_path / "execution.x", run)
    whole = read(FORMAT, [path])[0].steps
    assert whole is not None
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 3 // 4])
    (profile,) = read(FORMAT, [path])
    assert profile.steps is not None
    assert 10 < len(profile.steps) < len(whole)
    assert profile.steps.cycles.tolist() == whole.cycles[: len(profile.steps)].tolist()
    assert profile.timeline is not None
    assert any("cannot be read completely" in text for text in texts(profile))
    assert shows(profile)


def test_a_file_of_which_nothing_can_be_read_makes_no_profile(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('{"profilerMode": 5, "programs": "none"}')
    sink = Collector("poplar")
    with (
        Source(path) as source,
        pytest.raises(FormatError, match=r"p\.json: profilerMode: skipped: expected text here"),
    ):
        FORMAT.read([source], sink)
    assert sink.profiles == []


def test_liveness_nested_too_deep_is_left_out(tmp_path: Path, graph: Any) -> None:
    deep = b'{"bytes":1,"children":[' * 20_000 + b"]}" * 20_000
    graph["memory"]["liveness"]["notAlwaysLive"]["byProgram"] = ["here"]
    text = json.dumps(graph).encode().replace(b'["here"]', b"[" + deep + b"]")
    (tmp_path / "graph.json").write_bytes(text)
    (profile,) = read(FORMAT, [tmp_path / "graph.json"])
    assert profile.liveness is None
    assert profile.tile_memory is not None
    assert any("too deeply nested" in text for text in texts(profile))


def test_a_large_tree_of_liveness_is_read_in_parts(tmp_path: Path, graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = opened(tmp_path / "g.json", graph).liveness
    monkeypatch.setattr("app.formats.poplar.memory.WHOLE", 300)
    for path in (write_json(tmp_path / "h.json", graph), write_cbor(tmp_path / "h.cbor", graph)):
        (profile,) = read(FORMAT, [path])
        assert expected is not None
        assert profile.liveness is not None
        for name in ("bytes", "depth", "parent", "end"):
            assert getattr(profile.liveness, name).tolist() == getattr(expected, name).tolist()


def test_cycles_among_programs_are_told(tmp_path: Path, graph: Any) -> None:
    graph["programs"][5] = {"type": "Sequence", "children": [0]}
    graph["programs"][0]["children"].append(5)
    profile = opened(tmp_path / "graph.json", graph)
    found = [issue for issue in check(profile) if "contains or calls itself" in issue.text]
    assert [issue.severity for issue in found] == ["error"]
    assert shows(profile)


def test_memory_stays_in_proportion(tmp_path: Path) -> None:
    """Rows of a single digit are the worst case: two bytes of file for a number."""
    path = tmp_path / "execution.json"
    rows = b",".join([b"[1]"] * 300_000)
    flat = b",".join([b"0"] * 1_000_000)
    path.write_bytes(b'{"computeSetCyclesByTile":[%b],"programTrace":[%b],"profilerMode":"X"}' % (rows, flat))
    tracemalloc.start()
    (profile,) = read(FORMAT, [path])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert profile.measured_cycles is not None
    assert peak < 40 * (1 << 20)


EDITS = [b"", b"]", b"}", b'"', b",", b"[", b"{", b"-", b"9" * 12, b"\xff", b"\x9b\x7f"]
SMALL = poplar.Scale(
    mode="VERTICES", tiles_per_ipu=3, compute_sets=2, vertex_types=2, categories=1, loops=1, live_variables="records"
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    folder = tmp_path_factory.mktemp("whole")
    tree = poplar.combined(SMALL)
    return [write_json(folder / "a.json", tree).read_bytes(), write_cbor(folder / "a.cbor", tree).read_bytes()]


@given(
    which=st.integers(0, 1),
    edits=st.lists(
        st.tuples(st.floats(0, 1), st.sampled_from(EDITS)),
        min_size=1,
        max_size=4,
    ),
    cut=st.one_of(st.none(), st.floats(0, 1)),
)
@settings(max_examples=250)
def test_mutations_give_format_errors_only(
    tmp_path_factory: pytest.TempPathFactory, files: list[bytes], which: int, edits: list[Any], cut: float | None
) -> None:
    data = bytearray(files[which])
    for share, text in edits:
        place = int(share * (len(data) - 1))
        data[place : place + max(1, len(text))] = text
    if cut is not None:
        del data[int(cut * len(data)) :]
    path = tmp_path_factory.mktemp("mutated") / "profile.json"
    path.write_bytes(bytes(data))
    try:
        profiles = read(FORMAT, [path])
    except FormatError:
        return
    assert all(shows(profile) for profile in profiles)
