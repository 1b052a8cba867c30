"""Each rule reports exactly what was planted, with figures that can be recomputed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.findings import outcomes, ranked
from app.analysis.findings.compared import ROWS, TOTALS
from app.analysis.findings.finding import Finding
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT, LIMITS, Thresholds, changed, with_values
from app.profile.ascend import Operator
from app.profile.poplar import TileMemory
from app.profile.profile import Origin, Profile, Target

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))
LIMIT = 1000


def operator(blocks: int) -> Profile:
    base = Operator("op", "cube", "cube", "Ascend910B4", block_dim=blocks, duration_us=100.0)
    return BARE.with_section(base)


def tiles(*total: int) -> Profile:
    memory = TileMemory(tiles=len(total), total_with_gaps=np.array(total, np.int64))
    target = replace(TARGET, tiles=len(total), bytes_per_tile=LIMIT)
    return BARE.with_section(memory).with_section(target)


TARGET = Target(kind="IPU")


def ids(profile: Profile, thresholds: Thresholds = DEFAULT) -> list[str]:
    return [rule.id for rule, _ in ranked(outcomes(profile, thresholds))]


def only(profile: Profile, rule: str) -> Finding:
    ((own, finding),) = ranked(outcomes(profile))
    assert own.id == rule
    return finding


def test_nothing_is_reported_of_a_clean_profile() -> None:
    assert ids(BARE) == ids(operator(20)) == ids(operator(40)) == ids(tiles(400, 410, 390, 400)) == []


def test_cores_without_a_block() -> None:
    finding = only(operator(2), "ascend.unused-cores")
    assert [evidence.value for evidence in finding.evidence] == [2, 20]
    assert finding.saving is not None
    assert finding.saving.at_most == pytest.approx(100e-6 * 18 / 20)


def test_a_last_wave_that_is_nearly_empty() -> None:
    assert only(operator(21), "ascend.last-wave").confidence == "estimated"
    assert ids(operator(30)) == []  # half of the cores work
    assert ids(operator(30), Thresholds(last_wave=60)) == ["ascend.last-wave"]


def test_out_of_memory_names_the_tiles_that_are_over() -> None:
    finding = only(tiles(900, 1010, 950, 1100), "poplar.out-of-memory")
    assert finding.severity == "error"
    over = [(evidence.key, evidence.value) for evidence in finding.evidence if float(evidence.value) > LIMIT]
    assert over == [("3", 1100), ("1", 1010)]


def test_an_imbalance_is_a_warning_only_where_it_is_nearly_full() -> None:
    light = only(tiles(100, 100, 100, 500), "poplar.memory-imbalance")
    assert light.severity == "info"
    assert light.saving is not None
    assert light.saving.at_most == 300
    assert only(tiles(100, 100, 100, 950), "poplar.memory-imbalance").severity == "warning"


def test_a_rule_that_lacks_data_says_what() -> None:
    unnamed = BARE.with_section(Operator("op", "cube", "cube", "", block_dim=2))
    blocks, work = "the file has durations for fewer than two blocks", "the file does not state how long pipes work"
    pipes, table = "the file has no timeline of pipes", "the file has neither a timeline of pipes nor their wait cycles"
    assert {outcome.rule.id: outcome.why for outcome in outcomes(unnamed) if outcome.why} == {
        "ascend.unused-cores": "the file does not name the chip",
        "ascend.last-wave": "the file does not name the chip",
        "time.verdict": "the file has neither times of pipes nor launches and dependencies",
        "ascend.uneven-work": blocks,
        "ascend.vector-pair": blocks,
        "ascend.time-outside-blocks": blocks,
        "ascend.frequency": "the file does not state both the current and the rated frequency",
        "ascend.pipe-waits": table,
        "ascend.overlap": pipes,
        "ascend.scalar-head": pipes,
        "ascend.latency-bound": work,
        "ascend.cube-waits": work,
        "ascend.cube-idle": "the file has no times of cube cores",
        "ascend.scalar-bound": "the file does not state how long the scalar units work",
        "ascend.conflicts": "the file has no counts of bank and resource conflicts",
        "ascend.instruction-cache": "the file has no counts of instruction cache misses",
    }
    assert ranked(outcomes(unnamed)) == []


def test_every_threshold_is_explained_and_every_rule_named_once() -> None:
    assert tuple(LIMITS) == Thresholds.__struct_fields__
    assert all(limit.help and limit.reason for limit in LIMITS.values())
    rules = (*RULES, TOTALS, ROWS)
    names = [name for rule in rules for name in (rule.id, *rule.aliases)]
    assert len(set(names)) == len(names)
    assert all(rule.title and rule.help for rule in rules)
    assert {name for rule in rules for name in rule.thresholds} == set(LIMITS)


def test_values_from_elsewhere_are_thresholds_only_if_they_can_be() -> None:
    chosen = with_values({"code": 12, "unknown": 3.0, "idle": float("nan"), "host": -1.0, "gaps": DEFAULT.gaps})
    assert chosen == Thresholds(code=12.0)
    assert with_values({"block_imbalance": 7.0}) == Thresholds(uneven_work=7.0)
    assert changed(chosen) == {"code": 12.0}
