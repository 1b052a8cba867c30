"""How a panel shows its content, by name: what its choosers say, zoom, order and filters of tables. For links.

The parts of a panel are its attributes that are controls, or that have the ability HasViewState, with the attributes of
attributes as ``bar.views``. A link keeps these names; what a later version does not have is ignored."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtWidgets import QAbstractButton, QTabBar, QWidget

from app.widgets.abilities import HasViewState
from app.widgets.fields import ChoiceBox
from app.widgets.homing import belongs_to, is_offered
from app.widgets.tabs import Tabs

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewState, ViewValue

Control: TypeAlias = ChoiceBox | QTabBar | QAbstractButton
DEPTH = 4
LONGEST = 400


def view_state(panel: QWidget) -> dict[str, ViewValue]:
    """The state of a panel: its own, then that of its visible parts."""
    state: dict[str, ViewValue] = dict(panel.view_state()) if isinstance(panel, HasViewState) else {}
    for name, control in _controls(panel):
        value = _value(control)
        if value is not None:
            state[name] = value
    for name, part in _parts(panel):
        state |= {f"{name}.{key}": value for key, value in part.view_state().items()}
    return state


def restore_choices(panel: QWidget, saved: ViewState) -> None:
    """Sets the panel's own state and its controls; the panel may be filled again because of that."""
    if isinstance(panel, HasViewState):
        panel.restore_view(saved)
    for name, control in _controls(panel):
        if name in saved:
            _choose(control, saved[name])


def restore_parts(panel: QWidget, saved: ViewState) -> None:
    """Sets zoom, order and filters of the parts, once the panel is filled."""
    for name, part in _parts(panel):
        begin = f"{name}."
        part.restore_view({key.removeprefix(begin): value for key, value in saved.items() if key.startswith(begin)})


def _controls(panel: QWidget) -> Iterator[tuple[str, Control]]:
    for name, part in _attributes(panel):
        if not is_offered(part, panel):
            continue
        if isinstance(part, ChoiceBox | Tabs) or (isinstance(part, QAbstractButton) and part.isCheckable()):
            yield name, part


def _parts(panel: QWidget) -> Iterator[tuple[str, HasViewState]]:
    for name, part in _attributes(panel):
        if isinstance(part, HasViewState) and is_offered(part, panel):
            yield name, part


def _attributes(panel: QWidget) -> Iterator[tuple[str, QWidget]]:
    """The widgets that are attributes of the panel, and of those that are no part by themselves; each once, under its
    shortest name."""
    waiting: deque[tuple[str, QWidget, int]] = deque([("", panel, 0)])
    known = {id(panel)}
    while waiting:
        prefix, holder, depth = waiting.popleft()
        for name, value in list(vars(holder).items()):
            if name.startswith("_") or not isinstance(value, QWidget) or id(value) in known:
                continue
            known.add(id(value))
            if not belongs_to(value, panel):
                continue
            yield prefix + name, value
            if depth < DEPTH and not isinstance(value, HasViewState):
                waiting.append((f"{prefix}{name}.", value, depth + 1))


def _value(control: Control) -> ViewValue | None:
    if isinstance(control, ChoiceBox):
        value = _entry(control, control.currentIndex())
        return value if len(value) <= LONGEST else None
    return control.currentIndex() if isinstance(control, QTabBar) else control.isChecked()


def _entry(box: ChoiceBox, place: int) -> str:
    """What stands for an entry of a box: its value if it is a text or a number, else its place."""
    data = box.itemData(place)
    return str(data) if isinstance(data, str | int) else f"#{place}"


def _choose(control: Control, value: ViewValue) -> None:
    if isinstance(control, ChoiceBox):
        place = next((place for place in range(control.count()) if _entry(control, place) == value), -1)
        if place >= 0:
            control.setCurrentIndex(place)
    elif isinstance(control, QTabBar):
        if isinstance(value, int) and 0 <= value < control.count():
            control.setCurrentIndex(value)
    elif isinstance(value, bool) and control.isEnabled():
        control.setChecked(value)
