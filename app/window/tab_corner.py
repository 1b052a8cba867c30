"""The buttons of the panel in front, at the right end of the tabs of its dock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtWidgets import QTabBar, QWidget
from shiboken6 import isValid

from app.window.heading import GAP, RIGHT, PanelButtons

if TYPE_CHECKING:
    from app.window.dock import Dock

MOVED = (QEvent.Type.Resize, QEvent.Type.Move)
TURNED = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.HideToParent)


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
