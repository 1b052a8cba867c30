"""What programs cost by themselves and with all below them, against sums made by hand from the file's plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.checks import check
from app.analysis.details import Described
from app.analysis.poplar.program_figures import ProgramFigures, program_figures
from app.analysis.tables import by_id
from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection
from generators.trees import write_json
from oracles import poplar_programs

Make = Callable[[Any], Profile]


def figures(profile: Profile) -> ProgramFigures:
    found = program_figures(profile)
    assert found is not None
    return found


def plain(values: I64 | None) -> list[int]:
    assert values is not None
    return [int(value) for value in values]


def test_a_generated_graph_and_run(profile: Profile, tree: Any) -> None:
    found, cycles = figures(profile), dict[int, int]()
    for step in tree["simulation"]["steps"]:
        if "cycles" in step:
            cycles[step["program"]] = cycles.get(step["program"], 0) + step["cycles"]
    by_hand = poplar_programs.figures(tree, cycles)
    for key, wanted in by_hand.items():
        assert plain(getattr(found, key)) == [-1 if figure is None else figure for figure in wanted], key
    assert plain(found.total_cycles)[0] == sum(cycles.values())
    sums = zip(plain(found.total_cycles), plain(found.total_memory), strict=True)
    unsaid = [n for n, (total, memory) in enumerate(sums) if total < 0 <= memory]
    assert [tree["programs"][n]["type"] for n in unsaid] == ["Call", "Call"]  # both run one function


def test_runs_of_what_contains_others_are_not_said(profile: Profile, tree: Any) -> None:
    found = plain(figures(profile).runs)
    trace = tree["programTrace"]
    for number, program in enumerate(tree["programs"]):
        inner = bool(program.get("children")) or program["type"] == "Call"
        assert found[number] == (-1 if inner else trace.count(number))


def test_a_trace_with_containers_counts_them(profile_of: Make) -> None:
    tree = {"programs": [{"type": "Sequence", "children": [1]}, {"type": "Sync"}], "controlPrograms": [0]}
    found = figures(profile_of({**tree, "profilerMode": "IPU_MODEL", "programTrace": [0, 1, 0, 1, 0]}))
    assert plain(found.runs) == [3, 2]


def graph(programs: list[Any], functions: list[int] | None = None, **more: Any) -> Any:
    return {
        "target": {"type": "IPU_MODEL", "numTiles": 2},
        "computeSets": {
            "names": ["a", "b"],
            "vertexCounts": [[1], [1]],
            "vertexTypes": [[0], [0]],
            "cycleEstimates": {"cyclesByTile": [[10, 4], [0, 7]]},
        },
        "memory": {"byComputeSet": {"codeBytes": [[50, 50], [50, 50]], "vertexDataBytes": [[3, 4], [100, 0]]}},
        "programs": programs,
        "controlPrograms": [0],
        "functionPrograms": functions or [],
        **more,
    }


def test_a_compute_set_that_two_programs_run_is_there_once(profile_of: Make) -> None:
    programs = [
        {"type": "Sequence", "children": [1, 2]},
        {"type": "Sequence", "children": [3, 4, 3]},
        {"type": "Repeat", "children": [4]},
        {"type": "OnTileExecute", "computeSet": 0},
        {"type": "OnTileExecute", "computeSet": 0},
    ]
    found = figures(profile_of(graph(programs)))
    assert plain(found.memory) == [-1, -1, -1, 107, 107]
    assert plain(found.total_memory) == [107, 107, 107, 107, 107]
    assert plain(found.code) == [-1, -1, -1, 100, 100]
    assert plain(found.total_code) == [100, 100, 100, 100, 100]
    assert plain(found.max_code) == [-1, -1, -1, 50, 50]
    assert plain(found.total_estimate) == [40, 30, 10, 10, 10]
    assert found.cycles is None
    assert found.total_cycles is None
    assert found.runs is None


def test_branches_count_their_longest_and_what_is_unknown_is_missing(profile_of: Make) -> None:
    programs = [
        {"type": "Sequence", "children": [1, 4]},
        {"type": "IfElse", "children": [2, 3]},
        {"type": "OnTileExecute", "computeSet": 0},
        {"type": "OnTileExecute", "computeSet": 1},
        {"type": "Sequence", "children": [5, 6]},
        {"type": "StreamCopy", "exchange": 0},
        {"type": "Call", "target": 9},
    ]
    found = figures(profile_of(graph(programs)))
    assert plain(found.total_estimate) == [-1, 10, 10, 7, -1, -1, -1]
    assert plain(found.total_memory) == [307, 307, 107, 200, -1, -1, -1]


def test_a_circle_has_no_totals_but_what_lies_below_has(profile_of: Make) -> None:
    programs = [
        {"type": "Sequence", "children": [1, 3]},
        {"type": "Sequence", "children": [2]},
        {"type": "Sequence", "children": [1, 3]},
        {"type": "Sequence", "children": [4]},
        {"type": "OnTileExecute", "computeSet": 1},
    ]
    profile = profile_of(graph(programs))
    found = figures(profile)
    said = [issue for issue in check(profile) if "contains or calls itself" in issue.text]
    assert [(issue.severity, issue.where) for issue in said] == [("error", "graph.json: programs[0].children")]
    assert plain(found.total_memory) == [-1, -1, -1, 200, 200]
    assert plain(found.total_estimate) == [-1, -1, -1, 7, 7]


def test_calls_upon_calls_do_not_run_away(profile_of: Make) -> None:
    """Seventy functions that each call the next one twice: 2 ** 70 runs of one compute set."""
    depth = 70
    programs: list[Any] = []
    for number in range(depth):
        at = 3 * number
        programs += [{"type": "Sequence", "children": [at + 1, at + 2]}]
        programs += [{"type": "Call", "target": number}] * 2
    programs.append({"type": "OnTileExecute", "computeSet": 0})
    found = figures(profile_of(graph(programs, [3 * (number + 1) for number in range(depth)])))
    assert plain(found.total_memory) == [107] * len(programs)
    assert plain(found.total_estimate)[0] == -1
    assert plain(found.total_estimate)[3 * (depth - 10)] == 10 * 2**10


def test_without_its_code_an_exchange_has_the_bytes_of_its_instructions(profile_of: Make) -> None:
    programs = [
        {"type": "Sequence", "children": [1, 2]},
        {"type": "DoExchange", "exchange": 0, "memoryByInstruction": {"delay": 24, "send": 8, "total": 32}},
        {"type": "DoExchange", "exchange": 0, "memoryByInstruction": {"delay": 8, "send": 8, "total": 16}},
    ]
    exchanges = {"bytesSentByTile": [[1, 0]], "bytesReceivedByTile": [[0, 1]], "cyclesByTile": [[5, 6]]}
    tree = {"programs": programs, "controlPrograms": [0], "functionPrograms": [], "exchanges": exchanges}
    found = figures(profile_of(tree))
    assert plain(found.memory) == [-1, 32, 16]
    assert plain(found.total_memory) == [48, 32, 16]
    assert plain(found.estimate) == [-1, 6, 6]
    assert plain(found.total_estimate) == [12, 6, 6]


def test_nothing_to_say(profile_of: Make) -> None:
    assert program_figures(profile_of({"profilerMode": "NONE"})) is None
    bare = figures(profile_of({"programs": [{"type": "Sync"}], "controlPrograms": [0]}))
    assert (bare.memory, bare.estimate, bare.cycles, bare.runs) == (None, None, None, None)


def test_a_shared_function_has_measured_cycles_but_its_callers_have_not(profile_of: Make) -> None:
    programs = [
        {"type": "Sequence", "children": [1, 2]},
        {"type": "Sequence", "children": [3, 6]},
        {"type": "Sequence", "children": [4]},
        {"type": "Call", "target": 0},
        {"type": "Call", "target": 0},
        {"type": "OnTileExecute", "computeSet": 0},
        {"type": "OnTileExecute", "computeSet": 1},
    ]
    steps = [
        {"type": "OnTileExecute", "program": n, "computeSet": 0, "cycles": c} for n, c in ((5, 10), (6, 7), (5, 9))
    ]
    run = {"profilerMode": "IPU_MODEL", "programTrace": [5, 6, 5], "simulation": {"steps": steps}}
    found = figures(profile_of({**graph(programs, [5]), **run}))
    assert plain(found.cycles) == [-1, -1, -1, -1, -1, 19, 7]
    assert plain(found.total_cycles) == [26, -1, -1, -1, -1, 19, 7]
    assert plain(found.runs) == [-1, -1, -1, -1, -1, 2, 1]


numbers = st.integers(-2, 12)
KINDS = ("Sequence", "OnTileExecute", "DoExchange", "Call", "IfElse", "StreamCopy", "New")


@pytest.mark.parametrize("traced", [True, False])
def test_a_caller_that_never_ran_leaves_the_cycles_to_the_other_one(profile_of: Make, *, traced: bool) -> None:
    """Program 5 begins with a compute set that never ran, so its call of the shared function did not run either."""
    programs = [
        {"type": "Sequence", "children": [1]},
        {"type": "Call", "target": 0},
        {"type": "Call", "target": 0},
        {"type": "Sequence", "children": [4]},
        {"type": "OnTileExecute", "computeSet": 0},
        {"type": "Sequence", "children": [6, 2]},
        {"type": "OnTileExecute", "computeSet": 1},
    ]
    tree = graph(programs, [3], profilerMode="IPU", controlPrograms=[0, 5])
    steps = [{"type": "OnTileExecute", "program": 4, "cycles": cycles} for cycles in (10, 12)]
    run = {"simulation": {"cycles": 22, "steps": steps}} | ({"programTrace": [4, 4]} if traced else {})
    found = figures(profile_of({**tree, **run}))
    assert plain(found.total_cycles) == [22, 22, -1, 22, 22, -1, -1]
    steps.append({"type": "OnTileExecute", "program": 6, "cycles": 3})
    run = {"simulation": {"cycles": 25, "steps": steps}} | ({"programTrace": [4, 4, 6]} if traced else {})
    both = figures(profile_of({**tree, **run}))
    assert plain(both.total_cycles) == [-1, -1, -1, 22, 22, -1, 3], "whose runs they were is not said"


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "type": st.sampled_from(
                    ["Sequence", "OnTileExecute", "DoExchange", "Call", "IfElse", "StreamCopy", "New"]
                )
            },
            optional={
                "children": st.lists(numbers, max_size=4),
                "computeSet": numbers,
                "exchange": numbers,
                "target": numbers,
                "memoryByInstruction": st.dictionaries(st.sampled_from(["send", "delay", "total"]), numbers),
            },
        ),
        min_size=1,
        max_size=9,
    ),
    st.lists(numbers, max_size=4),
    st.lists(numbers, max_size=4),
)
def test_whatever_a_file_says_figures_tables_and_details_are_made(
    tmp_path_factory: pytest.TempPathFactory, programs: list[Any], functions: list[int], trace: list[int]
) -> None:
    steps = [{"type": "OnTileExecute", "program": n, "computeSet": n, "cycles": 5} for n in trace]
    run = {"profilerMode": "IPU_MODEL", "programTrace": trace, "simulation": {"steps": steps}}
    path = write_json(tmp_path_factory.mktemp("any") / "graph.json", {**graph(programs, functions), **run})
    profile = read(FORMAT, [path])[0]
    if profile.programs is None:
        return
    found = figures(profile)
    for own, total in ((found.memory, found.total_memory), (found.estimate, found.total_estimate)):
        assert all(part <= whole for part, whole in zip(plain(own), plain(total), strict=True) if whole >= 0)
    for name in ("programs", "exchange-instructions", "steps"):
        by_id(profile, name)
    for program in range(len(profile.programs)):
        selection = Selection("program", (program,))
        list(Described(profile).parts(selection))
        list(Described(profile).related(selection))
