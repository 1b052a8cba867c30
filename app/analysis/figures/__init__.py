"""The main figures of a profile, named as in the output of `info --json` (cli: figures)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from app.analysis.figures.figure import Figure, Value
from app.profile.profile import Profile

__all__ = ["Figure", "Source", "Value", "figures", "sources"]

Source: TypeAlias = Callable[[Profile], list[Figure]]


def sources(profile: Profile, *, whole: bool = False) -> Iterator[Source]:
    """What makes the figures of ``profile``; ``whole``: also those that take seconds. Each family is imported only with
    a profile that has something of it."""
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
    if profile.capture is not None:
        from app.analysis.figures import capture

        yield capture.figures
    if "timeline" in families:
        from app.analysis.figures import timeline

        yield timeline.figures
        if profile.steps is None and profile.host_events is None:
            from app.analysis.figures import time

            yield partial(time.figures, whole=whole)
    if "ascend_report" in families:
        yield ascend.onchip_figures
    if "tensorflow" in families:
        from app.analysis.figures import tensorflow

        yield from (tensorflow.figures, tensorflow.tensor_map_figures)


def figures(profile: Profile, *, whole: bool = False) -> list[Figure]:
    """All figures that apply to ``profile``, family by family; ``whole``: also those that take seconds."""
    return [figure for source in sources(profile, whole=whole) for figure in source(profile)]
