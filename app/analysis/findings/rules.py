"""The list of rules."""

from __future__ import annotations

from typing import Final

from app.analysis.findings import (
    any_file,
    ascend_cores,
    ascend_memory,
    ascend_pipes,
    ascend_units,
    capture_host,
    capture_kernels,
    capture_ranks,
    capture_steps,
    popef,
    poplar_memory,
    poplar_run,
    pypto,
    tensorflow,
    tenstorrent,
    tiles,
    time_rules,
    trace,
)
from app.analysis.findings.finding import Rule
from app.analysis.findings.thresholds import LIMITS
from app.profile.profile import Profile

RULES: Final[tuple[Rule, ...]] = (
    *time_rules.RULES,
    *poplar_memory.RULES,
    *poplar_run.RULES,
    *ascend_cores.RULES,
    *ascend_memory.RULES,
    *ascend_pipes.RULES,
    *ascend_units.RULES,
    *tensorflow.RULES,
    *trace.RULES,
    *capture_ranks.RULES,
    *capture_steps.RULES,
    *capture_kernels.RULES,
    *capture_host.RULES,
    *pypto.RULES,
    *tenstorrent.RULES,
    *tiles.RULES,
    *popef.RULES,
    *any_file.RULES,
)
"""In the order of their families; findings are ranked by ``ranked``."""


def thresholds_of(profile: Profile) -> frozenset[str]:
    """The names of the thresholds of the rules that apply to a profile, and of those about any comparison."""
    own = {name for rule in RULES if rule.applies(profile) for name in rule.thresholds}
    used = {name for rule in RULES for name in rule.thresholds}
    return frozenset(own | (set(LIMITS) - used))
