"""A table of a panel, and beside it what both sides store, while there is a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QButtonGroup, QToolButton, QWidget

from app.widgets.contents_compared import ContentsCompared
from app.widgets.controls import Controls
from app.widgets.frame import pages_of, stack_in
from app.widgets.table.widget import TableWidget
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

TABLE, CONTENTS = range(2)


class ComparedPages(QWidget):
    """``table`` alone, or with a baseline a choice of ``table`` and ``contents``. ``titles``, ``tips``: of both;
    ``bar``: its controls, which the heading of a panel may take."""

    def __init__(
        self,
        table: TableWidget,
        contents: ContentsCompared,
        titles: tuple[str, str],
        tips: tuple[str, str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.table, self.contents = table, contents
        self.pages = pages_of(self, (table, contents))
        self.choice = QButtonGroup(self)
        self._buttons = [self._button(number, titles[number], tips[number]) for number in (TABLE, CONTENTS)]
        tables = (table.bar, 3), (contents.table.bar, 3)
        self.bar = Controls(self, *self._buttons, *tables, 1, spacing=4)
        stack_in(self, self.bar, (self.pages, 1))
        self.setFocusProxy(table)
        self.choice.button(TABLE).setChecked(True)
        self.choice.idClicked.connect(self._turn)

    @property
    def shown(self) -> TableWidget:
        """The table that is in front."""
        return self.table if self.pages.currentIndex() == TABLE else self.contents.table

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Offers the contents of both sides; None: there is no baseline."""
        for button in self._buttons:
            button.setVisible(comparison is not None)
        if comparison is None:
            self.choice.button(TABLE).setChecked(True)
            self.pages.setCurrentIndex(TABLE)
        self.contents.show_comparison(comparison)

    def _turn(self, number: int) -> None:
        """Shows a page, which takes the keyboard if the other page had it. The button has it meanwhile: where a hidden
        widget had it, the window takes that for no choice of the user."""
        held = self.pages.isAncestorOf(QApplication.focusWidget() or self.window())
        if held:
            self.choice.button(number).setFocus()
        self.pages.setCurrentIndex(number)
        if held:
            self.shown.setFocus()

    def _button(self, number: int, title: str, about: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(title)
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.hide()
        set_tip(button, about)
        self.choice.addButton(button, number)
        return button
