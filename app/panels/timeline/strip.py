"""The strip below the timeline: one line that says what the figures are of, and, opened, the figures."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QTabBar, QToolButton, QVBoxLayout, QWidget

from app.panels.timeline.figures import LIVE_MOST, Kind, count_in, offered, slices_named
from app.panels.timeline.range_fields import RangeFields
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.widgets.context import Context
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.timeline.legend import Legend, entries
from app.widgets.timeline.state import Shown

SOURCE = "timeline-table"
LIVE_MS = 60


class Strip(QWidget):
    """Signals: ``opened`` (bool), ``range_entered`` (TimeRange or None), ``named`` (int64 slices of the names
    that a person chose)."""

    opened = Signal(bool)
    range_entered = Signal(object)
    named = Signal(object)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._shown: Shown | None = None
        self._profile: Profile | None = None
        self._range: TimeRange | None = None
        self._live: TimeRange | None = None
        self._kinds: tuple[Kind, ...] = ()
        self.toggle = QToolButton(self)
        self.toggle.setText("Figures")
        self.toggle.setCheckable(True)
        self.toggle.setAutoRaise(True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setArrowType(Qt.ArrowType.RightArrow)
        self.toggle.setToolTip("Figures of the range, or of everything where none is set")
        self.summary = QLabel(self)
        self.summary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.legend = Legend(context.display, self)
        self.fields = RangeFields(self)
        self.tabs = QTabBar(self)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setAccessibleName("Figures of the timeline")
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self._later = QTimer(self, interval=LIVE_MS, singleShot=True)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setContentsMargins(4, 0, 8, 0)
        line.setSpacing(8)
        line.addWidget(self.toggle)
        line.addWidget(self.summary)
        line.addWidget(self.legend, 1)
        self.body = QWidget(self)
        head = QHBoxLayout()
        head.setContentsMargins(4, 0, 0, 0)
        head.addWidget(self.tabs)
        head.addWidget(self.fields, 1)
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addLayout(head)
        inner.addWidget(self.table, 1)
        self.body.hide()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(line)
        whole.addWidget(self.body, 1)

    def _connect(self) -> None:
        self.toggle.toggled.connect(self._open)
        self.tabs.currentChanged.connect(self._fill)
        self.fields.entered.connect(self.range_entered)
        self.table.view.chosen.connect(self._chosen)
        self._later.timeout.connect(self._fill_live)
        self._context.display.changed.connect(self._say)

    # -- what it is about ---------------------------------------------------------------------------------

    def show_timeline(self, profile: Profile | None, shown: Shown | None) -> None:
        """Another timeline, or none."""
        self._profile, self._shown = profile, shown
        self._live = None
        self._kinds = offered(profile) if profile is not None and shown is not None else ()
        self.tabs.blockSignals(True)
        current = self.tabs.tabText(self.tabs.currentIndex())
        while self.tabs.count():
            self.tabs.removeTab(0)
        for kind in self._kinds:
            self.tabs.addTab(kind.title)
        titles = [kind.title for kind in self._kinds]
        self.tabs.setCurrentIndex(titles.index(current) if current in titles else 0)
        self.tabs.blockSignals(False)
        self.legend.set_entries(entries(shown.model, shown.shades) if shown is not None else ())
        self._say()
        self._fill()

    def set_range(self, stretch: TimeRange | None) -> None:
        """The range is set."""
        self._range, self._live = stretch, None
        self._later.stop()
        self._say()
        if self._kind is not None and self._kind.id in ("statistics", "lanes"):
            self._fill()

    def set_live(self, stretch: TimeRange | None) -> None:
        """The range is being drawn."""
        self._live = stretch
        self._say()
        if stretch is not None and not self._later.isActive():
            self._later.start()

    @property
    def is_open(self) -> bool:
        return self.toggle.isChecked()

    def refresh_colours(self) -> None:
        """The theme changed."""
        if self._shown is not None:
            self.legend.set_entries(entries(self._shown.model, self._shown.shades))

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _kind(self) -> Kind | None:
        place = self.tabs.currentIndex()
        return self._kinds[place] if 0 <= place < len(self._kinds) else None

    def _open(self, wanted: bool) -> None:
        self.toggle.setArrowType(Qt.ArrowType.DownArrow if wanted else Qt.ArrowType.RightArrow)
        self.body.setVisible(wanted)
        self._fill()
        self.opened.emit(wanted)

    def _say(self) -> None:
        shown = self._shown
        if shown is None:
            self.summary.setText("")
            return
        stretch = self._live or self._range
        count = count_in(shown, stretch)
        slices = "1 slice" if count == 1 else f"{count:,} slices"
        look = self._context.display.look
        if stretch is None:
            text = f"{slices} in all"
        else:
            text = f"{slices} in {shown.model.clock.short_span(stretch.end - stretch.start, look)}"
        self.summary.setText(text)
        self.fields.show_range(stretch, shown.model.clock, look, (shown.model.start, shown.model.end))

    def _fill(self) -> None:
        kind = self._kind
        if not self.is_open or kind is None or self._profile is None or self._shown is None:
            return
        table = kind.make(self._profile, self._shown, self._live or self._range)
        if table is not None:
            self._link.show(table)

    def _fill_live(self) -> None:
        kind, shown = self._kind, self._shown
        if self._live is None or kind is None or kind.id != "statistics" or shown is None:
            return
        if count_in(shown, self._live) <= LIVE_MOST:
            self._fill()

    def _chosen(self) -> None:
        """Rows of the statistics stand for all slices of those names."""
        kind, shown = self._kind, self._shown
        if kind is None or kind.id != "statistics" or shown is None:
            return
        rows: I64 = np.asarray(self.table.view.selected_source_rows())
        found = slices_named(shown, self.table.view.items.table, rows, self._range)
        if len(found):
            self.named.emit(found)
