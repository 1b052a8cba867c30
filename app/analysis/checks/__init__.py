"""Consistency checks of finished profiles: inconsistencies are reported, never repaired."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from app.profile.issue import Issue
from app.profile.profile import Profile

Check: TypeAlias = Callable[[Profile], list[Issue]]
"""Returns an empty list for a profile that it does not apply to."""


def checks(profile: Profile) -> Iterator[Check]:
    """What checks ``profile``. Each family is imported only with a profile that has something of it."""
    families = profile.families()
    if families & {"ascend", "ascend_report", "timeline"}:
        from app.analysis.checks import ascend, task_length

        yield from (ascend.check, task_length.check)
    if profile.capture is not None:
        from app.analysis.checks import capture

        yield capture.check
    if profile.origin.format == "poplar" or "poplar" in families:
        from app.analysis.checks import poplar, poplar_run

        yield from (poplar.target, poplar.compute_sets, poplar.programs, poplar.tile_memory, poplar.byte_matrices)
        yield from (poplar.instructions, poplar_run.cycles, poplar_run.steps)
    if "popef" in families:
        from app.analysis.checks import popef

        yield from (popef.payloads, popef.executables, popef.executable_links, popef.data_links)
        yield from (popef.anchor_data, popef.program_flow)
    if "tensorflow" in families:
        from app.analysis.checks import tensorflow

        yield from (tensorflow.check, tensorflow.check_tensor_map)


def check(profile: Profile, look: Callable[[], None] = lambda: None) -> list[Issue]:
    """The issues of all checks, in their order. ``look`` is called before each, and may raise to stop."""
    issues: list[Issue] = []
    for one in checks(profile):
        look()
        issues += one(profile)
    return issues
