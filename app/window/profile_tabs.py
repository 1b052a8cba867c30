"""The tab bar of open profiles, and what tells their names apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QIcon, QMouseEvent, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar, QToolButton, QWidget

from app.document.document import Document
from app.document.entry import Entry, rest_of_run
from app.language import tr
from app.views.look import Theme
from app.views.names_apart import ProfileIdentity, differences, joined_name
from app.views.texts import caption, first_names
from app.widgets.display import Display
from app.widgets.icons import icon
from app.widgets.texts import advance
from app.widgets.tips import tip
from app.window.drop import TabDrop

if TYPE_CHECKING:
    from app.store.stamps import Stamp

SIDE = 12
SCALE = 2.0
NARROWEST = 136
LETTERS = 10
"""Letters that fit into the narrowest tab (NARROWEST pixels), beside the dot."""
COMFORTABLE = 160
"""Width in pixels below which tabs show short names, and only the current one has a close button."""
BUTTON = 34
"""Width of the close button in pixels, with margins."""
GAP = 4
"""Pixels that Qt adds beside the button."""
HIGHER = 8
"""Extra height in pixels over a line of text, so that a tab is easy to click."""
MANY = 32
"""With more tabs than this, updates are at least PAUSE_MS apart."""
PAUSE_MS = 250
BULK = 4
"""If at least this many tabs are added or removed at once, the bar is laid out once for all of them."""


def shared_widths(wanted: Sequence[int], room: int, *, least: int, shown: int = -1) -> list[int]:
    """Returns the widths of tabs (pixels) whose natural widths are ``wanted``, in a bar of width ``room``. If they do
    not fit, narrow tabs keep their width and the others are limited to a common one; tab ``shown`` (an index) gets its
    width up to half the room. No tab is limited to less than ``least``: beyond that the bar scrolls."""
    if sum(wanted) <= room:
        return list(wanted)
    first = min(wanted[shown], max(least, room // 2)) if 0 <= shown < len(wanted) else 0
    others = [width for place, width in enumerate(wanted) if place != shown]
    most = max(least, common_limit(others, room - first))
    widths = [min(width, most) for width in wanted]
    if 0 <= shown < len(wanted):
        left = room - (sum(widths) - widths[shown])
        widths[shown] = max(first, min(widths[shown], left))
    return widths


class Tab(Struct):
    """The displayed state of a tab, so that only changes are applied. ``entry``: that of its tool tip; ``dot``:
    (current, completely read); ``text``: the name as displayed; ``full`` and ``short``: pixels of a tab with that name,
    without the button."""

    id: int
    entry: Entry | None = None
    dot: tuple[bool, bool] | None = None
    name: TabName | None = None
    text: str = ""
    full: int = 0
    short: int = 0
    button: QToolButton | None = None


class ProfileTabs(QTabBar):
    """One tab for each open profile. A dot marks the current profile, a ring the others, a broken ring one that is
    still being read. ``stamps``: returns the file stamps of a reading job (by id). Signals: ``close_wanted`` (entry
    id), ``menu_wanted`` (global position), ``chosen``: the user clicked a tab, possibly the current one,
    ``tab_dropped`` (entry id, id of the one whose tab the user dropped on it, the files of the latter if both are ranks
    that can become one profile)."""

    close_wanted = Signal(object)
    menu_wanted = Signal(object)
    chosen = Signal()
    tab_dropped = Signal(object, object, object)

    def __init__(
        self,
        document: Document,
        display: Display,
        parent: QWidget | None = None,
        stamps: Callable[[int], Sequence[Stamp]] = lambda _job: (),
    ) -> None:
        super().__init__(parent)
        self.pressing = False
        """Whether a mouse press is being handled, which shows the profile of a tab."""
        self._document = document
        self._display = display
        self._stamps = stamps
        self._tabs: list[Tab] = []
        self._widths: list[int] = []
        self._narrow = False
        self._chrome = QSize()
        self._icons: dict[object, QIcon] = {}
        self._pause = QTimer(self, interval=PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._update_tabs)
        self.setAccessibleName(tr("Open profiles"))
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setIconSize(QSize(SIDE, SIDE))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        self.currentChanged.connect(self._choose)
        self.tabBarClicked.connect(self._clicked)
        document.entries_changed.connect(self._follow)
        display.changed.connect(self._look_changed)
        self.drop = TabDrop(self, display)
        self.drop.dropped.connect(self._dropped)
        self.drop.joins = lambda dragged, target: bool(self._joined(dragged, target))
        self._update_tabs()

    def tabSizeHint(self, index: int) -> QSize:
        """Returns the width computed by ``shared_widths``; Qt uses it both as preferred and as minimum size."""
        width = self._widths[index] if index < len(self._widths) else NARROWEST
        return QSize(width, self._chrome.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._share_width()
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressing = True
        super().mousePressEvent(event)
        self.pressing = False

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.close_wanted.emit(self.tabData(index))
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.tabAt(event.pos())
        if index >= 0:
            self.setCurrentIndex(index)
            self.menu_wanted.emit(event.globalPos())

    def _dropped(self, dragged: int, target: int) -> None:
        self.tab_dropped.emit(self.tabData(target), self.tabData(dragged), self._joined(dragged, target))

    def _joined(self, dragged: int, target: int) -> list[Path]:
        """The files of the dragged tab that complete the run of the other, if any."""
        other, entry = (self._document.entry(self.tabData(index)) for index in (dragged, target))
        return [] if other is None or entry is None else rest_of_run([other], entry)

    def _clicked(self, index: int) -> None:
        if index >= 0:
            self.chosen.emit()

    def _choose(self, index: int) -> None:
        if index >= 0:
            self._document.show(self.tabData(index))

    def _follow(self) -> None:
        """Updates the tabs: at once if few are open or the current profile changed, else after PAUSE_MS. While a folder
        is read, many tabs change so often that updating each time would slow down reading."""
        current, index = self._document.current, self.currentIndex()
        same = current is not None and index >= 0 and self.tabData(index) == current.id
        if len(self._document.entries) <= MANY or not same:
            self._update_tabs()
        elif not self._pause.isActive():
            self._pause.start()

    def _look_changed(self) -> None:
        """Draws and measures everything again: theme or font may have changed."""
        self._icons.clear()
        self._chrome = QSize()
        for tab in self._tabs:
            tab.dot = tab.name = None
        self._update_tabs()

    def _update_tabs(self) -> None:
        """Removes the tabs of closed profiles, updates changed ones and inserts new ones; those that stay never change
        their order."""
        self._pause.stop()
        entries, current = self._document.entries, self._document.current
        open_now = {entry.id for entry in entries}
        gone = [index for index, tab in enumerate(self._tabs) if tab.id not in open_now]
        left = len(self._tabs) - len(gone)
        self.blockSignals(True)
        with self._laid_out_once(len(gone) + len(entries) - left):
            for index in reversed(gone):
                del self._tabs[index]
                self.removeTab(index)
            for index, (entry, name) in enumerate(zip(entries, self._names(entries), strict=True)):
                if index == len(self._tabs) or self._tabs[index].id != entry.id:
                    self._insert(index, entry, name)
                self._describe(index, entry, name, shown=entry is current)
            if current is not None:
                self.setCurrentIndex(entries.index(current))
            self._share_width()
            if self.currentIndex() >= 0:
                self.setTabText(self.currentIndex(), self.tabText(self.currentIndex()))  # triggers the layout
        self.blockSignals(False)
        self.setVisible(bool(entries))

    @contextmanager
    def _laid_out_once(self, changes: int) -> Iterator[None]:
        """Hides the bar during many changes: otherwise Qt lays out all tabs for each that is added, removed or gets a
        button."""
        if changes < BULK or not self.isVisible():
            yield
            return
        focused = self.hasFocus()
        self.hide()
        yield
        self.show()
        if focused:
            self.setFocus()

    def _names(self, entries: Sequence[Entry]) -> list[TabName]:
        if not entries:
            return []
        from app.formats.registry import family_of  # the formats are not looked at before a file is opened

        named = []
        for entry in entries:
            origin, stamps = entry.profile.origin, self._stamps(entry.job)
            path = origin.paths[0] if origin.paths else None
            written = stamps[0].modified_ns if stamps else 0
            title = "" if entry.is_part else family_of(origin.format).title  # the name of a part ends with the part
            named.append(ProfileIdentity(entry.profile.name, title, path, written))
        return tab_names(named)

    def _share_width(self) -> None:
        """Sets the width of every tab; if there is not enough room, only the current tab has its full name and a close
        button."""
        now = self.currentIndex()
        wanted = [tab.full + BUTTON for tab in self._tabs]
        self._widths = shared_widths(wanted, self.width(), least=NARROWEST, shown=now)
        self._narrow = any(width < min(most, COMFORTABLE) for width, most in zip(self._widths, wanted, strict=True))
        if self._narrow:
            wanted = [tab.full + BUTTON if index == now else tab.short for index, tab in enumerate(self._tabs)]
            self._widths = shared_widths(wanted, self.width(), least=NARROWEST, shown=now)
        for index, tab in enumerate(self._tabs):
            whole = index == now or not self._narrow
            if (tab.button is not None) != whole:
                self._switch_button(index, tab)
            self._show_name(index, tab, whole=whole)
        names = [tab.name for tab in self._tabs if tab.name is not None]
        start = self._narrow and differ_at_the_start(names, LETTERS)
        mode = Qt.TextElideMode.ElideRight if start else Qt.TextElideMode.ElideMiddle
        if mode != self.elideMode():
            self.setElideMode(mode)

    def _show_name(self, index: int, tab: Tab, *, whole: bool) -> None:
        assert tab.name is not None
        text = tab.name.full if whole else tab.name.short
        if text != tab.text:
            tab.text = text
            self.setTabText(index, caption(text))

    def _switch_button(self, index: int, tab: Tab) -> None:
        if tab.button is not None:
            self.setTabButton(index, QTabBar.ButtonPosition.RightSide, None)
            tab.button.deleteLater()
            tab.button = None
            return
        tab.button = button = QToolButton(self)
        button.setObjectName("tabClose")
        button.setIconSize(QSize(SIDE, SIDE))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip(tr("Close"))
        button.setAccessibleName(tr("Close profile"))
        button.clicked.connect(lambda _=False, entry=tab.id: self.close_wanted.emit(entry))
        button.setIcon(icon("x", "muted"))
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)

    def _insert(self, index: int, entry: Entry, name: TabName) -> None:
        """Adds a tab with its text and dot: setting them later would lay out all tabs again."""
        text = name.short if self._narrow else name.full
        shown = entry is self._document.current
        self._tabs.insert(index, Tab(entry.id, dot=(shown, entry.done), text=text))
        self.insertTab(index, self._dot_icon(shown, entry.done), caption(text))
        self.setTabData(index, entry.id)

    def _describe(self, index: int, entry: Entry, name: TabName, *, shown: bool) -> None:
        """Updates what changed: tool tip, dot, and the measured widths of the name."""
        tab = self._tabs[index]
        if tab.entry is not entry:
            tab.entry = entry
            lines = first_names([str(path) for path in entry.profile.origin.paths])
            lines += [tr("part of an open profile, not read again")] if entry.is_part else []
            lines += [] if entry.done else [tr("still being read")]
            lines += [tr("unchanged since the last time: opened from the file cache")] if entry.cached else []
            self.setTabToolTip(index, tip("\n".join(lines)))
        if tab.dot != (shown, entry.done):
            tab.dot = shown, entry.done
            self.setTabIcon(index, self._dot_icon(shown, entry.done))
        if tab.name != name:
            tab.name = name
            tab.full, tab.short = self._measured(name.full), self._measured(name.short)

    def _measured(self, name: str) -> int:
        """Returns the width in pixels of a tab with this text, without a button. What a tab adds to its text is
        measured once, from Qt's size hint of the first tab."""
        if self._chrome.isEmpty():
            hint = super().tabSizeHint(0)
            self.ensurePolished()
            text = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.tabText(0)).width()
            button = self.tabButton(0, QTabBar.ButtonPosition.RightSide)
            own = QSize(0, 0) if button is None else QSize(button.width() + GAP, button.height())
            line = max(self.fontMetrics().height(), SIDE)
            height = hint.height() - max(0, own.height() - line)
            self._chrome = QSize(hint.width() - text - own.width(), height + HIGHER)
        return self._chrome.width() + advance(name, self.fontMetrics())

    def _dot_icon(self, shown: bool, done: bool) -> QIcon:
        """Returns the icon of a state, drawn once per theme."""
        if (shown, done) not in self._icons:
            self._icons[shown, done] = dot(self._display.theme, shown=shown, done=done)
        return self._icons[shown, done]


def dot(theme: Theme, *, shown: bool, done: bool) -> QIcon:
    """Returns the icon of a tab: filled for the current profile, a ring for others, a broken ring while reading."""
    pixmap = QPixmap(QSize(SIDE, SIDE) * SCALE)
    pixmap.setDevicePixelRatio(SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    colour = QColor(theme.accent if shown else theme.muted)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not done:
            painter.setPen(QPen(colour, 1.5))
            painter.drawArc(QRectF(2, 2, 8, 8), 90 * 16, 250 * 16)
            return QIcon(pixmap)
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(colour if shown else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(SIDE / 2, SIDE / 2), 3.4, 3.4)
    return QIcon(pixmap)


class TabName(Struct, frozen=True):
    """``full`` includes the family; ``short`` is for narrow tabs and starts with what distinguishes the profile."""

    full: str
    short: str


def tab_names(profiles: Sequence[ProfileIdentity]) -> list[TabName]:
    """Returns ``name · title`` for each profile; for duplicates, also what differs: the folder, else the time of the
    file, else a number."""
    alike: dict[tuple[str, str], list[int]] = {}
    for place, profile in enumerate(profiles):
        alike.setdefault((profile.name, profile.title), []).append(place)
    names: dict[int, TabName] = {}
    for (name, title), places in alike.items():
        marks = differences([profiles[place] for place in places])
        for place, mark in zip(places, marks, strict=True):
            names[place] = TabName(joined_name(name, title, mark), joined_name(mark, name))
    return [names[place] for place in range(len(profiles))]


def differ_at_the_start(names: Sequence[TabName], seen: int) -> bool:
    """Whether the first ``seen`` letters of the short names distinguish at least as many of them as ``seen`` letters
    from both ends do."""
    half = seen // 2
    starts = {name.short[:seen] for name in names}
    ends = {(name.short[:half], name.short[-half:]) for name in names}
    return len(starts) >= len(ends)


def common_limit(wanted: Sequence[int], room: int) -> int:
    """Returns the largest limit such that ``wanted``, each capped at it, sum to at most ``room``."""
    left = room
    for place, width in enumerate(sorted(wanted)):
        share = left // (len(wanted) - place)
        if width > share:
            return share
        left -= width
    return max(wanted, default=room)
