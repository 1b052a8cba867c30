"""What single things are made of, against sums by hand over the file's plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from app.analysis.details import Described
from app.analysis.figures import figures
from app.analysis.part import Amount, Part, Words
from app.analysis.poplar import parts
from app.analysis.poplar.names import instruction_totals, instruction_words
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection

Make = Callable[[Any], Profile]


def made(profile: Profile, kind: Kind, index: int) -> dict[str, Part]:
    return {part.title: part for part in Described(profile).parts(Selection(kind, (index,)))}


def facts(part: Part) -> dict[str, Words]:
    return {fact.label: fact.words for fact in part.facts}


def amounts(said: Words) -> list[float]:
    return [word.value for word in said if isinstance(word, Amount)]


def figures_of(values: list[int]) -> list[Any]:
    """Sum, mean and median."""
    return [sum(values), pytest.approx(sum(values) / len(values)), median(values)]


def table(profile: Profile, name: str) -> Table:
    found = by_id(profile, name)
    assert found is not None
    return found


def test_a_compute_set(profile: Profile, tree: Any) -> None:
    found = made(profile, "compute_set", 3)
    assert list(found) == ["Vertices by type", "On tiles", "Steps that ran it"]
    counts = dict(
        zip(tree["computeSets"]["vertexTypes"][3], tree["computeSets"]["vertexCounts"][3], strict=True),
    )
    vertices = found["Vertices by type"]
    assert amounts(facts(vertices)["Vertices"]) == [sum(counts.values())]
    listed = {pointer.selection.first: amounts(pointer.text)[0] for pointer in vertices.pointers}
    assert listed == counts
    assert all(pointer.selection.kind == "vertex_type" for pointer in vertices.pointers)
    row = tree["memory"]["byComputeSet"]["vertexDataBytes"][3]
    on_tiles = found["On tiles"]
    assert amounts(facts(on_tiles)["Vertex data"]) == [*figures_of(row), max(row)]
    assert str(facts(on_tiles)["Vertex data"][-1]).endswith(f"tile\u00a0{row.index(max(row))}")
    code = tree["memory"]["byComputeSet"]["codeBytes"][3]
    assert amounts(facts(on_tiles)["Code"]) == [*figures_of(code), max(code)]
    cycles = tree["computeSets"]["cycleEstimates"]["cyclesByTile"][3]
    assert amounts(facts(on_tiles)["Estimated cycles"])[0] == max(cycles)
    assert on_tiles.pointers[-1].selection == Selection("tile", (cycles.index(max(cycles)),), "details")
    ran = [number for number, step in enumerate(tree["simulation"]["steps"]) if step.get("computeSet") == 3]
    steps = found["Steps that ran it"]
    assert amounts(facts(steps)["Steps"]) == [len(ran)]
    assert amounts(facts(steps)["Cycles"]) == [sum(tree["simulation"]["steps"][step]["cycles"] for step in ran)]
    assert [pointer.selection.first for pointer in steps.pointers][:3] == ran[:3]


def test_types_and_counts_of_any_size_take_no_memory(profile_of: Make) -> None:
    sets = {"names": ["a"], "vertexTypes": [[10**12, 0, 2]], "vertexCounts": [[3, 2**62, 2**62]]}
    found = made(profile_of({"computeSets": sets}), "compute_set", 0)["Vertices by type"]
    assert amounts(facts(found)["Vertices"]) == [2 * 2**45 + 3]
    shown = {pointer.selection.first: str(pointer.text[-1]) for pointer in found.pointers}
    assert shown == {number: f"vertex type {number}" for number in (0, 2, 10**12)}
    assert [amounts(pointer.text)[0] for pointer in found.pointers] == [2**45, 2**45, 3]


def test_a_program_is_what_it_runs_and_a_step_what_its_program_is(profile: Profile, tree: Any) -> None:
    program = next(n for n, one in enumerate(tree["programs"]) if one.get("computeSet") == 3)
    of_set = made(profile, "compute_set", 3)
    assert without_path(made(profile, "program", program)) == of_set
    step = next(n for n, one in enumerate(tree["simulation"]["steps"]) if one.get("computeSet") == 3)
    assert made(profile, "step", step) == of_set
    assert profile.timeline is not None
    slice_ = profile.timeline.slices.record.tolist().index(step)
    assert made(profile, "slice", slice_) == of_set
    assert [row.table.id for row in Described(profile).rows("slice", slice_)] == ["slices", "steps"]


def without_path(parts: dict[str, Part]) -> dict[str, Part]:
    return {title: part for title, part in parts.items() if title != "Path"}


def test_the_path_of_a_program_goes_from_the_top_down(profile: Profile, tree: Any) -> None:
    own, functions = tree["programs"], tree["functionPrograms"]
    below = [[*one.get("children", ()), *([functions[one["target"]]] if "target" in one else ())] for one in own]
    ways = {root: [root] for root in (*tree["controlPrograms"], *functions)}
    level = list(ways)
    while level:  # level by level, as a program is met first
        reached = [(child, node) for node in level for child in below[node]]
        level = []
        for child, node in reached:
            if child not in ways:
                ways[child] = [*ways[node], child]
                level.append(child)
    assert max(map(len, ways.values())) > 3
    for program, way in ways.items():
        part = made(profile, "program", program).get("Path")
        listed = [] if part is None else [pointer.selection.first for pointer in part.pointers]
        assert listed == way[:-1]


def test_an_exchange_and_its_instructions(profile: Profile, tree: Any) -> None:
    program = next(n for n, one in enumerate(tree["programs"]) if one.get("type") == "DoExchange")
    own = tree["programs"][program]
    found = made(profile, "program", program)
    assert without_path(found) == made(profile, "exchange", own["exchange"])
    kinds = {instruction_words(kind): size for kind, size in own["memoryByInstruction"].items() if size}
    assert {label: amounts(said)[0] for label, said in facts(found["Exchange instructions"]).items()} == kinds
    sent = tree["exchanges"]["bytesSentByTile"][own["exchange"]]
    assert amounts(facts(found["On tiles"])["Bytes sent"])[0] == sum(sent)


def test_what_lies_below_a_program_counts_once(profile: Profile, tree: Any) -> None:
    found = made(profile, "program", 0)
    counts = Counter[int]()
    for types, numbers in zip(tree["computeSets"]["vertexTypes"], tree["computeSets"]["vertexCounts"], strict=True):
        counts.update(dict(zip(types, numbers, strict=True)))
    vertices = found["Vertices by type"]
    assert amounts(facts(vertices)["Vertices"]) == [sum(counts.values())]
    assert [pointer.selection.first for pointer in vertices.pointers] == sorted(counts, key=lambda t: (-counts[t], t))[
        :8
    ]
    given = tree["memory"]["byComputeSet"]["vertexDataBytes"]
    assert amounts(facts(found["On tiles"])["Vertex data"])[0] == sum(map(sum, given))
    assert "Code" not in facts(found["On tiles"])  # sets share it
    steps = tree["simulation"]["steps"]
    assert amounts(facts(found["Steps that ran it"])["Cycles"]) == [sum(step.get("cycles", 0) for step in steps)]


def test_too_much_to_add_up_is_left_out(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MOST_CELLS", 0)
    assert "On tiles" not in made(profile, "compute_set", 3)


def test_nothing_is_said_of_what_is_not_there(profile: Profile, profile_of: Make) -> None:
    bare = profile_of({"programs": [{"type": "Sync"}], "controlPrograms": [0]})
    assert made(bare, "program", 0) == {}
    kinds: tuple[Kind, ...] = ("program", "step", "slice", "compute_set", "exchange")
    for kind in kinds:
        assert made(bare, kind, 77) == {}
    assert made(profile, "tile", 10**6) == {}
    assert made(bare, "tile", 1) == {}
    assert list(Described(profile).parts(Selection("program", (1, 2)))) == []


def test_instruction_bytes_of_the_graph(profile: Profile, tree: Any) -> None:
    sums = Counter[str]()
    for program in tree["programs"]:
        sums.update(program.get("memoryByInstruction", {}))
    found = instruction_totals(profile)
    assert found is not None
    total = sums.pop("total")
    assert dict(zip(found.kinds, found.bytes.tolist(), strict=True)) == dict(sums)
    assert found.stated == total == sum(sums.values())
    shown = table(profile, "exchange-instructions")
    columns = {column.key: [column.value(row) for row in range(shown.rows)] for column in shown.columns}
    assert columns["key"] == list(found.kinds)
    assert columns["share"] == pytest.approx([100 * sums[kind] / total for kind in found.kinds])
    with_sends = [one for one in tree["programs"] if one.get("memoryByInstruction", {}).get("send", 0) > 0]
    assert columns["programs"][columns["key"].index("send")] == len(with_sends)
    assert shown.note == ""
    known = {figure.name: figure.value for figure in figures(profile)}
    assert known["exchanges.instruction_bytes"] == {
        "total": total,
        **{kind: size for kind, size in sums.items() if size},
    }


def test_totals_that_differ_are_said(profile_of: Make) -> None:
    instructions = {"delay": 24, "sendWithPutMux": 8, "total": 40}
    profile = profile_of({"programs": [{"type": "DoExchange", "memoryByInstruction": instructions}]})
    shown = table(profile, "exchange-instructions")
    assert shown.note == "The totals stated in the file add up to 40 B."
    assert shown.columns[0].value(1) == "Send with put mux"
    assert by_id(profile_of({"programs": [{"type": "Sync"}]}), "exchange-instructions") is None
