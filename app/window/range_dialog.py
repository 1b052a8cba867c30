"""The dialog in which ranges are typed: a stretch of the timeline, and tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QToolButton, QVBoxLayout, QWidget

from app.analysis.tile_sets import EXAMPLE
from app.language import tr
from app.profile.arrays import I64
from app.profile.selection import TileRange, TimeRange
from app.views.timeline.model import extent
from app.views.timeline.times import Clock
from app.widgets.frame import bar_of
from app.widgets.labels import Label
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.tiles_field import TilesField
from app.widgets.timeline.range_fields import RangeFields

if TYPE_CHECKING:
    from app.profile.profile import Profile
    from app.window.command import CommandContext


class RangeDialog(QDialog):
    """Start, end and length, and tiles, as far as the profile has them; Enter in a field sets the range. Not modal, so
    that its effect can be seen; it follows ranges that are set elsewhere, and closes when another profile is shown."""

    def __init__(self, context: CommandContext) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Range"))
        self.finished.connect(self.deleteLater)
        self._context = context
        self.fields = RangeFields(self)
        self.tiles = TilesField(self)
        self.tiles.about = tr("Numbers and ranges such as {example}, or “ipu 1”", example=EXAMPLE)
        self.tiles.setAccessibleName(tr("Range: tiles"))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        mark_mnemonics(self.buttons.buttons())
        self.buttons.rejected.connect(self.reject)
        self.all_tiles = QToolButton(self)
        self.all_tiles.setText(tr("All tiles"))
        self.all_tiles.setAutoRaise(True)
        self.all_tiles.clicked.connect(lambda: self._set_tiles(None))
        layout = QVBoxLayout(self)
        about = Label(tr("All panels then count only what is inside the range. Press Enter to set it."), self)
        about.setWordWrap(True)
        tiles = self._tiles_row()
        for part in (about, self.fields, tiles, self.buttons):
            layout.addWidget(part)
        profile = context.document.profile
        assert profile is not None
        self._extent = (0.0, 0.0) if profile.timeline is None else extent(profile.timeline)
        self.fields.setVisible(profile.timeline is not None)
        tiles.setVisible(_tiles(profile) > 0)
        self.tiles.set_tiles(_tiles(profile), 0 if profile.target is None else profile.target.tiles_per_ipu or 0)
        self.fields.entered.connect(self._set_time)
        self.tiles.typed.connect(self._set_tiles)
        context.document.ranges.changed.connect(self._follow)
        context.document.updated.connect(self._profile_changed)
        context.display.changed.connect(self._follow)
        self._follow()
        first = self.fields.start if profile.timeline is not None else self.tiles
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        first.selectAll()

    def _tiles_row(self) -> QWidget:
        label = Label(tr("Tiles"), self)
        label.setBuddy(self.tiles)
        row = QWidget(self)
        row.setLayout(bar_of(label, self.tiles, self.all_tiles, 1))
        return row

    def _set_time(self, time: TimeRange | None) -> None:
        ranges = self._context.document.ranges
        ranges.set(replace(ranges.value, time=time))

    def _set_tiles(self, tiles: I64 | None) -> None:
        ranges = self._context.document.ranges
        ranges.set(replace(ranges.value, tiles=None if tiles is None else TileRange(tuple(tiles.tolist()))))

    def _profile_changed(self, update: object) -> None:
        if getattr(update, "whole", False):
            self.reject()
        else:
            self._follow()

    def _follow(self) -> None:
        """Shows the ranges that are set."""
        profile, ranges = self._context.document.profile, self._context.document.ranges.value
        if profile is None:
            return
        if profile.timeline is not None:
            clock = Clock.of(profile.timeline)
            self.fields.show_range(ranges.time, clock, self._context.display.look, self._extent)
        self.tiles.show_tiles(np.array([] if ranges.tiles is None else ranges.tiles.tiles, np.int64))
        self.all_tiles.setEnabled(ranges.tiles is not None)


def _tiles(profile: Profile) -> int:
    """How many tiles figures can be restricted to."""
    if profile.tile_memory is not None:
        return profile.tile_memory.tiles
    return 0 if profile.target is None else profile.target.tiles or 0
