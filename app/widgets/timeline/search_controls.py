"""The controls of a search for slices: field, options, count, steps."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from app.language import tr
from app.views.timeline.find import Query
from app.widgets.invalid import mark_invalid
from app.widgets.labels import Label
from app.widgets.search_field import SearchField
from app.widgets.tips import set_tip
from app.widgets.tool_buttons import icon_button, icon_toggle

NARROWEST, WIDEST = 96, 260


class SearchControls(QObject):
    """The widgets, which the bar that they belong to lays out: ``field``, and ``others`` in their order. ``hint``: what
    the empty field says. Signals: ``query`` (Query) as it is typed; ``step`` (int): to the next (+1) or previous (-1)
    hit."""

    query = Signal(object)
    step = Signal(int)

    def __init__(self, hint: str, bar: QWidget) -> None:
        super().__init__(bar)
        self.field = SearchField(hint, bar)
        self.field.setMinimumWidth(NARROWEST)
        self.field.setMaximumWidth(WIDEST)
        self.case = icon_toggle("case-sensitive", tr("Match case"), bar)
        self.word = icon_toggle("whole-word", tr("Whole word"), bar)
        self.regex = icon_toggle("regex", tr("Regular expression"), bar)
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
        return self.case, self.word, self.regex, self.count, *self._of_hits

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
