"""A dock: a heading, and a panel that is created when it first becomes visible."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QMoveEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QDockWidget, QWidget

from app.language import tr
from app.panels.spec import PanelSpec
from app.views.texts import shown_line
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.homing import home_of
from app.widgets.labels import Label
from app.window.heading import Heading, PanelButtons

if TYPE_CHECKING:
    from app.panels.panel import Panel

FIRST_MOVES = 2
"""A dock that begins to float is moved once by Qt, and once by the first report of the window manager."""
TAB = Qt.FocusPolicy.TabFocus


class Dock(QDockWidget):
    """The dock of one panel. ``offered``: whether the profile has data for the panel; only then the panel is
    ``awaited`` when the dock becomes visible (restoring a saved layout may show the dock briefly before).

    Signals: ``closed_by_person`` (spec id): it was closed; ``seen``: the panel is awaited; ``covered``: another tab is
    in front of it, or it was hidden; ``menu_wanted`` (spec id, global position, by key): a context menu is requested;
    ``commands_wanted``, ``panel_wanted``: as for Panel; ``help_wanted`` (spec id): its page of the help is requested;
    ``more_wanted`` (spec id, global position): the menu of the panel is."""

    closed_by_person = Signal(str)
    seen = Signal()
    covered = Signal()
    menu_wanted = Signal(str, object, bool)
    commands_wanted = Signal(str, object)
    panel_wanted = Signal(str)
    help_wanted = Signal(str)
    more_wanted = Signal(str, object)

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

    def answer(self, buttons: PanelButtons) -> None:
        """Does what the buttons of its heading are clicked for."""
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
        self.setWidget(made)
        inside = [made, *made.findChildren(QWidget)]
        self._canvas = next((widget for widget in inside if isinstance(widget, Canvas)), None)

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
