"""The pictures of the page, one after the other: they are drawn by Qt, in the thread of the window."""

from __future__ import annotations

from collections.abc import Iterator

from app.panels.picture import plots, rendered
from app.profile.profile import Profile
from app.report.chosen import CHARTS, MOST_CHARTS
from app.report.contents import Chart

SIZE = 960, 420


def count(profile: Profile) -> int:
    """How many pictures the page has."""
    return len(_chosen(profile))


def charts(profile: Profile) -> Iterator[Chart]:
    """Draws each in both themes."""
    offered = {plot.id: plot for plot in plots(profile)}
    for name in _chosen(profile):
        plot = offered[name]
        light, dark = (rendered(plot, profile, ".svg", SIZE, theme) for theme in ("light", "dark"))
        yield Chart(plot.title, light, dark)


def _chosen(profile: Profile) -> list[str]:
    offered = {plot.id for plot in plots(profile)}
    names: list[str] = [name for name in CHARTS if name in offered]
    if "tile-memory-by-category" in names and "tile-memory" in names:
        names.remove("tile-memory")  # the same bars without their parts
    return names[:MOST_CHARTS]
