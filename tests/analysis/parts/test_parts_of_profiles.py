"""Parts of one profile: what each kind has of it, by counting again, and that two of them compare like two profiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.analysis.ascend import launch
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.tables import ComparedTable
from app.analysis.figures import figures
from app.analysis.parts.offered import NoPart, default_pair, part_named, part_of, parts
from app.analysis.parts.profile_part import PartKind, PartList
from app.analysis.parts.rows import typed_cores
from app.analysis.tables import each
from app.formats.collect import read
from app.formats.registry import plan
from app.profile.ascend import TypedColumn
from app.profile.file_state import TimeNote
from app.profile.profile import Profile
from generators import ascend_sample, poplar, poplar_replicas
from generators import tensorflow_events as log
from generators.trees import plain, write_json

SCALE = poplar.Scale(mode="IPU_MODEL", estimates=True, compute_sets=6, ipus=2, tiles_per_ipu=8, loops=5)


def opened(path: Path) -> Profile:
    jobs, _ = plan([path])
    (profile,) = read(jobs[0].format, jobs[0].paths)
    return profile


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("operator") / "operator.bin"
    path.write_bytes(ascend_sample.operator())
    return opened(path)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    tree = {**plain(poplar.graph(SCALE)), **plain(poplar.execution(SCALE))}
    return opened(write_json(tmp_path_factory.mktemp("network") / "graph.json", tree))


@pytest.fixture(scope="module")
def training(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    return opened(poplar_replicas.write(tmp_path_factory.mktemp("training"), poplar_replicas.Replicas(updates=4)))


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    path = tmp_path_factory.mktemp("events") / "events.out.tfevents.1"
    path.write_bytes(log.log([log.run(executions=3)]))
    return opened(path)


def test_a_core_without_values_of_its_own_has_those_of_the_first() -> None:
    """A file may name more cores than a column has values for."""
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    column = typed_cores(TypedColumn("c", "float", values), np.array([1, 2]))
    assert column.values.tolist() == [[2.0, 1.0], [4.0, 3.0]]


def of_kind(profile: Profile, kind: PartKind) -> PartList:
    return next(one for one in parts(profile) if one.kind == kind)


def two(profile: Profile, kind: PartKind, before: int = 0, after: int = 1) -> Comparison:
    own = of_kind(profile, kind).parts
    return Comparison(part_of(profile, own[before]), part_of(profile, own[after]))


def table(comparison: Comparison, name: str) -> ComparedTable:
    made = comparison.table(name)
    assert made is not None
    return made


@pytest.mark.parametrize("name", ["operator", "network", "training"])
def test_every_part_is_a_profile_that_equals_itself(name: str, request: pytest.FixtureRequest) -> None:
    profile = request.getfixturevalue(name)
    lists = parts(profile)
    assert lists
    for own in lists:
        before, after = default_pair(own.kind, own.parts)
        assert before != after
        part = part_of(profile, own.parts[after])
        assert part.name == f"{profile.name}, {own.parts[after].label}"
        assert part.origin.part == own.parts[after].name
        assert part_named(profile, part.origin.part).id == own.parts[after].id
        assert list(each(part))
        assert figures(part)
        for compared in Comparison(part, part).tables():
            assert not compared.changed.any(), (own.kind, compared.id)
            assert compared.matches.whole, (own.kind, compared.id)


def test_blocks_have_their_own_rows_and_match_by_what_they_are(operator: Profile) -> None:
    comparison = two(operator, "block")
    assert operator.operator is not None
    stored = launch.of_blocks(operator.operator)
    details = table(comparison, "block-details")
    assert (details.rows, details.matches.whole) == (1, True)
    for place in range(stored.shape[1]):
        column = [one for one in details.columns if "duration" in one.key][place]
        assert details.difference(column).values.tolist() == [stored[1, place] - stored[0, place]]
    for name in ("workload", "memory-paths", "memory-blocks"):
        made = table(comparison, name)
        assert made.rows
        assert made.matches.whole, name
    longest = np.nanmax(stored, axis=1)
    seconds = next(figure for figure in comparison.figures if figure.id == "operator.duration_s")
    assert seconds.difference == pytest.approx((longest[1] - longest[0]) * 1e-6)
    assert comparison.before.core_load is None, "of the whole operator"


def test_cores_have_their_load_their_lines_and_their_lanes(operator: Profile) -> None:
    own = of_kind(operator, "core").parts
    assert [part.id for part in own] == ["0", "1"]
    part = part_of(operator, own[1])
    load, lines, line, whole = part.core_load, part.lines, part.timeline, operator.timeline
    assert load is not None
    assert lines is not None
    assert line is not None
    assert whole is not None
    assert operator.core_load is not None
    assert operator.lines is not None
    rows = operator.core_load.core == 1
    assert np.array_equal(load.cycles, operator.core_load.cycles[rows], equal_nan=True)
    names = operator.lines.cores
    assert lines.cores == tuple(name.partition(".")[2] for name in names if name.startswith("core1."))
    for old, new in zip(operator.lines.columns, lines.columns, strict=True):
        if old.values.shape[1] > 1:
            wanted = [place for place, name in enumerate(names) if name.startswith("core1.")]
            assert np.array_equal(new.values, old.values[:, wanted])
    lanes = [whole.strings.get(number).startswith("core1.") for number in whole.lanes.process.tolist()]
    first = whole.slices.first[whole.lanes.first_row]
    counts = np.diff(first)
    assert len(line.slices.start) == int(counts[lanes].sum())
    comparison = two(operator, "core")
    assert table(comparison, "lanes").matches.whole
    assert table(comparison, "core-load").matches.whole


def test_sub_cores_of_one_kind_are_offered_first(operator: Profile) -> None:
    own = of_kind(operator, "sub-core").parts
    before, after = default_pair("sub-core", own)
    assert (own[before].id, own[after].id) == ("core0.veccore0", "core0.veccore1")
    comparison = two(operator, "sub-core", before, after)
    assert table(comparison, "lanes").matches.whole


def test_ipus_are_numbered_from_their_first_tile(network: Profile) -> None:
    comparison = two(network, "ipu")
    memory = network.tile_memory
    assert memory is not None
    assert memory.total is not None
    tiles = table(comparison, "tiles")
    assert tiles.matches.whole
    column = tiles.column("total")
    assert column is not None
    own = memory.total.astype(np.int64)
    assert tiles.difference(column).values.tolist() == (own[8:] - own[:8]).tolist()
    assert comparison.after.target is not None
    assert (comparison.after.target.ipus, comparison.after.target.tiles) == (1, 8)
    assert comparison.after.steps is None, "of all IPUs"
    sizes = [part.amount for part in of_kind(network, "ipu").parts]
    assert all(size is not None and size > 0 for size in sizes)


def test_iterations_of_the_outer_loop_are_found_and_are_alike(training: Profile) -> None:
    own = of_kind(training, "iteration").parts
    scale = poplar_replicas.Replicas(updates=4)
    length = scale.accumulation * poplar_replicas.PERIOD + scale.reduce + poplar_replicas.GATHER
    assert [part.amount for part in own[:-1]] == [length + poplar_replicas.OPTIMISER] * 3
    assert len(own) == 4
    assert default_pair("iteration", own) == (2, 3)
    comparison = two(training, "iteration", 1, 2)
    steps = table(comparison, "steps")
    assert steps.matches.whole
    assert not steps.changed.any()
    assert training.steps is not None
    assert steps.rows == (len(training.steps) - 1) // 4, "all but the copy of the weights"
    line = comparison.after.timeline
    assert line is not None
    assert float(line.slices.start.min()) == 0.0
    assert comparison.before.execution is not None
    assert comparison.before.execution.cycles == length + poplar_replicas.OPTIMISER


def test_a_range_may_be_open_and_a_wrong_one_is_refused(training: Profile) -> None:
    assert training.timeline is not None
    middle = float(np.median(training.timeline.slices.start))
    first, rest = (part_of(training, part_named(training, f"range={text}")) for text in (f"..{middle}", f"{middle}.."))
    assert first.steps is not None
    assert rest.steps is not None
    assert training.steps is not None
    assert len(first.steps) + len(rest.steps) == len(training.steps)
    for text in ("range=1", "range=5..2", "range=a..b", "range=nan..2"):
        with pytest.raises(NoPart, match=r"START\.\.END"):
            part_named(training, text)
    with pytest.raises(NoPart, match="the parts include 1, 2, 3, 4"):
        part_named(training, "iteration=9")
    with pytest.raises(NoPart, match="no parts of this kind"):
        part_named(training, "block=1")
    with pytest.raises(NoPart, match="must be one of block"):
        part_named(training, "tile=1")


def test_events_of_a_range_are_those_that_begin_in_it(events: Profile) -> None:
    assert events.host_events is not None
    assert events.timeline is not None
    start = np.round(events.host_events.starts() - events.host_events.zero, 6)
    middle = float(np.median(start))
    part = part_of(events, part_named(events, f"range={middle}.."))
    assert part.host_events is not None
    assert part.timeline is not None
    rows = np.flatnonzero(start >= middle)
    assert np.array_equal(part.host_events.type, events.host_events.type[rows])
    record = part.timeline.slices.record
    assert (record < len(rows)).all()
    kinds = events.host_events.type[rows][record[record >= 0]]
    assert np.array_equal(kinds, part.host_events.type[record[record >= 0]])


def test_what_lies_before_and_after_a_note(training: Profile) -> None:
    line = training.timeline
    assert line is not None
    end = float((line.slices.start + line.slices.duration).max())
    for note, names, pair in (
        (TimeNote(end / 2, end / 2, "spike"), ["before note spike", "after note spike"], (0, 1)),
        (TimeNote(end / 2, end / 1.5, "wave"), ["note wave", "before note wave", "after note wave"], (1, 0)),
    ):
        own = next(one for one in parts(training, None, [note]) if one.kind == "range").parts
        assert [part.label for part in own] == names
        assert default_pair("range", own) == pair
        cut = [part_of(training, part).timeline for part in own]
        assert sum(float(part.slices.duration.sum()) for part in cut if part is not None) == pytest.approx(
            float(line.slices.duration.sum())
        )
    assert not [one for one in parts(training, None, [TimeNote(end * 2, end * 2, "beyond")]) if one.kind == "range"]
