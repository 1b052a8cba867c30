"""The limit of a plot stays legible."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from app.profile.arrays import I64
from app.views.axis import TileAxis
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.plot import Limit, plot_picture
from app.widgets.plane.scene import Marks
from app.widgets.plot.draw import limit_box
from app.widgets.plot.scene import PlotScene

PLACE = QRectF(0, 0, 500, 200)


def painted(theme: Theme, selected: I64) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Where the picture has exactly the colour of the limit."""
    amounts = [("used", np.full(8, 50.0))]
    scene = PlotScene(plot_picture("Memory", "B", TileAxis(8, "Tile"), amounts, limit=Limit(90, "Memory of a tile")))
    image = QImage(500, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    look = Look(theme=theme)
    with QPainter(image) as painter:
        layout = scene.lay_out(PLACE, scene.whole(), look, QFontMetricsF(painter.font(), image))
        scene.draw(painter, layout, look)
        scene.draw_marks(painter, layout, Marks(selected=selected), look)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(200, 500) & 0xFFFFFF
    return np.asarray(pixels == int(theme.error[1:], 16))


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_selection_does_not_cover_the_limit_and_its_label(theme: Theme) -> None:
    alone = painted(theme, np.zeros(0, np.int64))
    assert alone.sum() > 400
    assert np.array_equal(painted(theme, np.arange(8)), alone)


@pytest.mark.usefixtures("qapp")
def test_the_label_of_the_limit_does_not_cover_the_title() -> None:
    title = "Memory of each tile, including gaps between variables"
    scene = PlotScene(plot_picture(title, "B", TileAxis(8, "Tile"), [("used", np.full(8, 85.0))]))
    metrics = QFontMetricsF(QFont())
    for width in (240, 900):
        for height in (70, 200):
            layout = scene.lay_out(QRectF(0, 0, width, height), scene.whole(), Look(), metrics)
            line, middle = layout.plot.top() + 1, layout.head.center().y()
            box = limit_box(layout, title, 120.0, line, over=False)
            written = QRectF(layout.head.left(), middle - 8, metrics.horizontalAdvance(title), 16)
            assert not box.intersects(written)
