"""One change is planted into a profile: it is the first thing that a comparison says, and nothing else differs."""

from __future__ import annotations

import copy
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.compare import noise
from app.analysis.compare.changes import Change, changes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.matching import match
from app.analysis.compare.overview import changed
from app.analysis.compare.plans import plan_of
from app.analysis.compare.ranking import Ranking, Topic, ranking
from app.analysis.compare.tables import BOTH, ONLY_AFTER, ONLY_BEFORE
from app.analysis.compare.tables import compared as compared_tables
from app.analysis.table import subset
from app.formats.collect import read
from app.formats.popef import FORMAT as POPEF
from app.formats.registry import plan
from app.profile.poplar import Variables
from app.profile.profile import Origin, Profile
from app.profile.strings import Strings
from generators import popef, poplar
from generators.popef import guide_blobs
from generators.timelines import LaneRows, timeline
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=8, loops=6)
Tree = dict[str, Any]
Read = Callable[[Tree], Profile]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Read:
    def made(content: Tree) -> Profile:
        jobs, _ = plan([write_json(tmp_path_factory.mktemp("planted") / "graph.json", content)])
        (profile,) = read(jobs[0].format, jobs[0].paths)
        return profile

    return made


def topic(made: Ranking, subject: str) -> Topic:
    return next(one for one in made.topics if one.subject == subject)


def first_row(made: Ranking) -> str:
    """The name in the first row that the Comparison panel shows: what explains a total, else another change."""
    rows = [topic.rows[0] for topic in made.topics if topic.rows]
    if rows:
        return max(rows, key=lambda row: row.weight).name
    table = changed(made.changes)
    return str(table.columns[0].value(0)) if table.rows else ""


def slowed(tree: Tree, slow: Callable[[int, Tree], int]) -> tuple[Tree, int]:
    """A run whose step n takes ``slow(n, step)`` cycles more, all later ones being later; and how many in all."""
    made = copy.deepcopy(tree)
    late = 0
    for number, step in enumerate(made["simulation"]["steps"]):
        if "cyclesFrom" in step:
            more = slow(number, step)
            step["cyclesFrom"] += late
            late += more
            step["cycles"] += more
            step["cyclesTo"] += late
    made["simulation"]["cycles"] += late
    return made, late


def test_a_compute_set_that_is_slower(tree: Tree, opened: Read) -> None:
    names, planted = tree["computeSets"]["names"], 3
    after, late = slowed(tree, lambda _, step: step["cycles"] // 10 if step.get("computeSet") == planted else 0)
    comparison = Comparison(opened(tree), opened(after))
    time = topic(ranking(comparison), "time")
    assert time.total is not None
    assert (time.total.id, time.total.difference) == ("execution.cycles", late)
    first = time.rows[0]
    assert first.name == first_row(ranking(comparison)) == names[planted]
    assert first.difference == late
    assert first.share == pytest.approx(100)
    assert first.verdict == noise.OUTSIDE
    table = comparison.table("steps-by-compute-set")
    assert table is not None
    assert [table.rows_after[row] for row in np.flatnonzero(table.changed)] == [
        row for row in range(table.rows) if table.after is not None and table.after.key(row) == planted
    ]
    steps = comparison.table("steps")
    assert steps is not None
    assert steps.matches.whole
    cycles = steps.column("cycles")
    assert cycles is not None
    by_hand = [
        new.get("cycles", 0) - old.get("cycles", 0)
        for old, new in zip(tree["simulation"]["steps"], after["simulation"]["steps"], strict=True)
    ]
    assert steps.difference(cycles).values.tolist() == by_hand
    for table_id in ("tiles", "compute-sets", "liveness", "exchanges"):
        other = comparison.table(table_id)
        assert other is not None
        assert not any(bool(other.difference(c).values.any()) for c in other.columns if c.sums and c.unit == "B")


def test_one_step_that_is_slower(tree: Tree, opened: Read) -> None:
    steps = tree["simulation"]["steps"]
    planted = next(number for number, step in enumerate(steps) if number > len(steps) // 2 and "computeSet" in step)
    after, late = slowed(tree, lambda number, step: step["cycles"] // 10 if number == planted else 0)
    comparison = Comparison(opened(tree), opened(after))
    first = topic(ranking(comparison), "time").rows[0]
    assert first_row(ranking(comparison)) == first.name
    assert first.table in ("steps", "slices")
    assert (first.name, first.difference) == (steps[planted].get("name", first.name), late)
    assert first.verdict == noise.OUTSIDE
    table = comparison.table("steps")
    assert table is not None
    cycles = table.column("cycles")
    assert cycles is not None
    assert np.flatnonzero(table.difference(cycles).values).tolist() == [planted]


def programs(tree: Tree, kind: str) -> list[int]:
    return [number for number, program in enumerate(tree["programs"]) if program["type"] == kind]


def with_children(tree: Tree, least: int) -> list[int]:
    return [number for number, one in enumerate(tree["programs"]) if len(one.get("children", ())) >= least]


def test_a_program_that_is_inserted(tree: Tree, opened: Read) -> None:
    after = copy.deepcopy(tree)
    after["programs"].append({"type": "WriteUndef", "name": "planted/by/hand"})
    parent = after["programs"][with_children(after, 3)[-1]]
    parent["children"].insert(1, len(after["programs"]) - 1)
    comparison = Comparison(opened(tree), opened(after))
    table = comparison.table("programs")
    assert table is not None
    assert (len(table.matches.only_before), table.matches.only_after.tolist()) == (0, [len(after["programs"]) - 1])
    assert planted(comparison, "programs") == [("added", "planted/by/hand")]
    changed = np.flatnonzero(table.changed)
    assert len(changed) <= 2  # the program and its parent, not all whose number is another one now
    assert len(after["programs"]) - 1 in table.rows_after[changed]
    assert first_row(ranking(comparison)) == "planted/by/hand"


def planted(comparison: Comparison, table: str) -> list[tuple[str, str]]:
    """The changes of a table, which are the first of all."""
    all_changes: tuple[Change, ...] = ranking(comparison).changes
    own = [change for change in all_changes if change.table == table]
    assert list(all_changes[: len(own)]) == own
    return [(change.how, change.name) for change in own]


def test_a_program_that_is_renamed(tree: Tree, opened: Read) -> None:
    after = copy.deepcopy(tree)
    program = after["programs"][programs(after, "OnTileExecute")[2]]
    program["name"] = "another/name/altogether"
    comparison = Comparison(opened(tree), opened(after))
    table = comparison.table("programs")
    assert table is not None
    assert table.matches.whole
    assert table.matches.counts()["ancestor"] == 1
    assert planted(comparison, "programs")[0] == ("renamed", "another/name/altogether")
    assert first_row(ranking(comparison)) == "another/name/altogether"
    (row, *_) = ranking(comparison).changes
    old = tree["programs"][programs(tree, "OnTileExecute")[2]]["name"]
    assert (row.column, row.before, row.after) == ("Name", old, "another/name/altogether")
    assert topic(ranking(comparison), "time").rows == ()


def test_a_program_that_is_renamed_takes_what_it_runs_with_it(tree: Tree, opened: Read) -> None:
    """Its compute set and its steps have other names too: they belong to the program that is where it was."""
    after = copy.deepcopy(tree)
    number = programs(after, "OnTileExecute")[2]
    program = after["programs"][number]
    own = program["computeSet"]
    program["name"] = after["computeSets"]["names"][own] = "another/name/altogether"
    of_program = [place for place, step in enumerate(after["simulation"]["steps"]) if step.get("program") == number]
    for place in of_program:
        after["simulation"]["steps"][place]["name"] = "another/name/altogether"
    assert of_program
    comparison = Comparison(opened(tree), opened(after))
    for table_id in ("programs", "compute-sets", "steps-by-compute-set", "steps", "slices"):
        table = comparison.table(table_id)
        assert table is not None
        assert table.matches.whole, table_id
        if table_id != "programs":
            assert table.matches.counts()["program"] >= 1, table_id
    steps = comparison.table("steps")
    assert steps is not None
    assert steps.matches.of_before.tolist() == list(range(steps.matches.rows_after))


def test_a_program_that_is_moved(tree: Tree, opened: Read) -> None:
    after = copy.deepcopy(tree)
    parents = with_children(after, 3)
    names = [one.get("name", "") for one in after["programs"]]
    source, place = next(
        (parent, place)
        for parent in parents
        for place, child in enumerate(after["programs"][parent]["children"])
        if names[child] and names.count(names[child]) == 1
    )
    target = next(
        parent for parent in range(len(names)) if parent != source and after["programs"][parent].get("children")
    )
    child = after["programs"][source]["children"].pop(place)
    after["programs"][target]["children"].append(child)
    comparison = Comparison(opened(tree), opened(after))
    table = comparison.table("programs")
    assert table is not None
    assert table.matches.whole
    assert ("moved", names[child]) in planted(comparison, "programs")


def test_a_variable_that_has_grown() -> None:
    def variables(size: int) -> Profile:
        names = Strings.of(["a", "b", "c"])
        columns = {
            name: np.zeros(6, np.bool_)
            for name in ("allocated", "constant", "always_live", "executable", "vertex_code", "interleaved")
        }
        own = Variables(
            strings=names,
            number=np.arange(6),
            name=np.array([0, 1, 2, 0, 1, 2], np.int32),
            size=np.array([64, 32, 16, 64, size, 16]),
            tile=np.array([0, 0, 0, 1, 1, 1], np.int32),
            offset=np.full(6, -1),
            alignment=np.full(6, 8),
            category=np.full(6, -1, np.int32),
            equivalence=np.full(6, -1, np.int32),
            by_tile=np.arange(6),
            **columns,
        )
        return Profile(name="v", origin=Origin("poplar", (Path("vars.json"),)), variables=own)

    memory = topic(ranking(Comparison(variables(32), variables(4096))), "memory")
    assert [(row.name, row.difference) for row in memory.rows] == [("Variable 4 · b", 4064)]
    assert first_row(ranking(Comparison(variables(32), variables(4096)))) == "Variable 4 · b"


LANES: LaneRows = [
    ("core0", pipe, [[(10.0 * n, 4.0 + n % 3, f"{pipe}_{n % 4}", pipe) for n in range(20)]])
    for pipe in ("VECTOR", "MTE2")
]


def lanes(rows: LaneRows) -> Profile:
    return Profile(name="trace", origin=Origin("chrome-trace", (Path("trace.json"),)), timeline=timeline(rows))


def test_a_lane_that_is_gone() -> None:
    comparison = Comparison(lanes(LANES), lanes(LANES[:1]))
    slices, own = comparison.table("slices"), comparison.table("lanes")
    assert slices is not None
    assert own is not None
    assert slices.matches.counts() == {"key": 20}
    assert own.status.tolist() == [BOTH, ONLY_BEFORE]
    rows = topic(ranking(comparison), "time").rows
    gone = -sum(length for _, length, _, _ in LANES[1][2][0])
    assert (rows[0].name, rows[0].status, rows[0].difference) == ("core0 · MTE2", ONLY_BEFORE, gone)
    assert first_row(ranking(comparison)) == "core0 · MTE2"
    assert all("MTE2" in row.name for row in rows)


def test_noise_is_marked_and_a_real_change_is_first() -> None:
    random = np.random.default_rng(3)

    def run(slower: float) -> Profile:
        rows = [
            (10.0 * n, float(random.normal(4, 0.5)) + (slower if n % 4 == 2 else 0), f"op{n % 4}", "x")
            for n in range(80)
        ]
        return lanes([("core0", "VECTOR", [rows])])

    before, after = run(0), run(3)
    rows = [row for row in topic(ranking(Comparison(before, after)), "time").rows if row.table == "slice-statistics"]
    assert rows[0].name == "op2"
    assert [row.verdict for row in rows] == [noise.OUTSIDE, noise.INSIDE, noise.INSIDE, noise.INSIDE]
    once = Comparison(lanes([("c", "V", [[(0.0, 4.0, "a", "x")]])]), lanes([("c", "V", [[(0.0, 5.0, "a", "x")]])]))
    assert {row.verdict for row in topic(ranking(once), "time").rows} == {noise.UNKNOWN}


def test_a_source_that_is_shifted_by_a_line(root: Path) -> None:
    jobs, _ = plan([root / "resources" / "samples" / "matmul_leakyrelu.bin"])
    (before,) = read(jobs[0].format, jobs[0].paths)
    assert before.lines is not None
    assert before.sources is not None
    texts = [f"// a new line\n{text}" for text in before.sources.texts]
    after = replace(
        before,
        lines=replace(before.lines, line=before.lines.line + 1),
        sources=replace(before.sources, texts=Strings.of(texts)),
    )
    comparison = Comparison(before, after)
    table = comparison.table("source-lines")
    assert table is not None
    assert table.matches.whole
    assert table.matches.of_before.tolist() == list(range(table.rows))
    assert topic(ranking(comparison), "time").rows == ()


def test_lines_of_a_source_that_were_written_anew(root: Path) -> None:
    jobs, _ = plan([root / "resources" / "samples" / "matmul_leakyrelu.bin"])
    (before,) = read(jobs[0].format, jobs[0].paths)
    assert before.lines is not None
    table = Comparison(before, before).table("source-lines")
    assert table is not None
    assert table.after is not None
    texts = next(column for column in table.after.columns if column.key == "text")
    written = [str(texts.value(row)) for row in range(table.rows)]
    place = next(row for row in range(10, table.rows) if written.count(written[row]) == 1)
    lines = [*written[:place], "int planted = 1;", *written[place + 1 :], "int last = 2;"]
    grown = subset(table.after, np.append(np.arange(table.rows), table.rows - 1))
    columns = [replace(one, values=tuple(lines)) if one.key == "text" else one for one in grown.columns]
    after = replace(grown, columns=tuple(columns))
    own = plan_of("source-lines")
    compared = compared_tables(table.after, after, match(table.after, after, own))
    made = [(change.how, change.column, change.before, change.after) for change in changes(compared, own)]
    assert made[0] == ("changed", texts.title, written[place], "int planted = 1;")
    assert ("added", texts.title, "", "int last = 2;") in made
    assert not list(changes(table, own))


def test_instructions_of_another_binary_are_aligned(root: Path) -> None:
    jobs, _ = plan([root / "resources" / "samples" / "matmul_leakyrelu.bin"])
    (whole,) = read(jobs[0].format, jobs[0].paths)
    table = Comparison(whole, whole).table("instructions")
    assert table is not None
    assert table.matches.counts() == {"key": table.rows}
    assert table.after is not None
    rows = np.delete(np.arange(table.rows), [7, 8, 300])
    shorter = match(table.after, subset(table.after, rows), plan_of("instructions"))
    assert shorter.counts() == {"sequence": len(rows)}
    assert len(shorter.only_before) == 3


def model(path: Path, values: tuple[float, ...]) -> Profile:
    blobs = [
        *guide_blobs()[:-1],
        popef.tensor("input_parameter", (len(values),), 3, struct.pack(f"<{len(values)}f", *values)),
    ]
    (profile,) = read(POPEF, [popef.write(path, blobs)])
    return profile


def test_a_tensor_that_has_another_shape(tmp_path: Path) -> None:
    before, after = model(tmp_path / "a.popef", (1, 2)), model(tmp_path / "b.popef", (1, 2, 3, 4))
    made = ranking(Comparison(before, after))
    memory = topic(made, "memory")
    assert memory.total is not None
    assert memory.total.difference == 8
    assert "input_parameter" in memory.rows[0].name
    assert "input_parameter" in first_row(made)
    assert memory.rows[0].difference == 8
    assert ("tensors", "Shape", "[2]", "[4]") in {
        (change.table, change.column, change.before, change.after) for change in made.changes
    }


def test_other_numbers_of_tiles_are_compared_per_tile_as_well(opened: Read) -> None:
    sides = [
        opened(plain(poplar.graph(poplar.Scale(compute_sets=3, tiles_per_ipu=tiles, loops=1)))) for tiles in (4, 8)
    ]
    comparison = Comparison(sides[0], sides[1])
    assert any("4 tiles" in text and "8" in text for text in comparison.limits)
    figures = {figure.id: figure for figure in comparison.figures}
    whole, each = figures["memory.total_bytes"], figures["memory.total_bytes.per_tile"]
    assert isinstance(whole.before, int)
    assert each.before == whole.before / 4
    tiles = comparison.table("tiles")
    assert tiles is not None
    assert tiles.status.tolist() == [BOTH] * 4 + [ONLY_AFTER] * 4
