"""One tab for each open profile."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QIcon, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QTabBar, QToolButton, QWidget

from app.document.document import Document, Entry
from app.widgets.display import Display
from app.widgets.theme import Theme
from app.window.families import family_title
from app.window.icons import tinted

SIDE = 12
SCALE = 2.0


class ProfileTabs(QTabBar):
    """Follows the document. A dot marks the profile that is shown, an open ring the others, a broken ring one
    that is still being read. Signals: ``close_wanted`` (entry id), ``menu_wanted`` (global place), ``chosen``
    when a person clicked a tab, the current one too."""

    close_wanted = Signal(object)
    menu_wanted = Signal(object)
    chosen = Signal()

    def __init__(self, document: Document, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._display = display
        self._shown: tuple[object, ...] = ()
        self.setAccessibleName("Open profiles")
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)
        self.setIconSize(QSize(SIDE, SIDE))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        self.currentChanged.connect(self._choose)
        self.tabBarClicked.connect(self._clicked)
        document.entries_changed.connect(self._follow)
        display.changed.connect(self._follow)
        self._follow()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.close_wanted.emit(self.tabData(index))
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index = self.tabAt(event.pos())
        if index >= 0:
            self.setCurrentIndex(index)
            self.menu_wanted.emit(event.globalPos())

    def _clicked(self, index: int) -> None:
        if index >= 0:
            self.chosen.emit()

    def _choose(self, index: int) -> None:
        if index >= 0:
            self._document.show(self.tabData(index))

    def _follow(self) -> None:
        entries, current = self._document.entries, self._document.current
        state = (entries, current, self._display.theme)
        if state == self._shown:
            return
        self._shown = state
        self.blockSignals(True)
        while self.count() > len(entries):
            self.removeTab(self.count() - 1)
        while self.count() < len(entries):
            self.setTabButton(self.addTab(""), QTabBar.ButtonPosition.RightSide, self._close_button())
        for index, entry in enumerate(entries):
            self._describe(index, entry, shown=entry is current)
            if entry is current:
                self.setCurrentIndex(index)
        self.blockSignals(False)
        self.setVisible(bool(entries))

    def _close_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("tabClose")
        button.setIconSize(QSize(SIDE, SIDE))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setToolTip("Close")
        button.setAccessibleName("Close profile")
        button.clicked.connect(lambda: self._close_at(button))
        return button

    def _close_at(self, button: QToolButton) -> None:
        """The button knows no tab: tabs move up when one before them closes."""
        for index in range(self.count()):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is button:
                self.close_wanted.emit(self.tabData(index))
                return

    def _describe(self, index: int, entry: Entry, *, shown: bool) -> None:
        profile = entry.profile
        title = family_title(profile.origin.format)
        self.setTabData(index, entry.id)
        self.setTabText(index, (f"{profile.name} · {title}" if title else profile.name).replace("&", "&&"))
        lines = [str(path) for path in profile.origin.paths]
        lines += [] if entry.done else ["still being read"]
        lines += ["unchanged since it was last read: opened from the file cache"] if entry.kept else []
        self.setTabToolTip(index, "\n".join(lines))
        theme = self._display.theme
        self.setTabIcon(index, dot(theme, shown=shown, done=entry.done))
        button = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
        if isinstance(button, QToolButton):
            button.setIcon(tinted("close", theme, theme.muted))


def dot(theme: Theme, *, shown: bool, done: bool) -> QIcon:
    """Filled: the shown profile; ring: another; broken ring: not all of it has arrived."""
    pixmap = QPixmap(QSize(SIDE, SIDE) * SCALE)
    pixmap.setDevicePixelRatio(SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    colour = QColor(theme.accent if shown else theme.muted)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not done:
            painter.setPen(QPen(colour, 1.5))
            painter.drawArc(QRectF(2, 2, 8, 8), 90 * 16, 250 * 16)
            return QIcon(pixmap)
        painter.setPen(QPen(colour, 1.2))
        painter.setBrush(colour if shown else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(QPointF(SIDE / 2, SIDE / 2), 3.4, 3.4)
    return QIcon(pixmap)
