"""The chooser of how a plot shows the baseline."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.language import tr
from app.widgets.fields import Chooser


class SidesBox(Chooser):
    """Hidden until a panel shows it for a profile with a baseline."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Show both sides, the baseline as a dashed outline, or their difference"), parent, 8)
        self.offer([tr("Both"), tr("Difference")], [False, True])
        self.hide()

    @property
    def difference(self) -> bool:
        """Whether differences are shown instead of the baseline's outline."""
        return bool(self.currentData())
