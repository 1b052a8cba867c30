"""What Ascend rules say can be saved at most is never below what another schedule of the same work saves."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from app.analysis.ascend.block_times import BlockTimes, block_times
from app.analysis.findings import outcomes
from app.analysis.findings.finding import Finding
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.profile.ascend import Operator, TypedColumn
from app.profile.profile import Origin, Profile
from app.profile.timeline import Timeline
from app.views.sentences import sentence
from generators.schedules import (
    Task,
    as_timeline,
    flagged,
    pipeline,
    random_tasks,
    run,
    run_pool,
    span_of,
    without_buffers,
)

BARE = Profile(name="bare", origin=Origin("any", (Path("/bare"),)))
CASES = 400


def said(profile: Profile, rule: str, thresholds: Thresholds = DEFAULT) -> Finding | None:
    """The finding of one rule; None if it is silent."""
    made = outcomes(profile, thresholds, rules=[own for own in RULES if own.called((rule,))])
    findings = [finding for outcome in made for finding in outcome.findings]
    assert len(findings) <= 1
    return findings[0] if findings else None


def saving(finding: Finding) -> float:
    assert finding.saving is not None
    return finding.saving.at_most


def ran(line: Timeline) -> Profile:
    return BARE.with_section(line)


# -- worked numbers -----------------------------------------------------------------------------------------


def test_one_buffer_waits_and_two_are_bound_by_their_transfers() -> None:
    one = said(ran(flagged()), "ascend.pipe-waits")
    assert one is not None
    assert one.title == "MTE3 waits for VECTOR on core0.veccore0"
    assert saving(one) == pytest.approx(8.10e-6)  # 17.22 - 9.12
    waits = {evidence.figure: evidence.value for evidence in one.evidence}
    before = 0.10e-6  # the first waits begin at 0, the first transfer at 0.10
    assert waits["MTE3 for VECTOR"] == pytest.approx(13.12e-6 + before)
    # 11.80 where each wait begins with the flag that is set before it; here it begins after that, 7 times 0.01 later
    assert waits["VECTOR for MTE2"] == pytest.approx(11.80e-6 - 0.07e-6 + before)
    assert said(ran(flagged()), "ascend.overlap") is None  # the same cause, the same bound

    two = ran(as_timeline(pipeline(buffers=3), 0.1))
    assert {outcome.rule.id for outcome in outcomes(two) if outcome.findings} == {"time.verdict"}
    verdict = said(two, "time.verdict")
    assert verdict is not None
    assert verdict.title == "MTE2 bound"
    text = "MTE2 bound: 8.00 µs of 9.14 µs; at most 40.0 ns can be saved by scheduling."
    assert sentence(verdict.text).startswith(text)


# -- the core that ends last --------------------------------------------------------------------------------


def test_no_bound_of_waits_or_overlap_is_below_what_more_buffers_save() -> None:
    ratios = []
    for seed in range(CASES):
        tasks = random_tasks(seed)
        profile = ran(as_timeline(tasks))
        finding = said(profile, "ascend.pipe-waits") or said(profile, "ascend.overlap")
        if finding is None:
            continue
        saved = span_of(run(tasks)) - span_of(run(without_buffers(tasks)))
        assert 1e6 * saving(finding) >= saved - 1e-9, seed
        ratios.append(saved / (1e6 * saving(finding)))
    assert len(ratios) > CASES / 10
    assert median(ratios) >= 0.7


def test_no_bound_of_latency_or_scalar_work_is_below_what_any_order_saves() -> None:
    """No schedule of the same work is shorter than the busiest pipe; one without dependencies is as short."""
    spoke = 0
    for seed in range(CASES):
        tasks = random_tasks(seed)
        profile = ran(as_timeline(tasks))
        alone = [Task(task.lane, task.name, task.work) for task in tasks]
        finding = said(profile, "ascend.latency-bound")
        if finding is not None:
            spoke += 1
            assert 1e6 * saving(finding) >= span_of(run(tasks)) - span_of(run(alone)) - 1e-9, seed
        finding = said(profile, "ascend.scalar-bound", Thresholds(scalar=0.0))
        if finding is not None:
            without = [Task(task.lane, task.name, 0.0 if task.lane == "SCALAR" else task.work) for task in tasks]
            spoke += 1
            assert 1e6 * saving(finding) >= span_of(run(tasks)) - span_of(run(without)) - 1e-9, seed
    assert spoke > CASES / 50


# -- blocks -------------------------------------------------------------------------------------------------


def operator(times: Sequence[Sequence[float]], duration: float, soc: str = "", type_: str = "mix") -> Profile:
    """``times`` of (cube, vector 0, vector 1) or of a single kind, one row a block, in µs."""
    titles = ("Cube0 Duration (μs)", "Vector0 Duration (μs)", "Vector1 Duration (μs)")
    names = titles if len(times[0]) == 3 else ("Duration (μs)",)
    columns = tuple(
        TypedColumn(name, "float", np.array([row[place] for row in times])[:, None]) for place, name in enumerate(names)
    )
    number = TypedColumn("Block ID", "int", np.arange(len(times))[:, None])
    return BARE.with_section(
        Operator("op", type_, type_, soc, block_dim=len(times), duration_us=duration, blocks=(number, *columns))
    )


def test_six_blocks_with_more_work_are_all_named() -> None:
    profile = operator([[2.0] if row in (1, 3, 4, 6, 8, 9) else [1.0] for row in range(10)], 3.0, "Ascend910B4", "cube")
    finding = said(profile, "ascend.uneven-work")
    assert finding is not None
    assert finding.title == "6 of 10 blocks take longer than the others"
    assert sentence(finding.text).startswith("Blocks 1, 3, 4, 6, 8, 9 take 2.00 µs, the others 1.00 µs on average.")
    assert saving(finding) == pytest.approx(0.4e-6)


def test_the_mix_operator_whose_vector_core_is_the_longest() -> None:
    """The shape 256 of the worked numbers: 9.20 µs, of which the longest block takes 6.138."""
    profile = operator([[3.0, 5.0, 6.138], [3.0, 5.0, 6.1]], 9.20)
    outside = said(profile, "ascend.time-outside-blocks")
    assert outside is not None
    assert saving(outside) == pytest.approx(3.062e-6)
    pair = said(profile, "ascend.vector-pair")
    assert pair is not None
    assert saving(pair) == pytest.approx((6.138 - (5.0 + 6.138) / 2) * 1e-6)
    cube = operator([[6.0, 3.0, 6.0], [6.138, 3.0, 6.0]], 9.20)
    assert said(cube, "ascend.vector-pair") is None  # the cube core lasts as long
    assert said(cube, "ascend.uneven-work") is None


def even_spread(times: np.ndarray, cores: int) -> float:
    """The blocks' work of each kind divided evenly among as many blocks as there are cores."""
    cube, vector = times[:, 0].sum() / cores, times[:, 1:].sum() / (2 * cores)
    return float(max(cube, vector))


def test_no_bound_of_blocks_is_below_what_even_or_spread_work_saves() -> None:
    checked = {"ascend.uneven-work": 0, "ascend.unused-cores": 0, "ascend.vector-pair": 0}
    for seed in range(CASES):
        rng = np.random.default_rng(seed)
        count, outside = int(rng.integers(2, 21)), float(rng.uniform(0.0, 3.0))
        times = rng.uniform(0.5, 2.0, (count, 3)) * rng.choice((1.0, 1.0, 2.0), (count, 1))
        longest = float(times.max())
        profile = operator(times.tolist(), outside + longest, "Ascend910B4")
        means = np.concatenate((times[:, :1], np.repeat(times[:, 1:].mean(axis=1, keepdims=True), 2, 1)), axis=1)
        remains = {
            "ascend.uneven-work": even_spread(times, count),
            "ascend.unused-cores": even_spread(times, 20),
            "ascend.vector-pair": float(means.max()),
        }
        for rule, least in remains.items():
            finding = said(profile, rule)
            if finding is not None:
                checked[rule] += 1
                assert 1e6 * saving(finding) == pytest.approx(longest - least), (seed, rule)
    assert min(checked.values()) > 20


def test_no_bound_of_the_last_wave_is_below_what_a_better_packing_saves() -> None:
    ratios = []
    for seed in range(CASES):
        rng = random.Random(seed)
        tasks = [Task("core", "block", rng.choice((1.0, 1.0, 1.2, 2.0))) for _ in range(rng.randint(21, 70))]
        outside = rng.uniform(0.0, 3.0)
        took = run_pool(tasks, {"core": 20})
        profile = operator([[task.work] for task in tasks], took + outside, "Ascend910B4", "cube")
        best = min(run_pool(rng.sample(tasks, len(tasks)), {"core": 20}) for _ in range(5))
        best = min(best, run_pool(sorted(tasks, key=lambda task: -task.work), {"core": 20}))
        finding = said(profile, "ascend.last-wave", Thresholds(last_wave=101))
        times = block_times(profile)
        assert isinstance(times, BlockTimes)
        assert times.outside[0] * 1e6 <= outside + 1e-9 <= times.outside[1] * 1e6 + 2e-9, seed
        if finding is None:
            assert took - best <= 1e-9, seed
            continue
        assert 1e6 * saving(finding) >= took - best - 1e-9, seed
        ratios.append((took - best) / (1e6 * saving(finding)))
    assert len(ratios) > CASES / 2


def test_even_blocks_in_several_waves_are_not_called_uneven() -> None:
    for soc in ("Ascend910B4", ""):
        assert said(operator([[1.0]] * 50, 4.0, soc, "cube"), "ascend.uneven-work") is None
