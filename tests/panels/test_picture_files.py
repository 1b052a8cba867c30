"""Pictures as files: the same plot in each format."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPainter

from app.panels.picture import rendered
from app.panels.spec import PlotSpec
from app.profile.profile import Origin, Profile
from app.views.look import Theme

PROFILE = Profile(name="any", origin=Origin("any", ()))


@pytest.mark.usefixtures("qapp")
def test_texts_are_as_large_in_an_svg_as_in_a_png() -> None:
    sizes = []

    def draw(painter: QPainter, place: QRectF, _profile: Profile, _theme: Theme) -> None:
        metrics = QFontMetricsF(painter.font(), painter.device())
        sizes.append((metrics.height(), metrics.horizontalAdvance("640 KiB"), place.width()))

    plot = PlotSpec("any", "Any", lambda _: True, draw)
    for suffix in (".png", ".svg"):
        rendered(plot, PROFILE, suffix, (400, 300), "light")
    assert sizes[0] == pytest.approx(sizes[1], rel=0.02)
