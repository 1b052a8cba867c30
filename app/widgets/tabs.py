"""Tabs inside a panel."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTabBar, QWidget

from app.views.texts import caption, shown_line


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
