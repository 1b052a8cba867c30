"""Fields: for numbers, one of a few or of any number of entries, what is searched, a name in place; and their
marks while what they hold is invalid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, QSize, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionComboBox,
    QToolButton,
    QWidget,
)

from app.views.texts import shown_line, shown_lines
from app.widgets.buttons import icon_toggle
from app.widgets.icons import icon
from app.widgets.texts import Label, elided, set_style_property
from app.widgets.tips import set_tip

_BESIDE_THE_NUMBER = 4
"""Pixels between frame and text."""


class NumberBox(QDoubleSpinBox):
    """Shows 10 as "10" and 2.5 as "2.5", whatever number of decimals can be typed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(_BESIDE_THE_NUMBER, 0, 0, 0)  # style sheets do not pad the text of such a field

    def textFromValue(self, value: float) -> str:
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text


NARROWEST_CHOICE = 88
"""To this width in pixels a box shrinks where the room is short."""

SPARE = 4
"""Pixels beyond the size that Qt asks for: Qt draws the entry in a narrower place than it measures."""


class ChoiceBox(QComboBox):
    """A combo box with an accessible name. On Linux, Qt reports the current entry as the name of a combo box, and
    assistive tools look for its label instead: a hidden sibling label has the accessible name. Where the room is short
    it is narrower than its entries, of which the current one is then elided."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._label: QLabel | None = None
        super().__init__(parent)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(shown_line(name))
        self._put_label()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + SPARE, hint.height())

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), NARROWEST_CHOICE), hint.height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        if not option.currentText or option.rect.isEmpty():
            return  # Qt asks for the size, before there is anything to elide
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = elided(option.currentText, self.fontMetrics(), room.width() - 2)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            self._put_label()
        return super().event(event)

    def _put_label(self) -> None:
        """Creates or updates the label. Qt only searches the children of the same parent."""
        parent, name = self.parentWidget(), self.accessibleName().replace("&", "&&")
        if parent is None or not name:
            return
        if self._label is None:
            self._label = Label(parent=parent)
            self._label.setBuddy(self)
            self.destroyed.connect(self._label.deleteLater)
        self._label.setText(name)
        self._label.setParent(parent)
        self._label.hide()


MANY = 100
"""With more entries than this, widths are not measured."""
LETTERS = 16
"""Width of the box in letters in that case."""


class Chooser(ChoiceBox):
    """A combo box filled from one list of texts, each with a value. ``letters``: its minimum width; 0: fits the entries
    while they are few."""

    def __init__(self, name: str, parent: QWidget | None = None, letters: int = 0) -> None:
        super().__init__(parent)
        self._letters = letters
        self._values: Sequence[object] = ()
        self._texts = QStringListModel(self)
        self.setModel(self._texts)
        view = QListView(self)
        view.setUniformItemSizes(True)
        self.setView(view)
        self.setAccessibleName(shown_line(name))
        set_tip(self, name)
        self._fit(0)

    def offer(self, texts: Sequence[str], values: Sequence[object] | None = None, chosen: int = 0) -> None:
        """Replaces the entries without signals. ``values``: what each entry stands for (default: its text); ``chosen``:
        index of the current one."""
        silent = self.blockSignals(True)
        self._values = list(texts if values is None else values)
        self._fit(len(texts))
        self._texts.setStringList(shown_lines(texts))
        self.setCurrentIndex(chosen if 0 <= chosen < len(texts) else 0 if texts else -1)
        self.blockSignals(silent)

    def currentData(self, role: int = Qt.ItemDataRole.UserRole) -> Any:
        return self.itemData(self.currentIndex(), role)

    def itemData(self, index: int, role: int = Qt.ItemDataRole.UserRole) -> Any:
        if role != Qt.ItemDataRole.UserRole:
            return super().itemData(index, role)
        return self._values[index] if 0 <= index < len(self._values) else None

    @property
    def number(self) -> int | None:
        """The value of the current entry if it is a number; None if it is something else, such as "all"."""
        value = self.currentData()
        return value if isinstance(value, int) else None

    def place_of(self, value: object) -> int:
        """Index of the entry for ``value``; -1 if there is none."""
        return self._values.index(value) if value in self._values else -1

    def findData(self, data: object, *_how: object) -> int:
        return self.place_of(data)

    def _fit(self, count: int) -> None:
        if count > MANY or self._letters:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            self.setMinimumContentsLength(self._letters or LETTERS)
        else:
            self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            self.setMinimumContentsLength(0)


NARROWEST_SEARCH = 72
LEAST_TEXT = 60
"""Pixels of text that toggles must leave; where they cannot, they are in the menu of the panel."""
EDGE = 3
"""Pixels above, below and between toggles."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class SearchField(QLineEdit):
    """A search field. Signals: ``stepped`` (+1 on Enter, -1 with Shift), ``left`` on Down. Escape clears the field and
    propagates: the window then returns the focus to what was searched."""

    stepped = Signal(int)
    left = Signal()

    def __init__(self, hint: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._toggles: list[QToolButton] = []
        self.setPlaceholderText(shown_line(hint))
        self.setAccessibleName(shown_line(hint))
        self.setClearButtonEnabled(True)
        self.least = NARROWEST_SEARCH
        """Pixels that a row leaves to it, however narrow it is."""
        self.textChanged.connect(self._show_toggles)

    def toggle(self, name: str, what: str) -> QToolButton:
        """Adds a switch of the search inside of the field, seen while the field is used."""
        toggle = icon_toggle(name, what, self)
        toggle.setCursor(Qt.CursorShape.ArrowCursor)
        toggle.hide()
        toggle.installEventFilter(self)
        toggle.toggled.connect(self._show_toggles)
        self._toggles.append(toggle)
        return toggle

    @property
    def comfort(self) -> int:
        """The width in pixels from which on there is room for the toggles."""
        return max(self._wide + self.sizeHint().height() + LEAST_TEXT if self._toggles else 0, self.least)

    def minimumSizeHint(self) -> QSize:
        return QSize(self.comfort, super().minimumSizeHint().height())

    def folded(self) -> Iterator[QToolButton]:
        """The toggles, where the field has no room for them."""
        if not self._roomy:
            yield from self._toggles

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER:
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Down:
            self.left.emit()
        else:
            if event.key() == Qt.Key.Key_Escape:
                self.clear()
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_toggles()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_toggles()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_toggles()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut:
            self._show_toggles()
        return super().eventFilter(watched, event)

    @property
    def _side(self) -> int:
        return self.sizeHint().height() - 2 * EDGE

    @property
    def _wide(self) -> int:
        """The width of the toggles in pixels."""
        return (self._side + EDGE) * len(self._toggles)

    @property
    def _roomy(self) -> bool:
        return self.width() >= self.comfort

    def _show_toggles(self) -> None:
        """Shows the toggles while the field has the focus or a text, or one of them is set."""
        focus = QApplication.focusWidget()
        used = focus is self or focus in self._toggles or bool(self.text())
        shown = self._roomy and (used or any(toggle.isChecked() for toggle in self._toggles))
        clear = self.sizeHint().height()  # the button that clears, which Qt has room for where there is a text
        left = self.width() - clear - self._wide
        for place, toggle in enumerate(self._toggles):
            toggle.setGeometry(left + place * (self._side + EDGE), EDGE, self._side, self._side)
            toggle.setVisible(shown)
        self.setTextMargins(0, 0, self._wide + (0 if self.text() else clear) if shown else 0, 0)


NARROWEST = 240
"""Pixels, so that a sentence can be read while it is written."""


DRAFT_MS = 250
"""After so many ms without a key, what is written so far is accepted for now: it is not lost if the program dies."""


class InlineEdit(QLineEdit):
    """Enter and losing the focus accept the new name, Escape restores the old one. Signals: ``written`` (str) if it was
    changed, also while it is being written; ``closed`` after that."""

    written = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._owner = parent
        self._before = self._reported = ""
        self._draft = QTimer(self, interval=DRAFT_MS, singleShot=True)
        self._draft.timeout.connect(self.report)
        self.textEdited.connect(self._draft.start)
        self.hide()

    def edit(self, place: QRect, text: str, what: str) -> None:
        """Opens over ``place`` of its parent with ``text`` selected; ``what`` is the accessible name."""
        self._before = self._reported = text
        box = place.adjusted(0, -2, 0, 2)
        box.setWidth(max(box.width(), NARROWEST))
        middle = box.center().y()
        box.setHeight(max(box.height(), self.minimumSizeHint().height()))
        box.moveTop(middle - box.height() // 2)
        box.moveRight(min(box.right(), self._owner.width() - 1))
        self.setGeometry(box)
        self.setAccessibleName(shown_line(what))
        self.setText(text)
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._close()
        elif event.key() == Qt.Key.Key_Escape:
            self.setText(self._before)
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._close(give_back=False)

    def _close(self, *, give_back: bool = True) -> None:
        if not self.isVisible():
            return
        self.hide()
        if give_back:
            self._owner.setFocus(Qt.FocusReason.OtherFocusReason)
        self.report()
        self.closed.emit()

    def report(self) -> None:
        """Accepts what is written so far, for now."""
        self._draft.stop()
        if self.text() != self._reported:
            self._reported = self.text()
            self.written.emit(self.text())


PROPERTY = "invalid"
ICON = "invalidIcon"


def mark_invalid(field: QLineEdit, why: str) -> None:
    """Marks ``field`` as invalid because of ``why``, the tool tip of its icon; "" marks it as valid again."""
    shown = field.findChild(QAction, ICON)
    if why and shown is None:
        shown = field.addAction(icon("circle-alert", "error"), QLineEdit.ActionPosition.TrailingPosition)
        shown.setObjectName(ICON)
        shown.setParent(field)
    if shown is not None:
        shown.setVisible(bool(why))
        set_tip(shown, why)
    if bool(field.property(PROPERTY)) != bool(why):
        set_style_property(field, PROPERTY, bool(why))
