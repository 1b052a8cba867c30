"""Names of steps as paths, the flame made of them, and figures of the steps of a range, all against loops."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.poplar.flame import Flame, flame
from app.analysis.poplar.runs import inside
from app.analysis.poplar.step_statistics import MOST_LEVELS, Paths, by_path, by_vertex_type, paths, totals
from app.analysis.tables import by_id
from app.analysis.tables.poplar_steps import compute_sets, kinds, vertex_types
from app.analysis.trees import step_tree
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.poplar import Steps
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.strings import Interner
from generators import poplar


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    scale = poplar.Scale(compute_sets=20, loops=4)
    (profile,) = read(FORMAT, poplar.write_pair(tmp_path_factory.mktemp("run"), scale))
    return profile


def named(steps: Steps, texts: list[str]) -> Steps:
    """Steps with these names ("" none); types as they were."""
    ids = Interner()
    types = [ids(steps.strings[int(kind)]) for kind in steps.type]
    names = [ids(text) if text else -1 for text in texts]
    return replace(steps, strings=ids.strings(), type=np.array(types, np.int32), name=np.array(names, np.int32))


def name_of(steps: Steps, step: int) -> str:
    return steps.strings.get(int(steps.name[step])) or steps.strings[int(steps.type[step])]


def cut(profile: Profile, count: int) -> Profile:
    """The first steps alone, with their slices."""
    steps, line = profile.steps, profile.timeline
    assert steps is not None
    assert line is not None
    columns = {
        field: column[:count]
        for field in Steps.__struct_fields__
        if isinstance(column := getattr(steps, field), np.ndarray)
    }
    kept = line.slices.record < count
    first = np.array([int(kept[: int(end)].sum()) for end in line.slices.first], np.int64)
    slices = replace(
        line.slices,
        **{
            key: getattr(line.slices, key)[kept]
            for key in ("start", "duration", "name", "category", "record", "address")
        },
        first=first,
    )
    return replace(profile, steps=replace(steps, **columns), timeline=replace(line, slices=slices))


def test_paths_share_their_beginnings(profile: Profile) -> None:
    assert profile.steps is not None
    steps = named(profile.steps, ["a/b/c", "a/b", "", "/a//b/d/", "/", "x"][:6] + [""] * (len(profile.steps) - 6))
    found = paths(steps)
    whole = [found.full(int(node)) for node in found.of_step[:6]]
    kind = steps.strings[int(steps.type[2])]
    assert whole == ["a/b/c", "a/b", kind, "a/b/d", "/", "x"]
    assert len({found.full(node) for node in range(len(found))}) == len(found)
    for node in range(len(found)):
        above = int(found.parent[node])
        assert above < node
        assert found.depth[node] == (0 if above < 0 else found.depth[above] + 1)


def test_at_depth_is_the_ancestor(profile: Profile) -> None:
    assert profile.steps is not None
    found = paths(profile.steps)
    assert found.levels > 3
    for depth in range(found.levels + 1):
        at = found.at_depth(depth)
        for node in range(len(found)):
            here = node
            while here >= 0 and found.depth[here] > depth:
                here = int(found.parent[here])
            assert at[node] == (here if here >= 0 and found.depth[here] == depth else -1)


def test_very_deep_names_stop_at_a_level(profile: Profile) -> None:
    assert profile.steps is not None
    deep = "/".join(map(str, range(100)))
    found = paths(named(profile.steps, [deep] + [""] * (len(profile.steps) - 1)))
    assert found.levels == MOST_LEVELS
    assert found.full(int(found.of_step[0])) == deep


def check_flame(profile: Profile, found: Flame) -> None:
    """Slices of a row never overlap; children lie inside; each step has one slice of its own, and stands below the
    parts of its name."""
    steps, slices = profile.steps, found.timeline.slices
    assert steps is not None
    assert profile.timeline is not None
    ends = slices.start + slices.duration
    on_line = profile.timeline.slices.record
    assert sorted(slices.record[slices.record >= 0].tolist()) == sorted(on_line[on_line >= 0].tolist())
    above: dict[int, int] = {}
    for row in range(len(slices.first) - 1):
        here = range(int(slices.first[row]), int(slices.first[row + 1]))
        for slice_ in here:
            if slice_ > here.start:
                assert slices.start[slice_] >= ends[slice_ - 1]
                assert found.first[slice_] >= found.after[slice_ - 1]
            assert found.first[slice_] < found.after[slice_]
            parent = above.get(int(found.first[slice_]), -1)
            if row:
                assert parent >= 0
                assert slices.start[parent] <= slices.start[slice_]
                assert ends[slice_] <= ends[parent]
            if slices.record[slice_] >= 0:
                assert found.after[slice_] - found.first[slice_] == 1
                assert found.steps_of(slice_).tolist() == [slices.record[slice_]]
        above = {
            place: slice_ for slice_ in here for place in range(int(found.first[slice_]), int(found.after[slice_]))
        }


def ways(found: Flame) -> dict[int, list[str]]:
    """Step -> names of the slices from the top to its own."""
    slices = found.timeline.slices
    out: dict[int, list[str]] = defaultdict(list)
    for slice_ in range(len(slices.start)):
        for step in found.steps_of(slice_).tolist():
            out[step].append(found.timeline.strings[int(slices.name[slice_])])
    return out


def test_the_flame_holds_every_step_below_its_names(profile: Profile) -> None:
    found, steps = flame(profile), profile.steps
    assert found is not None
    assert steps is not None
    check_flame(profile, found)
    for step, way in ways(found).items():
        if steps.name[step] >= 0:
            assert "/".join(way) == name_of(steps, step)
        else:
            assert way[-1] == name_of(steps, step)
    assert found.timeline.slices.duration.sum() > 0
    assert found.timeline.seconds_per_unit == profile.timeline.seconds_per_unit  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(6))
def test_random_names_make_a_flame_too(profile: Profile, seed: int) -> None:
    random = np.random.default_rng(seed)
    small = cut(profile, 60)
    assert small.steps is not None
    texts = [
        "/".join(random.choice(["a", "b", "c"], int(random.integers(1, 5)))) if random.random() < 0.7 else ""
        for _ in range(60)
    ]
    made = replace(small, steps=named(small.steps, texts))
    found = flame(made)
    assert found is not None
    check_flame(made, found)
    for step, way in ways(found).items():
        if texts[step]:
            assert "/".join(way) == texts[step]


def test_a_step_without_name_stands_where_its_neighbours_do(profile: Profile) -> None:
    small = cut(profile, 5)
    assert small.steps is not None
    made = replace(small, steps=named(small.steps, ["net/conv/x", "", "net/conv/y", "", "net/z"]))
    found = flame(made)
    assert found is not None
    way = ways(found)
    order = found.order.tolist()
    kind = [name_of(made.steps, step) for step in range(5)]  # type: ignore[arg-type]
    assert way[order[1]] == ["net", "conv", kind[order[1]]]
    assert way[order[3]] == ["net", kind[order[3]]]
    assert found.timeline.slices.first[1] == 1


def test_without_a_run_there_is_no_flame(profile: Profile) -> None:
    assert flame(replace(profile, timeline=None)) is None
    assert flame(replace(profile, steps=None)) is None
    assert profile.timeline is not None
    assert flame(replace(profile, timeline=replace(profile.timeline, unit="µs"))) is None


def test_slices_of_steps_and_back(profile: Profile) -> None:
    found = flame(profile)
    assert found is not None
    steps = np.array([3, 17, 40], np.int64)
    slices = found.slices_of(steps)
    assert sorted(int(found.timeline.slices.record[slice_]) for slice_ in slices) == steps.tolist()
    assert found.slices_of(np.array([-1, 10**7])).tolist() == []


def parts_inside(profile: Profile, stretch: TimeRange | None) -> dict[int, float]:
    """Step -> the part of it inside, by a loop over the slices."""
    steps, line = profile.steps, profile.timeline
    assert steps is not None
    assert line is not None
    if stretch is None:
        return dict.fromkeys(range(len(steps)), 1.0)
    out = {}
    for step, start, length in zip(
        line.slices.record.tolist(), line.slices.start.tolist(), line.slices.duration.tolist(), strict=True
    ):
        end = start + length
        if length == 0:
            if stretch.start <= start <= stretch.end:
                out[step] = 1.0
        elif min(end, stretch.end) > max(start, stretch.start):
            out[step] = (min(end, stretch.end) - max(start, stretch.start)) / length
    return out


STRETCHES = [None, TimeRange(50_000, 90_000), TimeRange(0, 1)]


@pytest.mark.parametrize("stretch", STRETCHES)
def test_figures_by_compute_set_are_those_of_a_loop(profile: Profile, stretch: TimeRange | None) -> None:
    steps = profile.steps
    assert steps is not None
    want = parts_inside(profile, stretch)
    part = inside(profile, stretch)
    assert part.steps.tolist() == sorted(want)
    assert part.share.tolist() == pytest.approx([want[step] for step in sorted(want)])
    table = compute_sets(profile, stretch)
    assert table is not None
    cells = {column.key: column for column in table.columns}
    by_set: dict[int, list[int]] = defaultdict(list)
    for step in want:
        if steps.compute_set[step] >= 0:
            by_set[int(steps.compute_set[step])].append(step)
    assert {table.key(row) for row in range(table.rows)} == set(by_set)
    for row in range(table.rows):
        mine = by_set[table.key(row)]
        cycles = sum(int(steps.cycles[step]) * want[step] for step in mine)
        assert cells["steps"].value(row) == len(mine)
        assert cells["cycles"].value(row) == pytest.approx(cycles)
        whole = [step for step in mine if want[step] == 1.0]
        assert cells["cut"].value(row) == len(mine) - len(whole)
        took = [int(steps.cycles[step]) for step in whole]
        assert cells["most"].value(row) == max(took, default=None)
        assert cells["least"].value(row) == min(took, default=None)
        longest = [step for step in whole if steps.cycles[step] == cells["most"].value(row)]
        assert cells["most_step"].value(row) == min(longest, default=None)
        weighted = sum(float(steps.tile_balance[step]) * int(steps.cycles[step]) * want[step] for step in mine)
        assert cells["balance"].value(row) == pytest.approx(weighted / cycles)
    shares = [float(cells["share"].value(row) or 0) for row in range(table.rows)]
    assert sum(shares) == pytest.approx(100.0 if by_set else 0.0)
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize("stretch", STRETCHES)
def test_figures_by_vertex_type_are_those_of_a_loop(profile: Profile, stretch: TimeRange | None) -> None:
    steps, sets, types = profile.steps, profile.compute_sets, profile.vertex_types
    assert steps is not None
    assert sets is not None
    assert types is not None
    assert sets.vertex_types is not None
    assert sets.vertex_counts is not None
    assert sets.active_cycles_by_type is not None
    want = parts_inside(profile, stretch)
    active, vertices, cycles, ran = (np.zeros(len(types)) for _ in range(4))
    for step, share in want.items():
        own = int(steps.compute_set[step])
        if own >= 0:
            active += share * sets.active_cycles_by_type[own]
            for kind, count in zip(
                sets.vertex_types.row(own).tolist(), sets.vertex_counts.row(own).tolist(), strict=True
            ):
                vertices[kind] += share * count
                cycles[kind] += share * int(steps.cycles[step])
                ran[kind] += 1
    found = by_vertex_type(profile, stretch)
    assert found is not None
    assert found.active is not None
    assert found.vertices is not None
    assert found.active == pytest.approx(active)
    assert found.vertices == pytest.approx(vertices)
    assert found.cycles == pytest.approx(cycles)
    assert found.steps is not None
    assert found.steps.tolist() == ran.tolist()
    table = vertex_types(profile, stretch)
    assert table is not None
    assert table.rows == int((active > 0).sum())


@pytest.mark.parametrize("stretch", STRETCHES)
def test_figures_by_name_are_those_of_a_loop(profile: Profile, stretch: TimeRange | None) -> None:
    steps, found = profile.steps, by_path(profile, stretch)
    assert steps is not None
    assert found is not None
    want = parts_inside(profile, stretch)
    cycles: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for step, share in want.items():
        parts = name_of(steps, step).split("/")
        for depth in range(len(parts)):
            cycles["/".join(parts[: depth + 1])] += max(int(steps.cycles[step]), 0) * share
            counts["/".join(parts[: depth + 1])] += 1
    for node in range(len(found.paths)):
        path = found.paths.full(node)
        assert found.cycles[node] == pytest.approx(cycles[path])
        assert found.steps[node] == counts[path]
    table = by_id(profile, "steps-by-name")
    assert table is not None
    assert [table.columns[-1].value(node) for node in range(table.rows)] == [
        found.paths.full(node) for node in range(table.rows)
    ]


def test_the_tree_stands_largest_first_and_knows_its_steps(profile: Profile) -> None:
    tree, steps = step_tree(profile), profile.steps
    assert tree is not None
    assert steps is not None
    cycles = tree.totals.cycles
    assert cycles[tree.hierarchy.roots].tolist() == sorted(cycles[tree.hierarchy.roots].tolist(), reverse=True)
    for node in range(len(tree.totals.paths)):
        below = tree.hierarchy.below.row(node)
        assert cycles[below].tolist() == sorted(cycles[below].tolist(), reverse=True)
        path = tree.totals.paths.full(node)
        want = [
            step
            for step in range(len(steps))
            if name_of(steps, step) == path or name_of(steps, step).startswith(f"{path}/")
        ]
        assert tree.steps_of(np.array([node])).tolist() == want
    assert step_tree(replace(profile, steps=None)) is None


def test_kinds_of_steps(profile: Profile) -> None:
    steps = profile.steps
    assert steps is not None
    table = kinds(profile)
    assert table is not None
    cells = {column.key: column for column in table.columns}
    for row in range(table.rows):
        own = steps.of_type(str(cells["type"].value(row)))
        assert cells["steps"].value(row) == len(own)
        known, moved = steps.cycles[own][steps.cycles[own] >= 0], steps.data[own][steps.data[own] >= 0]
        assert cells["cycles"].value(row) == (pytest.approx(known.sum()) if len(known) else None)
        assert cells["data"].value(row) == (pytest.approx(moved.sum()) if len(moved) else None)
    sync = [row for row in range(table.rows) if cells["type"].value(row) == "Sync"]
    assert [cells[key].value(row) for row in sync for key in ("cycles", "share", "mean", "most")] == [None] * 4


@pytest.mark.parametrize("part", [None, (0.2, 0.45)])
def test_what_kinds_do_at_once_is_that_of_a_count_of_cycles(profile: Profile, part: tuple[float, float] | None) -> None:
    steps, line = profile.steps, profile.timeline
    assert steps is not None
    assert line is not None
    end = int(steps.cycles_to.max())
    stretch = None if part is None else TimeRange(round(part[0] * end), round(part[1] * end))
    low, high = (0, end) if stretch is None else (int(stretch.start), int(stretch.end))
    at_work = {}
    for kind in ("OnTileExecute", "DoExchange", "StreamCopy"):
        cycles = np.zeros(end + 1, np.bool_)
        for step in steps.of_type(kind).tolist():
            cycles[steps.cycles_from[step] : steps.cycles_to[step]] = True
        at_work[kind] = cycles[low:high]
    table = kinds(profile, stretch)
    assert table is not None
    cells = {column.key: column for column in table.columns}
    row_of = {cells["type"].value(row): row for row in range(table.rows)}
    others = at_work["DoExchange"] | at_work["StreamCopy"]
    assert np.any(others & at_work["OnTileExecute"])
    for kind, cycles in at_work.items():
        row, other = row_of[kind], others if kind == "OnTileExecute" else at_work["OnTileExecute"]
        assert cells["busy"].value(row) == cycles.sum()
        assert cells["beneath"].value(row) == (cycles & other).sum()
        assert cells["busy_share"].value(row) == pytest.approx(100 * cycles.mean(), rel=1e-3)
    sync = row_of["Sync"]
    assert cells["busy"].value(sync) is None
    assert cells["overlapped"].value(sync) is None
    if stretch is None:
        own = steps.overlapped[steps.of_type("DoExchange")]
        assert cells["overlapped"].value(row_of["DoExchange"]) == own.sum() > 0
        assert table.note == "Cycles of one step, over all steps of the run."
    else:
        assert f"cycles {low:,} to {high:,}" in table.note


def test_measured_cycles_stand_beside_the_steps_of_a_compute_set(tmp_path: Path) -> None:
    for mode, key in (("COMPUTE_SETS", "max_measured"), ("SINGLE_TILE_COMPUTE_SETS", "measured_single")):
        folder = tmp_path / mode
        folder.mkdir()
        (found,) = read(FORMAT, poplar.write_pair(folder, poplar.Scale(mode=mode)))
        table = compute_sets(found)
        assert table is not None
        cells = {column.key: column for column in table.columns}
        assert found.measured_cycles is not None
        given = found.measured_cycles.compute_sets, found.measured_cycles.compute_sets_single
        for row in range(table.rows):
            index = table.key(row)
            expected = [None if values is None else int(np.max(values[index])) for values in given]
            assert cells[key].value(row) == next(value for value in expected if value is not None)
        assert "last execution" in cells[key].help


def test_indices_outside_count_nowhere(profile: Profile) -> None:
    steps = profile.steps
    assert steps is not None
    found = totals(steps, np.full(len(steps), 99, np.int32), 3, inside(profile, None))
    assert found.steps.tolist() == [0, 0, 0]
    assert found.each.count.tolist() == [0, 0, 0]
    assert np.isnan(found.each.most).all()
    assert isinstance(paths(steps), Paths)
