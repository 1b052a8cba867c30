"""The tab bars of docks, which Qt makes and deletes as docks are moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QTabBar
from shiboken6 import isValid

from app.language import tr
from app.window.dock import Dock
from app.window.tab_corner import TabCorner

WATCHED = "watched"
"""Property set on tab bars whose signals are connected."""
DOCK_TABS = "QMainWindowTabBar"
"""Qt's class of the tab bars of docks; panels may contain tab bars of their own."""


class DockTabs(QObject):
    """The bars of ``area`` and of its floating groups of ``docks``. Signals: ``clicked`` (Dock): a tab was clicked;
    ``menu_wanted`` (Dock, global position): the context menu of a tab is requested."""

    clicked = Signal(object)
    menu_wanted = Signal(object, object)

    def __init__(self, docks: Mapping[str, Dock], area: QMainWindow) -> None:
        super().__init__(area)
        self._docks, self._area = docks, area

    def bars(self) -> list[QTabBar]:
        """Returns the tab bars of docks, in the area and in floating groups of docks."""
        return [bar for bar in self._area.findChildren(QTabBar) if bar.metaObject().className() == DOCK_TABS]

    def dock_of(self, bar: QTabBar, index: int) -> Dock | None:
        """Returns the dock of tab ``index`` of one of the bars, or None."""
        known = bar in self.bars() and index >= 0
        return next((dock for dock in self._docks.values() if known and dock.windowTitle() == bar.tabText(index)), None)

    def follow(self, offered: Iterable[Dock]) -> None:
        """Hides the titles of tabbed docks, whose tabs show the full names (they scroll instead of eliding), and
        connects new tab bars, which get the buttons of the panel in front beside them."""
        for bar in self.bars():
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            if not bar.property(WATCHED):
                self._watch(bar)
        for dock in offered:
            others = [other for other in self._area.tabifiedDockWidgets(dock) if not other.isHidden()]
            dock.heading.show_tabbed(bool(others) and not dock.isFloating())
        for corner in self._area.findChildren(TabCorner):
            corner.follow()

    def _watch(self, bar: QTabBar) -> None:
        bar.setProperty(WATCHED, True)
        bar.setAccessibleName(tr("Panels"))
        bar.tabBarClicked.connect(self._click)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        bar.customContextMenuRequested.connect(self._ask_menu)
        TabCorner(bar, partial(self._front_of, bar), self._area)

    def _click(self, index: int) -> None:
        bar = self.sender()
        dock = self.dock_of(bar, index) if isinstance(bar, QTabBar) else None
        if dock is not None:
            self.clicked.emit(dock)

    def _ask_menu(self, point: QPoint) -> None:
        bar = self.sender()
        dock = self.dock_of(bar, bar.tabAt(point)) if isinstance(bar, QTabBar) else None
        if dock is not None and isinstance(bar, QTabBar):
            self.menu_wanted.emit(dock, bar.mapToGlobal(point))

    def _front_of(self, bar: QTabBar) -> Dock | None:
        """The dock of the current tab of one of the bars. It searches no children: Qt also shows bars while it deletes
        some."""
        title = bar.tabText(bar.currentIndex())
        return next((dock for dock in self._docks.values() if isValid(dock) and dock.windowTitle() == title), None)
