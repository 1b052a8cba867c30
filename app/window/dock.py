"""One dock: a heading, and a panel that is made when it is first seen."""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent
from PySide6.QtWidgets import QAbstractItemView, QDockWidget, QWidget

from app.language import tr
from app.panels.spec import PanelSpec
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.homing import home_of
from app.widgets.labels import Label
from app.widgets.texts import shown_line
from app.window.heading import Heading

TAB = Qt.FocusPolicy.TabFocus


class Dock(QDockWidget):
    """``offered``: whether the profile fills it; only then it is made when seen (a kept arrangement may show it
    for a moment before).

    Signals: ``closed_by_person`` (spec id) when its close button was used; ``made`` (spec id) when the panel inside
    was built; ``menu_wanted`` (spec id, global place, by a key) for a context menu."""

    closed_by_person = Signal(str)
    made = Signal(str)
    menu_wanted = Signal(str, object, bool)

    def __init__(self, spec: PanelSpec, context: Context, parent: QWidget) -> None:
        super().__init__(spec.title, parent)
        self.spec = spec
        self._context = context
        self.offered = False
        self._filled = False
        self._canvas: QWidget | None = None
        self.setObjectName(spec.id)
        self.setAccessibleDescription(shown_line(spec.help))
        self.setAllowedAreas(Qt.DockWidgetArea.AllDockWidgetAreas)
        self.heading = Heading(self, spec.help, context.display)
        self.setTitleBarWidget(self.heading)
        self.visibilityChanged.connect(self._seen)

    @property
    def canvas(self) -> QWidget | None:
        """The panel's canvas, if it has one."""
        return self._canvas

    @property
    def filled(self) -> bool:
        """Whether the panel has been made."""
        return self._filled

    def fill(self) -> None:
        """Makes the panel now. One that cannot be made leaves the rest of the window alone."""
        if self._filled:
            return
        self._filled = True
        try:
            panel: QWidget = self.spec.make(self._context)
        except Exception:
            sys.excepthook(*sys.exc_info())
            panel = Label(
                tr("{spec} could not be made; the error report says why. The other panels go on.", spec=self.spec.title)
            )
            panel.setAlignment(Qt.AlignmentFlag.AlignCenter)
            panel.setWordWrap(True)
        self.setWidget(panel)
        inside = [panel, *panel.findChildren(QWidget)]
        self._canvas = next((widget for widget in inside if isinstance(widget, Canvas)), None)
        self.made.emit(self.spec.id)

    @property
    def on_screen(self) -> bool:
        """Whether it can be seen: open, and no tab behind another."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def focus_target(self) -> QWidget:
        """What takes the keyboard: the panel's canvas, what it stands for, its first table or tree, else itself."""
        panel = self.widget() if self._filled else self
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
        """Its panel has the keyboard, unless it stands behind another."""
        if self.on_screen:
            self.focus_target().setFocus(Qt.FocusReason.ShortcutFocusReason)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        self.menu_wanted.emit(self.spec.id, event.globalPos(), by_key)

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed_by_person.emit(self.spec.id)

    def _seen(self, visible: bool) -> None:
        if visible and self.offered:
            self.fill()
