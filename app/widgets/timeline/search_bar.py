"""The controls of a search for slices: field, options, count, steps."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.language import tr
from app.widgets.labels import Label
from app.widgets.search_field import SearchField
from app.widgets.timeline.find import Query
from app.widgets.tips import set_tip
from app.widgets.tool_buttons import icon_button, icon_toggle

NARROWEST, WIDEST = 96, 260


class SearchBar(QWidget):
    """Signals: ``query`` (Query) as it is typed; ``step`` (int): to the next (+1) or previous (-1) hit; ``left``: the
    focus goes to the picture."""

    query = Signal(object)
    step = Signal(int)
    left = Signal()

    def __init__(self, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.field = SearchField(hint, self)
        self.field.setMinimumWidth(NARROWEST)
        self.field.setMaximumWidth(WIDEST)
        self.case = icon_toggle("case-sensitive", tr("Match case"), self)
        self.word = icon_toggle("whole-word", tr("Whole word"), self)
        self.regex = icon_toggle("regex", tr("Regular expression"), self)
        self.count = Label(parent=self)
        self.before = icon_button("chevron-left", tr("Previous match (Shift+Enter)"), self)
        self.after = icon_button("chevron-right", tr("Next match (Enter)"), self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        for widget in (self.case, self.word, self.regex, self.count, self.before, self.after):
            row.addWidget(widget)
        self.field.textChanged.connect(self._emit_query)
        for toggle in (self.case, self.word, self.regex):
            toggle.toggled.connect(self._emit_query)
        self.field.stepped.connect(self.step)
        self.field.left.connect(self.left)
        self.before.clicked.connect(lambda: self.step.emit(-1))
        self.after.clicked.connect(lambda: self.step.emit(1))
        self.set_count("")

    def wanted(self) -> Query:
        """The current query."""
        return Query(self.field.text(), self.case.isChecked(), self.word.isChecked(), self.regex.isChecked())

    def set_count(self, text: str, *, hits: bool = False, wrong: bool = False, about: str = "") -> None:
        """Shows ``3 of 213``, or what is wrong with the expression; ``about``: its tool tip."""
        self.count.setText(text)
        self.count.setVisible(bool(text))
        set_tip(self.count, text if wrong else about)
        for button in (self.before, self.after):
            button.setVisible(hits)

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
