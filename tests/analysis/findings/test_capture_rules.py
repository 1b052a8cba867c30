"""Rules about captures of Ascend ranks say what was planted, with a bound that holds, or why they cannot."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.capture.floors import floors
from app.analysis.capture.steps import step_times
from app.analysis.findings import outcomes
from app.analysis.findings.finding import Finding
from app.analysis.findings.rules import RULES
from app.profile.ascend_capture import POINT_TO_POINT
from app.profile.profile import Profile
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Link, Operation, Packet
from fakes.evidence import leads_somewhere
from generators.timelines import counter, timeline

MILLION = 1_000_000
CAPTURE = {rule.id for rule in RULES if rule.id.startswith("ascend.capture.")}


def of(profile: Profile, rule: str) -> list[Finding]:
    (outcome,) = (one for one in outcomes(profile) if one.rule.id == rule)
    return list(outcome.findings)


def only(profile: Profile, rule: str) -> Finding:
    (finding,) = of(profile, rule)
    assert finding.evidence
    assert all(leads_somewhere(profile, evidence) for evidence in finding.evidence)
    return finding


def why(profile: Profile, rule: str) -> str:
    (outcome,) = (one for one in outcomes(profile) if one.rule.id == rule)
    return outcome.why


def test_what_a_capture_lacks_is_said() -> None:
    bare = made.profile([Kernel(0, 5)])
    reasons = {rule: why(bare, rule) for rule in sorted(CAPTURE) if why(bare, rule)}
    assert set(reasons) >= {
        "ascend.capture.slow-link",
        "ascend.capture.small-packets",
        "ascend.capture.memory-bound",
        "ascend.capture.memory-peak",
        "ascend.capture.uneven-ranks",
        "ascend.capture.sync",
    }
    assert why(bare, "trace.late-rank") == "the capture has one rank"


def test_exposed_communication() -> None:
    profile = made.profile([Kernel(0, 60)], [Operation(50, 100, transit=30e-9)])
    finding = only(profile, "trace.exposed-communication")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(40e-9), "the stream works for 60 ns in any case"
    hidden = made.profile([Kernel(0, 90)], [Operation(50, 100)])
    assert of(hidden, "trace.exposed-communication") == []


def test_the_bound_of_exposed_communication_is_above_what_perfect_overlap_saves() -> None:
    """100 ns of kernels, then 40 ns of communication that could have run beside them."""
    profile = made.profile([Kernel(0, 100)], [Operation(100, 140, transit=40e-9)])
    finding = only(profile, "trace.exposed-communication")
    assert finding.saving is not None
    assert finding.saving.at_most >= 40e-9 - 1e-18
    assert step_times(profile).span[0] - floors(profile)[0] == pytest.approx(finding.saving.at_most)


def test_free_time_names_the_longest_gaps() -> None:
    profile = made.profile([Kernel(0, 40), Kernel(60, 20, name="late"), Kernel(85, 15)])
    finding = only(profile, "ascend.capture.free")
    assert [evidence.key for evidence in finding.evidence if evidence.table == "kernels"] == ["late", "add_0"]
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(25e-9)
    assert of(made.profile([Kernel(0, 95), Kernel(99, 5)]), "ascend.capture.free") == []


def late(by: int) -> Profile:
    rows = [Operation(0, 10 * MILLION, 0), Operation(by, 10 * MILLION, 1), Operation(0, 10 * MILLION, 2)]
    kernels = [Kernel(0, 5, rank) for rank in range(3)]
    return made.profile(kernels, rows, ranks=(0, 4, 8))


def test_a_late_rank() -> None:
    finding = only(late(MILLION), "trace.late-rank")
    assert "Rank 4" in finding.title
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(1e-3), "the others wait at the same time"
    waits = {evidence.figure: evidence.value for evidence in finding.evidence}
    assert waits["wait caused"] == pytest.approx(2e-3)
    assert of(late(50_000), "trace.late-rank") == []
    differing = made.profile([Kernel(0, 5)], [Operation(0, 100, 0), Operation(30, 140, 1)], ranks=(0, 1))
    assert "clocks differ" in why(differing, "trace.late-rank")


def test_nothing_is_said_where_nothing_can_be_saved() -> None:
    rows = [Operation(10, 30, name="hcom_receive__1_0", kind=POINT_TO_POINT)]
    assert of(made.profile([Kernel(0, 100)], rows), "ascend.capture.pipeline-wait") == []


def test_stages_that_wait_save_no_more_than_they_take() -> None:
    rows = [Operation(50, 100, name="hcom_receive__1_0", kind=POINT_TO_POINT)]
    finding = only(made.profile([Kernel(0, 50)], rows), "ascend.capture.pipeline-wait")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(50e-9)


def test_ranks_of_uneven_work() -> None:
    profile = made.profile([Kernel(0, 100, 0), Kernel(0, 60, 1)], ranks=(0, 1))
    finding = only(profile, "ascend.capture.uneven-ranks")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(20e-9)
    assert of(made.profile([Kernel(0, 100, 0), Kernel(0, 97, 1)], ranks=(0, 1)), "ascend.capture.uneven-ranks") == []


def test_a_slow_link() -> None:
    links = [Link(0, target, 1e9, 0.1) for target in range(1, 6)] + [
        Link(1, 0, 1e9, 0.2),
        Link(0, 0, 1e9, 9.0, "LOCAL"),
    ]
    finding = only(made.profile(links=made.links_of(links)), "ascend.capture.slow-link")
    assert [evidence.value for evidence in finding.evidence] == [5.0]
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(0.1)


def test_small_and_unaligned_packets() -> None:
    rows = [Packet(20e6 - 20e6 % 512, 1, 0.001), Packet(8 * 512.0, 4000, 0.001), Packet(1e9, 5, 1.0, "SDMA")]
    profile = made.profile(packets=made.packets_of(rows))
    finding = only(profile, "ascend.capture.small-packets")
    assert finding.evidence[0].value == 8 * 512 * 4000
    assert of(profile, "ascend.capture.unaligned") == []
    odd = made.profile(packets=made.packets_of([*rows, Packet(100.0, 3, 0.001)]))
    assert only(odd, "ascend.capture.unaligned").evidence[0].value == 3
    assert "RDMA" in why(profile, "ascend.capture.retransmission")


def test_rdma_that_was_sent_again() -> None:
    rows = [Packet(1e9, 1, 2.5, "RDMA"), Packet(2e9, 1, 2.0, "RDMA"), Packet(1e9, 1, 3.0, "RDMA", name="other")]
    finding = only(made.profile(packets=made.packets_of(rows)), "ascend.capture.retransmission")
    assert finding.evidence[0].value == pytest.approx(4.5)


def test_contention_needs_kernels_at_the_same_time() -> None:
    packets = made.packets_of([Packet(10e9, 1, 1.0)])
    beside = made.profile([Kernel(0, 60)], [Operation(50, 100)], packets=packets)
    assert only(beside, "ascend.capture.contention").evidence[0].value == pytest.approx(10.0)
    after = made.profile([Kernel(0, 50)], [Operation(50, 100)], packets=packets)
    assert of(after, "ascend.capture.contention") == []


def test_kernels_that_memory_or_nothing_bounds() -> None:
    rows = [
        Kernel(0, 100, type="A"),
        Kernel(200, 100, type="B"),
        Kernel(400, 100, type="C", core="AI_CORE"),
        Kernel(600, 2, type="D"),
    ]
    pmu = {"aiv_mte2_ratio": [0.75, 0.2, 0.99, 0.9], "aic_mte2_ratio": [0.99, 0.0, 0.3, 0.0]}
    profile = made.profile(rows, pmu={**pmu, "aiv_vec_ratio": [0.1, 0.5, 0.0, 0.1]})
    finding = only(profile, "ascend.capture.memory-bound")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(102e-9)
    assert [evidence.key for evidence in finding.evidence] == ["A", "D"]
    assert [evidence.key for evidence in only(profile, "ascend.capture.no-bound").evidence] == ["B", "C"]
    few = made.profile([Kernel(0, 1000), Kernel(0, 5, type="B")], pmu={"aiv_mte2_ratio": [0.1, 0.9]})
    assert of(few, "ascend.capture.memory-bound") == []


def test_kernels_on_the_ai_cpu() -> None:
    profile = made.profile([Kernel(0, 25_000, core="AI_CPU"), Kernel(0, 19_000, core="AI_CPU")])
    finding = only(profile, "ascend.capture.ai-cpu")
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(25e-6)


def test_dynamic_shapes_need_calls_that_compile() -> None:
    rows = [Kernel(0, 5, state="dynamic"), Kernel(0, 5, state="dynamic"), Kernel(0, 5, state="static")]
    calls = made.calls_of(
        [("acl", "opCompile", 19, 0.01), ("acl", "Mul_Tiling", 3, 0.001), ("acl", "aclrtMemcpy", 1, 1)]
    )
    finding = only(made.profile(rows, calls=calls), "ascend.capture.dynamic-shapes")
    assert [evidence.value for evidence in finding.evidence[:3]] == [2.0, 3.0, pytest.approx(0.011)]
    quiet = made.calls_of([("acl", "aclrtMemcpy", 1, 1.0)])
    assert of(made.profile(rows, calls=quiet), "ascend.capture.dynamic-shapes") == []


def test_reserved_memory_and_who_holds_it() -> None:
    record = made.memory_of([("PTA", 0, 50, 100, -1), ("PTA", 10, 80, 120, -1), ("PTA+GE", 10, 900, 950, -1)])
    holders = made.holders_of(
        [("a", 30, 5, -1), ("b", 7, 2, 10), ("c", 8, 9, 11), ("d", 99, 11, -1), ("e", -5, -1, 20)]
    )
    profile = made.profile(memory_record=record, memory_operators=holders)
    finding = only(profile, "ascend.capture.memory-peak")
    assert finding.saving is not None
    assert (finding.saving.at_most, finding.saving.unit) == (40.0, "B")
    held = [(one.key, one.value) for one in finding.evidence if one.table == "memory-operators"]
    assert held == [("a", 30.0), ("c", 8.0)]


def test_calls_of_the_host() -> None:
    rows = [("acl", "aclrtMalloc", 10, 0.008), ("runtime", "FreePhysical", 2, 0.003), ("node", "launch", 100, 0.1)]
    slow = made.profile([Kernel(0, 5)], calls=made.calls_of([*rows, ("acl", "aclrtSynchronizeStream", 51, 0.1)]))
    assert only(slow, "ascend.capture.memory-calls").evidence[0].value == pytest.approx(0.011)
    assert [one.value for one in only(slow, "ascend.capture.sync").evidence] == [51.0, 100.0]
    fine = made.profile([Kernel(0, 5)], calls=made.calls_of([*rows[1:], ("acl", "aclrtSynchronizeStream", 50, 0.1)]))
    assert of(fine, "ascend.capture.memory-calls") == of(fine, "ascend.capture.sync") == []


@pytest.mark.parametrize(("values", "lowest"), [((1800.0, 1700.0, 1000.0), 1700.0), ((1800.0, 1720.0, 1800.0), None)])
def test_a_clock_that_falls_while_a_step_runs(values: tuple[float, ...], lowest: float | None) -> None:
    """The step runs from 2 to 4 µs; the values begin at 0, 3 and 9 µs."""
    track = counter(0, 0, np.array([0.0, 3.0, 9.0]), np.array(values))
    line = replace(timeline([("AI Core Freq", "t", [])], counters=track), origin=Decimal(made.ZERO) / 1000)
    profile = made.profile([Kernel(2000, 2000)]).with_section(line)
    found = of(profile, "ascend.capture.frequency")
    assert [one.evidence[0].value for one in found] == ([] if lowest is None else [lowest])


def test_long_collections_of_python() -> None:
    lanes = [
        ("Python", "Thread 1", [[(0.0, 900.0, "GC", ""), (2000.0, 1500.0, "GC", ""), (9000.0, 2500.0, "step", "")]]),
        ("CANN", "Thread 1", [[(0.0, 9000.0, "GC", "")]]),
    ]
    profile = made.profile([Kernel(0, 5)]).with_section(timeline(lanes))
    finding = only(profile, "ascend.capture.gc")
    assert [one.value for one in finding.evidence] == [pytest.approx(1.5e-3)]
    assert why(made.profile([Kernel(0, 5)]), "ascend.capture.gc")


def test_waiting_for_data() -> None:
    rows = made.framework_of([("enumerate(DataLoader)#_SingleProcess.__next__", 0.03), ("aten::add", 0.5)])
    two = made.profile([Kernel(0, 5, step=1), Kernel(9, 5, step=2)], framework_operators=rows)
    assert only(two, "ascend.capture.dataloader").evidence[0].value == pytest.approx(0.015)
