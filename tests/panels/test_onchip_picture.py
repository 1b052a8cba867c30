"""The picture of a memory plan costs as much as is seen of it."""

from __future__ import annotations

import orjson
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from app.formats.ascend_memory_info import FORMAT
from app.panels.onchip.picture import LEAST, _ticks
from app.views.onchip import boxes_of
from app.widgets.plane.view import PlaneView, lay_out
from generators import memory_plan
from generators.reading import profile_of

PLACE = QRectF(0, 0, 800, 600)


@pytest.mark.parametrize(("zoom", "about"), [(1.0, 0.0), (1 / LEAST[1], 0.0), (1 / LEAST[1], 0.999)])
def test_a_band_has_ticks_where_it_is_seen(qapp: QApplication, zoom: float, about: float) -> None:
    plan = profile_of(FORMAT, orjson.dumps(memory_plan.plan(8, scopes=1))).onchip
    assert plan is not None
    band = replace(boxes_of(plan).bands[0], size=1 << 24)
    view = PlaneView.whole(100.0, 1.0, LEAST).zoomed(1.0, zoom, (0.0, about))
    layout = lay_out(PLACE, view, QFontMetricsF(qapp.font()), 60.0)
    ticks = _ticks(layout, band)
    assert 2 <= len(ticks) <= 40
    assert all(int(tick.label, 16) == round((tick.place - band.low) * band.size) for tick in ticks)
    seen = [tick for tick in ticks if view.y.start <= tick.place <= view.y.end]
    assert len(seen) >= len(ticks) - 2
