"""The menus above the timeline: what is left out, and which arrows are drawn."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget, QWidgetAction

from app.analysis.timeline.times import flow_counts
from app.language import plural, tr
from app.profile.timeline import Timeline
from app.views.colours import text_on
from app.views.look import Theme
from app.views.texts import CAPTION, shown_line
from app.widgets.buttons import CheckMenu, add_named
from app.widgets.icons import icon
from app.widgets.timeline.flow_arrows import flow_colours
from app.widgets.tips import set_tip

SYNC_NAMES = ("SET_FLAG", "WAIT_FLAG", "set_event", "wait_event")
"""Names of slices that set and wait for flags between pipes (Ascend operator files, section 4.3)."""
MOST_LISTED = 30
MOST_IN_TIP = 8


class FilterMenu(QToolButton):
    """The filter button; its icon is in the accent colour while a filter is active. Signals: ``lanes_wanted`` (str) as
    it is typed, ``hidden_wanted`` (frozenset of names), ``names_shown``: show slices of all names again,
    ``lanes_shown``: show lanes that were hidden one by one, ``hide_selected``: hide slices with the name of the
    selected one, ``keep_selected``: hide all others."""

    lanes_wanted = Signal(str)
    hidden_wanted = Signal(object)
    names_shown = Signal()
    lanes_shown = Signal()
    hide_selected = Signal()
    keep_selected = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sync: frozenset[str] = frozenset()
        self._hidden: frozenset[str] = frozenset()
        self._only: frozenset[str] = frozenset()
        self._lanes_hidden = False
        self._theme: Theme | None = None
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(tr("Filter lanes…"))
        self.field.setAccessibleName(tr("Filter lanes by name"))
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(220)
        self.field.textChanged.connect(self._typed)
        self._menu = CheckMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self._field_action = QWidgetAction(self)  # not owned by the menu, which deletes its own when refilled
        self._field_action.setDefaultWidget(self.field)
        self.setMenu(self._menu)

    def show_names(self, hidden: frozenset[str], only: frozenset[str], sync: frozenset[str]) -> None:
        """Shows which slices are hidden by their names; ``sync``: which of SYNC_NAMES this timeline has."""
        self._hidden, self._only, self._sync = hidden, only, sync
        self._say()

    def show_lanes(self, lanes: str, theme: Theme, *, hidden: bool) -> None:
        """Shows the filter of the lanes, and whether lanes were ``hidden`` one by one."""
        self._theme, self._lanes_hidden = theme, hidden
        if self.field.text() != lanes:
            self.field.blockSignals(True)
            self.field.setText(lanes)
            self.field.blockSignals(False)
        self._say()

    @property
    def active(self) -> bool:
        """Whether any filter is active."""
        return bool(self._hidden or self._only or self._lanes_hidden or self.field.text().strip())

    def show_all(self) -> None:
        """Clears all filters."""
        self.field.clear()
        if self._lanes_hidden:
            self.lanes_shown.emit()
        if self._hidden:
            self.hidden_wanted.emit(frozenset())
        if self._only:
            self.names_shown.emit()

    def _fill(self) -> None:
        """Fills the menu when it opens, and only then: an entry must not vanish while it is being ticked."""
        menu = self._menu
        menu.clear()
        menu.addAction(self._field_action)
        menu.addSeparator()
        if self._sync:
            both = menu.addAction(tr("Hide SET and WAIT"))
            both.setCheckable(True)
            both.setChecked(self._sync <= self._hidden)
            set_tip(both, ", ".join(sorted(self._sync)))
            both.toggled.connect(self._toggle_sync)
        menu.addAction(tr("Hide slices with the name of the selection")).triggered.connect(self.hide_selected)
        menu.addAction(tr("Only slices with the name of the selection")).triggered.connect(self.keep_selected)
        others = sorted(self._hidden - self._sync if self._sync <= self._hidden else self._hidden)
        for name in others[:MOST_LISTED]:
            action = add_named(menu, tr("{name} is hidden", name=name))
            action.setCheckable(True)
            action.setChecked(True)
            action.setData(name)
            action.toggled.connect(self._toggle_names)
        if len(others) > MOST_LISTED:
            menu.addAction(
                plural(
                    "and {count:,} other name",
                    "and {count:,} other names",
                    count=len(others) - MOST_LISTED,
                )
            ).setEnabled(False)
        menu.addSeparator()
        everything = menu.addAction(tr("Show all"))
        everything.setEnabled(self.active)
        everything.triggered.connect(self.show_all)
        self.field.setFocus()

    def _typed(self, text: str) -> None:
        self.lanes_wanted.emit(text)
        self._say()

    def _toggle_sync(self, hide: bool) -> None:
        self.hidden_wanted.emit(self._hidden | self._sync if hide else self._hidden - self._sync)

    def _toggle_names(self) -> None:
        back = {str(a.data()) for a in self._menu.actions() if a.data() is not None and not a.isChecked()}
        self.hidden_wanted.emit(self._hidden - back)

    def _say(self) -> None:
        words = self.field.text().strip()
        lines: list[str] = [tr("Only lanes with “{words}”", words=words)] if words else []
        if self._hidden:
            lines.append(tr("Hidden: {names}", names=_listed(self._hidden)))
        if self._only:
            lines.append(tr("Only slices named: {names}", names=_listed(self._only)))
        if self._hidden or self._only:
            lines.append(tr("Figures include hidden slices."))
        what = "\n".join(lines) if lines else tr("Hide lanes or slices")
        set_tip(self, what)
        self.setAccessibleName(shown_line(what))
        self.setIcon(icon("funnel", "accent" if self.active else "text"))
        for action in self._menu.actions():
            if action.text() == tr("Show all"):
                action.setEnabled(self.active)


def _listed(names: frozenset[str]) -> str:
    """The first names, and how many follow."""
    first, rest = ", ".join(sorted(names)[:MOST_IN_TIP]), len(names) - MOST_IN_TIP
    return tr("{names} and {count:,} more", names=first, count=rest) if rest > 0 else first


MOST_FLOWS_LISTED = 60
SWATCH = 14
SHARP = 2
"""Pixels of a swatch for each logical one, so that it is sharp on every screen."""
TICK = ((0.22, 0.52), (0.43, 0.72), (0.78, 0.28))
"""The corners of a tick, in shares of the swatch."""


class FlowMenu(QToolButton):
    """The arrows button; hidden if there are no arrows. Signal ``chosen`` (tuple of names, the most frequent first)."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._timeline: Timeline | None = None
        self._counts: dict[str, int] = {}
        self._names: tuple[str, ...] = ()
        self._colours: Mapping[str, str] = {}
        self._theme: Theme | None = None
        self.setAutoRaise(True)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._menu = CheckMenu(self)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        self.hide()

    def show_timeline(self, timeline: Timeline | None, names: tuple[str, ...], theme: Theme) -> None:
        """Sets the categories of another timeline, with those in ``names`` ticked."""
        if timeline is not self._timeline:
            self._timeline = timeline
            self._counts = flow_counts(timeline) if timeline is not None else {}
        self._names = tuple(name for name in names if name in self._counts)
        self._theme = theme
        self._say()
        self.setVisible(bool(self._counts))

    def _fill(self) -> None:
        """Fills the menu when it opens, and only then: an entry must not vanish while it is being ticked."""
        self._menu.clear()
        listed = list(self._counts)[:MOST_FLOWS_LISTED]
        self._colours = flow_colours(tuple(listed), self._theme) if self._theme is not None else {}
        for name in listed:
            action = add_named(
                self._menu, f"{shown_line(name or tr('(no category)'), CAPTION - 20)}    {self._counts[name]:,}"
            )
            action.setCheckable(True)
            action.setChecked(name in self._names)
            action.setIconVisibleInMenu(True)
            action.setData(name)
            action.setIcon(swatch(self._colours[name], ticked=action.isChecked()))
            action.toggled.connect(self._ticked)
        if len(self._counts) > len(listed):
            left = self._menu.addAction(
                plural(
                    "and {count:,} rarer one",
                    "and {count:,} rarer ones",
                    count=len(self._counts) - len(listed),
                )
            )
            left.setEnabled(False)
        self._menu.addSeparator()
        self._menu.addAction(tr("All arrows")).triggered.connect(lambda: self._set(tuple(listed)))
        self._menu.addAction(tr("Only arrows of the selection")).triggered.connect(lambda: self._set(()))

    def _ticked(self) -> None:
        ticked = [action for action in self._menu.actions() if action.isCheckable() and action.isChecked()]
        self._names = tuple(str(action.data()) for action in ticked)
        for action in self._menu.actions():
            if action.isCheckable():
                action.setIcon(swatch(self._colours[str(action.data())], ticked=action.isChecked()))
        self._say()
        self.chosen.emit(self._names)

    def _set(self, names: tuple[str, ...]) -> None:
        for action in self._menu.actions():
            if action.isCheckable():
                action.blockSignals(True)
                action.setChecked(action.data() in names)
                action.blockSignals(False)
        self._ticked()

    def _say(self) -> None:
        count = len(self._names)
        self.setText(tr("Arrows {count}", count=count) if count else tr("Arrows"))
        names = ", ".join(self._names[:8]) + ("" if count <= 8 else tr(" and {count} more", count=count - 8))
        all_of = tr("Show the arrows of whole categories; arrows of the selection are always shown")
        what = tr("Arrows of {names}", names=names) if count else all_of
        set_tip(self, what)
        self.setAccessibleName(shown_line(what))


def swatch(colour: str, *, ticked: bool) -> QIcon:
    """A box in this colour, filled and with a tick in it if ``ticked``: a menu has no check mark beside an icon."""
    pixmap = QPixmap(QSize(SWATCH, SWATCH) * SHARP)
    pixmap.setDevicePixelRatio(SHARP)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(colour), 2))
        painter.setBrush(QColor(colour) if ticked else Qt.BrushStyle.NoBrush)
        painter.drawRect(QRectF(1, 1, SWATCH - 2, SWATCH - 2))
        if ticked:
            painter.setPen(QPen(QColor(text_on(colour)), 2))
            painter.drawPolyline(QPolygonF([QPointF(x * SWATCH, y * SWATCH) for x, y in TICK]))
    return QIcon(pixmap)
