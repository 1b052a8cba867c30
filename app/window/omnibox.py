"""The field in the header: search for anything with a name, or run a command (after ">")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHeaderView, QLabel, QLineEdit, QTreeWidget, QTreeWidgetItem, QVBoxLayout

from app.window.finding import Finding, Position
from app.window.offers import COMMAND_SIGN, Offer, offers

if TYPE_CHECKING:
    from app.analysis.search import Hit
    from app.window.main_window import MainWindow

SHOWN_LINES = 14
POPUP_WIDTH = 560
HINT = "Search, or > for commands"


class Omnibox(QLineEdit):
    """Enter goes to the next match, Shift+Enter to the one before, Down and Enter take a line of the list.
    Signal ``left``: the keyboard goes back to where it was."""

    left = Signal()

    def __init__(self, window: MainWindow, finding: Finding) -> None:
        super().__init__(window)
        self._window = window
        self._finding = finding
        self._offers: list[Offer] = []
        self._taken: Hit | None = None
        self.setObjectName("omnibox")
        self.setAccessibleName(HINT)
        self.setPlaceholderText(HINT)
        self.setMaximumWidth(380)
        self.setMinimumWidth(260)
        self.setAcceptDrops(False)  # files dropped here are opened like anywhere else
        self.popup = Popup(window)
        self.popup.list.itemClicked.connect(self._clicked)
        self._position = QLabel(self)
        self._position.setObjectName("muted")
        self.textEdited.connect(self.refresh)
        finding.changed.connect(self._show_position)

    def start(self, text: str = "") -> None:
        """Takes the keyboard; ``text`` replaces what was typed."""
        if text or self.text().startswith(COMMAND_SIGN):
            self.setText(text)
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if text:
            self.end(False)  # taking the focus has selected everything; typing goes on behind the sign
        else:
            self.selectAll()
        self.refresh()

    def clear_search(self) -> bool:
        """Forgets what was searched; False when there was nothing."""
        if not self.text() and not self._finding.active:
            return False
        self.clear()
        self._finding.clear()
        self.popup.hide()
        return True

    def refresh(self) -> None:
        """Offers again for what is typed."""
        self._taken = None
        self._offers = offers(self.text(), self._window, self._finding.search(), self._finding.step_hit)
        self.popup.fill(self._offers, QColor(self._window.display.theme.muted))
        if self._offers and (self.text().strip().startswith(COMMAND_SIGN) or not any(o.hit for o in self._offers)):
            self.popup.choose(0)
        self._show_popup()
        if not self.text():
            self._finding.clear()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.clear_search()
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
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
        row = self.popup.row() if self.popup.isVisible() else -1
        if row >= 0:
            self._take(self._offers[row])
        elif self._taken is not None:
            self._finding.step_hit(self._taken, direction)
        elif self.text().strip() and not self.text().strip().startswith(COMMAND_SIGN):
            self.popup.hide()
            self._finding.step_text(self.text().strip(), direction)

    def _clicked(self, item: QTreeWidgetItem) -> None:
        self._take(self._offers[self.popup.list.indexOfTopLevelItem(item)])

    def _take(self, offer: Offer) -> None:
        if not offer.enabled:
            return
        if offer.hit is not None:
            self._taken = offer.hit  # Enter goes on with this name
            self.popup.hide()
            offer.run()
            return
        self.clear()
        self.popup.hide()
        self.left.emit()  # first, so that the command finds the focus where the person had it
        offer.run()

    def _show_popup(self) -> None:
        if not self._offers or not self.hasFocus():
            self.popup.hide()
            return
        width = max(self.width(), POPUP_WIDTH)
        self.popup.setFixedSize(QSize(width, self.popup.wanted_height(len(self._offers))))
        right = self.mapTo(self._window, QPoint(self.width(), self.height() + 2))
        self.popup.move(max(0, right.x() - width), right.y())
        self.popup.show()
        self.popup.raise_()

    def _show_position(self, position: Position) -> None:
        known = self._finding.active
        found = f"{position.place:,} of {position.total:,}" if position.total else "nothing found"
        self._position.setText(found if known else "")
        self._settle()

    def _settle(self) -> None:
        """The count stands inside the field, at its right end."""
        self._position.adjustSize()
        width = self._position.width() if self._position.text() else 0
        self._position.move(self.width() - width - 8, (self.height() - self._position.height()) // 2)
        self.setTextMargins(0, 0, width + 4 if width else 0, 0)


class Popup(QFrame):
    """The list under the field; it never takes the keyboard."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setObjectName("popup")
        self.list = QTreeWidget(self)
        self.list.setObjectName("lines")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setColumnCount(2)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAllColumnsShowFocus(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.list)
        self.hide()

    def fill(self, found: list[Offer], muted: QColor) -> None:
        self.list.clear()
        for offer in found:
            item = QTreeWidgetItem([offer.text, offer.detail])
            item.setToolTip(0, offer.text)
            item.setForeground(1, muted)
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setDisabled(not offer.enabled)
            self.list.addTopLevelItem(item)

    def choose(self, row: int) -> None:
        self.list.setCurrentIndex(self.list.model().index(row, 0))

    def row(self) -> int:
        """The chosen line, -1 for none."""
        item = self.list.currentItem()
        return -1 if item is None else self.list.indexOfTopLevelItem(item)

    def move_by(self, lines: int) -> None:
        """Chooses a line further down (or up)."""
        count = self.list.topLevelItemCount()
        if count:
            row = self.row()
            wanted = min(count - 1, max(0, row + lines)) if row >= 0 else (0 if lines > 0 else count - 1)
            self.choose(wanted)

    def wanted_height(self, lines: int) -> int:
        first = self.list.sizeHintForRow(0)
        return max(first, self.fontMetrics().height()) * min(lines, SHOWN_LINES) + 12
