"""Vertices measured individually: a row per type, and the distribution of the selected types' cycles."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.analysis.kinds import KINDS
from app.analysis.poplar.vertices import of
from app.analysis.tables.poplar_lists import groups
from app.language import plural, tr
from app.panels.vertex_types.distribution import ALL, picture_of, vertices_of
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.views.chart.histogram import HistogramPicture
from app.views.theme import Theme
from app.views.units import format_value
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.context import Context
from app.widgets.readout import Readout
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

SOURCE = "vertices"
NAME_WIDTH = 210
"""Width of the name column that leaves room for figures in half a panel."""
FOLLOWED: tuple[Kind, ...] = ("vertex_type", "compute_set", "program", "step", "slice")


class MeasuredVertices(QWidget, HasPicture):
    """The table at the left, the histogram of the selected types (or of all) at the right."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._profile: Profile | None = None
        self.by_set = False
        self.table = TableWidget(context.display, self)
        self._rows = ProfileTable(context, self.table, SOURCE)
        self.histogram: ChartCanvas[HistogramPicture] = ChartCanvas(context.display, self)
        self.readout = Readout(context.display, self)
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.histogram, 1)
        column.addWidget(self.readout)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(self.table)
        self.splitter.addWidget(right)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([560, 440])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self.setFocusProxy(self.table)
        context.document.selection.changed.connect(self._selected)
        self.histogram.pointed.connect(self._point)

    def show_profile(self, profile: Profile | None, *, by_set: bool) -> None:
        """Shows the vertices of a profile: a row per type, or per type and compute set."""
        self._profile, self.by_set = profile, by_set
        if profile is not None:
            self._rows.show(partial(groups, sets=by_set))
            if self._comparison is None:
                self.table.view.setColumnWidth(0, NAME_WIDTH)
        self._selected(self._context.document.selection.value)

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.histogram.draw_picture(painter, place, theme)

    def chosen(self, selection: Selection | None) -> tuple[I64, str]:
        """(vertices that a selection refers to, their description)."""
        profile = self._profile
        vertices = None if profile is None else vertices_of(profile)
        if profile is None or vertices is None:
            return np.empty(0, np.int64), ""
        chosen = self.wanted(selection)
        if chosen is None:
            return of(vertices), ALL
        kind, wanted = chosen
        several = tr("{count:,} selected {part}", count=len(wanted), part=KINDS[kind].several)
        words = several if len(wanted) > 1 else KINDS[kind].name(profile, int(wanted[0]))
        return (of(vertices, types=wanted) if kind == "vertex_type" else of(vertices, sets=wanted)), words

    def wanted(self, selection: Selection | None) -> tuple[Kind, I64] | None:
        """(kind, items): the vertex types or compute sets that a selection refers to; None for all."""
        profile = self._profile
        if profile is None or selection is None or selection.kind not in FOLLOWED:
            return None
        kind: Kind = "vertex_type" if selection.kind == "vertex_type" else "compute_set"
        items = self._context.document.linked.items(profile, selection, kind)
        return (kind, items) if len(items) else None

    @property
    def _comparison(self) -> Comparison | None:
        return self._context.document.baselines.comparison

    def _selected(self, _: Selection | None) -> None:
        self._context.document.linked.attempt(self._draw)

    def _draw(self) -> None:
        profile, selection = self._profile, self._context.document.selection.value
        if profile is None:
            return
        chosen, what = self.chosen(selection)
        picture = picture_of(profile, chosen, what)
        if self._comparison is not None:
            from app.panels.vertex_types.compared import histogram_compared  # only with a baseline

            picture = histogram_compared(self._comparison, chosen, self.wanted(selection), what) or picture
        self.histogram.show_picture(picture)
        self._point(-1, "")

    def _point(self, _: int, text: str) -> None:
        self.readout.say(text or self._about(), muted=not text)

    def _about(self) -> str:
        profile = self._profile
        vertices = None if profile is None else vertices_of(profile)
        if vertices is None:
            return ""
        chosen, what = self.chosen(self._context.document.selection.value)
        cycles = vertices.cycles[chosen]
        cycles = cycles[cycles >= 0]
        if not len(cycles):
            return tr("{what}: no vertex was measured", what=what)
        look = self._context.display.look
        middle, most = (format_value(value, "cycles", look) for value in (float(np.median(cycles)), int(cycles.max())))
        return plural(
            "{what}: {count:,} vertex · median {middle} · max {most}",
            "{what}: {count:,} vertices · median {middle} · max {most}",
            count=len(cycles),
            what=what,
            middle=middle,
            most=most,
        )
