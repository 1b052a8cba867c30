"""The strip below the timeline: one line that says what the figures refer to, and, if opened, the figures."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.language import plural, tr
from app.panels.timeline.baseline_side import BaselineSide
from app.panels.timeline.figure_tables import FigureTables
from app.panels.timeline.figures import Follows, Request, Tab, count_in
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import TimeRange
from app.profile.time_note import TimeNote
from app.widgets.context import Context
from app.widgets.drawer import Drawer
from app.widgets.labels import Label
from app.widgets.timeline.legend import Legend, entries
from app.widgets.timeline.state import Shown

LIVE_MS = 60


class Strip(Drawer):
    """Signals: ``range_entered`` (TimeRange or None), and those of FigureTables, which is created when the strip is
    first opened."""

    range_entered = Signal(object)
    named = Signal(object)
    zoom_wanted = Signal(object)
    note_chosen = Signal(int)
    note_renamed = Signal(int, str)

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(tr("Figures"), tr("Figures of the range, or of everything where none is set"), parent)
        self._context = context
        self._figures: FigureTables | None = None
        self._shown: Shown | None = None
        self._profile: Profile | None = None
        self._range: TimeRange | None = None
        self._live: TimeRange | None = None
        self._notes: tuple[TimeNote, ...] = ()
        self._note: int | None = None
        self._lanes: tuple[int, ...] = ()
        self._only: tuple[int, ...] = ()
        self._hits: I64 | None = None
        self._baseline: BaselineSide | None = None
        self.summary = Label(parent=self)
        self.summary.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.legend = Legend(context.display, self)
        self._later = QTimer(self, interval=LIVE_MS, singleShot=True)
        self.line.setContentsMargins(4, 0, 8, 0)
        self.line.setSpacing(8)
        self.line.addWidget(self.summary)
        self.line.addWidget(self.legend, 1)
        self.opened.connect(self._opened)
        self._later.timeout.connect(self._fill_live)
        context.display.changed.connect(self._say)

    @property
    def figures(self) -> FigureTables:
        """The tables, created on first use."""
        if self._figures is None:
            made = self._figures = FigureTables(self._context, self)
            made.fields.entered.connect(self.range_entered)
            for name in ("named", "zoom_wanted", "note_chosen", "note_renamed"):
                getattr(made, name).connect(getattr(self, name))
            self.put(made)
            self._say()
        return self._figures

    # -- what it is about ---------------------------------------------------------------------------------

    def show_timeline(self, profile: Profile | None, shown: Shown | None) -> None:
        """Sets the timeline; None for none."""
        self._profile, self._shown = profile, shown
        self._live, self._lanes, self._only, self._hits = None, (), (), None
        self.legend.set_entries(entries(shown.model, shown.shades) if shown is not None else ())
        self._say()
        if self.is_open:
            self.figures.show_figures(self._request)

    def set_range(self, stretch: TimeRange | None) -> None:
        """Sets the range."""
        self._range, self._live = stretch, None
        self._later.stop()
        self._say()
        self._follow("range")

    def set_live(self, stretch: TimeRange | None) -> None:
        """Sets the range while it is being drawn."""
        self._live = stretch
        self._say()
        if stretch is not None and not self._later.isActive():
            self._later.start()

    def set_notes(self, notes: tuple[TimeNote, ...], chosen: int | None) -> None:
        """Sets the notes of the timeline, and the selected one."""
        self._notes, self._note = notes, chosen
        if self.is_open:
            self.figures.follow_notes(self._request, chosen)

    def set_lanes(self, lanes: tuple[int, ...], *, limit: bool = False) -> None:
        """Sets the selected lanes, to which statistics are limited (``limit``), or the lanes of the selected slices."""
        only = lanes if limit else ()
        others, limited = lanes != self._lanes, only != self._only
        self._lanes, self._only = lanes, only
        if limited:
            self._say()
            self._follow("only")
        if others:
            self._follow("lanes")

    def follow_pipes(self) -> None:
        """Updates figures when only pipes are shown, or everything again."""
        self._say()
        self._follow("pipes")

    def set_baseline(self, baseline: BaselineSide | None, *, refill: bool) -> None:
        """Sets what figures are compared with, and how its times lie; ``refill``: updates them at once."""
        self._baseline = baseline
        self._say()
        if refill and self.is_open:
            self.figures.show_figures(self._request)
        elif baseline is None and self._figures is not None:
            self._figures.drop_baseline()

    def follow_matches(self) -> None:
        """Updates figures of lanes when it is known which of them belong together."""
        if self._baseline is not None and self._lanes:
            self._follow("lanes")
            if self._only:
                self._follow("only")

    def set_hits(self, hits: I64 | None) -> None:
        """Sets the hits of the search; None when it ends."""
        self._hits = hits
        self._follow("hits")

    def show_tab(self, tab: Tab) -> None:
        """Opens the strip with one of the tables."""
        self.toggle.setChecked(True)
        self.figures.show_tab(tab)

    def rename_note(self) -> bool:
        """Starts editing the name of the selected note; False if the list does not show it."""
        return self.is_open and self.figures.rename_note()

    def refresh_colours(self) -> None:
        """Updates colours after a change of the theme."""
        if self._shown is not None:
            self.legend.set_entries(entries(self._shown.model, self._shown.shades))

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _request(self) -> Request | None:
        if self._profile is None or self._shown is None:
            return None
        stretch = self._live or self._range
        shown, counted = self._shown, self._shown.contents.counted
        lanes, only = self._lanes, self._only
        before = None if self._baseline is None else self._baseline.request(shown, stretch, lanes, only)
        return Request(self._profile, shown.model, counted, stretch, self._notes, lanes, only, self._hits, before)

    def _follow(self, what: Follows) -> None:
        if self.is_open:
            self.figures.follow(self._request, what)

    def _fill_live(self) -> None:
        if self.is_open and self._live is not None:
            self.figures.follow_live(self._request)

    def _opened(self, wanted: bool) -> None:
        if wanted:
            self.figures.show_figures(self._request)
            self.figures.follow_notes(self._request, self._note)
        self.figures.setVisible(wanted)

    def _say(self) -> None:
        shown = self._shown
        if shown is None:
            self.summary.setText("")
            return
        stretch = self._live or self._range
        count = count_in(shown.model, shown.contents.counted, stretch, self._only)
        slices = plural("{count:,} slice", "{count:,} slices", count=count)
        noise = shown.contents.noise
        look = self._context.display.look
        if stretch is None:
            text = tr("{slices} in all", slices=slices) if noise is None else tr("{slices} shown", slices=slices)
        else:
            text = tr(
                "{slices} in {short_span}",
                slices=slices,
                short_span=shown.model.clock.short_span(stretch.end - stretch.start, look),
            )
        if stretch is not None and self._baseline is not None:
            text = tr("{text} · {there}", text=text, there=self._baseline.about_range(stretch, look))
        if noise is not None:
            text = tr("{text} · {hidden}", text=text, hidden=noise.text)
        self.summary.setText(text)
        if self._figures is not None:
            whole = (shown.model.start, shown.model.end)
            self._figures.fields.show_range(stretch, shown.model.clock, look, whole)
