"""The filter menu of the timeline: lanes by text, slices by name."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget, QWidgetAction

from app.language import plural, tr
from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.check_menu import CheckMenu
from app.widgets.icons import icon
from app.widgets.named_action import add_named
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
