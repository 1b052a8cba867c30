"""The limit of a plot stays legible."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from app.profile.arrays import I64
from app.widgets.display import Look
from app.widgets.plane.scene import Marks
from app.widgets.plot.picture import Limit, plot_picture
from app.widgets.plot.scene import PlotScene
from app.widgets.theme import DARK, LIGHT, Theme
from app.widgets.tile_axis import TileAxis

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
