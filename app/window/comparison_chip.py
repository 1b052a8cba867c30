"""The chip above the panels that says what is compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.language import tr
from app.views.texts import caption, shown_line
from app.widgets.texts import advance, elided
from app.widgets.tips import set_tip
from app.window.menus import Actions
from app.window.profile_tabs import common_limit

if TYPE_CHECKING:
    from app.window.command import CommandContext
from app.window.comparing import AIR, ICON, NARROWEST, SHARE, compared_names, pair_text


class PairButton(QToolButton):
    """Both names, each elided in the middle where there is not enough room; a click opens the menu."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._names = ("", "")
        self._room = NARROWEST
        self.setObjectName("pair")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_names(self, after: str, before: str) -> None:
        """Show what is compared with what."""
        self._names = after, before
        self.setAccessibleName(shown_line(pair_text(after, before)))
        set_tip(self, tr("{pair}. Click for other baselines and settings.", pair=pair_text(after, before)))
        self._fit()
        self.updateGeometry()

    def set_room(self, width: int) -> None:
        """Use at most this width."""
        self._room = max(width, NARROWEST)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = advance(pair_text(*self._names), self.fontMetrics()) + AIR
        return QSize(min(width, self._room), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(NARROWEST, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        room = max(self.width(), NARROWEST) - AIR - advance(pair_text("", ""), metrics)
        most = common_limit([advance(name, metrics) for name in self._names], max(room, 0))
        middle = Qt.TextElideMode.ElideMiddle
        after, before = (elided(name, metrics, most + 1, middle) for name in self._names)
        self.setText(caption(pair_text(after, before)))


class ComparisonChip(QFrame):
    """Visible while the shown profile has a baseline."""

    def __init__(self, context: CommandContext, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("comparisonChip")  # "comparison" is the dock of the panel
        self._context = context
        self._actions = actions
        self.pair = PairButton(self)
        self.menu = QMenu(self.pair)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill)
        self.pair.setMenu(self.menu)
        self.pair.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.pair.customContextMenuRequested.connect(lambda point: self.menu.popup(self.pair.mapToGlobal(point)))
        self.swap = self._button(actions.actions["compare.swap"])
        self.end = self._button(actions.actions["compare.end"])
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(0)
        for part in (self.pair, self.swap, self.end):
            row.addWidget(part)
        document = context.document
        document.baselines.changed.connect(self._follow)
        document.entries_changed.connect(self._follow)
        self._follow()

    def fit(self, width: int) -> None:
        """Leave most of a header of this width to the tabs."""
        self.pair.set_room(width // SHARE)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(self)
        button.setDefaultAction(action)
        button.setIconSize(QSize(ICON, ICON))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(shown_line(action.text()))
        return button

    def _follow(self) -> None:
        names = compared_names(self._context.document)
        self.setVisible(names is not None)
        if names is not None:
            self.pair.show_names(*names)

    def _fill(self) -> None:
        """Everything about the comparison, in one menu."""
        from app.window.commands.compare import NAMES, RECENT_PAIRS, baseline_menu, fill_recent_pairs

        self.menu.clear()
        self._actions.refresh()
        others = baseline_menu(self._context)
        if others is not None:
            others.setParent(self.menu, others.windowFlags())
            others.setTitle(tr("Compare with another baseline"))
            self.menu.addMenu(others)
        recent = self.menu.addMenu(RECENT_PAIRS)
        fill_recent_pairs(self._context, recent)
        recent.setEnabled(not recent.isEmpty())
        names = self.menu.addMenu(NAMES)
        names.setToolTipsVisible(True)
        for command in self._actions.commands.values():
            if command.submenu == NAMES:
                names.addAction(self._actions.actions[command.id])
        self.menu.addSeparator()
        self.menu.addActions(
            [self._actions.actions[name] for name in ("compare.forget_pairs", "compare.swap", "compare.end")]
        )
