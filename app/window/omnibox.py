"""The search field in the header: finds anything with a name, goes to places ("@") and runs commands (">")."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.widgets.texts import Label, advance
from app.widgets.tips import tip
from app.window.dialogs import MutedColumn
from app.window.finding import MatchPosition, MatchStepper
from app.window.going import bring_home, go
from app.window.lookup import Lookup
from app.window.offers import (
    COMMAND_SIGN,
    GO_HINT,
    GO_SIGN,
    Offer,
    TypedQuery,
    command_offers,
    hit_offers,
    palette_offers,
    parse_query,
)

if TYPE_CHECKING:
    from app.analysis.lookup.hit import Hit
    from app.document.document import Update
    from app.profile.selection import Selection
    from app.window.command import CommandContext


SHOWN_LINES = 18
POPUP_WIDTH = 640
DETAIL_SHARE = 0.45
"""Largest share of the list's width for the detail column on the right."""
AIR = 8
HINT = tr("Search, @ to go to, > for commands")


class Omnibox(QLineEdit):
    """Enter goes to the next match, Shift+Enter to the previous one; Down and Enter choose a line of the list.
    Signal ``left``: the field gives up the focus."""

    left = Signal()

    def __init__(self, context: CommandContext, match_stepper: MatchStepper) -> None:
        super().__init__(context.main)
        self._context = context
        self._finding = match_stepper
        self._lookup = Lookup(self)
        self._offers: list[Offer] = []
        self._taken: Hit | None = None
        self._only = ""
        self._waiting = 0  # direction of an Enter pressed before the first hits arrived, else 0
        self._followed = False  # a match was selected: hits that arrive later do not open the list over it
        self.setObjectName("omnibox")
        self.setAccessibleName(HINT)
        self.setPlaceholderText(HINT)
        self.setMaximumWidth(380)
        self.setMinimumWidth(260)
        self.setAcceptDrops(False)  # files dropped here are opened by the window, as anywhere else
        self.popup = Popup(context.main)
        self.popup.list.itemClicked.connect(self._clicked)
        self._position = Label(parent=self)
        self._position.setObjectName("muted")
        self.textEdited.connect(self._edited)
        self._lookup.changed.connect(self._show_results)
        context.tables.changed.connect(self._tables_arrived)
        context.document.notes.changed.connect(self._notes_changed)
        context.document.updated.connect(self._profile_changed)
        match_stepper.changed.connect(self._show_position)
        match_stepper.stepped.connect(self._stepped)

    def start(self, text: str = "") -> None:
        """Takes the focus; ``text`` replaces the current text."""
        if text or self.text().startswith((COMMAND_SIGN, GO_SIGN)):
            self.setText(text)
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if text:
            self.end(False)  # setFocus has selected everything; typing continues after the sign
        else:
            self.selectAll()
        self.refresh()

    def clear_search(self) -> bool:
        """Ends the search and clears the field; returns False if there was nothing to clear."""
        if not self.text() and not self._finding.active:
            return False
        self.clear()
        self._lookup.cancel()
        self._finding.clear()
        self.popup.hide()
        return True

    def refresh(self) -> None:
        """Updates the list for the current text, as if it had just been typed."""
        self._taken, self._only, self._waiting, self._followed = None, "", 0, False
        self._ask()
        if not self.text():
            self._finding.clear()

    def _ask(self) -> None:
        typed, profile = self._typed, self._context.document.profile
        if typed.mode is None:
            self._lookup.cancel()
            self._offer(palette_offers(typed.text, self._context))
        elif not typed.text or profile is None:
            self._lookup.cancel()
            self._offer([Offer(GO_HINT, enabled=False)] if typed.mode == "go" else [])
        else:
            self._lookup.search(profile, self._context.document.notes.value, typed.text, typed.mode)
            if not self._lookup.quick_busy:
                self._show_results()

    @property
    def _typed(self) -> TypedQuery:
        return parse_query(self.text(), any_open=self._context.document.current is not None)

    def _edited(self) -> None:
        self.refresh()

    def _show_results(self) -> None:
        """Lists the hits so far, with commands below."""
        typed = self._typed
        if typed.mode is None or self._lookup.asked is None:
            return
        beside = command_offers(typed.text, self._context) if typed.mode == "search" and not self._only else []
        self._offer([*hit_offers(self._lookup, typed.mode, self._only), *beside])
        if self._waiting and not self._lookup.quick_busy:
            direction, self._waiting = self._waiting, 0
            self._enter(direction)

    def _offer(self, offers: list[Offer]) -> None:
        """Fills the list. A line chosen before stays chosen if it is still there; else, except in a search, the first
        is chosen, since Enter takes it."""
        row = self.popup.row()
        before = self._offers[row] if 0 <= row < len(self._offers) and self.popup.isVisible() else None
        self._offers = offers
        self.popup.fill(offers)
        same = [place for place, offer in enumerate(offers) if before is not None and offer.same(before)]
        if same and (self.popup.moved or self._only):
            self.popup.choose(same[0])
        elif self._typed.mode != "search":
            self.popup.choose_first()
        if not self._followed:
            self._show_popup()

    def _tables_arrived(self) -> None:
        if self.hasFocus() and self.text() and self._typed.mode is None:
            self._offer(palette_offers(self._typed.text, self._context))

    def _notes_changed(self) -> None:
        """Repeats the lookup: a file's notes arrive after it, once its content is identified."""
        if self._lookup.asked is not None and self.hasFocus():
            self._ask()

    def _profile_changed(self, update: Update) -> None:
        """Repeats the lookup when another profile is shown or more of this one was read. Without the focus, what was
        found in another profile is only released: its numbers mean nothing in this one."""
        if update.whole and not self.hasFocus():
            self._release_hits()
        if not self.hasFocus() or self._typed.mode is None:
            return
        if update.whole:
            self.refresh()
        elif self._typed.text:
            self._ask()

    def _release_hits(self) -> None:
        self._taken, self._only, self._waiting = None, "", 0
        self._lookup.cancel()
        self._offer([])

    def _stepped(self, selection: Selection) -> None:
        bring_home(self._context, selection.kind)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.clear_search()
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self._followed = False
            if not self._offers:
                self._ask()
            self._show_popup()
            step = SHOWN_LINES - 1 if key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) else 1
            self.popup.move_by(step if key in (Qt.Key.Key_Down, Qt.Key.Key_PageDown) else -step)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.popup.hide()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()

    def _enter(self, direction: int) -> None:
        row, typed = self.popup.row() if self.popup.isVisible() else -1, self._typed
        if typed.mode is not None and typed.text and self._lookup.quick_busy and not self.popup.moved:
            self._waiting = direction  # the list may still be that of the previous text
        elif row >= 0:
            self._take(self._offers[row])
        elif self._taken is not None:
            self._finding.step_hit(self._taken, direction)
        elif typed.mode == "search" and typed.text:
            self._next(typed.text, direction)

    def _next(self, text: str, direction: int) -> None:
        """Steps through all items with such a name; if no hit has a name, goes to the first hit."""
        first = next((offer for offer in self._offers if offer.hit is not None), None)
        if first is not None and not any(offer.hit.named for offer in self._offers if offer.hit is not None):
            self._take(first)
            return
        self._followed = True
        self.popup.hide()
        self._finding.step_text(text, direction)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        self._take(self._offers[self.popup.list.indexOfTopLevelItem(item)])

    def _take(self, offer: Offer) -> None:
        if not offer.enabled:
            return
        if offer.more:
            self._only = offer.more
            self._show_results()
        elif offer.hit is None:
            self._leave()  # first, so that the command sees the previous focus
            offer.run()
        elif self._typed.mode == "go":
            self._leave()
            go(self._context, offer.hit.place(), keyboard=True)
        else:
            self._followed = True
            self.popup.hide()
            self._follow(offer.hit)

    def _follow(self, hit: Hit) -> None:
        """Goes to a search hit; the field keeps the focus, and Enter continues with items of the same name."""
        if hit.named is not None:
            self._taken = hit
            self._finding.step_hit(hit)
        else:
            go(self._context, hit.target, keyboard=False)
            self.setFocus()

    def _leave(self) -> None:
        self.clear()
        self._lookup.cancel()
        self.popup.hide()
        self.left.emit()

    def _show_popup(self) -> None:
        if not self._offers or not self.hasFocus():
            self.popup.hide()
            return
        width = max(self.width(), POPUP_WIDTH)
        self.popup.setFixedSize(QSize(width, self.popup.wanted_height(len(self._offers))))
        right = self.mapTo(self._context.main, QPoint(self.width(), self.height() + 2))
        self.popup.move(max(0, right.x() - width), right.y())
        self.popup.show()
        self.popup.raise_()

    def _show_position(self, position: MatchPosition) -> None:
        known = self._finding.active
        counted = (
            tr("{place:,} of {total:,}", place=position.place, total=position.total)
            if position.total
            else tr("No matches")
        )
        self._position.setText(counted if known else "")
        self._settle()

    def _settle(self) -> None:
        """Positions the match count inside the field, at its right end."""
        self._position.adjustSize()
        width = self._position.width() if self._position.text() else 0
        self._position.move(self.width() - width - 8, (self.height() - self._position.height()) // 2)
        self.setTextMargins(0, 0, width + 4 if width else 0, 0)


class Popup(QFrame):
    """The list under the field; it never takes the focus. ``moved``: the user moved the selection since ``fill``."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self.moved = False
        self.list = QTreeWidget(self)
        self.list.setObjectName("lines")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setItemDelegateForColumn(1, MutedColumn(self.list))
        self.list.setAllColumnsShowFocus(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.list)
        self.hide()

    def fill(self, offers: list[Offer]) -> None:
        """Replaces the lines; none is chosen."""
        self.moved = False
        self.list.clear()
        bold, metrics = self.list.font(), self.list.fontMetrics()
        bold.setBold(True)
        for offer in offers:
            item = QTreeWidgetItem([shown_line(offer.text), shown_line(offer.detail)])
            item.setToolTip(0, tip(offer.text))
            item.setToolTip(1, tip(offer.detail))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setDisabled(not offer.enabled)
            if offer.heading:
                item.setFont(0, bold)
            self.list.addTopLevelItem(item)
        beside = max((advance(item.text(1), metrics) for item in self._items()), default=0) + 2 * AIR
        self.list.header().resizeSection(1, min(beside, int(POPUP_WIDTH * DETAIL_SHARE)))

    def choose(self, row: int) -> None:
        self.list.setCurrentIndex(self.list.model().index(row, 0))

    def choose_first(self) -> None:
        """Chooses the first enabled line, if there is one."""
        rows = self._choosable()
        if rows:
            self.choose(rows[0])

    def row(self) -> int:
        """Returns the index of the chosen line, -1 for none."""
        item = self.list.currentItem()
        return -1 if item is None else self.list.indexOfTopLevelItem(item)

    def move_by(self, lines: int) -> None:
        """Moves the choice down (or up, if negative) by enabled lines; headings are skipped."""
        rows = self._choosable()
        if not rows:
            return
        self.moved = True
        row = self.row()
        place = bisect_left(rows, row) + lines if row >= 0 else (0 if lines > 0 else len(rows) - 1)
        self.choose(rows[min(len(rows) - 1, max(0, place))])

    def wanted_height(self, lines: int) -> int:
        first = self.list.sizeHintForRow(0)
        return max(first, self.fontMetrics().height()) * min(lines, SHOWN_LINES) + 12

    def _choosable(self) -> list[int]:
        return [row for row, item in enumerate(self._items()) if not item.isDisabled()]

    def _items(self) -> list[QTreeWidgetItem]:
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item for item in items if item is not None]
