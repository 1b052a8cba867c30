"""Comparing in the window: opens the files that are to be compared with one another, and shows what is compared with
what above the panels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.document.document import Document
from app.document.entry import Entry
from app.document.threads import absolute
from app.language import tr
from app.views.texts import caption, shown_line
from app.widgets.texts import advance, elided
from app.widgets.tips import set_tip
from app.window.menus import Actions
from app.window.profile_tabs import common_limit

if TYPE_CHECKING:
    from app.window.command import CommandContext

SHARE: Final = 5
"""The names get at most this part of the window's width: a fifth."""
NARROWEST: Final = 150
ICON: Final = 14
AIR: Final = 24
"""Pixels beside the text: borders, and the arrow of the menu."""


class Wanted(Struct, frozen=True):
    """A comparison that begins as soon as both sides have been read: files, or an entry that is open."""

    after: int | frozenset[Path]
    before: int | frozenset[Path]


class BaselineOpener(QObject):
    """Waits until both sides of a comparison are read, and then begins it. A new request replaces the previous one."""

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._waiting: Wanted | None = None
        document.entries_changed.connect(self._look)

    def compare(self, entry: int, baseline: int) -> None:
        """Compare two open profiles, as soon as both are complete."""
        self._want(Wanted(entry, baseline))

    def wait(self, entry: int, paths: Sequence[Path]) -> None:
        """Use the profile of these files as the baseline of ``entry`` as soon as it is complete."""
        self._want(Wanted(entry, absolute(paths)))

    def open_pair(
        self, after: Sequence[Path], before: Sequence[Path], open_: Callable[[Sequence[Path]], object]
    ) -> None:
        """Open the files of both sides that are not open yet, and compare them."""
        self._want(Wanted(absolute(after), absolute(before)))
        for paths in (before, after):
            if not any(is_of(entry, absolute(paths)) for entry in self._document.entries):
                open_(paths)

    def compare_all(self, path: Path) -> None:
        """Make the profile of this file or folder the baseline of all others that are open, and show the first of
        these."""
        paths = absolute((path,))
        baseline = next((entry for entry in self._document.entries if is_of(entry, paths)), None)
        others = [entry for entry in self._document.entries if not is_of(entry, paths)]
        if baseline is None or not others:
            return
        self._document.show(others[0].id)
        for entry in others:
            self._document.baselines.set(entry.id, baseline.id)

    def _want(self, wanted: Wanted) -> None:
        self._waiting = wanted
        self._look()

    def _look(self) -> None:
        """Begin what is waited for, if both sides are complete; forget it if one was closed."""
        wanted = self._waiting
        if wanted is None:
            return
        after = self._entry(wanted.after)
        before = self._entry(wanted.before, but=after)
        if any(isinstance(side, int) and self._document.entry(side) is None for side in (wanted.after, wanted.before)):
            self._waiting = None
            return
        if after is None or before is None or not (after.done and before.done):
            return
        self._waiting = None
        self._document.show(after.id)
        self._document.baselines.set(after.id, before.id)

    def _entry(self, side: int | frozenset[Path], but: Entry | None = None) -> Entry | None:
        """The entry of one side, not ``but``; of several with the same files one that is complete."""
        if isinstance(side, int):
            return self._document.entry(side)
        own = [entry for entry in self._document.entries if is_of(entry, side) and entry is not but]
        return next((entry for entry in own if entry.done), None)


def is_of(entry: Entry, paths: frozenset[Path]) -> bool:
    """Whether it is the profile of one of the paths, or of a file in a folder among them."""
    if entry.is_part:
        return False
    own = [path.absolute() for path in entry.profile.origin.paths]
    return any(path in paths or not paths.isdisjoint(path.parents) for path in own)


class PairButton(QToolButton):
    """Both names, each elided in the middle where there is not enough room; a click opens the menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._names = ("", "")
        self._room = NARROWEST
        self.setObjectName("pair")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_names(self, after: str, before: str) -> None:
        """Show what is compared with what."""
        self._names = after, before
        self.setAccessibleName(shown_line(pair_text(after, before)))
        set_tip(self, tr("{pair}. Click for other baselines and settings.", pair=pair_text(after, before)))
        self._fit()
        self.updateGeometry()

    def set_room(self, width: int) -> None:
        """Use at most this width."""
        self._room = max(width, NARROWEST)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = advance(pair_text(*self._names), self.fontMetrics()) + AIR
        return QSize(min(width, self._room), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROWEST, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        room = max(self.width(), NARROWEST) - AIR - advance(pair_text("", ""), metrics)
        most = common_limit([advance(name, metrics) for name in self._names], max(room, 0))
        middle = Qt.TextElideMode.ElideMiddle
        after, before = (elided(name, metrics, most + 1, middle) for name in self._names)
        self.setText(caption(pair_text(after, before)))


class ComparisonChip(QFrame):
    """Visible while the shown profile has a baseline."""

    def __init__(self, context: CommandContext, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparisonChip")  # "comparison" is the dock of the panel
        self._context = context
        self._actions = actions
        self.pair = PairButton(self)
        self.menu = QMenu(self.pair)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)
        self.pair.setMenu(self.menu)
        self.pair.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.pair.customContextMenuRequested.connect(lambda point: self.menu.popup(self.pair.mapToGlobal(point)))
        self.swap = self._button(actions.actions["compare.swap"])
        self.end = self._button(actions.actions["compare.end"])
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(0)
        for part in (self.pair, self.swap, self.end):
            row.addWidget(part)
        document = context.document
        document.baselines.changed.connect(self._follow)
        document.entries_changed.connect(self._follow)
        self._follow()

    def fit(self, width: int) -> None:
        """Leave most of a header of this width to the tabs."""
        self.pair.set_room(width // SHARE)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setIconSize(QSize(ICON, ICON))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(shown_line(action.text()))
        return button

    def _follow(self) -> None:
        names = compared_names(self._context.document)
        self.setVisible(names is not None)
        if names is not None:
            self.pair.show_names(*names)

    def _fill(self) -> None:
        """Everything about the comparison, in one menu."""
        from app.window.commands.compare import NAMES, RECENT_PAIRS, baseline_menu, fill_recent_pairs

        self.menu.clear()
        self._actions.refresh()
        others = baseline_menu(self._context)
        if others is not None:
            others.setParent(self.menu, others.windowFlags())
            others.setTitle(tr("Compare with another baseline"))
            self.menu.addMenu(others)
        recent = self.menu.addMenu(RECENT_PAIRS)
        fill_recent_pairs(self._context, recent)
        recent.setEnabled(not recent.isEmpty())
        names = self.menu.addMenu(NAMES)
        names.setToolTipsVisible(True)
        for command in self._actions.commands.values():
            if command.submenu == NAMES:
                names.addAction(self._actions.actions[command.id])
        self.menu.addSeparator()
        self.menu.addActions(
            [self._actions.actions[name] for name in ("compare.forget_pairs", "compare.swap", "compare.end")]
        )


def pair_text(after: str, before: str) -> str:
    """What is compared with what, on one line."""
    return tr("{after} vs. {before} (baseline)", after=after, before=before)


def compared_names(document: Document) -> tuple[str, str] | None:
    """The names of the shown profile and of its baseline; None without one."""
    baseline = document.baselines.of(document.current_id)
    before, after = (None if baseline is None else document.entry(baseline)), document.current
    if before is None or after is None:
        return None
    return shown_line(after.profile.name), shown_line(before.profile.name)
