"""Keyboard focus: it is given to the panel in front, unless the user put it elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from app.widgets.fields import SearchField
from app.widgets.homing import home_of
from app.window.command import CommandContext

if TYPE_CHECKING:
    from app.window.central_widget import CentralWidget
    from app.window.dock import Dock
    from app.window.profile_tabs import ProfileTabs


class KeyboardContext(CommandContext, Protocol):
    """What else can take the focus, besides the panels."""

    tabs: ProfileTabs
    central: CentralWidget


class Keyboard(QObject):
    """Manages the focus. When a widget is hidden, Qt moves its focus to the next one in order; here it goes to the
    panel that had it, else to the one that took its place, else to the main panel. While a profile is being read, the
    main panel may not exist yet: it gets the focus as soon as it does, unless the user has moved on by then."""

    def __init__(self, context: KeyboardContext) -> None:
        super().__init__(context.main)
        self._context = context
        self._field: QWidget | None = None
        self._before: str | int = ""
        self._due = self._wanted = False
        self._preliminary = False
        self._giving = False
        self._given: Dock | None = None
        self._stray: QWidget | None = None
        self._timer = QTimer(self, interval=0, singleShot=True)
        self._timer.timeout.connect(self._settle)

    def give(self) -> None:
        """Gives the focus to the panel in front (to the start page while nothing is open)."""
        current, docks = self._context.document.current, self._context.docks
        target = self._target()
        self._given = None if docks is None else docks.at(target)  # what is not visible yet gets the focus later
        self._giving = True
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        self._giving = False
        if (current is None or current.done) and (docks is None or not docks.building) and _has_arrived(target):
            self._preliminary = False

    def follow_reading(self) -> None:
        """Updates a preliminary focus when more of the profile has been read."""
        if self._preliminary:
            self.give_soon()

    def used(self) -> None:
        """Makes the focus final: the user works with the focused widget."""
        self._preliminary = False

    def give_soon(self, *, wanted: bool = False) -> None:
        """Schedules ``give`` for when the layout has settled. It is skipped while the user types or steps through the
        profile tabs, unless ``wanted``."""
        self._due, self._wanted = True, self._wanted or wanted
        self._timer.start()

    def settle_soon(self) -> None:
        """Schedules ``give`` for the case that the panel with the focus is behind another one when the layout has
        settled: keys would act on what nobody sees."""
        self._timer.start()

    def strayed(self, focus: QWidget) -> None:
        """Schedules ``give``: the focused widget was hidden, and Qt moved the focus to ``focus``."""
        self._stray = focus
        self._timer.start()

    def enter(self, bar: QTabBar) -> None:
        """Moves the focus from a tab bar into what its current tab shows."""
        docks = self._context.docks
        dock = None if docks is None else docks.tabs.dock_of(bar, bar.currentIndex())
        if dock is not None and docks is not None:
            docks.focus(dock.spec.id)
        elif bar is self._context.tabs:
            self.give()

    def note(self, old: QWidget | None, focus: QWidget) -> None:
        """Handles a focus change from ``old`` to ``focus``: marks its panel's heading and remembers a field's value for
        Esc. Where no widget had the focus, the window may be active again; what gets the focus back may have been
        overtaken by what was read meanwhile."""
        self._field, self._before = focus, _value(focus)
        docks = self._context.docks
        here = None if docks is None else docks.at(focus)
        if self._giving:
            self._given = here
        elif old is None and not _is_clicking():
            self.follow_reading()
        elif here is not None and not self._is_passed_on(old, here):
            self._preliminary = False
        if self._is_behind(focus):
            self.settle_soon()
        for dock in [] if docks is None else docks.shown():
            dock.heading.show_keyboard(dock is here)

    def _is_passed_on(self, old: QWidget | None, here: Dock) -> bool:
        """Whether a panel moves a focus that it has or was given, as when it shows that there is nothing: no click
        does, and Tab calls ``used``."""
        inside = old is not None and isValid(old) and here.isAncestorOf(old)
        return (inside or here is self._given) and not _is_clicking()

    def leave(self, field: QWidget) -> None:
        """Handles Esc in a field: restores its value and moves the focus back to the panel."""
        if field is self._field:
            _restore_value(field, self._before)
        target = home_of(field)
        if target is not None:
            target.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.give()

    def _settle(self) -> None:
        focus = QApplication.focusWidget()
        lost = focus is not None and (focus is self._stray or self._is_behind(focus))
        due, wanted = self._due, self._wanted
        self._due, self._wanted, self._stray = False, False, None
        if QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None:
            return
        used = focus is not None and focus.isVisible() and self._is_used(focus)
        elsewhere = focus is not None and not self._context.holds(focus)
        if lost or (due and not elsewhere and (wanted or not used)):
            self.give()

    def _is_behind(self, focus: QWidget) -> bool:
        """Whether ``focus`` is in a panel behind another one."""
        docks = self._context.docks
        here = None if docks is None or self._context.main.isMinimized() else docks.at(focus)
        return here is not None and not here.on_screen

    def _is_used(self, focus: QWidget) -> bool:
        """Whether the user types, steps through the profile tabs, or reads the step of a tour."""
        guide = self._context.central.guide
        reads = guide is not None and guide.isAncestorOf(focus)
        return reads or focus is self._context.tabs or self._is_typing(focus)

    def _is_typing(self, focus: QWidget) -> bool:
        """Whether ``focus`` is a text field that the user has chosen."""
        return is_text_field(focus) and not (self._preliminary and self._context.in_panel(focus))

    def _target(self) -> QWidget:
        docks, last = self._context.docks, self._context.keys.last_focus
        if docks is None or self._context.central.shown() is not docks:
            return self._context.central.shown()
        dock = docks.at(last) if last is not None and not self._preliminary else None
        if dock is not None and dock.on_screen and last is not None:
            if last.isVisible() and not is_text_field(last):
                return last
            return home_of(last) or dock.focus_target()
        front: Dock | None = docks.instead_of(dock) if dock is not None else None
        if front is None:
            front, self._preliminary = docks.main(), True
        return docks if front is None else front.focus_target()


def _has_arrived(target: QWidget) -> bool:
    """Whether ``target`` has the focus of its window: what is not visible yet does not get that of an inactive one."""
    while (proxy := target.focusProxy()) is not None:
        target = proxy
    return target.window().focusWidget() is target


def _is_clicking() -> bool:
    return bool(QApplication.mouseButtons().value)


def _value(field: QWidget) -> str | int:
    if isinstance(field, QSpinBox):
        return field.value()
    return field.text() if isinstance(field, QLineEdit) else ""


def _restore_value(field: QWidget, before: str | int) -> None:
    if isinstance(field, QSpinBox) and isinstance(before, int):
        field.setValue(before)
    elif isinstance(field, QLineEdit) and not isinstance(field, SearchField) and isinstance(before, str):
        field.setText(before)


TEXT_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox, QKeySequenceEdit)


def is_text_field(widget: QWidget) -> bool:
    """Whether ``widget`` is an editable text field, or the field inside one."""
    if isinstance(widget, (QTextEdit, QPlainTextEdit)):
        return not widget.isReadOnly()
    return isinstance(widget, TEXT_FIELDS) or (isinstance(widget, QComboBox) and widget.isEditable())
