"""The main figures of a profile, named as in the output of `info --json` (cli: figures)."""

from __future__ import annotations

from collections.abc import Callable

from app.analysis.figures import ascend, ascend_report, host_events, onchip, popef, poplar, tensor_map, timeline
from app.analysis.figures.figure import Figure, Value
from app.profile.profile import Profile

__all__ = ["SOURCES", "Figure", "Value", "figures"]

SOURCES: tuple[Callable[[Profile], list[Figure]], ...] = (
    ascend.figures,
    ascend_report.figures,
    popef.figures,
    poplar.figures,
    timeline.figures,
    onchip.figures,
    host_events.figures,
    tensor_map.figures,
)


def figures(profile: Profile) -> list[Figure]:
    """All figures that apply to ``profile``, family by family."""
    return [figure for source in SOURCES for figure in source(profile)]
