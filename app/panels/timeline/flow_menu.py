"""The menu of flow categories whose arrows are drawn."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QToolButton, QWidget

from app.analysis.timeline.rows import flow_counts
from app.language import plural, tr
from app.profile.timeline import Timeline
from app.views.colours import text_on
from app.views.texts import CAPTION, shown_line
from app.views.theme import Theme
from app.widgets.check_menu import CheckMenu
from app.widgets.named_action import add_named
from app.widgets.timeline.flow_arrows import flow_colours
from app.widgets.tips import set_tip

MOST_LISTED = 60
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
        listed = list(self._counts)[:MOST_LISTED]
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
