"""Where the legend of the memory paths stands."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetricsF

from app.analysis.ascend.diagram.parts import Diagram
from app.panels.memory_paths.layout import lay_out
from app.widgets.plane.view import PlaneView


@pytest.mark.usefixtures("qapp")
def test_the_legend_is_where_it_leaves_the_larger_diagram() -> None:
    diagram, metrics = Diagram("mix", "Mix", 640.0, 280.0, (), (), ()), QFontMetricsF(QFont())
    view = PlaneView.whole(diagram.width, diagram.height, (1.0, 1.0))
    for width, height, below in ((900, 250, False), (700, 500, True), (400, 700, True)):
        layout = lay_out(QRectF(0, 0, width, height), diagram, view, metrics)
        assert (layout.legend.top() >= layout.plot.bottom()) == below
        assert not layout.legend.intersects(layout.plot)
