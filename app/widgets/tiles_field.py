"""A field for numbers of tiles."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.analysis.tile_sets import EXAMPLE, BadTiles, parse, written
from app.language import tr
from app.profile.arrays import I64
from app.views.texts import shown_line
from app.widgets.fields import mark_invalid
from app.widgets.frame import GAP, MARGIN
from app.widgets.texts import advance
from app.widgets.tips import set_tip

HELP = tr("Type tiles to select them: numbers and ranges such as {example}, or “ipu 1”", example=EXAMPLE)


class TilesField(QLineEdit):
    """Signal ``typed`` (int64 tiles) on Enter; shows the tiles that are set while the user is not typing.
    ``about``: its tool tip."""

    typed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count = 0
        self._per_ipu = 0
        self.about: str = HELP
        self.setPlaceholderText(shown_line(tr("Tiles: {example}", example=EXAMPLE)))
        self.setAccessibleName(tr("Tiles to select"))
        set_tip(self, HELP)
        self.setClearButtonEnabled(True)
        shown = advance(self.placeholderText(), self.fontMetrics())
        self.setMinimumWidth(min(shown + 2 * MARGIN + GAP, 150))
        self.setMaximumWidth(180)
        self.returnPressed.connect(self._enter)
        self.textEdited.connect(self._right)

    def set_tiles(self, count: int, per_ipu: int) -> None:
        """Sets the number of tiles, in total and per IPU (0: not known)."""
        self._count, self._per_ipu = count, per_ipu

    def show_tiles(self, tiles: I64) -> None:
        """Shows the selected tiles."""
        if not (self.hasFocus() and self.isModified()):
            self.setText(written(tiles))
            self.setModified(False)
            self._right()

    def _enter(self) -> None:
        try:
            tiles = parse(self.text(), self._count, self._per_ipu)
        except BadTiles as error:
            set_tip(self, str(error))
            mark_invalid(self, str(error))
            return
        self.setModified(False)
        self._right()
        self.typed.emit(tiles)

    def _right(self) -> None:
        set_tip(self, self.about)
        mark_invalid(self, "")
