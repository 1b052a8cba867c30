"""Dependencies by registers, where a file has neither flags nor arrows: the last one that wrote what is read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from statistics import median

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.tables import by_id
from app.analysis.time import register_links
from app.analysis.time.answers import critical_path_of
from app.analysis.time.available import NO_CAUSES, why_not
from app.analysis.time.floors import at_most, overlap_floor
from app.analysis.time.graph import Graph, graph, replay
from app.analysis.time.links import REGISTERS
from app.analysis.time.model import is_made, time_model
from app.analysis.time.of_slice import slice_part
from app.analysis.time.path import critical_path
from app.analysis.time.what_if import scaled
from app.cli.critical_path import facts
from app.formats.ascend_bin import FORMAT
from app.profile.ascend import Instructions
from app.profile.profile import Profile
from app.profile.timeline import Timeline
from app.views.pages.document import page_lines
from app.views.pages.time import path_section
from fakes.shell import bare
from generators.ascend_device import State, instructions_with_states
from generators.reading import profile_of
from generators.schedules import (
    BASE,
    CORE,
    Task,
    as_timeline,
    by_registers,
    flagged,
    loop,
    pipeline,
    random_tasks,
    run,
    span_of,
    with_addresses,
)
from generators.timelines import timeline

READ, WRITE, BOTH, IN_USE = 1, 2, 3, 4
CASES = 150


def code(states: Sequence[Sequence[State]]) -> Instructions:
    found = profile_of(FORMAT, instructions_with_states(states, BASE)).instructions
    assert found is not None
    return found


def of(line: Timeline, states: Sequence[Sequence[State]]) -> Profile:
    return replace(bare(), timeline=line, instructions=code(states))


def edges(made: Graph) -> set[tuple[int, int]]:
    """(slice that writes, slice that reads)"""
    own = made.origin == REGISTERS
    return set(zip(made.slice[made.source[own]].tolist(), made.slice[made.target[own]].tolist(), strict=True))


def places(tasks: Sequence[Task]) -> list[int]:
    """The slice of each task."""
    lanes = list(dict.fromkeys(task.lane for task in tasks))
    order = sorted(range(len(tasks)), key=lambda number: lanes.index(tasks[number].lane))
    return [order.index(number) for number in range(len(tasks))]


def test_registers_are_the_dependencies_that_made_a_schedule() -> None:
    for seed in range(CASES):
        tasks = [replace(task, work=max(task.work, 0.01)) for task in random_tasks(seed)]
        line, states = by_registers(tasks)
        made, place = graph(line, instructions=code(states)), places(tasks)
        wanted = {(place[other], place[number]) for number, task in enumerate(tasks) for other in task.after}
        assert edges(made) == wanted, seed
        assert not len(made.unsure)
        stated = graph(as_timeline([replace(task, hidden=frozenset()) for task in tasks]))
        assert critical_path(made).times.tolist() == critical_path(stated).times.tolist()
        assert made.inferred.all()
        assert not stated.inferred.any()


def random_loop(seed: int) -> tuple[list[Task], Timeline, list[list[State]], int]:
    rng = random.Random(seed)
    turns, registers = rng.randint(2, 20), rng.randint(1, 4)
    means = [rng.uniform(0.1, 2.0) for _ in range(3)]
    works = [[mean * rng.uniform(0.5, 1.5) for mean in means] for _ in range(turns)]
    return *loop(turns, works, registers, rng.choice((0.0, 0.01, 0.05))), registers


def test_in_a_loop_the_latest_run_of_the_writer_counts() -> None:
    for seed in range(CASES):
        tasks, line, states, _ = random_loop(seed)
        made, place = graph(line, instructions=code(states)), places(tasks)
        wanted = {
            (place[other], place[number])
            for number, task in enumerate(tasks)
            for other in task.after
            if other not in task.hidden
        }
        assert edges(made) == wanted, seed
        assert (made.end[made.source] <= made.start[made.target] + made.near).all()
        path = critical_path(made)
        assert path.times.sum() == pytest.approx(span_of(run(tasks)), rel=1e-9)
        assert replay(made).span == pytest.approx(span_of(run(tasks)), rel=1e-9)


def test_no_bound_is_below_what_is_really_saved() -> None:
    ratios, errors = [], []
    for seed in range(CASES):
        tasks, line, states, registers = random_loop(seed)
        made, span = graph(line, instructions=code(states)), span_of(run(tasks))
        threads = [line.strings.get(text) for text in line.lanes.thread.tolist()]
        bound = at_most(span, overlap_floor(made, [threads[lane] for lane in made.lane.tolist()]).value)
        free = [replace(task, after=tuple(set(task.after) - task.hidden)) for task in tasks]
        saved = span - span_of(run(free))
        assert bound >= saved - 1e-9, seed
        if registers == 1 and bound > 0.02 * span:
            ratios.append(saved / bound)
        rng = random.Random(seed)
        name, factor = rng.choice(tasks).name, rng.choice((0.0, 0.5, 0.8, 1.5))
        faster = [replace(task, work=task.work * factor) if task.name == name else task for task in tasks]
        factors = np.where(line.slices.name[made.slice] == line.strings.find(name)[0], factor, 1.0)
        true = span_of(run(faster))
        assert span - replay(made, factors, lags=False).span >= span - true - 1e-9, seed
        errors.append(abs(replay(made, factors).span - true) / span)
    assert median(ratios) >= 0.7
    assert median(errors) <= 0.02


def test_a_file_with_flags_or_arrows_does_not_use_registers() -> None:
    states: list[list[State]] = [[("R0", WRITE, 9)], [("R0", READ, 9)]]
    for line in (flagged(), as_timeline(pipeline(3))):
        addressed = with_addresses(line, [BASE + 4 * (number % 2) for number in range(len(line.slices.start))])
        made, plain = time_model(of(addressed, states)), time_model(replace(bare(), timeline=line))
        assert REGISTERS not in made.graph.origin
        assert made.registers is None
        assert made.graph.source.tolist() == plain.graph.source.tolist()
        assert critical_path_of(of(addressed, states)).registers is None


def two(
    *, read_at: float = 1.0, lanes: tuple[str, str] = ("MTE2", "VECTOR"), cores: tuple[str, str] = (CORE, CORE)
) -> Timeline:
    """What writes a register, and what reads it."""
    line = timeline(
        [(cores[0], lanes[0], [[(0.0, 1.0, "LOAD", "a")]]), (cores[1], lanes[1], [[(read_at, 1.0, "VADD", "b")]])]
    )
    return with_addresses(line, [BASE, BASE + 4])


STATES: list[list[State]] = [[("R0", WRITE, 9)], [("R0", READ, 9)]]


def test_a_writer_that_has_not_ended_or_begins_with_its_reader_is_left_out_and_counted() -> None:
    for read_at, found, unsure in ((1.0, {(0, 1)}, 0), (1.5, {(0, 1)}, 0), (0.5, set(), 1), (0.0, set(), 1)):
        made = graph(two(read_at=read_at), instructions=code(STATES))
        assert (edges(made), len(made.unsure)) == (found, unsure), read_at


def test_an_older_writer_is_no_substitute() -> None:
    line = timeline(
        [
            (CORE, "MTE2", [[(0.0, 1.0, "LOAD", "a"), (2.0, 3.0, "LOAD", "a")]]),
            (CORE, "VECTOR", [[(4.0, 1.0, "VADD", "b")]]),
        ]
    )
    made = graph(with_addresses(line, [BASE, BASE, BASE + 4]), instructions=code(STATES))
    assert (edges(made), len(made.unsure)) == (set(), 1)


def test_an_instruction_that_reads_and_writes_waits_for_the_one_before_it() -> None:
    line = timeline([(CORE, "SCALAR", [[(0.0, 1.0, "ADD", "a"), (1.0, 1.0, "ADD", "a"), (2.0, 1.0, "ADD", "a")]])])
    made = graph(with_addresses(line, [BASE] * 3), instructions=code([[("R0", BOTH, 9)]]))
    assert edges(made) == {(0, 1), (1, 2)}
    assert not len(made.unsure)


def test_an_unknown_instruction_in_between_makes_it_uncertain() -> None:
    line = timeline(
        [
            (CORE, "MTE2", [[(0.0, 1.0, "LOAD", "a")]]),
            (CORE, "SCALAR", [[(1.0, 1.0, "MOV", "a")]]),
            (CORE, "VECTOR", [[(2.0, 1.0, "VADD", "b")]]),
        ]
    )
    for address, certain in ((BASE + 400, False), (-1, True), (BASE + 8, True)):
        states = [*STATES, []]
        made = graph(with_addresses(line, [BASE, address, BASE + 4]), instructions=code(states))
        assert (len(edges(made)), len(made.unsure)) == ((1, 0) if certain else (0, 1))


def test_cores_and_warps_have_registers_of_their_own() -> None:
    assert edges(graph(two(), instructions=code(STATES))) == {(0, 1)}
    for line in (
        two(cores=(CORE, "core0.veccore1")),
        two(lanes=("WARP_0", "WARP_1")),
        two(lanes=("CACHEMISS", "MTE3")),
    ):
        made = graph(line, instructions=code(STATES))
        assert not len(made.source)
    warp = timeline([("warp.core0.veccore0", "WARP_0", [[(0.0, 1.0, "LOAD", "a"), (1.0, 1.0, "VADD", "b")]])])
    assert edges(graph(with_addresses(warp, [BASE, BASE + 4]), instructions=code(STATES))) == {(0, 1)}


def test_states_that_are_none_and_addresses_that_stand_twice_are_no_dependencies() -> None:
    assert not len(graph(two(), instructions=code([[], [("R0", READ, 9)]])).source)
    assert not len(graph(two(), instructions=code([[("R0", IN_USE, 9)], [("R0", READ, 9)]])).source)
    twice = replace(code(STATES), address=np.array([BASE, BASE]))
    assert not len(graph(two(), instructions=twice).source)


def test_hostile_states_do_not_fill_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(register_links, "MOST_USES", 1)
    assert not len(graph(two(), instructions=code(STATES)).source)


def test_it_can_be_stopped() -> None:
    def looks(instructions: Instructions | None) -> int:
        times: list[None] = []
        graph(two(), lambda: times.append(None), instructions)
        return len(times)

    assert looks(code(STATES)) > looks(None)


def test_answers_say_that_they_rest_on_registers() -> None:
    tasks, line, states = loop(4, [[1.0, 0.6, 0.5]] * 4, 1, 0.02)
    profile = of(line, states)
    assert why_not(profile) == ""
    assert why_not(replace(profile, instructions=None)) == NO_CAUSES
    answer = critical_path_of(profile)
    assert answer.registers is not None
    assert answer.registers.dependencies == 8
    assert answer.registers.unsure == 0
    assert answer.registers.share * (answer.span or 0.0) == pytest.approx(2 * 0.02e-6)
    assert [piece.cause for piece in answer.path if piece.part == "data_wait"][-1] == "VADD (inferred from registers)"
    text = "\n".join(page_lines(path_section("trace", answer)))
    assert "8 dependencies are inferred from registers" in text
    assert facts(answer)["registers"] == {"dependencies": 8, "unsure": 0, "share": answer.registers.share}
    scoped = critical_path_of(profile, CORE).registers
    assert scoped is not None
    assert scoped.dependencies == 8
    assert scaled(profile, {"VADD": 0.5}).registers == answer.registers
    table = by_id(profile, "critical-path")
    assert table is not None
    assert "inferred from registers" in table.note
    assert span_of(run(tasks)) * 1e-6 == pytest.approx(answer.span)


def test_details_name_the_registers() -> None:
    _, line, states = loop(2, [[1.0, 0.6, 0.5]] * 2, 1, 0.02)
    profile = of(line, states)
    part = slice_part(profile, time_model(profile), 2)  # the first computation
    assert part is not None
    assert part.facts[0].words[-1] == " after MTE2 had written R0"
    assert "register states" in part.facts[0].help
    assert slice_part(replace(profile, instructions=None), time_model(replace(profile, instructions=None)), 2) is None


def test_instructions_that_are_read_later_make_another_model() -> None:
    _, line, states = loop(2, [[1.0, 0.6, 0.5]] * 2, 1)
    early = replace(bare(), timeline=line)
    assert not time_model(early).has_dependencies
    late = replace(early, instructions=code(states))
    assert not is_made(late)
    assert time_model(late).has_dependencies
    assert time_model(late) is time_model(late)
