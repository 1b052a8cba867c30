"""What a run says of the scaling model: every number with its steps, and no number where it does not say one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.scaling import doubling
from app.analysis.scaling.gradients import NORMALISES, REDUCES, root_of
from app.analysis.scaling.loops import counted_ways, reached, shares
from app.analysis.scaling.measure import (
    NO_CLOCK,
    NO_LOOP,
    NO_PROGRAMS,
    NO_STEPS,
    NO_TIMES,
    Derived,
    Finding,
    Missing,
    measure,
)
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.timeline.intervals import union_lengths
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.arrays import Ragged
from app.profile.profile import Profile
from generators import poplar_replicas as made
from generators.poplar_replicas import CATEGORIES, Replicas, write

near = pytest.approx
US = 1e-6

Make = Callable[..., Profile]


@pytest.fixture
def run(tmp_path: Path) -> Make:
    def make(**scale: object) -> Profile:
        return read(FORMAT, [write(tmp_path, Replicas(**scale))])[0]  # type: ignore[arg-type]

    return make


def value(found: Finding) -> float:
    assert isinstance(found, Derived), found
    return found.value


def why(found: Finding) -> str:
    assert isinstance(found, Missing), found
    return found.why


def names(profile: Profile, found: Finding) -> set[str]:
    assert isinstance(found, Derived)
    assert profile.steps is not None
    return {profile.steps.strings.get(int(profile.steps.name[step])) for step in found.steps} - {""}


# -- the loop -------------------------------------------------------------------------------------------------


def test_the_parts_of_a_repeat_add_up(run: Make) -> None:
    profile = run()
    assert profile.issues == ()
    found = measure(profile)
    assert found.loop is not None
    assert found.loop.label.startswith("accumulate (program ")
    assert found.loop.label.endswith(", 12 repeats)")
    assert value(found.period) == near(made.PERIOD * US)
    assert value(found.micro_batch) == near((made.FORWARD + made.EXCHANGE + made.BACKWARD) * US)
    assert value(found.transfer) == near(made.HOST * US)
    assert value(found.waiting) == near(made.WAIT * US)
    assert value(found.links) == 0
    parts = (found.micro_batch, found.transfer, found.waiting, found.links)
    assert sum(map(value, parts)) == near(value(found.period))
    assert names(profile, found.period) == {
        "images/hostToDevice",
        "model/forward",
        "model/exchange",
        "model/backward",
    }


def test_the_allreduce_of_an_update(run: Make) -> None:
    profile = run()
    found = measure(profile)
    assert value(found.allreduce) == near((made.REDUCE + made.GATHER) * US)
    assert names(profile, found.allreduce) == {
        "gradients/AllReduce_7/ReduceScatter/step",
        "gradients/AllReduce_7/AllGather/step",
    }
    assert value(found.allreduces) == 1
    assert value(found.accumulation) == 4
    assert value(found.optimiser) == near(made.OPTIMISER * US)
    assert names(profile, found.optimiser) == {"optimiser/step"}
    whole = 4 * made.PERIOD + made.REDUCE + made.GATHER + made.OPTIMISER
    assert value(found.update) == near(whole * US)
    assert (value(found.replicas), value(found.ipus_per_replica)) == (2, 1)


def test_an_allreduce_in_each_repeat_is_no_part_of_the_micro_batch(run: Make) -> None:
    found = measure(run(accumulation=0))
    assert found.loop is not None
    assert found.loop.name == "training"
    assert value(found.accumulation) == 1
    assert value(found.allreduce) == near((made.REDUCE + made.GATHER) * US)
    assert value(found.micro_batch) == near((made.FORWARD + made.EXCHANGE + made.BACKWARD + made.OPTIMISER) * US)
    assert "No other steps" in why(found.optimiser)


def test_batch_norm_counts_for_the_micro_batch(run: Make) -> None:
    found = measure(run(norm=True))
    assert value(found.links) == near(40 * US)
    assert value(found.allreduce) == near((made.REDUCE + made.GATHER) * US)
    assert value(found.accumulation) == 4


def test_batch_norm_alone_is_no_allreduce_of_gradients(run: Make) -> None:
    profile = run(norm=True, accumulation=0, reduce=0)
    steps = profile.steps
    assert steps is not None
    norm = [number for number, text in enumerate(steps.strings) if "gradients" in text]
    unnamed = replace(steps, name=np.where(np.isin(steps.name, norm), -1, steps.name))
    assert profile.programs is not None
    programs = replace(profile.programs, name=np.full(len(profile.programs), -1, np.int32))
    found = measure(replace(profile, steps=unnamed, programs=programs))
    assert "belongs to a norm" in why(found.allreduce)


def test_a_loop_inside_of_the_micro_batch_is_not_taken_for_it(run: Make) -> None:
    found = measure(run(inner=3))
    assert [loop.name for loop in found.loops.all] == ["rnn", "accumulate", "training"]
    assert found.loop is not None
    assert found.loop.name == "accumulate"
    assert value(found.micro_batch) == near((made.FORWARD + made.EXCHANGE + made.BACKWARD + 30) * US)


def test_one_update_is_enough(run: Make) -> None:
    found = measure(run(updates=1))
    assert value(found.accumulation) == 4
    assert value(found.optimiser) == near(made.OPTIMISER * US)
    assert "fewer than two" in why(found.update)
    assert isinstance(found.allreduce, Derived)
    assert "The only weight update" in found.allreduce.how


def test_one_repeat_for_each_update_ends_with_its_last_step(run: Make) -> None:
    found = measure(run(accumulation=1))
    assert found.loop is not None
    assert value(found.period) == near((made.PERIOD - made.WAIT) * US)
    assert isinstance(found.period, Derived)
    assert "without the wait after it" in found.period.how
    assert value(found.accumulation) == 1


# -- what is not said is not guessed --------------------------------------------------------------------------


def test_without_names_the_allreduce_is_asked_for(run: Make) -> None:
    profile = run(named=False)
    steps = profile.steps
    assert steps is not None
    programs = profile.programs
    assert programs is not None
    reduce = [number for number, text in enumerate(steps.strings) if "ReduceScatter" in text]
    hidden = replace(programs, name=np.full(len(programs), -1, np.int32))
    unnamed = replace(steps, name=np.where(np.isin(steps.name, reduce), -1, steps.name))
    found = measure(replace(profile, steps=unnamed, programs=hidden))
    assert why(found.allreduce) == "No step name contains AllReduce, CrossReplica, ReduceScatter or AllGather."
    assert isinstance(found.micro_batch, Derived)


def test_several_loops_without_data_from_the_host_are_asked_about(run: Make) -> None:
    profile = run(fed=False)
    found = measure(profile)
    assert found.loop is None
    assert why(found.micro_batch).startswith("2 loops ran, and none takes data from the host")
    assert "6 steps name an allreduce" in why(found.allreduce)
    chosen = measure(profile, found.loops.all[0].program)
    assert value(chosen.period) == near((made.PERIOD - made.HOST) * US)
    assert why(measure(profile, 0).period) == "Program 0 is not a loop that can be identified in the steps."


def test_what_a_profile_lacks_is_said(run: Make) -> None:
    profile = run()
    steps, target = profile.steps, profile.target
    assert steps is not None
    assert target is not None
    assert profile.programs is not None
    none = np.full(len(steps), -1, np.int64)
    sequences = replace(profile.programs, type=np.zeros(len(profile.programs), np.int32))
    for lacking, said in (
        (replace(profile, steps=None), NO_STEPS),
        (replace(profile, programs=None), NO_PROGRAMS),
        (replace(profile, target=replace(target, clock_hz=None)), NO_CLOCK),
        (replace(profile, steps=replace(steps, cycles_from=none, cycles_to=none)), NO_TIMES),
        (replace(profile, programs=sequences), NO_LOOP),
    ):
        assert why(measure(lacking).period) == said
    assert "no tiles" in why(measure(replace(profile, tile_memory=None)).replicas)


def test_unsteady_accumulation_is_not_averaged(run: Make) -> None:
    """One allreduce is lost: the updates then seem to have 4 and 8 repeats."""
    profile = run(updates=4)
    steps = profile.steps
    assert steps is not None
    hit = [number for number, text in enumerate(steps.strings) if "AllReduce" in text]
    rows = np.flatnonzero(np.isin(steps.name, hit))[2:4]
    cycles_from = steps.cycles_from.copy()
    cycles_from[rows] = -1
    found = measure(replace(profile, steps=replace(steps, cycles_from=cycles_from)))
    assert "differ" in why(found.accumulation)
    assert value(found.allreduce) == near((made.REDUCE + made.GATHER) * US)


def test_programs_that_contain_themselves_end(run: Make) -> None:
    profile = run()
    programs = profile.programs
    assert programs is not None
    items = programs.children.items.copy()
    items[:] = 0
    circle = replace(programs, children=Ragged(programs.children.first, items))
    assert why(measure(replace(profile, programs=circle)).period) == NO_LOOP


def test_the_table_of_what_the_run_says(run: Make) -> None:
    table = by_id(run(), "scaling-measured")
    assert table is not None
    cells = {str(table.columns[0].value(row)): row for row in range(table.rows)}
    row = cells["Allreduce of the gradients"]
    assert table.columns[1].value(row) == near(1e-3)
    assert table.columns[3].value(row) == 2
    assert table.columns[2].value(cells["Gradient accumulation"]) == 4
    assert by_id(replace(run(), steps=None), "scaling-measured") is None


# -- the pieces -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "hit", "root"),
    [
        ("grads/AllReduce_1/step3/x", True, "grads/AllReduce_1"),
        ("opt/all_gather/0", True, "opt/all_gather"),
        ("opt/CrossReplicaCopy", True, "opt/CrossReplicaCopy"),
        ("a/reduceScatter1/AllGather", True, "a/reduceScatter1"),
        ("conv1/Reduce/partials", False, "conv1/Reduce/partials"),
        ("gather/all", False, "gather/all"),
    ],
)
def test_names_of_reductions(name: str, hit: bool, root: str) -> None:
    assert bool(REDUCES.search(name)) is hit
    assert root_of(name) == root


def test_names_of_norms() -> None:
    assert all(map(NORMALISES.search, ("a/batchNorm/x", "BatchNormalize", "block/bn1/AllReduce", "x/batch_norm")))
    assert not any(map(NORMALISES.search, ("gradients/AllReduce", "normal/x", "abn/x")))


def test_shares_of_a_stretch_add_up() -> None:
    first = np.array([0, 8]), np.array([4, 12])
    second = np.array([2]), np.array([9])
    found, rest = shares(1, 20, [first, second, (np.empty(0, np.int64), np.empty(0, np.int64))])
    assert found == [7, 4, 0]
    assert rest == 8
    start, end, group = np.array([0, 1, 10, 12]), np.array([3, 2, 14, 13]), np.array([0, 0, 1, 1])
    assert union_lengths(start, end, group, 3).tolist() == [3, 4, 0]


def test_ways_are_counted() -> None:
    """0 holds 1 and 2, both hold 3; 2 is a condition."""
    below = Ragged.of(np.array([2, 1, 1, 0]), np.array([1, 2, 3, 3]))
    stops = np.array([False, False, True, False])
    ways = counted_ways(below, 0, stops)
    assert ways is not None
    assert [own.tolist() for own in ways] == [[0, 1, 1, 1], [0, 1, 1, 2]]
    assert reached(below, np.array([0]), closed=np.array([False, True, True, False])).tolist() == [True] * 3 + [False]
    circle = Ragged.of(np.array([1, 1]), np.array([1, 0]))
    assert counted_ways(circle, 0, np.zeros(2, np.bool_)) is None


# -- two profiles ---------------------------------------------------------------------------------------------


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Profile, Profile]:
    more = {**CATEGORIES, "internalExchangeCode": 6000, "globalExchangeCode": 700, "stack": 9}
    scales = (Replicas(replicas=2, updates=2), Replicas(replicas=4, reduce=800, categories=more))
    files = [write(tmp_path, scale, f"{name}.json") for scale, name in zip(scales, "ab", strict=True)]
    a, b = (read(FORMAT, [file])[0] for file in files)
    return a, b


def rows(table: Table) -> dict[str, str]:
    keys = {column.key: column for column in table.columns}
    return {str(table.columns[0].value(row)): str(keys["verdict"].value(row)) for row in range(table.rows)}


def test_what_doubles_and_what_stays(pair: tuple[Profile, Profile]) -> None:
    kinds, steps, memory = doubling.tables(doubling.sides(*pair))
    assert rows(steps) == {
        "gradients/AllReduce_7/ReduceScatter/step": "doubles",
        "weights/hostToDevice": "shrinks",  # once in a run, which is longer
        "model/backward": "stays",
        "model/forward": "stays",
        "images/hostToDevice": "stays",
        "model/exchange": "stays",
        "gradients/AllReduce_7/AllGather/step": "stays",
        "optimiser/step": "stays",
    }
    assert rows(kinds)["GlobalExchange"] == "grows"
    assert list(rows(memory).items())[:2] == [("internalExchangeCode", "doubles"), ("globalExchangeCode", "grows")]
    assert rows(memory)["stack"] == "only in B"
    assert doubling.growing_exchange_code(memory) == ("internalExchangeCode", "globalExchangeCode")
    assert doubling.counts(memory) == {"doubles": 1, "grows": 1, "only in B": 1, "stays": 2}
    per_sample = {column.key: column for column in steps.columns}["per_sample"]
    assert per_sample.value(0) == near(1.0)
    assert "per repeat" in steps.note


def test_the_one_with_fewer_replicas_is_a(pair: tuple[Profile, Profile]) -> None:
    a, b = pair
    assert doubling.sides(b, a).a is a
    assert doubling.sides(a, b).factor == 2
    assert doubling.sides(a, b, (8, None)).a is b
    with pytest.raises(ValueError, match="both profiles have 2 replicas"):
        doubling.sides(a, a)
    with pytest.raises(ValueError, match="does not state its number of replicas"):
        doubling.sides(replace(a, tile_memory=None), b)


def test_without_a_loop_the_whole_run_is_compared(pair: tuple[Profile, Profile]) -> None:
    a, b = pair
    whole = doubling.sides(a, replace(b, programs=None))
    assert whole.whole_run
    kinds, *_ = doubling.tables(whole)
    assert "whole run" in kinds.note
    bare = replace(a, steps=None, tile_memory=None)
    assert doubling.tables(doubling.sides(bare, b, (2, 4))) == []


def test_two_runs_tell_the_constant_share(pair: tuple[Profile, Profile]) -> None:
    """The first holds two updates, of which one is whole; the second takes 400 cycles longer for each."""
    a, b = pair
    assert doubling.constant_share(doubling.sides(a, b)) == near((16_300 / 15_900 / 2 - 0.5) / 0.5)
    assert doubling.constant_share(doubling.sides(replace(a, programs=None), b)) is None


@pytest.mark.parametrize(
    ("a", "b", "word"),
    [
        (10, 10.9, "stays"),
        (10, 20, "doubles"),
        (10, 5.2, "halves"),
        (10, 14, "grows"),
        (10, 7, "shrinks"),
        (0, 0, "stays"),
        (0, 5, "grows"),
        (5, 0, "shrinks"),
        (np.nan, 5, "only in B"),
        (5, np.nan, "only in A"),
        (np.nan, 0, "no data"),
        (np.nan, np.nan, "no data"),
    ],
)
def test_verdicts(a: float, b: float, word: str) -> None:
    assert doubling.verdict(a, b, 2) == word


def test_other_factors_have_the_same_words() -> None:
    assert doubling.verdict(10, 40, 4) == "doubles"
    assert doubling.verdict(10, 20, 4) == "grows"
    assert doubling.verdict(10, 2.5, 4) == "halves"
