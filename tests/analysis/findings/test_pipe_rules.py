"""Rules about the pipes and units of Ascend cores report what was planted, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.findings import outcomes, ranked
from app.analysis.findings.finding import Finding
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.profile.ascend import Instructions, MemoryTables, Operator, TypedColumn, Workload
from app.profile.ascend_report import ReportTable, ReportTables
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection
from app.profile.strings import Interner, Strings
from app.profile.timeline import Flows
from app.views.sentences import sentence
from generators.timelines import timeline

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))
Pieces = Sequence[tuple[float, float, str]]


def faults(profile: Profile, thresholds: Thresholds = DEFAULT) -> dict[str, Finding]:
    """The findings by rule; what bounds the time is no defect."""
    return {rule.id: own for rule, own in ranked(outcomes(profile, thresholds)) if rule.id != "time.verdict"}


def only(profile: Profile, rule: str) -> Finding:
    ((own, finding),) = faults(profile).items()
    assert own == rule
    return finding


def core(**pipes: Pieces) -> Profile:
    """One core with these lanes of (start, duration, name)."""
    lanes = [
        ("core0.veccore0", pipe, [[(start, length, name, "") for start, length, name in row]])
        for pipe, row in pipes.items()
    ]
    return BARE.with_section(timeline(lanes))


CLEAN: dict[str, Pieces] = {
    "SCALAR": [(0, 1, "ADD")],
    "MTE2": [(1, 50, "MOV")],
    "VECTOR": [(1, 48, "VADD"), (49, 2, "WAIT_FLAG")],
}


def test_side_by_side_is_clean() -> None:
    assert faults(core(**CLEAN)) == {}


TURNS: dict[str, Pieces] = {
    "SCALAR": [(0, 1, "ADD")],
    "MTE2": [(1, 30, "MOV"), (51, 30, "MOV")],
    "VECTOR": [(1, 30, "WAIT_FLAG"), (31, 20, "VADD"), (51, 30, "WAIT_FLAG"), (81, 20, "VADD")],
}
"""Two transfers and two computations, one after the other: 101 µs, with two buffers 81."""


def test_a_pipe_that_waits_names_the_pair() -> None:
    flag = "WAIT_FLAG.MTE2.V.0"
    named: Pieces = [(start, length, flag if name == "WAIT_FLAG" else name) for start, length, name in TURNS["VECTOR"]]
    finding = only(core(**{**TURNS, "VECTOR": named}), "ascend.pipe-waits")
    assert finding.title == "VECTOR waits for MTE2 on core0.veccore0"
    assert finding.confidence == "estimated"  # no flag is set in the file
    assert finding.saving is not None
    assert finding.saving.unit == "s"
    assert finding.saving.at_most == pytest.approx(21e-6)  # 60 of transfers and the last computation remain
    assert finding.evidence[0].value == pytest.approx(60e-6)
    assert finding.evidence[0].selection in (Selection("slice", (3,)), Selection("slice", (5,)))


def test_a_pipe_that_fills_the_core_leaves_nothing_to_save() -> None:
    waiting: Pieces = [(1, 60, "VADD"), (61, 25, "WAIT_FLAG.MTE2.V")]
    assert faults(core(SCALAR=[(0, 1, "ADD")], MTE2=[(1, 99, "MOV")], VECTOR=waiting)) == {}


def test_arrows_name_the_pair_and_waits_at_the_same_time_count_once() -> None:
    line = core(**TURNS).timeline
    assert line is not None
    none, time = np.full(2, -1, np.int32), np.array([31.0, 81.0])
    flows = Flows(none, time, none + 2, np.array([1, 2]), time, none + 3, np.array([3, 5]))
    finding = only(BARE.with_section(replace(line, flows=flows)), "ascend.pipe-waits")
    assert finding.title == "VECTOR waits for MTE2 on core0.veccore0"
    assert finding.confidence == "measured"
    twice = [
        ("c", "MTE2", [[(0, 30, "MOV", "")]]),
        ("c", "VECTOR", [[(0, 30, "WAIT_FLAG", ""), (30, 30, "VADD", "")], [(0, 30, "WAIT_FLAG", "")]]),
    ]
    finding = only(BARE.with_section(timeline(twice)), "ascend.pipe-waits")
    assert finding.evidence[0].value == pytest.approx(30e-6)


def test_transfers_that_are_not_beside_computing() -> None:
    profile = core(SCALAR=[(0, 1, "ADD")], MTE2=[(1, 40, "MOV")], VECTOR=[(31, 60, "VADD")], MTE3=[(31, 10, "MOV")])
    finding = only(profile, "ascend.overlap")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx((91 - 60) * 1e-6)  # computing remains
    # transfers 1-41, computing 31-91, both 31-41
    assert [evidence.value for evidence in finding.evidence] == pytest.approx([40e-6, 60e-6, 10e-6, 60e-6])


@pytest.mark.parametrize("pipe", ["MTE2", "VECTOR"])
def test_nothing_can_overlap_with_one_pipe(pipe: str) -> None:
    profile = core(SCALAR=[(0, 1, "ADD")], **{pipe: [(1, 48, "WORK")]})
    assert "ascend.overlap" not in faults(profile, Thresholds(overlap=0.0))


def test_a_scalar_head() -> None:
    late: Pieces = [(30, 50, "MOV")]
    finding = only(core(SCALAR=[(0, 30, "ADD")], MTE2=late, VECTOR=[(30, 50, "VADD")]), "ascend.scalar-head")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(30e-6)
    assert finding.evidence[0].selection == Selection("slice", (1,))


def test_other_timelines_are_no_cores() -> None:
    other = BARE.with_section(timeline([("process", "thread", [[(0, 1, "work", ""), (90, 1, "wait_flag", "")]])]))
    assert [outcome.rule.id for outcome in outcomes(other)] == ["file.doubts"]


def tables(*made: tuple[str, Sequence[str], Mapping[str, Sequence[float]]]) -> Profile:
    """Memory tables of block 0: (name, columns, cells by row)."""
    text = Interner()
    cells = [np.array(list(rows.values()), float).ravel() for _, _, rows in made]

    def first(counts: Sequence[int]) -> np.ndarray:
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)

    def codes(names: Sequence[str]) -> np.ndarray:
        return np.array([text(name) for name in names], np.int32)

    stored = MemoryTables(
        block_name=codes(["0"]),
        block_type=codes(["mix"]),
        advice=((),),
        block=np.zeros(len(made), np.int32),
        name=codes([name for name, _, _ in made]),
        first_row=first([len(rows) for _, _, rows in made]),
        row_name=codes([row for _, _, rows in made for row in rows]),
        first_column=first([len(columns) for _, columns, _ in made]),
        column_name=codes([column for _, columns, _ in made for column in columns]),
        first_cell=first([part.size for part in cells]),
        value=np.concatenate(cells),
        text=np.full(sum(part.size for part in cells), -1, np.int32),
        strings=text.strings(),
    )
    return BARE.with_section(stored)


PIPES = ("cycle", "wait cycles", "active rate(%)")


def operated(profile: Profile) -> Profile:
    return profile.with_section(Operator("op", "vector", "vector", ""))


@pytest.mark.parametrize(
    ("scalar", "waiting", "rule"),
    [((96.0, 0.0), 0.0, "ascend.scalar-bound"), ((20.0, 0.0), 300.0, "ascend.pipe-waits"), ((20.0, 0.0), 0.0, "")],
)
def test_pipe_tables(scalar: tuple[float, float], waiting: float, rule: str) -> None:
    rows = {"MTE2": (500.0, waiting, 50.0), "Scalar": (10 * scalar[0], scalar[1], scalar[0])}
    profile = operated(tables(("Pipe Cube", PIPES, rows)))
    if not rule:
        assert faults(profile) == {}
        return
    finding = only(profile, rule)
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(500)  # of 1,000 cycles; MTE2 works in the others
    assert finding.saving.unit == "cycles"
    assert finding.evidence[0].table == "memory-table/Pipe Cube"
    assert finding.evidence[0].selection == Selection("block", (0,))
    raised = Thresholds(scalar=97.0, pipe_wait=31.0)
    assert faults(profile, raised) == {}


def test_other_pipes_without_data_are_not_idle() -> None:
    profile = operated(tables(("Pipe Cube", PIPES, {"Scalar": (960.0, 0.0, 96.0)})))
    why = {outcome.rule.id: outcome.why for outcome in outcomes(profile)}
    assert why["ascend.scalar-bound"] == "the file does not state how long the other pipes work"


def test_misses_of_the_instruction_cache() -> None:
    columns = ("hit", "miss", "total", "hit rate(%)")
    profile = tables(("Cache", columns, {"iCache Total": (70, 30, 100, 70), "L2 Cache Total": (1, 99, 100, 1)}))
    finding = only(profile, "ascend.instruction-cache")
    assert [evidence.value for evidence in finding.evidence] == [70, 30]
    assert ranked(outcomes(tables(("Cache", columns, {"iCache Total": (95, 5, 100, 95)})))) == []


def workload(**counts: float) -> Profile:
    names = [name.replace("_", " ") for name in counts]
    count, strings = len(names), Strings.of(["3", "vector0", *names])
    zero = np.zeros(count, np.int32)
    own = Workload(
        strings=strings,
        block=zero,
        sub_block=zero + 1,
        name=np.arange(2, 2 + count, dtype=np.int32),
        unit=zero + 1,
        value=np.array(list(counts.values())),
        cycles=np.full(count, np.nan),
        item_advice=zero - 1,
        in_graph=np.zeros(count, np.bool_),
    )
    return BARE.with_section(own)


def test_conflicts_of_banks() -> None:
    finding = only(
        workload(Vector_All_Active=1000, Vector_Bank_Conflict_Block=200, Vector_MTE_Urgent_Request_Block=50),
        "ascend.conflicts",
    )
    assert [(evidence.key, evidence.value) for evidence in finding.evidence] == [
        ("Vector Bank Conflict Block", 200),
        ("Vector MTE Urgent Request Block", 50),
    ]
    assert finding.saving is None  # counts are not cycles
    assert finding.severity == "info"
    assert finding.evidence[0].selection == Selection("block", (3,))
    assert ranked(outcomes(workload(Vector_All_Active=1000, Vector_Bank_Conflict_Block=20))) == []


def report(name: str, **columns: Sequence[float]) -> Profile:
    made = tuple(TypedColumn(title, "float", np.array(values)[:, None]) for title, values in columns.items())
    return BARE.with_section(ReportTables((ReportTable(name, f"{name}.csv", made),)))


def test_ratios_of_reports_are_weighted_by_cycles() -> None:
    profile = report("ResourceConflictRatio", aiv_total_cycles=[100.0, 300.0], aiv_vec_bank_cflt_ratio=[0.8, 0.1])
    finding = only(profile, "ascend.conflicts")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(100 * (80 + 30) / 400)
    misses = report("PipeUtilization", aic_total_cycles=[100.0, 100.0], aic_icache_miss_rate=[0.0, 0.5])
    assert only(misses, "ascend.instruction-cache").evidence[0].value == pytest.approx(25)


def test_conflicts_of_instructions() -> None:
    count = 2
    zero = np.zeros(count, np.int32)
    columns = tuple(
        TypedColumn(title, "int", np.array(values, np.int64)[:, None])
        for title, values in (
            ("Instructions Executed", (10, 90)),
            ("UB Read Conflict", (5, -1)),
            ("UB Write Conflict", (0, -1)),
        )
    )
    code = Instructions(
        ("a",), Strings.of(["x"]), np.array([0, 4]), np.arange(2), zero, zero, zero, zero, True, columns
    )
    ids = {rule.id: finding for rule, finding in ranked(outcomes(BARE.with_section(code)))}
    # of the 10 executions of the instruction that has such a figure
    assert sentence(ids["ascend.conflicts"].text).startswith("50.0 % of the executed instructions that can have")
