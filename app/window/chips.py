"""Chips in the status bar for the ranges; a click removes the range, the other button opens a menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.document.document import Document
from app.language import plural, tr
from app.profile.selection import Ranges, TimeRange
from app.views.look import Look
from app.views.units import exact
from app.widgets.display import Display
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.profile.timeline import Timeline


class Chips(QWidget):
    """One chip for the time range and one for the tiles, each visible while it is set. Signal ``menu_wanted`` (place
    in the command list, global position)."""

    menu_wanted = Signal(str, object)

    def __init__(self, document: Document, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._display = display
        self.time = self._chip(lambda: self._set(time=None))
        self.tiles = self._chip(lambda: self._set(tiles=None))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(6)
        row.addWidget(self.time)
        row.addWidget(self.tiles)
        document.ranges.changed.connect(self._follow)
        document.updated.connect(self._follow)
        display.changed.connect(self._follow)
        self._follow()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Requests a menu for the chip under the pointer or, by key, the focused one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        under = self.focusWidget() if by_key else self.childAt(event.pos())
        place = {self.time: "range", self.tiles: "tiles"}.get(under) if isinstance(under, QPushButton) else None
        if place is not None:
            self.menu_wanted.emit(place, event.globalPos())

    def _chip(self, run: Callable[[], object]) -> QPushButton:
        chip = QPushButton(self)
        chip.setObjectName("chip")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.setFlat(True)
        chip.clicked.connect(lambda: run())
        return chip

    def _set(self, **changes: None) -> None:
        self._document.ranges.set(replace(self._document.ranges.value, **changes))

    def _follow(self) -> None:
        ranges, profile = self._document.ranges.value, self._document.profile
        self.time.setVisible(ranges.time is not None)
        self.tiles.setVisible(ranges.tiles is not None)
        if ranges.time is not None:
            timeline = None if profile is None else profile.timeline
            self.time.setText(
                tr(
                    "range {time_text}  ✕",
                    time_text=time_text(ranges.time, timeline, self._display.look),
                )
            )
            set_tip(
                self.time,
                tr(
                    "Figures follow the range {exact_text}. Click to clear the range; the zoom stays.",
                    exact_text=exact_text(ranges.time, timeline),
                ),
            )
        if ranges.tiles is not None:
            self.tiles.setText(f"{tiles_text(ranges.tiles.tiles)}  ✕")
            set_tip(
                self.tiles,
                plural(
                    "Figures follow {count:,} tile. Click to include all tiles.",
                    "Figures follow {count:,} tiles. Click to include all tiles.",
                    count=len(ranges.tiles.tiles),
                ),
            )


def has_any(ranges: Ranges) -> bool:
    return ranges.time is not None or ranges.tiles is not None


def time_text(time: TimeRange, timeline: Timeline | None, look: Look) -> str:
    """Returns both ends in one unit, with enough decimals to tell them apart: ``12.3 – 45.6 µs``."""
    from app.views.timeline.times import Clock

    clock = Clock("cycles", None) if timeline is None else Clock.of(timeline)
    return clock.stretch(time.start, time.end, look)


def exact_text(time: TimeRange, timeline: Timeline | None) -> str:
    unit = "cycles" if timeline is None else timeline.unit
    return tr(
        "{start} to {end} ({exact})",
        start=exact(time.start, unit),
        end=exact(time.end, unit),
        exact=exact(time.end - time.start, unit),
    )


def tiles_text(tiles: Sequence[int]) -> str:
    """Returns ``tile 17``, ``tiles 0–63`` or ``tiles 0–3, 8, 12–15``; more than three runs end in a count."""
    runs: list[list[int]] = []
    for tile in tiles:
        if runs and tile == runs[-1][1] + 1:
            runs[-1][1] = tile
        else:
            runs.append([tile, tile])
    shown = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs[:3])
    more = tr(" … ({count:,} tiles)", count=len(tiles)) if len(runs) > 3 else ""
    return plural("tile {shown}{more}", "tiles {shown}{more}", count=len(tiles), shown=shown, more=more)
