"""The heading of a dock: one line with the name of the panel, its controls, and buttons for its help and its menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from app.language import tr
from app.views.texts import shown_line
from app.widgets.display import Display
from app.widgets.icons import icon
from app.widgets.texts import advance, elided
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.widgets.controls import Controls

LINE = 2
"""Thickness of the line that says that the panel has the keyboard."""
SIDE = 14
LEFT, RIGHT, AIR, GAP = 8, 4, 2, 8
NARROW_TITLE = 120
"""To this width in pixels the name is elided before controls fold away."""
NARROWEST = 240
"""Most pixels that a heading insists on."""
CHANGED = (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.StyleChange, QEvent.Type.FontChange)
"""Events after which the heading may need another size."""


class Title(QWidget):
    """The name of the panel, elided where it does not fit."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("headingText")
        self._text = text

    def sizeHint(self) -> QSize:
        metrics = self._metrics()
        return QSize(advance(self._text, metrics) + 1, metrics.height())

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), NARROW_TITLE), hint.height())

    def paintEvent(self, _: QPaintEvent) -> None:
        metrics = self._metrics()
        with QPainter(self) as painter:
            painter.setFont(self.font())
            painter.setPen(self.palette().windowText().color())
            shown = elided(self._text, metrics, self.width())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter.value, shown)

    def _metrics(self) -> QFontMetrics:
        self.ensurePolished()  # the style sheet makes the font bold
        return QFontMetrics(self.font(), self)


class PanelButtons(QWidget):
    """The help and the menu of a panel; ``floats``: to dock it and to close it, too, which a window without a frame
    needs. Signals: ``help_wanted``, ``menu_wanted`` (QPoint: where on the screen), ``dock_wanted``,
    ``close_wanted``."""

    help_wanted = Signal()
    menu_wanted = Signal(object)
    dock_wanted = Signal()
    close_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("panelButtons")
        self.help = self._button(tr("Help about this panel"), "circle-question-mark")
        self.menu = self._button(tr("Panel menu"), "ellipsis")
        self.dock = self._button(tr("Float or dock"), "picture-in-picture-2")
        self.close_ = self._button(tr("Close panel"), "x")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self.help, self.menu, self.dock, self.close_):
            row.addWidget(button)
        self.help.clicked.connect(self.help_wanted)
        self.menu.clicked.connect(self._ask_menu)
        self.dock.clicked.connect(self.dock_wanted)
        self.close_.clicked.connect(self.close_wanted)
        self.show_floating(False)

    def describe(self, about: str) -> None:
        """Sets what the panel shows: the tool tip of its help."""
        set_tip(self.help, about)

    def show_floating(self, floats: bool) -> None:
        for button in (self.dock, self.close_):
            button.setVisible(floats)

    def _ask_menu(self) -> None:
        self.menu_wanted.emit(self.menu.mapToGlobal(self.menu.rect().bottomLeft()))

    def _button(self, text: str, sign: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(sign)
        button.setIcon(icon(sign, "muted"))
        set_tip(button, text)
        button.setAccessibleName(shown_line(text))
        button.setAutoRaise(True)
        button.setIconSize(QSize(SIDE, SIDE))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button


class Heading(QWidget):
    """The title bar of a dock. Of a tabbed dock it has the controls only: the tab says the name, and the buttons are
    beside the tabs (``TabCorner``); without controls nothing of it remains but the line of the keyboard. Where the
    room is short the name is elided, then controls fold into the menu."""

    def __init__(self, dock: QDockWidget, about: str, display: Display) -> None:
        super().__init__(dock)
        self._display = display
        self._keyboard = False
        self._tabbed = False
        self._hints: tuple[QSize, QSize] | None = None
        self.controls: Controls | None = None
        self.setObjectName("heading")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.title = Title(dock.windowTitle(), self)
        self.buttons = PanelButtons(self)
        self.buttons.describe(about)
        dock.topLevelChanged.connect(self._float)

    def put(self, controls: Controls) -> None:
        """Takes the controls of the panel."""
        self.controls = controls
        controls.be_inside()
        hidden = controls.isHidden()
        controls.setParent(self)
        controls.setVisible(not hidden)
        self._arrange()

    def show_tabbed(self, tabbed: bool) -> None:
        """Whether a tab says the name."""
        self._tabbed = tabbed
        self.title.setVisible(not tabbed)
        self.buttons.setVisible(not tabbed)
        self._arrange()

    def show_keyboard(self, here: bool) -> None:
        """Draws an accent line while the panel below has the focus (``here``)."""
        if here != self._keyboard:
            self._keyboard = here
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._keyboard:
            with QPainter(self) as painter:
                painter.fillRect(0, self.height() - LINE, self.width(), LINE, QColor(self._display.theme.accent))

    def sizeHint(self) -> QSize:
        return self._known_hints()[1]

    def minimumSizeHint(self) -> QSize:
        return self._known_hints()[0]

    def event(self, event: QEvent) -> bool:
        if event.type() in CHANGED:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _shown_controls(self) -> Controls | None:
        controls = self.controls
        return controls if controls is not None and controls.any_shown else None

    def _arrange(self) -> None:
        """Places everything, and asks for another size where that is needed."""
        before, self._hints = self._hints, None
        self._place()
        if self._known_hints() != before:
            self.updateGeometry()

    def _known_hints(self) -> tuple[QSize, QSize]:
        """The least and the wanted size; Qt asks for them thousands of times when it arranges docks."""
        if self._hints is None:
            self._hints = self._least_and_wanted()
        return self._hints

    def _least_and_wanted(self) -> tuple[QSize, QSize]:
        controls = self._shown_controls()
        if self._tabbed and controls is None:
            return QSize(0, LINE), QSize(0, LINE)
        title, buttons = self.title.sizeHint(), self.buttons.sizeHint()
        inside = QSize(0, 0) if controls is None else controls.sizeHint()
        height = max(title.height(), buttons.height(), inside.height()) + 2 * AIR + 1
        least = 0 if controls is None else controls.minimumSizeHint().width()
        if not self._tabbed:
            least += self.title.minimumSizeHint().width() + buttons.width() + 2 * GAP
        wanted = LEFT + title.width() + inside.width() + buttons.width() + 2 * GAP + RIGHT
        return QSize(min(LEFT + least + RIGHT, NARROWEST), height), QSize(wanted, height)

    def _place(self) -> None:
        height = self.height() - 1 - 2 * AIR
        left, right = LEFT, self.width() - RIGHT
        controls = self._shown_controls()
        if not self._tabbed:
            wide = self.buttons.sizeHint().width()
            right -= wide
            self.buttons.setGeometry(right, AIR, wide, height)
            right -= GAP
            wide = self._room_of_title(right - left)
            self.title.setGeometry(left, AIR, wide, height)
            left += wide + GAP
        if controls is not None:
            controls.setGeometry(left, AIR, max(right - left, 0), height)

    def _room_of_title(self, room: int) -> int:
        """The width of the name in ``room``, which it shares with the controls: these are never cut off for it."""
        wanted, least = self.title.sizeHint().width(), self.title.minimumSizeHint().width()
        controls = self._shown_controls()
        if controls is None:
            return min(wanted, max(room, 0))
        most = max(room - controls.minimumSizeHint().width() - GAP, 0)
        return min(wanted, most, max(room - controls.comfort - GAP, least))

    def _float(self, floats: bool) -> None:
        self.buttons.show_floating(floats)
        self._arrange()
