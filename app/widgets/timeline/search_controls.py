"""The search in a timeline: its controls, the bar of panels without other controls, and the hits on the canvas."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.analysis.matching import BadPattern
from app.language import plural, tr
from app.profile.arrays import I64
from app.views.timeline.find import Hits, Query
from app.widgets.buttons import icon_button
from app.widgets.fields import SearchField, mark_invalid
from app.widgets.texts import Label
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.tips import set_tip

NARROWEST, WIDEST = 96, 280


class SearchControls(QObject):
    """The widgets, which the bar that they belong to lays out: ``field``, and ``others`` in their order. ``hint``: what
    the empty field says. Signals: ``query`` (Query) as it is typed; ``step`` (int): to the next (+1) or previous (-1)
    hit."""

    query = Signal(object)
    step = Signal(int)

    def __init__(self, hint: str, bar: QWidget) -> None:
        super().__init__(bar)
        self.field = SearchField(hint, bar)
        self.field.least = NARROWEST
        self.field.setMaximumWidth(WIDEST)
        self.case = self.field.toggle("case-sensitive", tr("Match case"))
        self.word = self.field.toggle("whole-word", tr("Whole word"))
        self.regex = self.field.toggle("regex", tr("Regular expression"))
        self.count = Label(parent=bar)
        self.before = icon_button("chevron-left", tr("Previous match (Shift+Enter)"), bar)
        self.after = icon_button("chevron-right", tr("Next match (Enter)"), bar)
        self._of_hits: tuple[QWidget, ...] = self.before, self.after
        self.field.textChanged.connect(self._emit_query)
        for toggle in (self.case, self.word, self.regex):
            toggle.toggled.connect(self._emit_query)
        self.field.stepped.connect(self.step)
        self.before.clicked.connect(lambda: self.step.emit(-1))
        self.after.clicked.connect(lambda: self.step.emit(1))
        self.set_count("")

    @property
    def others(self) -> tuple[QWidget, ...]:
        """The controls after the field."""
        return self.count, *self._of_hits

    def add_of_hits(self, widget: QWidget) -> None:
        """Adds a control that is shown while there are hits."""
        self._of_hits = *self._of_hits, widget
        widget.hide()

    def wanted(self) -> Query:
        """The current query."""
        return Query(self.field.text(), self.case.isChecked(), self.word.isChecked(), self.regex.isChecked())

    def set_count(self, text: str, *, hits: bool = False, wrong: bool = False, about: str = "") -> None:
        """Shows ``3 of 213``, or what is wrong with the expression; ``about``: its tool tip."""
        self.count.setText(text)
        self.count.setVisible(bool(text))
        set_tip(self.count, text if wrong else about)
        mark_invalid(self.field, text if wrong else "")
        for widget in self._of_hits:
            widget.setVisible(hits)

    def start(self) -> None:
        """Moves the focus to the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def clear(self) -> bool:
        """Ends the search; False if there was none."""
        searched = bool(self.field.text())
        self.field.clear()
        return searched

    def _emit_query(self) -> None:
        self.query.emit(self.wanted())


FIELD = 100
"""Share of the room that the field gets up to its greatest width; then the rest of the row stays empty, and the buttons
beside the field."""


class SearchBar(QWidget):
    """``search``: its controls; ``hint``: what the empty field says."""

    def __init__(self, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.search = SearchControls(hint, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.search.field, FIELD)
        for widget in self.search.others:
            row.addWidget(widget)
        row.addStretch(1)


SLOW_SLICES = 300_000
PAUSE_MS = 200
"""Delay of the search while typing in a timeline with more than SLOW_SLICES slices; others are searched with each
key."""
SHARE_HELP = tr("Share of the width that matches cover; nested matches count once.")


class CanvasSearch(QObject):
    """Links the ``controls`` of a search to a canvas. Signal ``searched`` (int64 slices in stepping order, or None when
    a search ends). ``matches``: what a search elsewhere matches, None without one. ``with_share``: the hits' share of
    the whole width is shown, too, which is the measure of a flame graph."""

    searched = Signal(object)

    def __init__(self, controls: SearchControls, canvas: TimelineCanvas, parent: QObject, *, with_share: bool) -> None:
        super().__init__(parent)
        self.controls, self._canvas, self._with_share = controls, canvas, with_share
        self._hits: Hits | None = None
        self.matches: I64 | None = None
        self._share = ""
        self._later = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._later.timeout.connect(self.now)
        controls.query.connect(self._typed)
        controls.step.connect(self.step)

    @property
    def active(self) -> bool:
        """Whether slices are searched for; not while the expression is wrong."""
        return self._hits is not None

    def step(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) hit and reveals it."""
        if self._later.isActive():
            self.now()
        index = self._hits.step(self._here, direction) if self._hits is not None else None
        if index is not None:
            self._canvas.chosen.emit(index)
            self._canvas.reveal(index)
            self.say()

    def show_matches(self, index: I64 | None) -> None:
        """Brings the slices forward that a search elsewhere matches (None: it has ended), unless there is a text in the
        field."""
        self.matches = index
        if not self.controls.wanted().text:
            self.now()

    def now(self) -> None:
        """Searches for the typed text; without any, ends the search, or shows what another one matches."""
        self._later.stop()
        self._hits = None
        shown, query = self._canvas.shown, self.controls.wanted()
        if shown is None or not query.text:
            if shown is not None and self.matches is not None:
                matched = np.zeros(len(shown.model.rows.start), np.bool_)
                matched[self.matches[self.matches < len(matched)]] = True
                self._canvas.set_search(matched)
            elif shown is not None and shown.contents.hits is not None:
                self._canvas.set_search(None)
            self.controls.set_count("")
            self.searched.emit(None)
            return
        try:
            matched = query.matches(shown.model.timeline)
        except BadPattern as error:
            self.controls.set_count(str(error), wrong=True)
            self.searched.emit(None)
            return
        hits = self._canvas.set_search(matched)
        self._hits = Hits.of(shown.model, np.empty(0, np.int64) if hits is None else hits)
        self._share = self._hits.share_text if self._with_share and len(self._hits.index) else ""
        self.searched.emit(self._hits.index)
        self.say()

    def say(self) -> None:
        """Shows which hit is selected, the number of hits, and their share."""
        if self._hits is None:
            return
        count, here = len(self._hits.index), self._hits.place(self._here)
        text = (
            tr("No matches")
            if not count
            else plural("{count:,} match", "{count:,} matches", count=count)
            if here is None
            else tr("{here:,} of {count:,}", here=here + 1, count=count)
        )
        shown = " · ".join(part for part in (text, self._share) if part)
        self.controls.set_count(shown, hits=count > 0, about=SHARE_HELP if self._share else "")

    @property
    def _here(self) -> int | None:
        selected: I64 = self._canvas.selected
        return int(selected[0]) if len(selected) else None

    def _typed(self) -> None:
        shown = self._canvas.shown
        if shown is not None and len(shown.model.rows.start) > SLOW_SLICES:
            self._later.start()
        else:
            self.now()
