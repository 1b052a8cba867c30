"""Rules about Ascend operators report what was planted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.findings import outcomes, ranked
from app.analysis.findings.finding import Finding, Rule
from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.profile.ascend import (
    CoreLoad,
    Instructions,
    Lines,
    MemoryAccesses,
    MemoryBlocks,
    MemoryPaths,
    Operator,
    Roofline,
    StallReasons,
    TypedColumn,
)
from app.profile.profile import Origin, Profile
from app.profile.selection import Selection
from app.profile.strings import Strings

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))
SAMPLE = Path(__file__).parents[3] / "resources" / "samples" / "matmul_leakyrelu.bin"
NONE = np.full(2, np.nan)


def only(profile: Profile, rule: str) -> Finding:
    """The single finding, which must be that rule's; what bounds the time is no defect."""
    ((own, finding),) = faults(profile)
    assert own.id == rule
    return finding


def faults(profile: Profile) -> list[tuple[Rule, Finding]]:
    return [pair for pair in ranked(outcomes(profile)) if pair[0].id != "time.verdict"]


def clean(profile: Profile) -> bool:
    return not faults(profile)


def blocks(*durations: float, **fields: Any) -> Profile:
    column = TypedColumn("Duration(us)", "float", np.array(durations)[:, None])
    base = Operator(
        "op", "vector", "vector", "Ascend910B4", block_dim=40, duration_us=max(durations), blocks=(column,), **fields
    )
    return BARE.with_section(base)


def ids(*texts: str) -> tuple[Strings, Any]:
    return Strings.of(texts), np.arange(len(texts), dtype=np.int32)


def test_a_block_that_takes_longer() -> None:
    finding = only(blocks(*[10.0] * 39, 20.0, frequency_mhz=1800, rated_frequency_mhz=1800), "ascend.uneven-work")
    mean = (39 * 10 + 20) / 40
    assert finding.evidence[0].key == "39"
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx((20 - mean) * 1e-6)
    assert clean(blocks(*[10.0] * 40, frequency_mhz=1800, rated_frequency_mhz=1800))


def test_the_longest_block_is_selected_by_its_number_and_not_by_its_row() -> None:
    strings, codes = ids("4", "5", "9")
    profile = blocks(10.0, 10.0, 30.0)
    assert profile.operator is not None
    numbered = TypedColumn("Block ID", "text", codes[:, None], strings)
    named = replace(profile.operator, blocks=(numbered, *profile.operator.blocks))
    findings = [only(own, "ascend.uneven-work") for own in (profile, BARE.with_section(named))]
    assert [finding.evidence[0].selection for finding in findings] == [None, Selection("block", (9,))]


def test_a_frequency_below_the_rated_one() -> None:
    finding = only(blocks(*[10.0] * 40, frequency_mhz=900, rated_frequency_mhz=1800), "ascend.frequency")
    assert [evidence.value for evidence in finding.evidence] == [900e6, 1800e6]
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(5e-6)


@pytest.mark.parametrize(("cycles", "core"), [((100, 100, 100, 160), "7"), ((160, 100, 100, 100), "4")])
def test_a_core_that_works_longer_than_its_kind(cycles: tuple[int, ...], core: str) -> None:
    strings, kinds = ids("Vector", "0")
    load = CoreLoad(
        soc="",
        operator_type="",
        advice="",
        strings=strings,
        core=np.arange(4, 8, dtype=np.int32),
        type=np.repeat(kinds[:1], 4),
        sub_core=np.repeat(kinds[1:], 4),
        cycles=np.array(cycles, float),
        throughput=np.ones(4),
        hit_rate=np.ones(4),
        simt_instructions=np.full(4, np.nan),
        simt_ipc=np.full(4, np.nan),
    )
    finding = only(BARE.with_section(load), "ascend.uneven-work")
    assert finding.evidence[0].key == core
    assert finding.evidence[0].selection == Selection("core", (int(core),))
    unnumbered = only(BARE.with_section(replace(load, core=np.full(4, -1, np.int32))), "ascend.uneven-work")
    assert unnumbered.evidence[0].selection is None
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(160 - 115)


def roof(performance: float) -> Profile:
    strings, names = ids("GM", "Cube FP16")
    one = np.ones(1)
    return BARE.with_section(
        Roofline(
            advice="",
            strings=strings,
            titles=("Memory Unit",),
            chart=np.zeros(1, np.int32),
            bandwidth_name=names[:1],
            compute_name=names[1:],
            bandwidth=one,
            compute=10 * one,
            intensity=4 * one,
            performance=performance * one,
            ratio=one,
        )
    )


def test_far_from_every_roof_and_near_one() -> None:
    far, near = only(roof(1.0), "ascend.roofline"), only(roof(3.6), "ascend.roofline")
    assert (far.severity, near.severity) == ("warning", "info")
    assert far.evidence[0].value == pytest.approx(25)
    assert near.evidence[0].value == pytest.approx(90)
    assert "Memory bound" in near.title
    assert far.evidence[2].value == pytest.approx(4)


@pytest.mark.parametrize(("hit", "miss", "low"), [(10, 90, True), (90, 10, False)])
def test_a_low_hit_rate(hit: float, miss: float, low: bool) -> None:
    none, three = np.full(1, np.nan), np.full((1, 3), np.nan)
    zero = np.zeros(1, np.int32)
    of_blocks = MemoryBlocks(
        block=zero,
        operator_type=zero,
        soc=zero,
        hit=np.array([float(hit)]),
        miss=np.array([float(miss)]),
        total=none,
        hit_rate=none,
        unit_cycles=three,
        unit_total_cycles=three,
        unit_ratio=three,
        advice=((),),
    )
    empty = np.empty(0, np.int32)
    floats = np.empty(0)
    paths = MemoryPaths(
        strings=Strings.of(["0"]),
        entry=empty,
        path=empty,
        request=floats,
        bandwidth=floats,
        peak=floats,
        display=np.empty(0, np.bool_),
        bandwidth_suffix=empty,
        request_suffix=empty,
        blocks=of_blocks,
    )
    profile = BARE.with_section(paths)
    if low:
        assert [evidence.value for evidence in only(profile, "ascend.l2-hits").evidence] == [10, 90]
    else:
        assert clean(profile)


def accesses(sizes: list[int], addresses: list[int], operation: int = 2) -> Profile:
    count = len(sizes)
    return BARE.with_section(
        MemoryAccesses(
            operation=np.full(count, operation, np.uint8),
            core=np.zeros(count, np.int32),
            space=np.ones(count, np.int32),
            block_type=np.zeros(count, np.uint8),
            record=np.arange(100, 100 + count, dtype=np.int64),
            address=np.array(addresses, np.uint64),
            size=np.array(sizes, np.uint64),
            pc=np.zeros(count, np.uint64),
        )
    )


def test_small_and_misaligned_transfers() -> None:
    small = only(accesses([64, 4096, 32, 8192], [0, 64, 128, 512]), "ascend.small-transfers")
    assert [evidence.key for evidence in small.evidence] == ["100", "102"]
    odd = only(accesses([4096] * 3, [0, 65, 128]), "ascend.misaligned")
    assert [(evidence.key, evidence.figure) for evidence in odd.evidence] == [("101", "size at address 0x41")]
    assert clean(accesses([4096] * 3, [0, 64, 128]))
    assert {outcome.why for outcome in outcomes(accesses([64], [1], operation=0)) if outcome.why} == {
        "the file lists no transfers from or to main memory"
    }


def cost(*cycles: int) -> tuple[TypedColumn, ...]:
    return (TypedColumn("Cycles", "int", np.array(cycles, np.int64)[:, None]),)


def test_a_hot_line_and_a_hot_instruction() -> None:
    strings, _ = ids("/src/kernel.cpp", "add", "mov")
    count = 3
    zero, ranges = np.zeros(count, np.int32), np.zeros(count + 1, np.int64)
    none = np.empty(0, np.int64)
    number = np.array([7, 8, 9], np.int32)
    hot = Lines((), strings, zero, number, ranges, none, none, cost(10, 80, 10))
    line = only(BARE.with_section(hot), "ascend.hot-line")
    assert line.evidence[0].key == "kernel.cpp:8"
    assert line.saving is not None
    assert line.saving.at_most == pytest.approx(80)
    code = Instructions(
        ("a",),
        strings,
        np.array([16, 32, 48], np.int64),
        np.arange(3),
        zero,
        np.array([1, 2, 1], np.int32),
        zero,
        number,
        True,
        cost(1, 1, 98),
    )
    assert only(BARE.with_section(code), "ascend.hot-instruction").evidence[0].key == "0x30"
    even = Lines((), strings, zero, number, ranges, none, none, cost(-1, -1, -1))
    (outcome,) = (outcome for outcome in outcomes(BARE.with_section(even)) if outcome.why)
    assert outcome.why == "the file has no costs of source lines"


def test_the_reason_of_most_stalls() -> None:
    stalls = StallReasons(Strings.of(["wait", "busy", "none"]), np.array([70.0, 30.0, np.nan]))
    finding = only(BARE.with_section(stalls), "ascend.stall-reason")
    assert [evidence.value for evidence in finding.evidence] == [70, 100]


def test_figures_of_the_bundled_sample_hold() -> None:
    (profile,) = read(FORMAT, [SAMPLE])
    known = {rule.id: finding for rule, finding in ranked(outcomes(profile))}
    paths = profile.memory_paths
    assert paths is not None
    hits = known["ascend.l2-hits"].evidence
    assert [evidence.value for evidence in hits] == [sum(paths.blocks.hit.tolist()), sum(paths.blocks.miss.tolist())]
    operator = profile.operator
    assert operator is not None
    most = known["ascend.uneven-work"].evidence[0]
    stored = [column.values[int(most.key), 0] / 1e6 for column in operator.blocks if column.name.endswith("(μs)")]
    assert most.value == pytest.approx(max(stored))
