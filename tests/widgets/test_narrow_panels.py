"""What a narrow panel does instead of cutting off, and figures among texts."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QApplication

from app.analysis.table import Coded, Column, Table
from app.profile.strings import Strings
from app.views.axis import Span, TileAxis
from app.views.look import LIGHT, Look
from app.views.plot import plot_picture
from app.views.table import Cells
from app.widgets.plot.layout import lay_out
from app.widgets.plot.legend import entries_at
from app.widgets.texts import advance, end_of_path


def test_a_path_begins_with_a_whole_name(qapp: QApplication) -> None:
    metrics = QFontMetricsF(QFont())
    room = advance("…onv3/PreArrange", metrics) + 1
    assert end_of_path("resnet/block1/conv3/PreArrange", metrics, room) == "…/PreArrange"
    long = "resnet/block1/" + "w" * 60 + "/x"
    assert end_of_path(long, metrics, room).endswith("w/x")  # the last name alone would say too little


def test_the_legend_of_a_narrow_plot_is_a_row(qapp: QApplication) -> None:
    shown = plot_picture("x", "B", TileAxis(4), [("Always live", np.ones(4)), ("Temporary", np.ones(4))])
    metrics = QFontMetricsF(QFont())
    narrow, wide = (
        lay_out(QRectF(0, 0, width, 300), shown, Span.whole(4), Look(), metrics) for width in (400.0, 900.0)
    )
    assert narrow.row
    assert narrow.legend.bottom() <= narrow.plot.top()
    assert not wide.row
    place = narrow.legend
    ends = (QPointF(place.left() + 4, place.center().y()), QPointF(narrow.plot.center().x(), narrow.plot.top() + 1))
    assert [[entry.name for entry in entries_at(narrow, shown, LIGHT, end)] for end in ends] == [["Temporary"], []]


def test_figures_among_texts_are_shown_with_their_unit() -> None:
    units = Coded(np.arange(3, dtype=np.int32), Strings.of(["", "B", "Hz"]))
    values = Column("value", "Value", ("IPU_MODEL", "638976", "1330000000"), units=units)
    cells = Cells(Table("target", "Target", (values,)), Look())
    assert [cells.text(0, row) for row in range(3)] == ["IPU_MODEL", "624 KiB", "1.33 GHz"]
    assert cells.tip(0, 1) == "638976 B"
