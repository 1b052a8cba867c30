"""Controls as entries of a menu, for those that a narrow heading has no room for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QMenu, QTabBar, QToolButton, QWidget

from app.views.texts import caption
from app.widgets.named_action import add_named
from app.widgets.readout import Readout
from app.widgets.tab_choice import TabChoice

MOST = 60
"""Entries of a box that its menu lists; of more, those around the current one."""
SEPARATOR = "separator"
"""What Qt says of the separators among the entries of a box."""


def list_controls(menu: QMenu, controls: Iterable[QWidget]) -> None:
    """Adds an entry or a menu for each of ``controls``: what is chosen there is chosen in the control."""
    for control in controls:
        _list(menu, control)


def _list(menu: QMenu, control: QWidget) -> None:
    if isinstance(control, TabChoice):
        _list_tabs(menu, control.tabs)
    elif isinstance(control, QTabBar):
        _list_tabs(menu, control)
    elif isinstance(control, QComboBox):
        _list_box(menu, control)
    elif isinstance(control, QAbstractButton):
        _list_button(menu, control)
    elif isinstance(control, Readout | QLabel):
        text = control.text if isinstance(control, Readout) else control.text()
        if text:
            add_named(menu, text).setEnabled(False)
    else:
        inside = [child for child in control.children() if isinstance(child, QWidget) and not child.isHidden()]
        list_controls(menu, inside)


def _list_button(menu: QMenu, button: QAbstractButton) -> None:
    about = button.accessibleName() or button.toolTip()
    name = button.text().replace("&&", "&") or about
    own = button.menu() if isinstance(button, QToolButton) else None
    if own is not None:
        own.setTitle(caption(about or name))
        menu.addMenu(own).setEnabled(button.isEnabled())
        return
    entry = add_named(menu, name, about)
    entry.setEnabled(button.isEnabled())
    entry.setCheckable(button.isCheckable())
    entry.setChecked(button.isChecked())
    entry.triggered.connect(lambda _checked: button.click())


def _list_box(menu: QMenu, box: QComboBox) -> None:
    current = box.currentIndex()
    first = max(min(current - MOST // 2, box.count() - MOST), 0)
    inside = QMenu(caption(box.accessibleName()), menu)
    inside.setEnabled(box.isEnabled())
    menu.addMenu(inside)
    for place in range(first, min(first + MOST, box.count())):
        if box.itemData(place, Qt.ItemDataRole.AccessibleDescriptionRole) == SEPARATOR:
            inside.addSeparator()
        else:
            _add_choice(inside, box.itemText(place), partial(_choose, box, place), chosen=place == current)


def _choose(box: QComboBox, place: int) -> None:
    """What a click on an entry of the box does."""
    box.setCurrentIndex(place)
    box.activated.emit(place)


def _list_tabs(menu: QMenu, tabs: QTabBar) -> None:
    inside = QMenu(caption(tabs.accessibleName()), menu)
    inside.setEnabled(tabs.isEnabled())
    menu.addMenu(inside)
    for place in range(tabs.count()):
        name = tabs.tabText(place).replace("&&", "&")
        _add_choice(inside, name, partial(tabs.setCurrentIndex, place), chosen=place == tabs.currentIndex())


def _add_choice(menu: QMenu, name: str, choose: Callable[[], object], *, chosen: bool) -> None:
    entry = add_named(menu, name)
    entry.setCheckable(True)
    entry.setChecked(chosen)
    entry.triggered.connect(lambda _checked: choose())
