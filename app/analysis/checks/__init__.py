"""Consistency checks of finished profiles: inconsistencies are reported, never repaired."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from app.analysis.checks import ascend, popef, poplar, poplar_run, task_length, tensorflow
from app.profile.issue import Issue
from app.profile.profile import Profile

Check: TypeAlias = Callable[[Profile], list[Issue]]

CHECKS: tuple[Check, ...] = (
    ascend.check,
    task_length.check,
    poplar.target,
    poplar.compute_sets,
    poplar.programs,
    poplar.tile_memory,
    poplar.byte_matrices,
    poplar.instructions,
    poplar_run.cycles,
    poplar_run.steps,
    popef.payloads,
    popef.executables,
    popef.executable_links,
    popef.data_links,
    popef.anchor_data,
    popef.program_flow,
    tensorflow.check,
    tensorflow.check_tensor_map,
)
"""Each returns an empty list for a profile that it does not apply to."""


def check(profile: Profile, look: Callable[[], None] = lambda: None) -> list[Issue]:
    """The issues of all checks, in their order. ``look`` is called before each, and may raise to stop."""
    issues: list[Issue] = []
    for one in CHECKS:
        look()
        issues += one(profile)
    return issues
