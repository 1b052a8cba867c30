"""Tabs inside a panel, and tabs in a row of controls, which are a box of the same entries where they do not fit."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QTabBar, QWidget

from app.views.texts import caption, shown_line
from app.widgets.fields import ChoiceBox
from app.widgets.homing import Place


class Tabs(QTabBar):
    """A tab bar whose tabs are as wide as their titles, without a base line; ``name`` is for assistive tools. Signal
    ``offered``: the tabs were replaced."""

    offered = Signal()

    def __init__(self, name: str, parent: QWidget | None = None, titles: Sequence[str] = ()) -> None:
        super().__init__(parent)
        self.setAccessibleName(shown_line(name))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self._titles: tuple[str, ...] = ()
        self.offer(titles)

    @property
    def chosen(self) -> str:
        """The title of the current tab; "" if there is none."""
        place = self.currentIndex()
        return self._titles[place] if 0 <= place < len(self._titles) else ""

    def rename(self, place: int, title: str) -> None:
        """Gives a tab another title."""
        self._titles = (*self._titles[:place], title, *self._titles[place + 1 :])
        self.setTabText(place, caption(title))
        self.offered.emit()

    def offer(self, titles: Sequence[str], wanted: str | None = None) -> None:
        """Replaces the tabs without signals; selects ``wanted`` (None: the current one), or the first if it is
        missing."""
        wanted = self.chosen if wanted is None else wanted
        silent = self.blockSignals(True)
        self._titles = tuple(titles)
        while self.count():
            self.removeTab(0)
        for title in titles:
            self.addTab(caption(title))
        self.setCurrentIndex(titles.index(wanted) if wanted in titles else 0 if titles else -1)
        self.blockSignals(silent)
        self.offered.emit()


TURNED = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.EnabledChange)


class TabChoice(QWidget):
    """Shows ``tabs``, or a box that chooses among them where the row says so. It is hidden and disabled as the tabs
    are."""

    def __init__(self, tabs: Tabs, parent: QWidget) -> None:
        super().__init__(parent)
        self.tabs = tabs
        self._box = ChoiceBox(self)
        self._box.setAccessibleName(shown_line(tabs.accessibleName()))
        self._holder = Place(self)
        inside = QHBoxLayout(self._holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(tabs)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._holder)
        row.addWidget(self._box)
        self._box.hide()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._box.activated.connect(self._choose)
        tabs.offered.connect(self._renew)
        tabs.currentChanged.connect(self._follow)
        tabs.installEventFilter(self)
        self._renew()
        if tabs.isHidden():
            self.hide()

    @property
    def as_box(self) -> bool:
        """Whether the tabs do not fit."""
        return not self._box.isHidden()

    @property
    def widest(self) -> int:
        """The width in pixels of all tabs."""
        return self.tabs.sizeHint().width()

    @property
    def narrowest(self) -> int:
        """The width in pixels that a box needs."""
        return min(self._box.minimumSizeHint().width(), self.widest)

    def sizeHint(self) -> QSize:
        height = max(self.tabs.sizeHint().height(), self._box.sizeHint().height())
        return QSize(min(self._box.sizeHint().width(), self.widest) if self.as_box else self.widest, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.narrowest if self.as_box else self.widest, self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in TURNED:
            if self.isHidden() != self.tabs.isHidden():
                self.setVisible(not self.tabs.isHidden())
            self._box.setEnabled(self.tabs.isEnabledTo(self))
        return super().eventFilter(watched, event)

    def fold(self, narrow: bool) -> None:
        """Shows the box instead of the tabs, or the tabs again."""
        if narrow != self.as_box:
            held = self.tabs.hasFocus() or self._box.hasFocus()
            self._holder.setVisible(not narrow)
            self._box.setVisible(narrow)
            if held:
                (self._box if narrow else self.tabs).setFocus()
            self.updateGeometry()

    def _renew(self) -> None:
        """Takes over the tabs."""
        self._box.clear()
        for place in range(self.tabs.count()):
            self._box.addItem(self.tabs.tabText(place).replace("&&", "&"))
        self._follow(self.tabs.currentIndex())
        self.updateGeometry()

    def _follow(self, place: int) -> None:
        self._box.setCurrentIndex(place)

    def _choose(self, place: int) -> None:
        self.tabs.tabBarClicked.emit(place)
        self.tabs.setCurrentIndex(place)
