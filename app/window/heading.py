"""The title bar of a dock: its name, in a few words what it shows, and quiet buttons."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.language import tr
from app.widgets.display import Display
from app.widgets.labels import Label
from app.widgets.texts import elided, shown_line
from app.widgets.tips import set_tip
from app.window.icons import tinted

LINE = 2


class Elided(Label):
    """A label that gives up its end rather than room."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        set_tip(self, text)

    def paintEvent(self, _event: QPaintEvent) -> None:
        text = elided(self.text(), self.fontMetrics(), self.width())
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


class Heading(QWidget):
    """Where the dock is one of several tabs, the tab says the name already."""

    def __init__(self, dock: QDockWidget, about: str, display: Display) -> None:
        super().__init__(dock)
        self._display = display
        self._keyboard = False
        self.setObjectName("heading")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = Label(dock.windowTitle(), self)
        self.title.setObjectName("headingText")
        self.about = Elided(about, self)
        self.about.setObjectName("muted")
        self._float = self._button(tr("Float or dock"), "float")
        self._float.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self._close = self._button(tr("Close panel"), "close")
        self._close.clicked.connect(dock.close)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 2, 4, 2)
        row.setSpacing(8)
        row.addWidget(self.title)
        row.addWidget(self.about, 1)
        row.addWidget(self._float)
        row.addWidget(self._close)
        row.setSpacing(4)
        display.changed.connect(self._tint)
        self._tint()

    def show_title(self, wanted: bool) -> None:
        self.title.setVisible(wanted)

    def show_keyboard(self, here: bool) -> None:
        """Whether the panel below has the keyboard: a line in the accent says so."""
        if here != self._keyboard:
            self._keyboard = here
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._keyboard:
            with QPainter(self) as painter:
                painter.fillRect(0, self.height() - LINE, self.width(), LINE, QColor(self._display.theme.accent))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())

    def _button(self, text: str, icon: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(icon)
        set_tip(button, text)
        button.setAccessibleName(shown_line(text))
        button.setAutoRaise(True)
        button.setIconSize(QSize(12, 12))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button

    def _tint(self) -> None:
        theme = self._display.theme
        for button in (self._float, self._close):
            button.setIcon(tinted(button.objectName(), theme, theme.muted))
