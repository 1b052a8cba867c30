"""Lines around the timeline: its unit, the filters in force, how many slices figures count, what the colours mean."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.analysis.checks.task_length import longer
from app.analysis.timeline.times import megahertz, unit_text
from app.language import plural, tr
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.task_time import TaskTime
from app.profile.timeline import Timeline
from app.views.texts import shown_line
from app.views.timeline.filters import ActingFilter
from app.views.timeline.legend_entries import entries
from app.views.timeline.request import count_in
from app.views.timeline.state import Shown
from app.views.units import duration, plain
from app.widgets.display import Display
from app.widgets.texts import Label, paint_text
from app.widgets.timeline.legend import Legend
from app.widgets.timeline.scope import TimelineScope
from app.widgets.tips import set_tip


class SummaryLine(QWidget):
    def __init__(self, display: Display, scope: TimelineScope, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display, self._scope = display, scope
        self._shown: Shown | None = None
        self._range: TimeRange | None = None
        self._only: tuple[int, ...] = ()
        self.summary = Label(parent=self)
        self.summary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.legend = Legend(display, self, active=True)
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
        """Updates colours, and what they mean."""
        shown = self._shown
        path = shown is not None and shown.path is not None
        if shown is None:
            self.legend.set_entries(())
            return
        own = shown.contents
        listed = entries(shown.model, own.colours, shown.shades, self._display.look, path=path)
        self.legend.set_entries(listed, own.only_slots)

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


class UnitNotice(Label):
    """The line, hidden without a text."""

    def __init__(self, display: Display, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self._display = display
        self.setWordWrap(True)
        self.setContentsMargins(8, 0, 8, 4)
        self.show_profile(None)
        display.changed.connect(self._tint)
        self._tint()

    def show_profile(self, profile: Profile | None) -> None:
        """Shows both lengths if they differ too much."""
        length = None if profile is None else longer(profile)
        self.setText("" if length is None or profile is None else f"▲ {notice(length, profile)}")
        self.setVisible(length is not None)

    def _tint(self) -> None:
        paint_text(self, self._display.theme.warning)


def notice(length: TaskTime, profile: Profile) -> str:
    """Both lengths, and what the difference means."""
    drawn = duration(length.seconds)
    if profile.timeline is not None and profile.timeline.unit == "cycles":
        clock = "" if length.clock_hz is None else tr(" at {megahertz} MHz", megahertz=megahertz(length.clock_hz))
        drawn = tr("{span} cycles ({drawn}{clock})", span=plain(length.span), drawn=drawn, clock=clock)
    return tr(
        "The timeline covers {drawn}, but the operator took {task}: another run, or times in another unit",
        drawn=drawn,
        task=duration(length.task),
    )


def button_text(timeline: Timeline | None) -> str:
    """The unit, and whether the user set it; "" where the format states it."""
    if timeline is None or timeline.basis == "format":
        return ""
    unit = unit_text(timeline)
    return tr("{unit}, set manually", unit=unit) if timeline.basis == "hand" else unit


PICTURE_ONLY = tr("Click to remove this filter. Statistics include hidden slices.")
WITH_STATISTICS = tr("Click to remove this filter.")


class FilterChips(QWidget):
    """The line, hidden without a filter. Signals: ``removed`` (kind of the filter), ``all_removed``."""

    removed = Signal(str)
    all_removed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._filters: tuple[ActingFilter, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 0, 8, 4)
        self._row.setSpacing(6)
        self._row.addWidget(Label(tr("Active filters:"), self))
        self.chips: list[QPushButton] = []
        self.everything = self._chip(tr("Show everything"))
        self.everything.clicked.connect(self.all_removed)
        self._row.addWidget(self.everything)
        self._row.addStretch(1)
        self.hide()

    def show_filters(self, filters: tuple[ActingFilter, ...]) -> None:
        """Shows a chip for each filter, or nothing without any."""
        if filters == self._filters:
            return
        self._filters = filters
        for chip in self.chips:
            self._row.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self.chips = [self._of(acting) for acting in filters]
        for place, chip in enumerate(self.chips):
            self._row.insertWidget(place + 1, chip)
        self.everything.setVisible(len(filters) > 1)
        self.setVisible(bool(filters))

    def _of(self, acting: ActingFilter) -> QPushButton:
        chip = self._chip(tr("{filter}  ✕", filter=acting.text))
        chip.setAccessibleName(shown_line(tr("Remove filter: {filter}", filter=acting.text)))
        set_tip(chip, "\n".join((acting.tip, WITH_STATISTICS if acting.kind == "pipes" else PICTURE_ONLY)))
        chip.clicked.connect(partial(self.removed.emit, acting.kind))
        return chip

    def _chip(self, text: str) -> QPushButton:
        chip = QPushButton(shown_line(text), self)
        chip.setObjectName("chip")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.setFlat(True)
        return chip
