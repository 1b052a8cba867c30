"""Two profiles side by side: what doubles, halves or stays the same when the replicas double."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QSpinBox, QTabBar, QVBoxLayout, QWidget

from app.analysis.scaling.doubling import counted_words, growing_exchange_code
from app.analysis.table import Table
from app.language import tr
from app.panels.scaling.work import Compared
from app.views.texts import caption, shown_line
from app.views.units import percent
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.fields import ChoiceBox
from app.widgets.table.widget import TableWidget
from app.widgets.texts import Label, Readout
from app.widgets.tips import set_tip

ALONE = tr("Open a second profile of the same application with twice the replicas to compare the two.")
CHOOSE = tr("Choose the profile to compare with.")
NONE = tr("No profile selected")
MOST_REPLICAS = 1 << 16


class Compare(QWidget):
    """Signals: ``other_chosen`` (entry id, -1 for none), ``replicas_given`` (of the shown profile, of the other; 0: the
    number in the profile)."""

    other_chosen = Signal(int)
    replicas_given = Signal(int, int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tables: Sequence[Table] = ()
        self._constant = ""
        self.others = ChoiceBox(self)
        self.others.setAccessibleName(tr("Compare with"))
        self.others.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.others.setMinimumContentsLength(14)
        self.mine, self.theirs = (
            self._count(tr("Replicas of this profile")),
            self._count(tr("Replicas of the other profile")),
        )
        self.tabs = QTabBar(self)
        self.tabs.setAccessibleName(tr("What is compared"))
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(True)
        self.table = TableWidget(display, self)
        self.readout = Readout(display, self)
        self._build(display)
        self.others.activated.connect(self._choose)
        self.tabs.currentChanged.connect(self._turn)

    def _build(self, display: Display) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(8, 4, 8, 4)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        grid.addWidget(Label(tr("Compare with"), self), 0, 0)
        grid.addWidget(self.others, 0, 1, 1, 2)
        grid.addWidget(Label(tr("Replicas"), self), 1, 0)
        for place, (name, box) in enumerate(((tr("this profile"), self.mine), (tr("other profile"), self.theirs)), 1):
            pair = QHBoxLayout()
            pair.setSpacing(6)
            pair.addWidget(Label(name, self))
            pair.addWidget(box)
            grid.addLayout(pair, place, 1)
        grid.setColumnStretch(2, 1)
        content = QWidget(self)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self.table, 1)
        column.addWidget(self.readout)
        self.stack = OrEmpty(display, content, self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(grid)
        outer.addWidget(self.stack, 1)

    def offer(self, others: Sequence[tuple[int, str]], chosen: int, replicas: tuple[int | None, int | None]) -> None:
        """Fills the chooser with the other open profiles: (entry id, name); ``replicas``: numbers that the user
        typed."""
        for box, count in zip((self.mine, self.theirs), replicas, strict=True):
            box.blockSignals(True)
            box.setValue(count or 0)
            box.blockSignals(False)
        self.others.clear()
        self.others.addItem(NONE, -1)
        for entry, name in others:
            self.others.addItem(shown_line(name), entry)
        self.others.setCurrentIndex(max(self.others.findData(chosen), 0))
        self.setEnabled(bool(others))

    def show_nothing(self, offered: bool) -> None:
        """Shows that nothing is chosen; ``offered``: whether there is another profile to choose."""
        self._tables = ()
        self.stack.show_empty(CHOOSE if offered else ALONE)

    def show_tables(self, compared: Compared) -> None:
        """Shows the tables of the comparison, or why there are none."""
        self._tables = tables = compared.tables
        share = compared.constant
        self._constant = "" if share is None else tr("{share} of the time does not shrink", share=percent(100 * share))
        if not tables:
            self.stack.show_empty(compared.error)
            return
        before = self.tabs.tabText(self.tabs.currentIndex())
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for table in tables:
            self.tabs.addTab(caption(table.title))
        titles = [table.title for table in tables]
        self.tabs.setCurrentIndex(titles.index(before) if before in titles else len(titles) - 1)
        self.tabs.blockSignals(False)
        self.stack.show_content()
        self._turn()

    def shown_table(self) -> Table | None:
        return None if self.stack.is_empty else self.table.shown_table()

    def _turn(self) -> None:
        place = self.tabs.currentIndex()
        if not 0 <= place < len(self._tables):
            return
        table = self._tables[place]
        self.table.set_table(table)
        text = counted_words(table)
        if table.id == "scaling-memory" and (grown := growing_exchange_code(table)):
            text = tr("Exchange code grows: {grown} · {text}", grown=", ".join(grown), text=text)
        self.readout.say(" · ".join(part for part in (text, self._constant) if part))

    def _choose(self, place: int) -> None:
        self.other_chosen.emit(self.others.itemData(place))

    def _give(self) -> None:
        self.replicas_given.emit(self.mine.value(), self.theirs.value())

    def _count(self, name: str) -> QSpinBox:
        box = QSpinBox(self)
        box.setAccessibleName(shown_line(name))
        set_tip(box, name)
        box.setRange(0, MOST_REPLICAS)
        box.setSpecialValueText(tr("auto"))
        box.setKeyboardTracking(False)
        box.valueChanged.connect(self._give)
        return box
