"""The line below the timeline: how many slices figures count, and what the colours mean."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.language import plural, tr
from app.profile.selection import TimeRange
from app.views.timeline.request import count_in
from app.views.timeline.state import Shown
from app.widgets.display import Display
from app.widgets.labels import Label
from app.widgets.timeline.legend import Legend, entries
from app.widgets.timeline.scope import TimelineScope


class SummaryLine(QWidget):
    def __init__(self, display: Display, scope: TimelineScope, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display, self._scope = display, scope
        self._shown: Shown | None = None
        self._range: TimeRange | None = None
        self._only: tuple[int, ...] = ()
        self.summary = Label(parent=self)
        self.summary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.legend = Legend(display, self)
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 2, 8, 2)
        line.setSpacing(8)
        line.addWidget(self.summary)
        line.addWidget(self.legend, 1)
        scope.drawn.connect(self.say)
        display.changed.connect(self.say)

    def show_timeline(self, shown: Shown | None) -> None:
        """Sets the timeline; None for none."""
        self._shown, self._only = shown, ()
        self.refresh_colours()
        self.say()

    def set_range(self, stretch: TimeRange | None) -> None:
        """Sets the range."""
        self._range = stretch
        self.say()

    def set_limit(self, only: tuple[int, ...]) -> None:
        """Sets the lanes that statistics are limited to; none: no limit."""
        if only != self._only:
            self._only = only
            self.say()

    def refresh_colours(self) -> None:
        """Updates colours after a change of the theme."""
        shown = self._shown
        self.legend.set_entries(() if shown is None else entries(shown.model, shown.shades))

    def say(self) -> None:
        """Says again how many slices are counted."""
        shown = self._shown
        if shown is None:
            self.summary.setText("")
            return
        look, noise = self._display.look, shown.contents.noise
        stretch = self._scope.live or self._range
        count = count_in(shown.model, shown.contents.counted, stretch, self._only)
        slices = plural("{count:,} slice", "{count:,} slices", count=count)
        if stretch is None:
            text = slices if noise is None else tr("{slices} shown", slices=slices)
        else:
            text = tr(
                "{slices} in {short_span}",
                slices=slices,
                short_span=shown.model.clock.short_span(stretch.end - stretch.start, look),
            )
        if stretch is not None and self._scope.baseline is not None:
            text = tr("{text} · {there}", text=text, there=self._scope.baseline.about_range(stretch, look))
        if noise is not None:
            text = tr("{text} · {hidden}", text=text, hidden=noise.text)
        self.summary.setText(text)
