"""A row of controls that gives way where it is narrow: what does not fit folds away, and a menu lists it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.views.texts import caption
from app.widgets.buttons import add_named
from app.widgets.fields import SearchField
from app.widgets.frame import GAP, MARGIN
from app.widgets.homing import Lent, Place
from app.widgets.tabs import TabChoice, Tabs
from app.widgets.texts import Readout

TURNED = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent, QEvent.Type.Show, QEvent.Type.Hide)


class Slot(Place):
    """The place of a control in a row. The place is hidden while the control is, or the page that it belongs to, and
    while it is folded away; whether the control itself is hidden remains the business of its panel."""

    def __init__(self, control: QWidget, row: Controls, *, rare: bool = False) -> None:
        super().__init__(row)
        self.control = control
        self.folded = rare
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(control)
        self.setSizePolicy(control.sizePolicy())

    @property
    def wanted(self) -> bool:
        """Whether the control is shown where there is room."""
        control, row = self.control, self.parentWidget()
        if control.isHidden():
            return False
        holder = row.owner if isinstance(row, Controls) else None
        page = control.owner if isinstance(control, Controls) else None
        return page is None or holder is None or page is holder or page.isVisibleTo(holder)

    def fold(self, folded: bool) -> None:
        self.folded = folded
        self.follow()

    def follow(self) -> None:
        """Shows or hides itself."""
        shown = self.wanted and not self.folded
        if shown == self.isHidden():
            self.setVisible(shown)


class Controls(Lent):
    """The controls of ``owner``: a number is a stretch of that factor, a pair a control with its stretch factor. Tabs
    become a box where they do not fit. A row in the row belongs to a page, and shows while that does.

    ``folds``: controls that fold away where there is no room for all, the first of them first; then those of rows
    inside. ``rare``: controls that are only listed in the menu. ``folded`` returns both kinds."""

    def __init__(
        self,
        owner: QWidget,
        *items: QWidget | tuple[QWidget, int] | int,
        folds: Sequence[QWidget] = (),
        rare: Sequence[QWidget] = (),
        spacing: int = MARGIN,
    ) -> None:
        super().__init__(owner)
        self._rare: list[Slot] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(MARGIN, GAP, MARGIN, GAP)
        self._row.setSpacing(spacing)
        self._slots: list[Slot] = []
        self._folds: list[Slot] = []
        self.add(*items, folds=folds, rare=rare)

    def add(
        self,
        *items: QWidget | tuple[QWidget, int] | int,
        folds: Sequence[QWidget] = (),
        rare: Sequence[QWidget] = (),
    ) -> None:
        """Adds controls at the end, as in the constructor."""
        for item in items:
            if isinstance(item, int):
                self._row.addStretch(item)
            else:
                control, stretch = item if isinstance(item, tuple) else (item, 0)
                self.insert(-1, control, stretch, folds=control in folds)
        order = {id(control): place for place, control in enumerate(folds)}
        self._folds.sort(key=lambda slot: order.get(id(_meant(slot.control)), -1))
        for control in rare:
            slot = Slot(control, self, rare=True)
            slot.hide()
            self._rare.append(slot)

    def insert(self, place: int, control: QWidget, stretch: int = 0, *, folds: bool = False) -> None:
        """Inserts a control at ``place`` (-1: at the end); ``folds``: it folds away, after those that do already."""
        inside = TabChoice(control, self) if isinstance(control, Tabs) else control
        if not folds and not isinstance(inside, Controls):
            self._row.insertWidget(place, inside, stretch)
            return
        slot = Slot(inside, self)
        self._row.insertWidget(place, slot, stretch)
        self._slots.append(slot)
        if folds:
            self._folds.append(slot)
        if isinstance(inside, Controls):
            inside.be_inside()
            if inside.owner is not None:
                inside.owner.installEventFilter(self)
        inside.installEventFilter(self)
        slot.follow()

    def be_inside(self) -> None:
        """Leaves the margins to what is around it: another row, or a heading."""
        self._row.setContentsMargins(0, 0, 0, 0)

    def folded(self) -> Iterator[QWidget]:
        """Controls that are folded away, in reading order, then those that are rare."""
        for control in self._wanted(folds=False):
            if isinstance(control, SearchField):
                yield from control.folded()
        for slot in self._slots:
            if slot.wanted and slot.folded:
                yield slot.control
            elif slot.wanted and isinstance(slot.control, Controls):
                yield from slot.control.folded()
        yield from (slot.control for slot in self._rare if slot.wanted)

    @property
    def any_shown(self) -> bool:
        """Whether anything is in the row."""
        return not self.isHidden() and any(
            control.any_shown if isinstance(control, Controls) else True for control in self._wanted(folds=True)
        )

    @property
    def comfort(self) -> int:
        """The width in pixels from which on nothing folds."""
        return self._width([_narrowest(control) for control in self._wanted(folds=True)])

    def minimumSizeHint(self) -> QSize:
        inside = [_least(control) for control in self._wanted(folds=False)]
        return QSize(self._width(inside), super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        inside = [max(_narrowest(control), _wished(control)) for control in self._wanted(folds=True)]
        return QSize(self._width(inside), super().sizeHint().height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in TURNED:
            self.follow()
        return super().eventFilter(watched, event)

    def follow(self) -> None:
        """Shows what its pages show now."""
        for slot in self._slots:
            slot.follow()
        self._fit()

    def _fit(self) -> None:
        """Folds what does not fit, no more."""
        if not self.isVisible():
            return
        room, need = self.width(), self.comfort
        for slot in self._folds:
            fold = slot.wanted and need > room
            if fold:
                need -= _narrowest(slot.control) + self._row.spacing()
            slot.fold(fold)
        for control in self._wanted(folds=False):
            if isinstance(control, TabChoice):
                more = control.widest - control.narrowest
                control.fold(need + more > room)
                need += 0 if control.as_box else more

    def _wanted(self, *, folds: bool) -> Iterator[QWidget]:
        """The controls that are shown where there is room; ``folds``: with those that could fold."""
        for place in range(self._row.count()):
            item = self._row.itemAt(place)
            control = None if item is None else item.widget()
            if isinstance(control, Slot):
                if control.wanted and (folds or control not in self._folds):
                    yield control.control
            elif control is not None and not control.isHidden():
                yield control

    def _width(self, inside: Sequence[int]) -> int:
        margins = self._row.contentsMargins()
        gaps = self._row.spacing() * max(len(inside) - 1, 0)
        return margins.left() + sum(inside) + gaps + margins.right()


def _meant(control: QWidget) -> QWidget:
    """The control that a panel speaks of."""
    return control.tabs if isinstance(control, TabChoice) else control


def _wished(control: QWidget) -> int:
    """The width in pixels that a control asks for, of tabs that for all of them."""
    return control.widest if isinstance(control, TabChoice) else control.sizeHint().width()


def _least(control: QWidget) -> int:
    """The width in pixels that a layout leaves to a control, where what folds has done so."""
    if isinstance(control, Controls):
        return control.minimumSizeHint().width()
    return control.least if isinstance(control, SearchField) else _narrowest(control)


def _narrowest(control: QWidget) -> int:
    """The width in pixels that a layout leaves to a control; that of a row or field from which on nothing folds."""
    if isinstance(control, Controls | SearchField):
        return control.comfort
    if isinstance(control, TabChoice):
        return control.narrowest
    if control.minimumWidth() > 0:
        return control.minimumWidth()
    policy = control.sizePolicy().horizontalPolicy()
    if policy == QSizePolicy.Policy.Ignored:
        return 0
    width = control.minimumSizeHint().width()
    if not policy.value & QSizePolicy.PolicyFlag.ShrinkFlag.value:
        width = max(width, control.sizeHint().width())
    return min(width, control.maximumWidth())


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
