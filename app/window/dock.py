"""The dock of one panel, and its heading."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QHBoxLayout, QToolButton, QWidget

from app.language import tr
from app.panels.spec import PanelSpec
from app.views.texts import shown_line
from app.widgets.abilities import KeepsItem
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.homing import home_of
from app.widgets.icons import icon
from app.widgets.texts import Label, advance, elided
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.panels.panel import Panel
    from app.widgets.controls import Controls


FIRST_MOVES = 2
"""A dock that begins to float is moved once by Qt, and once by the first report of the window manager."""
TAB = Qt.FocusPolicy.TabFocus
LINE = 2
"""Thickness of the line that says that the panel has the keyboard."""
SIDE = 14
LEFT, RIGHT, AIR, GAP = 8, 4, 1, 8
NARROW_TITLE = 120
"""To this width in pixels the name is elided before controls fold away."""
NARROWEST = 240
"""Most pixels that a heading insists on."""
CHANGED = (QEvent.Type.LayoutRequest, QEvent.Type.Show, QEvent.Type.StyleChange, QEvent.Type.FontChange)
"""Events after which the heading may need another size."""


class Dock(QDockWidget):
    """The dock of one panel. ``offered``: whether the profile has data for the panel; only then the panel is
    ``awaited`` when the dock becomes visible (restoring a saved layout may show the dock briefly before).

    Signals: ``closed_by_person`` (spec id): it was closed; ``seen``: the panel is awaited; ``covered``: another tab is
    in front of it, or it was hidden; ``menu_wanted`` (spec id, global position, by key): a context menu is requested;
    ``commands_wanted``, ``panel_wanted``: as for Panel; ``help_wanted`` (spec id): its page of the help is requested;
    ``more_wanted`` (spec id, global position): the menu of the panel is; ``kept``: whether it keeps what it shows has
    changed."""

    closed_by_person = Signal(str)
    seen = Signal()
    covered = Signal()
    menu_wanted = Signal(str, object, bool)
    commands_wanted = Signal(str, object)
    panel_wanted = Signal(str)
    help_wanted = Signal(str)
    more_wanted = Signal(str, object)
    kept = Signal()

    def __init__(self, spec: PanelSpec, context: Context, parent: QWidget) -> None:
        super().__init__(spec.title, parent)
        self.spec = spec
        self._context = context
        self.offered = False
        self._filled = False
        self._in_front = False
        self._moves = 0
        self._canvas: QWidget | None = None
        self._panel: Panel | None = None
        self._preliminary: QWidget | None = None
        self.setObjectName(spec.id)
        self.setAccessibleDescription(shown_line(spec.help))
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.visibilityChanged.connect(self._come_to_front)
        self.topLevelChanged.connect(self._count_moves_anew)

    @cached_property
    def heading(self) -> Heading:
        """The title bar. Making it takes longer than the dock, and the window need not wait for it."""
        heading = Heading(self, self.spec.help, self._context.display)
        self.answer(heading.buttons)
        self.setTitleBarWidget(heading)
        return heading

    def complete(self) -> Heading:
        """Makes the heading, unless it is there."""
        return self.heading

    def offer(self, wanted: bool) -> None:
        """Says whether the profile has data for the panel."""
        self.offered = wanted
        if wanted:
            self.complete()

    @property
    def keeper(self) -> KeepsItem | None:
        """Its panel, if that can keep what it shows, whatever is selected."""
        return self._panel if isinstance(self._panel, KeepsItem) else None

    def keep_item(self, wanted: bool) -> None:
        """Lets its panel keep what it shows, or follow the selection again."""
        if self.keeper is not None:
            self.keeper.keep_item(wanted)

    def _say_keeping(self) -> None:
        self.heading.buttons.show_keeping(self.keeper)
        self.kept.emit()

    def answer(self, buttons: PanelButtons) -> None:
        """Does what the buttons of its heading are clicked for."""
        buttons.keep_wanted.connect(self.keep_item)
        buttons.help_wanted.connect(self.ask_help)
        buttons.menu_wanted.connect(self.ask_menu)
        buttons.dock_wanted.connect(self.turn_floating)
        buttons.close_wanted.connect(self.close)

    def ask_help(self) -> None:
        self.help_wanted.emit(self.spec.id)

    def ask_menu(self, place: QPoint) -> None:
        """Asks for the menu of the panel at ``place`` (screen coordinates)."""
        self.more_wanted.emit(self.spec.id, place)

    def turn_floating(self) -> None:
        """Makes it float, or docks it."""
        self.setFloating(not self.isFloating())

    def folded(self) -> Iterator[QWidget]:
        """Controls of the panel that its heading has no room for, or that are rarely used."""
        controls = self.heading.controls
        if controls is not None and not controls.isHidden():
            yield from controls.folded()

    @property
    def canvas(self) -> QWidget | None:
        """The panel's first canvas, or None."""
        return self._canvas

    @property
    def filled(self) -> bool:
        """Whether the panel has been created."""
        return self._filled

    @property
    def filling(self) -> bool:
        """Whether its panel is being filled."""
        return self._panel is not None and self._panel.filling

    @property
    def awaited(self) -> bool:
        """Whether a person sees the dock, and no panel in it yet."""
        return self._in_front and self.offered and not self._filled

    def fill(self, *, at_once: bool = True) -> None:
        """Creates the panel if necessary, and shows the profile in it ``at_once`` or in a later turn of the event loop.
        If that raises, the error is reported, a label takes the panel's place and the rest of the window keeps
        working."""
        if self._filled:
            return
        self._filled = True
        made = self._made()
        from app.panels.panel import Panel  # imports numpy: after the first paint

        if isinstance(made, Panel):
            self._panel = made
            if not at_once:
                made.postpone()
            if made.controls is not None:
                self.heading.put(made.controls)
            made.commands_wanted.connect(self.commands_wanted)
            made.panel_wanted.connect(self.panel_wanted)
            made.shows_anew.connect(self._pass_keyboard_on)
            if isinstance(made, KeepsItem):
                made.keeping_changed.connect(self._say_keeping)
                self._say_keeping()
        self.setWidget(made)
        inside = [made, *made.findChildren(QWidget)]
        self._canvas = next((widget for widget in inside if isinstance(widget, Canvas)), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """What it is while it has no panel yet, which takes a moment of a busy machine."""
        super().paintEvent(event)
        if not self._filled:
            with QPainter(self) as painter:
                painter.setPen(QColor(self._context.display.theme.muted))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, tr("Preparing this panel…"))

    def _made(self) -> QWidget:
        """The panel, or a label in its place if it cannot be created."""
        try:
            return self.spec.make(self._context)
        except Exception:
            sys.excepthook(*sys.exc_info())
        label = Label(
            tr(
                "The panel {spec} could not be created; see the error report. Other panels still work.",
                spec=self.spec.title,
            )
        )
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setWordWrap(True)
        return label

    @property
    def on_screen(self) -> bool:
        """Whether the dock is visible: open, and not a tab behind another."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def focus_target(self) -> QWidget:
        """Returns the widget that takes the focus: a home that is a canvas, the panel's canvas, another home (see
        ``home_of``), the first table or tree, any other focusable widget, else the panel itself."""
        if not self._filled:
            return self
        panel = self.widget()
        inside = [panel, *panel.findChildren(QWidget)]
        reachable = [widget for widget in inside if widget.isVisible() and widget.focusPolicy() & TAB]
        home = home_of(panel)
        if home is not None and isinstance(home, Canvas):
            return home
        if self._canvas in reachable:
            return self._canvas
        if home is not None:
            return home
        for wanted in (QAbstractItemView, QWidget):
            for widget in reachable:
                if isinstance(widget, wanted):
                    return widget
        return panel

    def take_keyboard(self) -> None:
        """Gives the focus to the panel, unless the dock is hidden behind another; if the panel is not filled yet, to
        what it shows then, unless the user puts it elsewhere."""
        if self.on_screen:
            target = self.focus_target()
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            unfilled = self._panel is not None and (self._panel.refill_due or self._panel.filling)
            self._preliminary = target if unfilled else None

    def _pass_keyboard_on(self) -> None:
        preliminary, self._preliminary = self._preliminary, None
        if preliminary is not None and QApplication.focusWidget() is preliminary:
            self.focus_target().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def moveEvent(self, event: QMoveEvent) -> None:
        """On X11 Qt may take the place of a new window in its frame (0, 0) for its place on the screen, where menus and
        the next drag would then begin; to move the window to where it stands makes Qt learn its place."""
        super().moveEvent(event)
        if not self.isFloating():
            return
        self._moves += 1
        if self._moves <= FIRST_MOVES and event.pos().isNull():
            place = event.oldPos()
            QTimer.singleShot(0, self, lambda: self.move(place))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_wanted.emit(self.spec.id, event.globalPos(), by_key)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed_by_person.emit(self.spec.id)

    def _count_moves_anew(self, _floating: bool) -> None:
        self._moves = 0

    def _come_to_front(self, here: bool) -> None:
        self._in_front = here
        if self.awaited:
            self.seen.emit()
        elif here and self._panel is not None:
            self._panel.come_to_front()
        elif not here:
            self.covered.emit()


KEEP = tr("Keep these details while other items are selected")
RELEASE = tr("Follow the selection again")


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
    """The help and the menu of a panel, and the pin of one that can keep what it shows; ``floats``: to dock it and to
    close it, too, which a window without a frame needs. Signals: ``keep_wanted`` (bool), ``help_wanted``,
    ``menu_wanted`` (QPoint: where on the screen), ``dock_wanted``, ``close_wanted``."""

    keep_wanted = Signal(bool)
    help_wanted = Signal()
    menu_wanted = Signal(object)
    dock_wanted = Signal()
    close_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("panelButtons")
        self.keep = self._button(KEEP, "pin")
        self.keep.setCheckable(True)
        self.help = self._button(tr("Help about this panel"), "circle-question-mark")
        self.menu = self._button(tr("Panel menu"), "ellipsis")
        self.dock = self._button(tr("Float or dock"), "picture-in-picture-2")
        self.close_ = self._button(tr("Close panel"), "x")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self.keep, self.help, self.menu, self.dock, self.close_):
            row.addWidget(button)
        self.keep.clicked.connect(self.keep_wanted)
        self.keep.hide()
        self.help.clicked.connect(self.help_wanted)
        self.menu.clicked.connect(self._ask_menu)
        self.dock.clicked.connect(self.dock_wanted)
        self.close_.clicked.connect(self.close_wanted)
        self.show_floating(False)

    def describe(self, about: str) -> None:
        """Sets what the panel shows: the tool tip of its help."""
        set_tip(self.help, about)

    def show_keeping(self, keeper: KeepsItem | None) -> None:
        """Shows whether the panel keeps what it shows; None: it cannot."""
        self.keep.setVisible(keeper is not None)
        self.keep.setEnabled(keeper is not None and keeper.can_keep)
        keeps = keeper is not None and keeper.keeps_item
        self.keep.setChecked(keeps)
        set_tip(self.keep, RELEASE if keeps else KEEP)

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
