"""The tab bars of docks, which Qt makes and deletes as docks are moved: the buttons beside them, and one tab for each
group of panels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QChildEvent, QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QTabBar, QToolButton, QWidget
from shiboken6 import isValid

from app.language import labelled, tr
from app.panels.spec import GROUPS
from app.views.texts import caption, shown_line
from app.widgets.icons import icon
from app.widgets.tips import set_tip
from app.window.dock import GAP, RIGHT, SIDE, Dock, PanelButtons

WATCHED = "watched"
"""Property set on tab bars whose signals are connected."""
DOCK_TABS = "QMainWindowTabBar"
"""Qt's class of the tab bars of docks; panels may contain tab bars of their own."""
MOVED = (QEvent.Type.Resize, QEvent.Type.Move)
OPENS_GROUP = (Qt.Key.Key_Down, Qt.Key.Key_F4)
"""Keys that open the menu of the group, on its tab."""
TURNED = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.HideToParent)


class DockTabs(QObject):
    """The bars of ``area`` and of its floating groups of ``docks``. ``after_release`` does what it is given under a
    name once no mouse button is down. Signals: ``clicked`` (Dock): a tab was clicked;
    ``menu_wanted`` (Dock, global position): the context menu of a tab is requested."""

    clicked = Signal(object)
    menu_wanted = Signal(object, object)

    def __init__(
        self, docks: Mapping[str, Dock], area: QMainWindow, after_release: Callable[[str, Callable[[], object]], object]
    ) -> None:
        super().__init__(area)
        self._after_release = after_release
        self._docks, self._area = docks, area
        self._grouped: dict[QTabBar, list[str]] = {}
        """The tabs of each bar when it was divided into groups: Qt adds and moves tabs without a word."""
        self._soon = QTimer(self, interval=0, singleShot=True)
        self._soon.timeout.connect(self._watch_new)
        for dock in docks.values():
            dock.kept.connect(self._follow_corners)
        area.installEventFilter(self)

    def bars(self) -> list[QTabBar]:
        """Returns the tab bars of docks, in the area and in floating groups of docks."""
        return [bar for bar in self._area.findChildren(QTabBar) if bar.metaObject().className() == DOCK_TABS]

    def dock_of(self, bar: QTabBar, index: int) -> Dock | None:
        """Returns the dock of tab ``index`` of one of the bars, or None."""
        return self._named(bar.tabText(index)) if index >= 0 and bar in self.bars() else None

    def _named(self, title: str) -> Dock | None:
        """The dock whose tab says ``title``. It searches no children: Qt also shows bars while it deletes some, and
        tabs are many."""
        return next((dock for dock in self._docks.values() if isValid(dock) and dock.windowTitle() == title), None)

    def follow(self, offered: Iterable[Dock]) -> None:
        """Hides the titles of tabbed docks, whose tabs show the full names (they scroll instead of eliding), and
        connects new tab bars, which get the buttons of the panel in front beside them."""
        self._watch_new()
        for dock in offered:
            others = [other for other in self._area.tabifiedDockWidgets(dock) if not other.isHidden()]
            dock.heading.show_tabbed(bool(others) and not dock.isFloating())
        self._follow_corners()

    def _follow_corners(self) -> None:
        for corner in self._area.findChildren(TabCorner):
            corner.follow()

    def group_of(self, bar: QTabBar) -> list[Dock]:
        """The docks that share the current tab of a bar, in the order of their tabs; empty if it is of one alone."""
        front = self.dock_of(bar, bar.currentIndex())
        if front is None or not front.spec.group:
            return []
        own = [dock for title in _titles(bar) if (dock := self._named(title)) is not None]
        own = [dock for dock in own if dock.spec.group == front.spec.group]
        return own if len(own) > 1 else []

    def ask_group(self, bar: QTabBar, index: int) -> None:
        """Opens the menu of the group that a tab stands for."""
        bar.setCurrentIndex(index)
        menu = QMenu(bar)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        front = self.dock_of(bar, index)
        for dock in self.group_of(bar):
            action = menu.addAction(caption(dock.spec.title))
            action.setCheckable(True)
            action.setChecked(dock is front)
            action.triggered.connect(partial(self._choose, dock))
        menu.popup(bar.mapToGlobal(bar.tabRect(index).bottomLeft()))

    def _choose(self, dock: Dock) -> None:
        dock.raise_()
        self.clicked.emit(dock)

    def _turned(self, bar: QTabBar, index: int) -> None:
        """Another panel is in front: by a click on its tab, which changes no group, or because it was asked for."""
        if isValid(bar) and not bar.isTabVisible(index):
            self._group(bar)

    def _group(self, bar: QTabBar) -> None:
        """Divides a bar into groups, after the release if a mouse button is down: Qt moves tabs while docks are
        dragged."""
        self._after_release(f"group-{id(bar)}", partial(self._group_now, bar))

    def _group_now(self, bar: QTabBar) -> None:
        """Shows one tab for each group: that of the panel which was in front of it last."""
        if not isValid(bar):
            return
        titles = self._grouped[bar] = _titles(bar)
        front = bar.currentIndex()
        members: dict[str, list[int]] = {}
        for index, title in enumerate(titles):
            dock = self._named(title)
            members.setdefault(dock.spec.group or dock.spec.id if dock is not None else str(index), []).append(index)
        for name, indexes in members.items():
            shown = [index for index in indexes if bar.isTabVisible(index)]
            kept = front if front in indexes else (shown or indexes)[0]
            bar.setTabVisible(kept, True)
            for index in indexes:
                bar.setTabVisible(index, index == kept)
                self._put_button(bar, index, GROUPS[name] if index == kept and len(indexes) > 1 else "")
        if front < 0 and bar.count():  # the last tab that showed is gone, and Qt shows none instead of it
            bar.setCurrentIndex(next(index for index in range(bar.count()) if bar.isTabVisible(index)))

    def _follow_tabs(self) -> None:
        """Divides the bars anew whose tabs are others."""
        for bar in list(self._grouped):
            if isValid(bar) and self._changed(bar):
                self._group(bar)

    def _changed(self, bar: QTabBar) -> bool:
        return self._grouped.get(bar) != _titles(bar)

    def _put_button(self, bar: QTabBar, index: int, group: str) -> None:
        """Puts the button for the menu of a group on its tab; removes it where ``group`` is empty."""
        side = QTabBar.ButtonPosition.RightSide
        button = bar.tabButton(index, side)
        if group and not isinstance(button, GroupButton):
            bar.setTabButton(index, side, GroupButton(group, partial(self._ask_of, bar), bar))
        elif not group and button is not None:
            bar.setTabButton(index, side, None)
            button.deleteLater()

    def _ask_of(self, bar: QTabBar, button: GroupButton) -> None:
        for index in range(bar.count()):
            if bar.tabButton(index, QTabBar.ButtonPosition.RightSide) is button:
                self.ask_group(bar, index)
                return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in OPENS_GROUP
        if pressed and isinstance(watched, QTabBar) and self.group_of(watched):
            self.ask_group(watched, watched.currentIndex())
            return True
        if watched is self._area and event.type() in (QEvent.Type.ChildAdded, QEvent.Type.LayoutRequest):
            self._follow_tabs()
            if isinstance(event, QChildEvent) and isinstance(event.child(), QTabBar):
                self._soon.start()
        elif event.type() == QEvent.Type.Paint and isinstance(watched, QTabBar) and self._changed(watched):
            self._soon.start()
        return super().eventFilter(watched, event)

    def _watch_new(self) -> None:
        for bar in self.bars():
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            if not bar.property(WATCHED):
                self._watch(bar)
            self._group(bar)

    def _watch(self, bar: QTabBar) -> None:
        bar.setProperty(WATCHED, True)
        bar.setAccessibleName(tr("Panels"))
        bar.tabBarClicked.connect(self._click)
        bar.currentChanged.connect(partial(self._turned, bar))
        bar.destroyed.connect(lambda _, bar=bar: self._grouped.pop(bar, None))
        bar.installEventFilter(self)
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
        return self._named(bar.tabText(bar.currentIndex()))


def _titles(bar: QTabBar) -> list[str]:
    return [bar.tabText(index) for index in range(bar.count())]


class GroupButton(QToolButton):
    """Opens the menu of the panels that share its tab. It takes no focus: a key on the tabs does the same."""

    def __init__(self, group: str, ask: Callable[[GroupButton], object], bar: QTabBar) -> None:
        super().__init__(bar)
        self.setObjectName("groupButton")
        self.setIcon(icon("chevron-down", "muted"))
        self.setIconSize(QSize(SIDE, SIDE))
        self.setFixedSize(SIDE + 6, SIDE + 4)  # else tabs are higher for a moment where a style is applied again
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        text = labelled(group, tr("other panels of this group"))
        set_tip(self, text)
        self.setAccessibleName(shown_line(text))
        self.clicked.connect(lambda: ask(self))


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
        self._wide = 0
        """Width of this when the bar was given that."""
        self._narrowing = False
        bar.installEventFilter(self)
        bar.currentChanged.connect(self.follow)
        for end in (self.hide, self.deleteLater):  # slots of Qt: the object that this signal passes is gone for Python
            bar.destroyed.connect(end)
        self.keep_wanted.connect(lambda wanted: self._tell(lambda dock: dock.keep_item(wanted)))
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
            self.show_keeping(dock.keeper)
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
        if whole.width() != self._width or wide != self._wide:
            room = whole.width() if whole.width() != self._width else self._width + self._wide + RIGHT + GAP
            self._width, self._wide = room - wide - RIGHT - GAP, wide
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
