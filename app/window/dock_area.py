"""The docks: which are offered for the profile that is shown, and where they stand."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QTabBar, QTabWidget, QWidget

from app.document.document import Update
from app.language import tr
from app.panels.spec import PanelSpec
from app.widgets.context import Context
from app.window.dock import Dock
from app.window.dock_memory import DockMemory
from app.window.layouts import Layout, layout_of
from app.window.letting_go import let_go
from app.window.placing import place, proportion, to_front
from app.window.reach import nearest
from app.window.settings import Arrangement, SettingsFile

if TYPE_CHECKING:
    from app.profile.profile import Profile

ALONE = ""
"""The family of nothing: its arrangement is not kept."""
WATCHED = "watched"
"""Property of the tabs that we listen to."""
STATE_VERSION = 1
"""Raise when a kept arrangement would no longer make sense; a new panel alone finds its place."""
DOCK_TABS = "QMainWindowTabBar"
"""Qt's class of the tabs of docks: panels may hold tabs of their own."""


class DockArea(QMainWindow):
    """A dock for each panel of the registry, all made at once and empty; panels are made when first seen.
    The person's own arrangement is kept per family as soon as something was moved or closed.
    Signals: ``changed``, which panels are offered or shown did; ``menu_wanted`` as Dock."""

    changed = Signal()
    menu_wanted = Signal(str, object, bool)

    def __init__(self, panels: Sequence[PanelSpec], context: Context, settings: SettingsFile, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Widget)
        self.setObjectName("docks")
        self._document = context.document
        self._settings = settings
        self._family = ""
        self._layout = Layout(())
        self._state = QByteArray()
        self._touched = False
        self._arranging = False
        self._offered: tuple[str, ...] = ()
        self._closed: set[str] = set()
        self._memory = DockMemory()
        self._entry: int | None = None
        self._front: tuple[str, ...] = ()
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # Qt's own lists panels that are not offered
        self.setDockNestingEnabled(True)
        self.setDockOptions(self.dockOptions() | QMainWindow.DockOption.GroupedDragging)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks = {spec.id: self._dock(spec, context) for spec in panels}
        self._document.updated.connect(self._follow)
        self._document.entry_closed.connect(self._let_go)
        self._follow(Update(self._document.profile, frozenset()))

    @property
    def offered(self) -> tuple[str, ...]:
        """Ids of the panels that the shown profile fills, in the order of the first layout."""
        return self._offered

    @property
    def alone(self) -> list[str]:
        """Panels that are of use while nothing is open."""
        return [name for name, dock in self.docks.items() if dock.spec.alone]

    def missing(self) -> list[PanelSpec]:
        """Panels that it cannot fill; their ``missing`` says what a file would need."""
        return [dock.spec for name, dock in self.docks.items() if name not in self._offered]

    def shown(self) -> list[Dock]:
        """Docks that are open (in front or as a tab behind), in the order of the first layout."""
        return [dock for name in self._offered if not (dock := self.docks[name]).isHidden()]

    def in_sight(self, name: str) -> bool:
        """Whether a panel can be seen: open, and no tab behind another."""
        return self.docks[name].on_screen

    def closed(self, name: str) -> bool:
        """Whether the person closed this panel (it stays so for every profile of the family)."""
        return name in self._closed

    def holds(self, widget: QWidget) -> bool:
        """Whether ``widget`` stands in a dock, torn off or not."""
        return self.at(widget) is not None

    def at(self, widget: QWidget) -> Dock | None:
        """The dock that ``widget`` stands in."""
        dock = nearest(widget, Dock)
        return dock if dock is not None and self.docks.get(dock.spec.id) is dock else None

    def main(self) -> Dock | None:
        """Of the docks in front the first with a picture, else the first."""
        front = [dock for dock in self.shown() if dock.on_screen]
        return next((dock for dock in front if dock.canvas is not None), front[0] if front else None)

    def instead_of(self, dock: Dock) -> Dock | None:
        """What stands in front in the place where ``dock`` is a tab."""
        tabs = [other for other in self.docks.values() if other in self.tabifiedDockWidgets(dock)]
        return next((other for other in tabs if other.on_screen), None)

    def of_tab(self, bar: QTabBar, index: int) -> Dock | None:
        """The dock that a tab of one of our bars shows."""
        known = bar in self.bars() and index >= 0
        return next((dock for dock in self.docks.values() if known and dock.windowTitle() == bar.tabText(index)), None)

    def toggle(self, name: str) -> None:
        """Opens or closes a panel, as the person's wish for this family."""
        self._wish(name, shown=self.docks[name].isHidden())

    def focus(self, name: str) -> None:
        """Opens a panel that is offered, brings it to the front and gives it the keyboard."""
        if self.bring(name):
            self.docks[name].take_keyboard()

    def bring(self, name: str) -> bool:
        """Opens a panel and brings it to the front; False for one that is not offered."""
        if name not in self._offered:
            return False
        dock = self.docks[name]
        if dock.isHidden():
            self._wish(name, shown=True)
        dock.raise_()
        if dock.isFloating():
            dock.activateWindow()  # it may lie behind the main window
        dock.fill()
        self._brought(dock)
        return True

    def show_alone(self, name: str) -> None:
        """One panel by itself, while nothing is open; the next profile has its own arrangement again."""
        if self._document.profile is not None:
            return
        self.keep()
        self._arrange(ALONE)
        self._offered = (name,)
        for other, dock in self.docks.items():
            dock.offered = other == name
            dock.setVisible(dock.offered)
        self.docks[name].fill()
        self._entitle()
        self.changed.emit()

    def reset(self) -> None:
        """Back to the first layout of this family; what the person had arranged is forgotten."""
        kept = dict(self._settings.value.arrangements)
        kept.pop(self._family, None)
        self._settings.update(arrangements=kept)
        self._memory.rearranged(self._family)
        self._front = ()
        self._arrange(self._family)
        if self._document.profile is not None:
            self._offer(self._document.profile)

    def keep(self) -> None:
        """Writes the arrangement of the family that is shown, if the person changed it."""
        if not self._family or not (self._touched or self._front):
            return
        kept = self._settings.value.arrangements
        mine = replace(kept.get(self._family, Arrangement()), front=self._front)
        if self._touched:
            state = base64.b64encode(self.saveState(STATE_VERSION).data()).decode("ascii")
            mine = replace(mine, state=state, closed=tuple(sorted(self._closed)))
        self._settings.update(arrangements={**kept, self._family: mine})

    def event(self, event: QEvent) -> bool:
        released = isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease
        # The main window's own mouse events are those on separators: everything else is covered.
        if released and self.childAt(event.position().toPoint()) is None:  # type: ignore[attr-defined]
            self._touch()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._arranging and not self._touched and self._state.isEmpty():
            proportion(self, self.docks, self._layout)

    def showEvent(self, event: QShowEvent) -> None:
        """A state that is laid over docks without room loses its sizes, so it is laid over them again."""
        super().showEvent(event)
        if not self._touched and not self._state.isEmpty():
            QTimer.singleShot(0, self, self._restore_again)

    def minimumSizeHint(self) -> QSize:
        """Small: the docks' own minima would make the window larger than a small screen."""
        return QSize(320, 200)

    def _dock(self, spec: PanelSpec, context: Context) -> Dock:
        dock = Dock(spec, context, self)
        dock.closed_by_person.connect(lambda name: self._wish(name, shown=False))
        dock.topLevelChanged.connect(self._moved)
        dock.dockLocationChanged.connect(self._moved)
        dock.menu_wanted.connect(self.menu_wanted)
        dock.hide()
        return dock

    def _moved(self) -> None:
        if not self._arranging:
            self._touch()
            self._entitle()

    def _touch(self) -> None:
        """The person arranged something."""
        self._touched = True
        self._memory.rearranged(self._family)

    def _brought(self, dock: Dock) -> None:
        """The person brought a panel to the front of those that stand in the same place."""
        behind = {other.objectName() for other in self.tabifiedDockWidgets(dock)}
        self._front = (*(name for name in self._front if name not in behind and name != dock.spec.id), dock.spec.id)

    def _bar_clicked(self, index: int) -> None:
        """The panel was brought to the front: as soon as it is there, it has the keyboard."""
        bar = self.sender()
        dock = self.of_tab(bar, index) if isinstance(bar, QTabBar) else None
        if dock is not None:
            self._brought(dock)
            QTimer.singleShot(0, dock, dock.take_keyboard)

    def _entitle(self) -> None:
        """Docks that are one tab of several leave their name to the tab, which shows it whole: where tabs do not fit
        beside one another they scroll."""
        for bar in self.bars():
            bar.setElideMode(Qt.TextElideMode.ElideNone)
            bar.setUsesScrollButtons(True)
            if not bar.property(WATCHED):
                bar.setProperty(WATCHED, True)
                bar.setAccessibleName(tr("Panels"))
                bar.tabBarClicked.connect(self._bar_clicked)
        for dock in self.docks.values():
            others = [other for other in self.tabifiedDockWidgets(dock) if not other.isHidden()]
            dock.heading.show_title(not others or dock.isFloating())

    def bars(self) -> list[QTabBar]:
        """The tabs of docks, here and in windows of several docks."""
        return [bar for bar in self.findChildren(QTabBar) if bar.metaObject().className() == DOCK_TABS]

    def _wish(self, name: str, *, shown: bool) -> None:
        self._touch()
        (self._closed.discard if shown else self._closed.add)(name)
        self.docks[name].setVisible(shown)
        if shown:
            self.docks[name].raise_()
        self._entitle()
        self.changed.emit()

    def _follow(self, update: Update) -> None:
        profile, entry = update.profile, self._document.current
        if update.whole:
            self._leave()
        if profile is None or entry is None:
            self.keep()
            self._entry = None
            return
        wanted = _family(profile)
        if wanted != self._family:
            self.keep()
            self._arrange(wanted)
        if entry.id != self._entry:
            self._entry = entry.id
            self._come_to(profile, entry.id)
        else:
            self._offer(profile)

    def _leave(self) -> None:
        """Another profile is shown: how this one was left is remembered, if it is still open."""
        if self._entry is None or not self._offered:
            return
        state = self.saveState(STATE_VERSION) if self.isVisible() else QByteArray()
        self._memory.leave(self._entry, self._family, state, self._offered, self._front)

    def _come_to(self, profile: Profile, entry: int) -> None:
        """A profile as it was left; one that is new has the panels in front that the one before it had."""
        left = self._memory.of(entry, self._family)
        if left is None:
            self._offer(profile)
            return
        self._front = left.front
        self._offer(profile, left.state if self._memory.valid(left, self._offered_by(profile)) else None)
        self._to_front()

    def _let_go(self) -> None:
        """Panels of what was closed hold on to nothing of it."""
        self._memory.forget_closed({entry.id for entry in self._document.entries})
        nothing = self._document.profile is None
        for dock in self.docks.values():
            if dock.filled and (nothing or not dock.offered):
                let_go(dock.widget())

    def _arrange(self, name: str) -> None:
        """The first layout; the person's own, where one is kept, is laid over it when panels are offered."""
        self._arranging = True
        self._family = name
        self._offered = ()
        self._layout = layout_of(name).resolved(self.docks)
        place(self, self.docks, self._layout)
        kept = self._settings.value.arrangements.get(name)
        self._state = _decoded(kept.state) if kept is not None else QByteArray()
        self._closed = set(kept.closed) if kept is not None else set()
        self._front = kept.front if kept is not None else ()
        self._touched = False
        self._arranging = False

    def _offered_by(self, profile: Profile) -> tuple[str, ...]:
        return tuple(name for name in self._layout.order() if self.docks[name].spec.offered(profile))

    def _offer(self, profile: Profile, left: QByteArray | None = None) -> None:
        """Shows the panels that a profile fills, in the state in which it was ``left`` where that is known."""
        offered = self._offered_by(profile)
        if offered == self._offered and left is None:
            return
        self._offered = offered
        self._arranging = True
        for name, dock in self.docks.items():
            dock.offered = name in offered
        # What is hidden gives up its room for good, so sizes are set again with each new panel.
        restored = left is not None and self.restoreState(left, STATE_VERSION)
        if not restored and not self._touched and not self._state.isEmpty():
            restored = self.restoreState(self._state, STATE_VERSION)
        self._show_offered()
        if not restored and not self._touched:
            self._state = QByteArray()
            proportion(self, self.docks, self._layout)
            to_front(self.docks, self._layout)
        self._to_front()
        self._arranging = False
        self._entitle()
        self.changed.emit()

    def _restore_again(self) -> None:
        if not self._touched and self._offered:
            self._arranging = True
            self.restoreState(self._state, STATE_VERSION)
            self._show_offered()
            self._to_front()
            self._arranging = False
            self._entitle()

    def _show_offered(self) -> None:
        for name, dock in self.docks.items():
            dock.setVisible(dock.offered and name not in self._closed)
            if dock.isVisible() and not dock.visibleRegion().isEmpty():
                dock.fill()

    def _to_front(self) -> None:
        """What the person had in front, and what floats, which a main window that was just raised may cover."""
        for name in self._front:
            if name in self._offered and not self.docks[name].isHidden():
                self.docks[name].raise_()
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()


def _decoded(state: str) -> QByteArray:
    """A kept state as bytes; none where the settings hold something else."""
    try:
        return QByteArray(base64.b64decode(state, validate=True))
    except (binascii.Error, ValueError):
        return QByteArray()


def _family(profile: Profile) -> str:
    """The id of the family that the profile is shown as."""
    from app.formats.registry import family_of  # the formats are not looked at before a file is opened

    return family_of(profile.origin.format).id
