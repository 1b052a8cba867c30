"""The main figures of a profile, named as in the output of `info --json` (cli: figures)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from app.analysis.figures.figure import Figure, Value
from app.profile.profile import Profile

__all__ = ["Figure", "Source", "Value", "figures", "sources"]

Source: TypeAlias = Callable[[Profile], list[Figure]]


def sources(profile: Profile) -> Iterator[Source]:
    """What makes the figures of ``profile``. Each family is imported only with a profile that has something of it."""
    families = profile.families()
    if families & {"ascend", "ascend_report"}:
        from app.analysis.figures import ascend

        yield from (ascend.figures, ascend.report_figures)
    if "popef" in families:
        from app.analysis.figures import popef

        yield popef.figures
    if profile.origin.format == "poplar":
        from app.analysis.figures import poplar

        yield poplar.figures
    if "timeline" in families:
        from app.analysis.figures import timeline

        yield timeline.figures
    if "ascend_report" in families:
        yield ascend.onchip_figures
    if "tensorflow" in families:
        from app.analysis.figures import tensorflow

        yield from (tensorflow.figures, tensorflow.tensor_map_figures)


def figures(profile: Profile) -> list[Figure]:
    """All figures that apply to ``profile``, family by family."""
    return [figure for source in sources(profile) for figure in source(profile)]
