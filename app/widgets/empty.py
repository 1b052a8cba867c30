"""What a panel shows instead of its content: why it is empty, or how far long work is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QProgressBar, QPushButton, QStackedLayout, QStyle, QVBoxLayout, QWidget

from app.language import tr
from app.views.look import Look
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.homing import home_of
from app.widgets.texts import Label, paint_text


class EmptyState(QWidget):
    """A centred sentence, and a button if there is an action."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # keeps the focus until there is content
        self._label = Label(parent=self)
        self._label.setWordWrap(True)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._button = QPushButton(self)
        self._button.hide()
        self._action: Callable[[], object] | None = None
        self._button.clicked.connect(self._run)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 24)
        layout.addStretch(1)
        layout.addWidget(self._label)
        layout.addWidget(self._button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(2)
        display.changed.connect(self._look_changed)
        self._look_changed(display.look)

    def say(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """Sets the sentence, and the button's text and action."""
        self._label.setText(text)
        self.setAccessibleName(shown_line(text))
        self._action = run
        self._button.setText(action)
        self._button.setVisible(bool(action and run))

    @property
    def text(self) -> str:
        return self._label.text()

    def _run(self) -> None:
        if self._action is not None:
            self._action()

    def _look_changed(self, look: Look) -> None:
        paint_text(self._label, look.theme.muted)


class OrEmpty(QWidget):
    """Shows either its content or an empty state. Without ``content`` it has a bare widget, to be laid out by its
    owner. Signal ``turned`` (bool): whether it is empty now.

    It may also cover what it shows: a covered content keeps the keyboard and its size, so that nothing moves when it is
    uncovered soon."""

    turned = Signal(bool)

    def __init__(self, display: Display, content: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = QWidget(self) if content is None else content
        self.empty = EmptyState(display, self)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self.content)
        self._stack.addWidget(self.empty)
        self._display = display
        self._cover: EmptyState | None = None

    def replace(self, content: QWidget) -> None:
        """Replaces the content and deletes the previous one."""
        before, self.content = self.content, content
        self._stack.insertWidget(0, content)
        self._stack.removeWidget(before)
        before.deleteLater()

    def show_content(self) -> None:
        """Shows the content; a focus in the empty state moves to the content."""
        focus = QApplication.focusWidget()
        waiting = focus is not None and (focus is self.empty or self.empty.isAncestorOf(focus))
        self._turn(self.content)
        home = home_of(self.content) if waiting else None
        if home is not None:
            home.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_empty(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        self.empty.say(text, action, run)
        self._turn(self.empty)

    def cover(self, text: str) -> None:
        """Covers content and empty state with a sentence."""
        cover = self._cover or self._new_cover()
        cover.say(text)
        cover.setGeometry(self.rect())
        cover.raise_()
        cover.show()

    def uncover(self) -> None:
        if self._cover is not None:
            self._cover.hide()

    @property
    def covered(self) -> str:
        """The sentence that covers it; "" if none does."""
        return "" if self._cover is None or self._cover.isHidden() else self._cover.text

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cover is not None:
            self._cover.setGeometry(self.rect())

    def _new_cover(self) -> EmptyState:
        """Made when it is needed first: few panels ever are covered, and all are made at the start."""
        self._cover = EmptyState(self._display, self)
        self._cover.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._cover.setAutoFillBackground(True)
        return self._cover

    def _turn(self, page: QWidget) -> None:
        was_empty = self.is_empty
        self._stack.setCurrentWidget(page)
        if was_empty != self.is_empty:
            self.turned.emit(self.is_empty)

    @property
    def is_empty(self) -> bool:
        return self._stack.currentWidget() is self.empty


WIDE = 320


class ProgressPage(QWidget):
    """Signal ``cancelled``: the user does not want to wait."""

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._label = Label(parent=self)
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.bar = BusyBar(self)
        self.bar.setMaximumWidth(WIDE)
        self.bar.setAccessibleName(tr("Progress"))
        self.button = QPushButton(tr("Cancel"), self)
        self.button.clicked.connect(self.cancelled)
        layout = QVBoxLayout(self)
        layout.addStretch(1)
        layout.addWidget(self._label)
        layout.addWidget(self.bar, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(2)

    def begin(self, text: str) -> None:
        """Shows what is being done, and that nothing of it is done yet."""
        self._label.setText(text)
        self.bar.show_share(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        """Shows that ``done`` of ``total`` parts are done."""
        self.bar.show_share(done, total)


PARTS = 1000
"""Of more, such as bytes, these are shown: the range of a bar is an int32."""


class BusyBar(QProgressBar):
    """A bar without a text: words beside it say what is being done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)

    def show_share(self, done: int, total: int) -> None:
        """Shows that ``done`` of ``total`` is done; total 0: it is not known how much there is."""
        unknown = total <= 0
        parts = PARTS if unknown else min(total, PARTS)
        self.setRange(0, 0 if unknown and self._may_move() else parts)
        self.setValue(0 if unknown else min(parts, done * parts // total))

    def _may_move(self) -> bool:
        return self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, self) > 0
