"""Plots of the tile memory panel for export."""

from __future__ import annotations

from app.analysis.memory import Breakdown, series
from app.analysis.tile_figures import FIGURES, Choice, content_of
from app.language import tr
from app.panels.spec import PlotSpec
from app.panels.tile_memory.compared_picture import draw_bars_compared, draw_floor_compared, draw_histogram_compared
from app.panels.tile_memory.picture import draw_bars, draw_content, draw_floor_of, draw_histogram_of


def _plot(plot_id: str, title: str, by: Breakdown) -> PlotSpec:
    return PlotSpec(
        plot_id,
        title,
        lambda profile: profile.tile_memory is not None and series(profile, by) is not None,
        lambda painter, place, profile, theme: draw_bars(painter, place, profile, theme, by),
        lambda painter, place, comparison, theme: draw_bars_compared(painter, place, comparison, theme, by),
        plain=True,
    )


SYNC = next(figure for figure in FIGURES if figure.id == "sync-delay")

PLOTS = (
    _plot("tile-memory", tr("Memory per tile"), "none"),
    _plot("tile-memory-by-region", tr("Memory per tile by region"), "region"),
    _plot("tile-memory-by-category", tr("Memory per tile by category"), "category"),
    _plot("tile-memory-by-liveness", tr("Memory per tile, always live and temporary"), "liveness"),
    _plot("tile-memory-by-overlap", tr("Memory per tile, overlapped or not"), "overlap"),
    PlotSpec(
        "tile-memory-histogram",
        tr("Tiles by memory"),
        lambda profile: series(profile) is not None,
        draw_histogram_of,
        draw_histogram_compared,
    ),
    PlotSpec(
        "tile-floor-plan",
        tr("Memory of the tiles as a grid"),
        lambda profile: series(profile) is not None,
        draw_floor_of,
        draw_floor_compared,
        plain=True,
    ),
    PlotSpec(
        "sync-delay",
        tr("Sync delay per tile"),
        lambda profile: SYNC.make(profile) is not None,
        lambda painter, place, profile, theme: draw_content(
            painter, place, content_of(profile, Choice(SYNC.id, SYNC.title, SYNC)), theme
        ),
    ),
)
