"""The chooser of an order of rows or columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QComboBox, QWidget

from app.analysis.matrix_order import Order
from app.language import tr
from app.views.texts import shown_line
from app.widgets.choice_box import ChoiceBox
from app.widgets.tips import set_tip

MOST = 30
"""Largest width in characters."""


class OrderBox(ChoiceBox):
    """A chooser of the order; its texts name what is ordered. It folds away rather than being elided."""

    def __init__(self, orders: Sequence[Order], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._orders = tuple(orders)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setMaximumWidth(self.fontMetrics().averageCharWidth() * MOST)
        self.setAccessibleName(tr("Order"))
        self.addItems([""] * len(self._orders))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def order(self) -> Order:
        return self._orders[max(self.currentIndex(), 0)]

    def choose(self, order: Order) -> None:
        self.setCurrentIndex(self._orders.index(order))

    def say(self, what: str, others: str, figures: str) -> None:
        """Updates the texts. ``what``: what is ordered (rows, tiles); ``others``: the items whose selection it can be
        ordered by; ``figures``: the figures that define the largest."""
        words: dict[Order, str] = {
            "file": tr("File order of {what}", what=what),
            "largest": tr("Largest {what} first", what=what),
            "chosen": tr("By selected {others}", others=others),
            "name": tr("By name"),
        }
        for place, order in enumerate(self._orders):
            self.setItemText(place, shown_line(words[order]))
        self.setAccessibleName(shown_line(tr("Order of the {what}", what=what)))
        needs = tr("By selected {others}: select some in any panel, and the order follows.", others=others)
        set_tip(self, f"{figures}\n{needs}")
