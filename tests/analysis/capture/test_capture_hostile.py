"""Sections with any values that a reader lets through end in figures, tables and findings, without a warning."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from app.analysis.capture.slices import collective_slices, kernel_slices
from app.analysis.checks import check
from app.analysis.compare.comparison import Comparison
from app.analysis.figures import figures
from app.analysis.findings import outcomes
from app.analysis.parts.offered import part_named, part_of, parts
from app.analysis.tables import available
from app.analysis.verdicts import verdicts
from app.analysis.verdicts.lines import expert_lines
from app.profile.arrays import sealed
from app.profile.profile import Profile
from fakes import capture_sections as made
from fakes.capture_sections import Kernel, Link, Operation, Packet, Step
from generators.timelines import timeline

SECTIONS = (
    "kernels",
    "collectives",
    "packets",
    "links",
    "training_steps",
    "memory_record",
    "memory_operators",
    "calls",
    "framework_operators",
)
LARGE = 2**62
KEPT = {"rank", "name", "type", "core", "group", "kind", "component", "level", "transport", "selection", "mode"}


def whole() -> Profile:
    ranks = range(3)
    lanes = [(f"Rank {rank} · Ascend Hardware", "Stream 2", [[(1.0, 1.0, "add_0", "")]]) for rank in ranks]
    return made.profile(
        [Kernel(at, 5, rank, at % 2) for rank in ranks for at in range(6)],
        [Operation(at, at + 9, rank, name=f"hcom_allReduce__{at}") for rank in ranks for at in range(5)],
        ranks=ranks,
        pmu={"aiv_mte2_ratio": [0.5] * 18},
        packets=made.packets_of([Packet(1e6, 3, 0.1, rank=rank) for rank in ranks]),
        links=made.links_of([Link(rank, 2, 1e6, 0.1, rank=rank) for rank in ranks]),
        training_steps=made.steps_of([Step(rank, step, computing=1.0) for rank in ranks for step in range(2)]),
        memory_record=made.memory_of([("PTA", at, 5, 9, 3) for at in range(4)]),
        memory_operators=made.holders_of([("a", 3, at, -1) for at in range(4)]),
        calls=made.calls_of([("node", "launch", 3, 0.1), ("acl", "aclrtMalloc", 3, 0.1)]),
        framework_operators=made.framework_of([("enumerate(DataLoader)", 0.1)]),
    ).with_section(timeline(lanes))


def spoilt(section: Any, rng: np.random.Generator) -> Any:
    """A copy with some cells that are unknown, huge, tiny or negative; indices stay what they are."""
    changes: dict[str, Any] = {}
    for name in section.__struct_fields__:
        values = getattr(section, name)
        if name in KEPT or not isinstance(values, np.ndarray) or values.dtype == np.int32:
            continue
        cells = values.copy()
        at = rng.random(len(cells)) < 0.4
        odd = (
            np.array([np.nan, np.inf, -np.inf, 1e308, -1e308, 0.0, 1e-320])
            if cells.dtype.kind == "f"
            else np.array([-1, 0, 1, LARGE, -LARGE])
        )
        cells[at] = rng.choice(odd, int(at.sum()))
        changes[name] = sealed(cells)
    return replace(section, **changes)


def use(profile: Profile) -> None:
    figures(profile)
    for table in available(profile):
        for column in table.columns:
            [column.value(row) for row in range(table.rows)]
    check(profile)
    outcomes(profile)
    verdicts(profile, None, expert_lines(profile))
    kernel_slices(profile)
    collective_slices(profile)
    parts(profile)
    use_part = part_of(profile, part_named(profile, "rank=1"))
    Comparison(use_part, profile).table("kernels")


@pytest.mark.parametrize("seed", range(25))
def test_any_values_end_in_something(seed: int) -> None:
    rng = np.random.default_rng(seed)
    profile = whole()
    for name in SECTIONS:
        section: Any = profile.section(name)
        profile = replace(profile, **{name: None if rng.random() < 0.1 else spoilt(section, rng)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        use(profile)


def test_no_rows_end_in_something() -> None:
    profile = whole()
    none = np.empty(0, np.int64)
    for name in SECTIONS:
        section: Any = profile.section(name)
        empty: dict[str, Any] = {
            field: sealed(value[none])
            for field in section.__struct_fields__
            if isinstance(value := getattr(section, field), np.ndarray)
        }
        if name == "kernels":
            empty["pmu"] = ()
        profile = replace(profile, **{name: replace(section, **empty)})
    use(profile)
