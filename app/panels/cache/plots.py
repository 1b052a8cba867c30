"""Plots of the cache panel for export."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.language import tr
from app.panels.cache.grid import split
from app.panels.cache.scene import CacheScene, picture_of
from app.panels.spec import PlotSpec
from app.profile.profile import Profile
from app.views.cache.maps import CacheMap, line_maps, set_maps
from app.views.look import Look
from app.views.theme import Theme
from app.widgets.plane.scene import draw_whole


def _draw(painter: QPainter, place: QRectF, maps: tuple[CacheMap, ...], theme: Theme) -> None:
    look = Look(theme=theme)
    for shown, part in zip(maps, split(place, len(maps)), strict=True):
        scene = CacheScene(shown, picture_of(shown, "share"), lambda _map, _cell: None)
        draw_whole(painter, part, scene, look)


def _has_lines(profile: Profile) -> bool:
    return profile.cache is not None and profile.cache.lines is not None and len(profile.cache.lines.line) > 0


def _has_sets(profile: Profile) -> bool:
    return profile.cache is not None and profile.cache.sets is not None and len(profile.cache.sets) > 0


def _draw_lines(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    assert profile.cache is not None
    _draw(painter, place, line_maps(profile.cache), theme)


def _draw_sets(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    assert profile.cache is not None
    _draw(painter, place, set_maps(profile.cache), theme)


PLOTS = (
    PlotSpec("cache-lines", tr("Hits and misses of cache lines"), _has_lines, _draw_lines),
    PlotSpec("cache-sets", tr("Events of cache sets"), _has_sets, _draw_sets),
)
