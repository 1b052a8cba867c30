"""Random runs of tiles and threads by a scheduler of the tests' own: no bound is below what is really saved."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import numpy as np
from msgspec.structs import replace

from app.analysis.time.floors import at_most, hidden_floor, shortened_floor
from app.profile.arrays import F64
from generators.schedules import THREADS, Step, as_tasks, random_steps, run, span_of

CASES = 1000


def lengths(steps: Sequence[Step]) -> list[float]:
    return [max(step.tiles) for step in steps]


def computes(step: Step) -> bool:
    return step.lane != "host" and not step.exchange


def floor_of(steps: Sequence[Step], saved: F64, other: float = 0.0) -> tuple[float, float]:
    """(span, floor) if each step takes ``saved`` less."""
    works = lengths(steps)
    times = np.array(run(as_tasks(steps, works)))
    span = float(times[:, 1].max())
    chosen = np.flatnonzero(saved > 0)
    start, end = times[chosen, 0], times[chosen, 1]
    floor = shortened_floor(span, start, end, end - start, saved[chosen], other)
    assert not floor.estimated
    return span, floor.value


def ratio(seed: int, steps: Sequence[Step], saved: F64, other: float = 0.0) -> float | None:
    """What is really saved / the bound; None where the bound is below 2 % of the span."""
    works = np.array(lengths(steps))
    span, floor = floor_of(steps, saved, other)
    bound = at_most(span, floor)
    true = span - span_of(run(as_tasks(steps, (works - saved).tolist())))
    assert bound >= true - 1e-9 * span, seed
    return true / bound if bound > 0.02 * span else None


def known(ratios: Sequence[float | None]) -> list[float]:
    return [one for one in ratios if one is not None]


def test_balanced_tiles() -> None:
    ratios = []
    for seed in range(CASES):
        steps = random_steps(seed)
        saved = [max(step.tiles) - sum(step.tiles) / len(step.tiles) for step in steps]
        ratios.append(ratio(seed, steps, np.array(saved)))
    assert len(known(ratios)) > CASES // 4
    assert median(known(ratios)) >= 0.7


def test_busy_threads() -> None:
    ratios = []
    for seed in range(CASES):
        steps = random_steps(seed)
        full = [max(sum(tile) / THREADS for tile in step.threads) for step in steps]
        saved = [max(step.tiles) - least if computes(step) else 0.0 for step, least in zip(steps, full, strict=True)]
        ratios.append(ratio(seed, steps, np.array(saved)))
        for step, least in zip(steps, full, strict=True):  # what follows from the means over tiles is lower
            tiles, use = sum(step.tiles), sum(map(sum, step.threads)) / THREADS
            balance = tiles / len(step.tiles) / max(step.tiles)
            assert max(use / tiles * balance, 1 / THREADS) * max(step.tiles) <= least + 1e-9
    assert median(known(ratios)) >= 0.7


def test_no_exchanges() -> None:
    ratios = []
    for seed in range(CASES):
        steps = random_steps(seed)
        works = np.array(lengths(steps))
        saved = np.where([step.exchange for step in steps], works, 0.0)
        lanes = {step.lane for step in steps}
        rest = (
            sum(left for left, step in zip(works - saved, steps, strict=True) if step.lane == lane) for lane in lanes
        )
        ratios.append(ratio(seed, steps, saved, float(max(rest))))
    assert median(known(ratios)) >= 0.7


def test_hidden_transfers() -> None:
    ratios = []
    for seed in range(CASES):
        steps = random_steps(seed, ipus=1)
        works = lengths(steps)
        span = span_of(run(as_tasks(steps, works)))
        host = [step.lane == "host" for step in steps]
        alone = [
            replace(step, after=tuple(one for one in step.after if host[one] == host[number]))
            for number, step in enumerate(steps)
        ]
        own = {
            lane: sum(work for work, step in zip(works, steps, strict=True) if step.lane == lane)
            for lane in ("host", "tiles0")
        }
        bound = at_most(span, hidden_floor(own).value)
        true = span - span_of(run(as_tasks(alone, works)))
        assert bound >= true - 1e-9 * span, seed
        if bound > 0.02 * span:
            ratios.append(true / bound)
    assert median(ratios) >= 0.7


def test_steps_whose_times_are_unknown_have_a_wide_bound() -> None:
    unknown, cycles = np.full(3, -1.0), np.array([10.0, 20.0, 30.0])
    floor = shortened_floor(100.0, unknown, unknown, cycles, cycles / 2)
    assert (floor.value, floor.estimated) == (70.0, True)
    assert shortened_floor(20.0, unknown, unknown, cycles, cycles / 2).value == 15.0
    assert shortened_floor(100.0, np.empty(0), np.empty(0), np.empty(0), np.empty(0)).value == 100.0
