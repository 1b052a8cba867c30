"""Borders of IPUs cost as much as is seen of them, however many IPUs a file claims to have."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QApplication

from app.panels.steps.tiles_scene import draw_ipus
from app.views.axis import TileAxis
from app.views.look import LIGHT
from app.widgets.plane.view import PlaneView, lay_out
from app.widgets.tile_axis import draw_borders

PLACE = QRectF(0, 0, 800, 600)


class Lines:
    """A painter that counts."""

    def __init__(self) -> None:
        self.drawn: list[QLineF] = []

    def setPen(self, _: object) -> None: ...

    def drawLine(self, line: QLineF) -> None:
        self.drawn.append(line)


@pytest.mark.parametrize(
    ("group", "start", "end", "borders"),
    [(0, 0, 64, []), (16, 0, 64, [16, 32, 48]), (16, 20, 40, [32]), (16, 16, 32.5, [16, 32]), (100, 0, 64, [])],
)
def test_borders_between_two_places(group: int, start: float, end: float, borders: list[int]) -> None:
    assert list(TileAxis(64, group=group).borders(start, end)) == borders


@pytest.mark.parametrize(("group", "zoom", "count"), [(1, 1.0, 0), (1 << 18, 1.0, 3), (1, 1 / 50_000, 20), (0, 1.0, 0)])
def test_lines_between_ipus(qapp: QApplication, group: int, zoom: float, count: int) -> None:
    tiles, painter, across = 1 << 20, Lines(), Lines()
    view = PlaneView.whole(10.0, float(tiles), (1.0, 1.0)).zoomed(1.0, 1 / zoom, (0.0, tiles / 2))
    layout = lay_out(PLACE, view, QFontMetricsF(qapp.font()), 60.0)
    draw_ipus(cast("QPainter", painter), layout, tiles, group, LIGHT)
    assert len(painter.drawn) == pytest.approx(count, abs=2)
    axis = TileAxis(tiles, group=group)
    draw_borders(cast("QPainter", across), PLACE, view.y.start, view.y.end, axis, LIGHT)
    assert len(across.drawn) == pytest.approx(count, abs=2)
