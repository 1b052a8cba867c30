"""The pictures of the page, one after the other: they are drawn by Qt, in the thread of the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.language import tr
from app.panels.picture import plots, rendered
from app.profile.profile import Profile
from app.report.chosen import CHARTS, MOST_CHARTS
from app.report.contents import Chart

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

SIZE = 960, 420


def count(profile: Profile) -> int:
    """How many pictures the page has."""
    return len(_chosen(profile))


def charts(profile: Profile, comparison: Comparison | None = None) -> Iterator[Chart]:
    """Draws each in both themes, with the baseline where it has such a picture."""
    offered = {plot.id: plot for plot in plots(profile)}
    for name in _chosen(profile):
        plot = offered[name]
        light, dark = (
            rendered(plot, profile, ".svg", SIZE, theme, comparison=comparison) for theme in ("light", "dark")
        )
        compared = comparison is not None and plot.compared is not None
        title = tr("{plot}, with the baseline", plot=plot.title) if compared else plot.title
        yield Chart(title, light, dark)


def _chosen(profile: Profile) -> list[str]:
    offered = {plot.id for plot in plots(profile)}
    names: list[str] = [name for name in CHARTS if name in offered]
    if "tile-memory-by-category" in names and "tile-memory" in names:
        names.remove("tile-memory")  # the same bars without their parts
    return names[:MOST_CHARTS]
