"""The controls above the tiles: which figure, in which view, of which tiles."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.analysis.tile_figures import Choice
from app.language import tr
from app.views.texts import shown_line
from app.views.tile_memory.places import VIEWS, View
from app.widgets.controls import Controls
from app.widgets.fields import ChoiceBox, Chooser
from app.widgets.plot.sides_box import SidesBox
from app.widgets.tiles_field import TilesField
from app.widgets.tips import set_tip, tip

ALL = tr("All parts")
FIRST = "category"
"""The figure that is shown first, of a profile that has it; of others the total."""
PARTED: tuple[View, ...] = ("histogram", "floor")
"""Views that show one amount per tile, so parts cannot be stacked."""
LINED: tuple[View, ...] = ("tile", "sorted", "ipu")
"""Views that can be drawn as lines."""


class ChoiceBar(Controls):
    """Signals: ``changed``: another content or view was chosen; ``turned``: the table was switched on or off."""

    changed = Signal()
    turned = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._choices: list[Choice] = []
        self._chosen = ""
        """The id of the figure that the user chose; "": none, the default of each profile."""
        self.figure = _combo(tr("Figure to show"), self, 10)
        self.views = _combo(tr("Arrangement of tiles"), self, 8)
        for view, title in VIEWS.items():
            self.views.addItem(shown_line(title), view)
        self.views.setMinimumWidth(self.views.sizeHint().width())
        self.parts = _combo(tr("Part to show"), self, 8)
        self.gaps = _check(tr("Gaps"), tr("Include alignment gaps: what must fit on the tile"), self)
        self.limit = _check(tr("Limit"), tr("Show the memory size of a tile"), self)
        self.lines = _check(
            tr("As lines"), tr("Draw lines instead of bars: each part from zero, not stacked"), self, on=False
        )
        self.as_table = _check(tr("Table"), tr("The same figures as a table: to sort, copy and export"), self, on=False)
        self.tiles = TilesField(self)
        self.sides = SidesBox(self)
        self.sums = Chooser(tr("How to compare sums over different numbers of tiles"), self, 5)
        self.sums.offer([tr("Absolute"), tr("Per tile")], [False, True])
        self.compare(False, tiles_differ=False)
        boxes = self.gaps, self.limit, self.lines, self.as_table
        combos = self.figure, self.views, self.parts, self.sides, self.sums
        folds = self.lines, self.gaps, self.limit, self.sums, self.parts, self.as_table
        self.add(*combos, *boxes, 1, (self.tiles, 2), folds=folds)
        for combo in combos:
            combo.currentIndexChanged.connect(self._change)
        self.figure.currentIndexChanged.connect(self._choose_figure)
        for box in (self.gaps, self.limit, self.lines):
            box.toggled.connect(self._change)
        self.as_table.toggled.connect(self.turned)
        self._enable()

    @property
    def choice(self) -> Choice | None:
        place = self.figure.currentIndex()
        return self._choices[place] if 0 <= place < len(self._choices) else None

    @property
    def view(self) -> View:
        return VIEWS_IN_ORDER[max(self.views.currentIndex(), 0)]

    @property
    def part(self) -> int:
        """The part that a histogram or a grid shows; -1 for all."""
        return self.parts.currentIndex() - 1 if self.view in PARTED else -1

    @property
    def per_tile(self) -> bool:
        """Whether sums are divided by the number of tiles; only where both sides have different numbers of them."""
        return not self.sums.isHidden() and bool(self.sums.currentData())

    def compare(self, compared: bool, *, tiles_differ: bool) -> None:
        """Shows or hides what only a comparison needs."""
        self.sides.setVisible(compared)
        self.sums.setVisible(compared and tiles_differ)

    def offer(self, choices: Sequence[Choice]) -> None:
        """Fills the chooser of figures. The chosen one stays if it is there, else the categories are shown."""
        self._choices = list(choices)
        ids = [choice.id for choice in choices]
        titles = [choice.title for choice in choices]
        shown = next((each for each in (self._chosen, FIRST) if each in ids), "")
        _refill(self.figure, titles, ids.index(shown) if shown else 0)
        memory = sum(choice.figure is None for choice in choices)
        if 0 < memory < len(ids):
            self.figure.insertSeparator(memory)
            self._choices.insert(memory, self._choices[0])  # a separator takes an index, but cannot be chosen

    def offer_parts(self, parts: Sequence[tuple[str, str]]) -> None:
        """Fills the chooser of parts (title, meaning); the current one stays if it is still there."""
        entries = [ALL, *(title for title, _ in parts)]
        before = self.parts.currentText()
        _refill(self.parts, entries, entries.index(before) if before in entries else 0)
        for place, (_, about) in enumerate(parts, start=1):
            self.parts.setItemData(place, tip(about), Qt.ItemDataRole.ToolTipRole)
        self._enable()

    def _choose_figure(self) -> None:
        self._chosen = "" if self.choice is None else self.choice.id

    def _change(self) -> None:
        self._enable()
        self.changed.emit()

    def _enable(self) -> None:
        choice = self.choice
        self.parts.setVisible(self.view in PARTED and self.parts.count() > 2)
        self.gaps.setVisible(choice is not None and choice.id in ("none", "region", "category"))
        self.limit.setEnabled(choice is not None and choice.figure is None and self.view not in ("floor", "figures"))
        self.lines.setEnabled(self.view in LINED)
        self.as_table.setEnabled(self.view != "figures")


VIEWS_IN_ORDER = tuple(VIEWS)


def _refill(combo: QComboBox, texts: Sequence[str], chosen: int) -> None:
    combo.blockSignals(True)
    combo.clear()
    combo.addItems([shown_line(text) for text in texts])
    combo.setCurrentIndex(chosen)
    combo.blockSignals(False)


def _combo(name: str, parent: QWidget, least: int) -> QComboBox:
    """A chooser as wide as its entries if there is room, otherwise ``least`` characters."""
    combo = ChoiceBox(parent)
    combo.setAccessibleName(shown_line(name))
    combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
    combo.setMinimumWidth(combo.fontMetrics().averageCharWidth() * (least + 4))
    return combo


def _check(text: str, about: str, parent: QWidget, *, on: bool = True) -> QCheckBox:
    box = QCheckBox(text, parent)
    box.setChecked(on)
    set_tip(box, about)
    return box
