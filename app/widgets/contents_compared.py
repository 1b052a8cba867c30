"""How the stored content of a profile differs from the baseline's, read in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QButtonGroup, QToolButton, QWidget

from app.widgets.controls import Controls
from app.widgets.frame import pages_of, stack_in
from app.widgets.table.widget import TableWidget
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QPushButton, QVBoxLayout

from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import joined, plural, tr
from app.store.token import Token
from app.views.look import Look
from app.views.units import format_value, percent
from app.widgets.context import Context
from app.widgets.frame import bar_of
from app.widgets.table.linked import LinkedTable
from app.widgets.texts import Label, paint_text

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.contents import ContentDifference
    from app.profile.selection import Kind

AUTOMATIC: Final = 256 << 20
"""Content of more bytes than this, both sides together, is compared only on request."""


class ContentsCompared(QWidget):
    """A table of the contents that both sides have, the largest differences first. ``tables``: whose rows they are;
    ``selects``: what these stand for."""

    def __init__(
        self, context: Context, tables: Collection[str], selects: Kind, source: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._tables, self._selects = tuple(tables), selects
        self._comparison: Comparison | None = None
        self._background = Background(self)
        self.state = Label(parent=self)
        self.button = QPushButton(self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, source)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar_of((self.state, 1), self.button))
        layout.addWidget(self.table, 1)
        self.button.clicked.connect(self._turn)
        context.display.changed.connect(self._paint)
        self._paint(context.display.look)

    @property
    def busy(self) -> bool:
        """Whether contents are being read."""
        return self._background.busy

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Compares the contents of both sides, at once if they are small; None forgets them."""
        if comparison is self._comparison:
            return
        self._comparison = comparison
        self._background.cancel()
        if comparison is not None:
            self._measure(comparison)

    def _measure(self, comparison: Comparison) -> None:
        """Asks how much is to be read."""
        from app.store.compare_contents import content_pairs

        tables = self._tables
        self._say(tr("Searching for contents that both sides have…"), "")
        self._background.run(
            Task(
                lambda token, _: sum(pair.size for pair in content_pairs(comparison, token, tables)),
                self._measured,
                self._fail,
            )
        )

    def _measured(self, size: int) -> None:
        if size <= AUTOMATIC:
            self._compare()
            return
        text = tr("Comparing reads {size}.", size=format_value(size, "B", self._context.display.look))
        self._say(text, tr("Compare contents"))
        self.table.stack.show_empty(text)

    def _compare(self) -> None:
        from app.store.compare_contents import content_differences

        comparison, tables = self._comparison, self._tables
        if comparison is None:
            return

        def work(token: Token, report: Callable[[int, int], None]) -> list[ContentDifference]:
            return list(content_differences(comparison, token, tables, report))

        self._say(tr("Comparing contents…"), tr("Cancel"))
        self._background.run(Task(work, self._take, self._fail, self._progress))

    def _turn(self) -> None:
        if self._background.busy:
            self._background.cancel()
            self._say(tr("Cancelled."), tr("Compare contents"))
        else:
            self._compare()

    def _progress(self, done: int, of: int) -> None:
        self.state.setText(tr("Comparing contents: {done}", done=percent(100 * done / max(of, 1))))

    def _take(self, contents: list[ContentDifference]) -> None:
        from app.analysis.compare.contents import content_table

        different = sum(content.same is False for content in contents)
        unknown = sum(content.same is None for content in contents)
        text = plural(
            "{different:,} of {count:,} content differs.",
            "{different:,} of {count:,} contents differ.",
            count=len(contents),
            different=different,
        )
        if unknown:
            self._say(joined(" ", (text, tr("{count:,} could not be compared.", count=unknown))), "")
        else:
            self._say(text, "")
        self._link.show(content_table(contents, self._selects), empty=tr("The two sides have no content in common."))

    def _fail(self, error: FormatError) -> None:
        self._say(tr("The contents cannot be compared: {error}", error=error), tr("Compare contents"))

    def _say(self, text: str, action: str) -> None:
        self.state.setText(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        set_tip(self.button, tr("Read and compare the content of both files") if action else "")

    def _paint(self, look: Look) -> None:
        paint_text(self.state, look.theme.muted)


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
