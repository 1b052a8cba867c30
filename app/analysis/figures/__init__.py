"""The main figures of a profile, named as in the output of `info --json` (cli: figures)."""

from __future__ import annotations

from collections.abc import Callable

from app.analysis.figures import ascend, popef, poplar, tensorflow, timeline
from app.analysis.figures.figure import Figure, Value
from app.profile.profile import Profile

__all__ = ["SOURCES", "Figure", "Value", "figures"]

SOURCES: tuple[Callable[[Profile], list[Figure]], ...] = (
    ascend.figures,
    ascend.report_figures,
    popef.figures,
    poplar.figures,
    timeline.figures,
    ascend.onchip_figures,
    tensorflow.figures,
    tensorflow.tensor_map_figures,
)


def figures(profile: Profile) -> list[Figure]:
    """All figures that apply to ``profile``, family by family."""
    return [figure for source in SOURCES for figure in source(profile)]
