"""What the colours of a timeline mean: one line of swatches with names."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.language import tr
from app.profile.arrays import distinct
from app.views import colours
from app.views.texts import shown_line
from app.views.theme import Theme
from app.views.timeline.model import OWN_SLOTS, WAITING, Model
from app.views.timeline.shades import Shades
from app.widgets.display import Display
from app.widgets.texts import advance
from app.widgets.tips import tip

SWATCH = 10
GAP = 16
INSET = 8
WAITS = tr("Waiting")
PATH = tr("Critical path")
ABOUT_PATH = tr("The chain of work and waits that fills the time from the first to the last slice; dotted: it waits")
ABOUT_WAITS = tr("Slices that wait for a flag, a barrier or a device: the file names them, and nothing runs in them")


class Entry(Struct, frozen=True):
    """A colour ("" for a heading), what to call it, and the name that the file gives, or what it means; ``stripes``:
    the colour of stripes, "" without; ``line``: it is a line, no fill."""

    colour: str
    label: str
    name: str
    stripes: str = ""
    line: bool = False


def entries(model: Model, shades: Shades, *, path: bool = False) -> tuple[Entry, ...]:
    """The colours in use, in the order of their names; those that several names share last. ``path``: the critical path
    is shown."""
    used = distinct(model.rows.slots)
    used_entries = {}
    for slot, name in enumerate(model.slot_names):
        if slot >= 2 and slot in used:
            used_entries[colours.label(name), shades.fill[slot]] = Entry(shades.fill[slot], colours.label(name), name)
    scale = model.scale or {}
    order = sorted(used_entries, key=lambda key: (scale.get(used_entries[key].name, 0.0), key))
    listed = [*_heading(model), *(used_entries[key] for key in order)]
    if len(model.slot_names) >= OWN_SLOTS + 2:
        listed.append(
            Entry(shades.fill[OWN_SLOTS + 2], tr("other names share colours"), tr("names after the 200 most frequent"))
        )
    if model.waits:
        listed.insert(0, Entry(shades.fill[WAITING], WAITS, ABOUT_WAITS, shades.stripes))
    if path:
        listed.insert(0, Entry(shades.path, PATH, ABOUT_PATH, line=True))
    return tuple(listed)


def _heading(model: Model) -> list[Entry]:
    """What colours go by, where that is not the category alone."""
    bare = model.timeline.slices.category < 0
    if not bool(np.any(bare)):
        return []
    if bool(np.all(bare)):
        return [Entry("", tr("Colour by name:"), tr("The file has no categories, so slices are coloured by name."))]
    return [Entry("", tr("Colour by category or name:"), tr("Slices without a category are coloured by name."))]


def place_entries(listed: tuple[Entry, ...], metrics: QFontMetrics, width: float) -> list[tuple[float, Entry]]:
    """Those that fit into ``width``, each with its x."""
    placed: list[tuple[float, Entry]] = []
    x = float(INSET)
    for entry in listed:
        room = _swatch(entry) + advance(entry.label, metrics)
        if x + room > width - (
            0 if entry is listed[-1] else advance(tr("and {count:,} more", count=99), metrics) + GAP
        ):
            break
        placed.append((x, entry))
        x += room + GAP
    return placed


def paint_legend(painter: QPainter, place: QRectF, listed: tuple[Entry, ...], theme: Theme) -> None:
    """Swatches and names in one line; what has no room is counted."""
    metrics = QFontMetrics(painter.font())
    placed = place_entries(listed, metrics, place.width())
    middle = place.y() + place.height() / 2
    end = place.x() + INSET
    for x, entry in placed:
        if entry.colour:
            height = SWATCH * 0.3 if entry.line else SWATCH
            swatch = QRectF(place.x() + x, middle - height / 2, SWATCH, height)
            painter.fillRect(swatch, QColor(entry.colour))
            if entry.stripes:
                painter.fillRect(swatch, QBrush(QColor(entry.stripes), Qt.BrushStyle.FDiagPattern))
        painter.setPen(QPen(QColor(theme.text if entry.colour else theme.muted)))
        left = place.x() + x + _swatch(entry)
        end = left + advance(entry.label, metrics)
        painter.drawText(QRectF(left, place.y(), end - left + 4, place.height()), _MIDDLE, shown_line(entry.label))
        end += GAP
    if len(placed) < len(listed):
        painter.setPen(QPen(QColor(theme.muted)))
        more = tr("and {count:,} more", count=len(listed) - len(placed))
        painter.drawText(QRectF(end, place.y(), place.x() + place.width() - end, place.height()), _MIDDLE, more)


def _swatch(entry: Entry) -> int:
    """The room in front of its text."""
    return SWATCH + 6 if entry.colour else 0


_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)


class Legend(QWidget):
    """The legend of the timeline that is shown."""

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("timeline-legend")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._display = display
        self._entries: tuple[Entry, ...] = ()

    def set_entries(self, listed: tuple[Entry, ...]) -> None:
        self._entries = listed
        self.setAccessibleName(shown_line(tr("Colours: ") + ", ".join(entry.label for entry in listed)))
        self.update()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(entry.label for entry in self._entries)

    def sizeHint(self) -> QSize:
        return QSize(200, QFontMetrics(self.font()).height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        with QPainter(self) as painter:
            paint_legend(painter, QRectF(self.rect()), self._entries, self._display.theme)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self._tip_at(event.pos().x())), self)
            return True
        return super().event(event)

    def _tip_at(self, x: float) -> str:
        metrics = QFontMetrics(self.font())
        placed = place_entries(self._entries, metrics, self.width())
        for left, entry in placed:
            if left <= x <= left + _swatch(entry) + advance(entry.label, metrics):
                if not entry.colour or entry.stripes or entry.line:
                    return entry.name
                return (
                    entry.label
                    if entry.name == entry.label
                    else tr("{entry}\n{entry_name} in the file", entry=entry.label, entry_name=entry.name)
                )
        return "\n".join(entry.label for entry in self._entries[len(placed) :][:40])
