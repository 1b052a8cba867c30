"""The tab bars of docks, which Qt makes and deletes as docks are moved, and the buttons beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QTabBar, QWidget
from shiboken6 import isValid

from app.language import tr
from app.window.dock import GAP, RIGHT, Dock, PanelButtons

WATCHED = "watched"
"""Property set on tab bars whose signals are connected."""
DOCK_TABS = "QMainWindowTabBar"
"""Qt's class of the tab bars of docks; panels may contain tab bars of their own."""
MOVED = (QEvent.Type.Resize, QEvent.Type.Move)
TURNED = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.HideToParent)


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


class TabCorner(PanelButtons):
    """Stands where the tab bar ends, which it makes narrower by its own width: Qt, which creates the bars of docks,
    leaves no room beside the tabs. ``front`` returns the dock of the current tab; in a window of its own, outside
    ``area``, it can be docked and closed here, too."""

    def __init__(self, bar: QTabBar, front: Callable[[], Dock | None], area: QWidget) -> None:
        super().__init__(bar.parentWidget() or area)
        self._bar, self._area = bar, area
        self._front = front
        self._width = -1
        """Width of the bar beside this."""
        self._narrowing = False
        bar.installEventFilter(self)
        bar.currentChanged.connect(self.follow)
        for end in (self.hide, self.deleteLater):  # slots of Qt: the object that this signal passes is gone for Python
            bar.destroyed.connect(end)
        self.help_wanted.connect(lambda: self._tell(lambda dock: dock.ask_help()))
        self.menu_wanted.connect(self._ask_menu_of_front)
        self.dock_wanted.connect(lambda: self._tell(lambda dock: dock.turn_floating()))
        self.close_wanted.connect(lambda: self._tell(lambda dock: dock.close()))
        self.follow()

    def follow(self) -> None:
        """Shows the buttons of the panel in front."""
        if not (isValid(self._bar) and isValid(self._area)):
            return
        dock = self._front()
        if dock is not None:
            self.describe(dock.spec.help)
            self.show_floating(dock.window() is not self._area.window())
        self._stand(of_panel=dock is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self._bar and not self._narrowing:
            if kind in MOVED and not self.isHidden():
                self._stand(of_panel=True)
            elif kind in MOVED or kind in TURNED:
                self.follow()
            elif kind == QEvent.Type.ParentChange:
                self.setParent(self._bar.parentWidget())
                self.follow()
        return super().eventFilter(watched, event)

    def _stand(self, *, of_panel: bool) -> None:
        """Stands beside the bar, if that is used and shows a panel. Qt keeps unused bars outside the window."""
        used = not self._bar.isHidden() and self._bar.geometry().right() >= 0
        if used:
            self._divide()
        if (of_panel and used) == self.isHidden():
            self.setVisible(of_panel and used)

    def _divide(self) -> None:
        """Divides what Qt has given to the bar, unless it is what the bar has already been left."""
        whole, wide = self._bar.geometry(), self.sizeHint().width()
        if whole.width() != self._width:
            self._width = whole.width() - wide - RIGHT - GAP
            self._narrowing = True
            self._bar.resize(self._width, whole.height())
            self._narrowing = False
        self.setGeometry(self._bar.x() + self._width + GAP, whole.top(), wide, whole.height())

    def _ask_menu_of_front(self, place: QPoint) -> None:
        self._tell(lambda dock: dock.ask_menu(place))

    def _tell(self, do: Callable[[Dock], object]) -> None:
        dock = self._front()
        if dock is not None:
            do(dock)
