"""The dock area: which panels the current profile offers, and how they are arranged."""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QByteArray, QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow, QTabWidget, QWidget

from app.document.document import Update
from app.panels.spec import PanelSpec
from app.widgets.context import Context
from app.window.dock import Dock
from app.window.dock_tabs import DockTabs
from app.window.drop import AfterRelease
from app.window.layouts import Layout, layout_of, place, proportion, to_front
from app.window.nearest import nearest
from app.window.settings import Arrangement, SettingsFile

if TYPE_CHECKING:
    from app.profile.profile import Profile


ALONE = ""
"""The family while no profile is open; its arrangement is not saved."""
STATE_VERSION = 1
"""Increase when saved arrangements become invalid; a new panel alone does not need it."""


class DockArea(QMainWindow):
    """A dock for each registered panel, all created empty at once; panels are created when first visible, those of a
    profile that is being read one in each turn of the event loop.
    The user's arrangement is saved per family (of formats) once something was moved or closed.
    Signals: ``changed``: the offered or shown panels changed; ``covered``: one of them is no longer in front;
    ``menu_wanted``, ``commands_wanted``, ``help_wanted``, ``more_wanted``: as for Dock."""

    changed = Signal()
    covered = Signal()
    menu_wanted = Signal(str, object, bool)
    commands_wanted = Signal(str, object)
    help_wanted = Signal(str)
    more_wanted = Signal(str, object)

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
        self.setAnimated(False)  # nor by the style sheet: Qt 6.11 crashes where moving docks are arranged again
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        self.docks = {spec.id: self._dock(spec, context) for spec in panels}
        self.after_release = AfterRelease(lambda: [*self.tabs.bars()], self)
        self.tabs = DockTabs(self.docks, self, self.after_release.run)
        self.tabs.clicked.connect(self._tab_clicked)
        self.tabs.menu_wanted.connect(self._tab_menu)
        self._building = Building(self.docks.values(), self)
        self._building.done.connect(self._built)
        self._document.updated.connect(self._follow)
        self._document.entries_changed.connect(self._follow_end)
        self._document.entry_closed.connect(self._release_closed)
        self._follow(Update(self._document.profile, frozenset()))

    @property
    def offered(self) -> tuple[str, ...]:
        """Ids of the panels that the current profile has data for, in the order of the default layout."""
        return self._offered

    @property
    def alone(self) -> list[str]:
        """Ids of the panels that are useful while no profile is open."""
        return [name for name, dock in self.docks.items() if dock.spec.alone]

    @property
    def building(self) -> bool:
        """Whether panels that can be seen are still to be made."""
        return bool(self._building.waiting)

    def missing(self) -> list[PanelSpec]:
        """Returns the panels that are not offered; their ``missing`` says what a file would need."""
        return [dock.spec for name, dock in self.docks.items() if name not in self._offered]

    def shown(self) -> list[Dock]:
        """Returns the open docks (in front or as a tab behind), in the order of the default layout."""
        return [dock for name in self._offered if not (dock := self.docks[name]).isHidden()]

    def in_sight(self, name: str) -> bool:
        """Whether a panel is visible: open, and not a tab behind another."""
        return self.docks[name].on_screen

    def closed(self, name: str) -> bool:
        """Whether the user closed this panel (for all profiles of the family)."""
        return name in self._closed

    def holds(self, widget: QWidget) -> bool:
        """Whether ``widget`` is inside a dock, floating or not."""
        return self.at(widget) is not None

    def at(self, widget: QWidget) -> Dock | None:
        """Returns the dock of this area that contains ``widget``, or None."""
        dock = nearest(widget, Dock)
        return dock if dock is not None and self.docks.get(dock.spec.id) is dock else None

    def main(self) -> Dock | None:
        """Returns the first visible dock with a canvas, else the first visible one; None if there is none."""
        front = [dock for dock in self.shown() if dock.on_screen]
        return next((dock for dock in front if dock.canvas is not None), front[0] if front else None)

    def instead_of(self, dock: Dock) -> Dock | None:
        """Returns the visible dock of the tab group that contains ``dock``, or None."""
        tabs = [other for other in self.docks.values() if other in self.tabifiedDockWidgets(dock)]
        return next((other for other in tabs if other.on_screen), None)

    def toggle(self, name: str) -> None:
        """Opens or closes a panel; the choice is saved for the family."""
        self._set_open(name, shown=self.docks[name].isHidden())

    def turn_floating(self, name: str) -> None:
        """Makes a panel float, or docks it, and gives it the focus once it has been placed."""
        dock = self.docks[name]

        def turn() -> None:
            dock.turn_floating()
            dock.activateWindow()
            QTimer.singleShot(0, dock, lambda: self.focus(name))

        self.after_release.run("float", turn)

    def focus(self, name: str) -> None:
        """Opens an offered panel, brings it to the front and gives it the focus."""
        if self.bring(name):
            self.docks[name].take_keyboard()

    def bring(self, name: str, *, remember: bool = True) -> bool:
        """Opens a panel and brings it to the front; returns False if it is not offered. ``remember``: the next profile
        of the family has it in front as well."""
        if name not in self._offered:
            return False
        dock = self.docks[name]
        if dock.isHidden():
            self._set_open(name, shown=True)
        dock.raise_()
        if dock.isFloating():
            dock.activateWindow()  # it may be behind the main window
        dock.fill()
        if remember:
            self._remember_front(dock)
        return True

    def show_alone(self, name: str) -> None:
        """Shows a single panel while no profile is open; the next profile restores its own arrangement."""
        self.after_release.run("alone", lambda: self._show_alone(name))

    def _show_alone(self, name: str) -> None:
        if self._document.profile is not None:
            return
        self.save_layout()
        self._arrange(ALONE)
        self._offered = (name,)
        for other, dock in self.docks.items():
            dock.offer(other == name)
            dock.setVisible(dock.offered)
        self.docks[name].fill()
        self._update_titles()
        self.changed.emit()

    def reset(self) -> None:
        """Restores the default layout of this family and discards the user's arrangement."""
        self.after_release.run("reset", self._reset)

    def _reset(self) -> None:
        arrangements = dict(self._settings.value.arrangements)
        arrangements.pop(self._family, None)
        self._settings.update(arrangements=arrangements)
        self._memory.rearranged(self._family)
        self._front = ()
        self._arrange(self._family)
        if self._document.profile is not None:
            self._offer(self._document.profile)

    def save_layout(self) -> None:
        """Saves the arrangement of the current family, if the user changed it."""
        if not self._family or not (self._touched or self._front):
            return
        arrangements = self._settings.value.arrangements
        mine = replace(arrangements.get(self._family, Arrangement()), front=self._front)
        if self._touched:
            state = base64.b64encode(self.saveState(STATE_VERSION).data()).decode("ascii")
            mine = replace(mine, state=state, closed=tuple(sorted(self._closed)))
        self._settings.update(arrangements={**arrangements, self._family: mine})

    def event(self, event: QEvent) -> bool:
        released = isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease
        # The main window itself receives mouse events only on separators: children cover everything else.
        if released and self.childAt(event.position().toPoint()) is None:  # type: ignore[attr-defined]
            self._touch()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._arranging:
            self.after_release.run("proportion", self._proportion)

    def showEvent(self, event: QShowEvent) -> None:
        """Restores the saved state again: restored while the docks had no size, it lost its own sizes."""
        super().showEvent(event)
        if not self._touched and not self._state.isEmpty():
            QTimer.singleShot(0, self, lambda: self.after_release.run("restore", self._restore_again))

    def minimumSizeHint(self) -> QSize:
        """A small fixed size: the docks' own minima would make the window larger than a small screen."""
        return QSize(320, 200)

    def _dock(self, spec: PanelSpec, context: Context) -> Dock:
        dock = Dock(spec, context, self)
        dock.closed_by_person.connect(lambda name: self._set_open(name, shown=False))
        dock.topLevelChanged.connect(self._moved)
        dock.dockLocationChanged.connect(self._moved)
        dock.menu_wanted.connect(self.menu_wanted)
        dock.commands_wanted.connect(self.commands_wanted)
        dock.panel_wanted.connect(self.bring)
        dock.help_wanted.connect(self.help_wanted)
        dock.more_wanted.connect(self.more_wanted)
        dock.seen.connect(partial(self._seen, dock))
        dock.covered.connect(self.covered)
        dock.hide()
        return dock

    def _seen(self, dock: Dock) -> None:
        """What a person brings to the front is there at once; of a profile that arrives one panel after the other."""
        entry = self._document.current
        if self._arranging or (entry is not None and not entry.done):
            self._building.begin()
        else:
            dock.fill()

    def _built(self) -> None:
        """Panels may need more room than empty docks did."""
        self.after_release.run("proportion", self._proportion)
        self.changed.emit()

    def _proportion(self) -> None:
        """Gives the docks the sizes of the layout, unless the user has given them others."""
        if not self._touched and self._state.isEmpty():
            proportion(self, self.docks, self._layout)

    def _moved(self) -> None:
        if not self._arranging:
            self._touch()
            self._update_titles()

    def _touch(self) -> None:
        """Marks the arrangement as changed by the user."""
        self._touched = True
        self._memory.rearranged(self._family)

    def _remember_front(self, dock: Dock) -> None:
        """Records that the user brought a panel to the front of its tab group."""
        behind = {other.objectName() for other in self.tabifiedDockWidgets(dock)}
        self._front = (*(name for name in self._front if name not in behind and name != dock.spec.id), dock.spec.id)

    def _tab_clicked(self, dock: Dock) -> None:
        """Gives the focus to the panel of the clicked tab, once it is in front."""
        self._remember_front(dock)
        dock.fill()
        QTimer.singleShot(0, dock, dock.take_keyboard)

    def _tab_menu(self, dock: Dock, point: QPoint) -> None:
        """Brings the panel of a tab to the front and requests its menu."""
        self.focus(dock.spec.id)
        self.menu_wanted.emit(dock.spec.id, point, False)

    def _update_titles(self) -> None:
        self.tabs.follow([self.docks[name] for name in self._offered])

    def _set_open(self, name: str, *, shown: bool) -> None:
        self.after_release.run(f"open-{name}", lambda: self._open_now(name, shown=shown))

    def _open_now(self, name: str, *, shown: bool) -> None:
        self._touch()
        (self._closed.discard if shown else self._closed.add)(name)
        self.docks[name].setVisible(shown)
        if shown:
            self.docks[name].raise_()
        self._update_titles()
        self.changed.emit()

    def _follow(self, update: Update) -> None:
        """Arranges the docks for what is shown: where that has to wait, for what is shown by then."""
        if self.after_release.ready:
            self._follow_now(update)
        else:
            self.after_release.run("follow", lambda: self._follow_now(Update(self._document.profile)))

    def _follow_now(self, update: Update) -> None:
        profile, entry = update.profile, self._document.current
        if update.whole:
            self._remember_docks()
        if profile is None or entry is None:
            self.save_layout()
            self._entry = None
            return
        wanted = _family(profile)
        if wanted == self._family and not (entry.done or profile.filled()):
            return  # nothing has arrived of it yet: docks that it will have, too, need not go and come back
        if wanted != self._family:
            self.save_layout()
            self._arrange(wanted)
        if entry.id != self._entry:
            self._entry = entry.id
            self._restore_docks(profile, entry.id)
        else:
            self._offer(profile)

    def _follow_end(self) -> None:
        """Arranges the docks for a profile of which nothing has arrived until its end."""
        entry = self._document.current
        if entry is not None and entry.done and entry.id != self._entry:
            self._follow(Update(entry.profile, frozenset()))

    def _remember_docks(self) -> None:
        """Remembers the state of the docks for the profile that was shown until now."""
        if self._entry is None or not self._offered:
            return
        state = self.saveState(STATE_VERSION) if self.isVisible() else QByteArray()
        self._memory.leave(self._entry, self._family, state, self._offered, self._front)

    def _restore_docks(self, profile: Profile, entry: int) -> None:
        """Restores the docks as this profile was left; a new profile keeps the panels that are in front now."""
        left = self._memory.of(entry, self._family)
        if left is None:
            self._offer(profile)
            return
        self._front = left.front
        self._offer(profile, left.state if self._memory.valid(left, self._offered_by(profile)) else None)
        self._to_front()

    def _release_closed(self) -> None:
        """Makes panels that are not offered release the data of closed profiles."""
        self._memory.forget_closed({entry.id for entry in self._document.entries})
        nothing = self._document.profile is None
        for dock in self.docks.values():
            if dock.filled and (nothing or not dock.offered):
                release_profile(dock.widget())

    def _arrange(self, name: str) -> None:
        """Applies the default layout of family ``name``; a saved arrangement is restored over it when panels are
        offered."""
        self._arranging = True
        self._family = name
        self._offered = ()
        self._layout = layout_of(name).resolved(self.docks)
        place(self, self.docks, self._layout)
        saved = self._settings.value.arrangements.get(name)
        self._state = _decoded(saved.state) if saved is not None else QByteArray()
        self._closed = set(saved.closed) if saved is not None else set()
        self._front = saved.front if saved is not None else ()
        self._touched = False
        self._arranging = False

    def _offered_by(self, profile: Profile) -> tuple[str, ...]:
        return tuple(name for name in self._layout.order() if self.docks[name].spec.offered(profile))

    def _offer(self, profile: Profile, left: QByteArray | None = None) -> None:
        """Shows the panels that a profile has data for; ``left``: QMainWindow state to restore, if known."""
        offered = self._offered_by(profile)
        if offered == self._offered and left in (None, self.saveState(STATE_VERSION)):
            return
        self._offered = offered
        self._arranging = True
        for name, dock in self.docks.items():
            dock.offer(name in offered)
        # A hidden dock loses its size for good, so sizes are set again whenever the offered panels change.
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
        self._update_titles()
        self.changed.emit()

    def _restore_again(self) -> None:
        if not self._touched and self._offered:
            self._arranging = True
            self.restoreState(self._state, STATE_VERSION)
            self._show_offered()
            self._to_front()
            self._arranging = False
            self._update_titles()

    def _show_offered(self) -> None:
        for name, dock in self.docks.items():
            dock.setVisible(dock.offered and name not in self._closed)
        self._building.begin()

    def _to_front(self) -> None:
        """Raises the panels that the user had in front, and floating docks, which the main window may cover."""
        for name in self._front:
            if name in self._offered and not self.docks[name].isHidden():
                self.docks[name].raise_()
        for dock in self.docks.values():
            if dock.isFloating() and dock.isVisible():
                dock.raise_()


def _decoded(state: str) -> QByteArray:
    """Decodes a saved state (base64); empty if it is invalid."""
    try:
        return QByteArray(base64.b64decode(state, validate=True))
    except (binascii.Error, ValueError):
        return QByteArray()


def _family(profile: Profile) -> str:
    """Returns the id of the format family of a profile."""
    from app.formats.registry import family_of  # formats are not imported before a file is opened

    return family_of(profile.origin.format).id


class Building(QObject):
    """One panel in each turn of the event loop, the largest first, so that the window answers and paints in between.
    Each is filled before the next is made, so that what matters most is on the screen first. Signal ``done``: none
    waits any more, and the last is filled."""

    done = Signal()

    def __init__(self, docks: Collection[Dock], parent: QObject) -> None:
        super().__init__(parent)
        self._docks = docks
        self._last: Dock | None = None
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._next)

    @property
    def waiting(self) -> list[Dock]:
        """Docks that are seen and still empty."""
        return [dock for dock in self._docks if dock.awaited]

    def begin(self) -> None:
        if self.waiting:
            self._timer.start()

    def _next(self) -> None:
        waiting = self.waiting
        if waiting and not self._filling:
            self._last = max(waiting, key=lambda dock: dock.width() * dock.height())
            self._last.fill(at_once=False)
        if self.waiting or self._filling:
            self._timer.start()
        else:
            self.done.emit()

    @property
    def _filling(self) -> bool:
        return self._last is not None and self._last.filling


class LeftDocks(Struct, frozen=True):
    """The docks of one profile when it was last shown. ``state``: QMainWindow.saveState, empty if nothing was laid out
    yet; ``offered``: ids of the panels that the profile had data for; ``front``: those that the user brought to the
    front; ``version``: number of rearrangements of the family by then."""

    family: str
    state: QByteArray
    offered: tuple[str, ...]
    front: tuple[str, ...]
    version: int


class DockMemory:
    """Dock states by entry id, for open profiles. An arrangement applies to the whole family: once the user changes it,
    the states of the family's other profiles are outdated, and only their panels in front are restored."""

    def __init__(self) -> None:
        self._left: dict[int, LeftDocks] = {}
        self._versions: Counter[str] = Counter()

    def rearranged(self, family: str) -> None:
        """Invalidates the states of a family: the user moved, closed or opened a panel."""
        self._versions[family] += 1

    def leave(
        self, entry: int, family: str, state: QByteArray, offered: tuple[str, ...], front: tuple[str, ...]
    ) -> None:
        self._left[entry] = LeftDocks(family, state, offered, front, self._versions[family])

    def of(self, entry: int, family: str) -> LeftDocks | None:
        """Returns the docks as the profile was left; None if it was never shown or its family changed."""
        left = self._left.get(entry)
        return left if left is not None and left.family == family else None

    def valid(self, left: LeftDocks, offered: tuple[str, ...]) -> bool:
        """Whether the state still applies: nothing was rearranged since, and the same panels are offered."""
        fits = left.version == self._versions[left.family] and left.offered == offered
        return fits and not left.state.isEmpty()

    def forget_closed(self, open_now: Collection[int]) -> None:
        self._left = {entry: left for entry, left in self._left.items() if entry in open_now}


def release_profile(panel: QWidget) -> None:
    """Releases the profile that a hidden panel showed last. Panels defer updates until they are visible, so a hidden
    one would keep that profile's memory and its columns on disk. The deferred update runs now instead (it finds nothing
    to show), and tables drop their rows."""
    from app.widgets.refresh import Refresh  # panels have imported these; the empty window starts without them
    from app.widgets.table.widget import TableWidget

    for refresh in panel.findChildren(Refresh):
        refresh.now()
    for table in panel.findChildren(TableWidget):
        table.release_rows()
