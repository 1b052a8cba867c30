"""The central widget (header, notices, what is said of the profile, and the start page, the reading page or the
docks), and the order in which Tab goes through it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.language import tr
from app.views.texts import paragraph, shown_line
from app.widgets.fields import SearchField
from app.widgets.texts import Label
from app.window.comparison_chip import ComparisonChip
from app.window.dock_area import DockArea
from app.window.menus import Actions
from app.window.notices import Notices
from app.window.start_page import StartPage

if TYPE_CHECKING:
    from app.window.footer import Footer


SHOWN_NAMES = 6
LEFT = ("file.reload",)
RIGHT = ("canvas.back", "canvas.forward", "canvas.fit")
WHOLE = (QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QTabBar)
"""Widgets that are one stop: the widgets inside them are implementation details."""


class ReadingPage(Label):
    """Names the files that are being read; progress and cancelling are in the status bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setObjectName("reading")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def name(self, paths: Sequence[Path]) -> None:
        names = [shown_line(path.name or str(path)) for path in paths]
        more = [tr("and {count:,} more", count=len(names) - SHOWN_NAMES)] if len(names) > SHOWN_NAMES else []
        self.setText("\n".join([tr("Reading"), *names[:SHOWN_NAMES], *more]))


class CentralWidget(QWidget):
    """The central widget; docks are added when they are first shown. Signal ``page_changed``: another page is shown."""

    page_changed = Signal()

    def __init__(self, header: Header, strip: QWidget, start: StartPage, window: QWidget) -> None:
        super().__init__(window)
        self.header = header
        self.strip = strip
        self.notices = Notices(self)
        self.start = start
        self.guide: QWidget | None = None
        self._stack = QStackedWidget(self)
        self._reading = ReadingPage(self)
        self._stack.addWidget(start)
        self._stack.addWidget(self._reading)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(header)
        column.addWidget(self.notices)
        column.addWidget(strip)
        strip.hide()
        column.addWidget(self._stack, 1)
        self._column = column

    def add_guide(self, guide: QWidget) -> None:
        """Adds what explains the panels, below them."""
        self.guide = guide
        self._column.addWidget(guide)

    @property
    def start_shown(self) -> bool:
        return self._stack.currentWidget() is self.start

    @property
    def docks_shown(self) -> bool:
        return not self.start_shown and not self.reading_shown

    @property
    def reading_shown(self) -> bool:
        return self._stack.currentWidget() is self._reading

    def show_reading(self, paths: Sequence[Path]) -> None:
        """Shows the names of the files that are being read, while nothing is open yet."""
        self._reading.name(paths)
        self._show(self._reading)

    def show_start(self) -> None:
        self._show(self.start)

    def show_docks(self, docks: DockArea) -> None:
        if self._stack.indexOf(docks) < 0:
            self._stack.addWidget(docks)
        self._show(docks)

    def _show(self, page: QWidget) -> None:
        self._stack.setCurrentWidget(page)
        self.strip.setVisible(self.docks_shown)
        self.page_changed.emit()

    def shown(self) -> QWidget:
        """Returns the page that is shown: the start page, the reading page or the docks."""
        docks = self._stack.currentWidget()
        return self.start if docks is None else docks


class Header(QFrame):
    """The row of buttons (made from the commands' actions), profile tabs, what is compared, and search field."""

    def __init__(
        self, actions: Actions, tabs: QWidget, chip: ComparisonChip, omnibox: QWidget, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._chip = chip
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        row.addWidget(self._open_button(actions))
        for name in LEFT:
            row.addWidget(self._button(actions.actions[name]))
        row.addSpacing(8)
        row.addWidget(tabs, 1)
        self._filler = QWidget(self)
        self._filler.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row.addWidget(self._filler)
        row.addWidget(chip)
        for name in RIGHT:
            row.addWidget(self._button(actions.actions[name]))
        row.addSpacing(4)
        row.addWidget(omnibox)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._chip.fit(self.width())

    def _open_button(self, actions: Actions) -> QToolButton:
        button = self._button(actions.actions["file.open"])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        menu = QMenu(button)
        menu.addAction(actions.actions["file.open"])
        menu.addAction(actions.actions["file.open_folder"])
        button.setMenu(menu)
        return button

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(shown_line(action.text().split("\t")[0]))
        plain = QTextDocumentFragment.fromHtml(action.toolTip()).toPlainText()
        button.setAccessibleDescription(paragraph(plain))
        return button


class HasStops(Protocol):
    """A window with the parts that Tab goes through."""

    central: CentralWidget
    footer: Footer
    docks: DockArea | None


def stops(window: HasStops) -> list[QWidget]:
    """Returns everything that Tab reaches: header, notices, start page or what is said of the profile and panels (in
    the order of their keys, each after its tab bar) and the step of a tour, status bar."""
    middle, docks = window.central, window.docks
    order = [*reading_order(middle.header), *reading_order(middle.notices)]
    if docks is None or middle.shown() is not docks:
        order += reading_order(middle.shown())
    else:
        order += reading_order(middle.strip)
        bars = {docks.tabs.dock_of(bar, bar.currentIndex()): bar for bar in docks.tabs.bars() if bar.isVisible()}
        for dock in docks.shown():
            if dock.on_screen and not dock.isFloating():
                order += [bars[dock]] if dock in bars else []
                order += reading_order(dock)
        order += reading_order(middle.guide) if middle.guide is not None else []
    return [*order, *reading_order(window.footer), *reading_order(window.footer.jobs.panel)]


def step(window: HasStops, focus: QWidget, *, forward: bool) -> bool:
    """Moves the focus from ``focus`` to the next or previous stop; returns False if there are no stops."""
    order = stops(window)
    if not order:
        return False
    if focus in order:
        place = order.index(focus) + (1 if forward else -1)
    else:
        inside = _inside(focus, order)
        place = inside if forward else inside - 1
    target = order[place % len(order)]
    target.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _bring_to_view(target)
    return True


def reading_order(root: QWidget) -> Iterator[QWidget]:
    """Yields ``root`` and its descendants that are visible and focusable, from the top left on."""
    if not root.isVisible() or not root.isEnabled():
        return
    if root.focusPolicy() & Qt.FocusPolicy.TabFocus and root.focusProxy() is None:
        yield root
    if isinstance(root, WHOLE) and not isinstance(root, SearchField):  # which has the switches of the search
        return
    inside = [child for child in root.children() if isinstance(child, QWidget) and not child.isWindow()]
    for child in sorted(inside, key=cmp_to_key(_before)):
        yield from reading_order(child)


def _before(a: QWidget, b: QWidget) -> int:
    """Compares two siblings: negative if ``a`` is read first, from left to right on one line, else from top to
    bottom."""
    first, second = a.geometry(), b.geometry()
    shared = min(first.bottom(), second.bottom()) - max(first.top(), second.top())
    if shared * 2 > min(first.height(), second.height()):
        return first.left() - second.left()
    return first.top() - second.top()


def _inside(focus: QWidget, order: list[QWidget]) -> int:
    """Returns the index of the first stop within the closest ancestor of ``focus`` that has any; 0 if there is none."""
    around: QWidget | None = focus
    while around is not None:
        place = next((place for place, stop in enumerate(order) if around.isAncestorOf(stop)), None)
        if place is not None:
            return place
        around = around.parentWidget()
    return 0


def _bring_to_view(target: QWidget) -> None:
    here = target.parentWidget()
    while here is not None:
        if isinstance(here, QScrollArea):
            here.ensureWidgetVisible(target)
        here = here.parentWidget()
