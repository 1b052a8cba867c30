"""Notes above the rows of a timeline: how they are drawn, made, named and moved."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from app.language import plural
from app.profile.file_state import TimeNote
from app.views.colours import text_on
from app.views.look import Theme
from app.views.timeline.scene import MOST_LINES, Scene
from app.widgets.texts import elided

PAD = 4
FLAG = 9
LONGEST = 220
"""Pixels that a name beside a note may take."""
THIN = 12
"""A stretch of fewer pixels is drawn like a moment."""
NARROW = 56
"""One of fewer pixels has its name beside it."""
REACH = 5
MOST_SEEN = 1_000
FAINT = 150
"""Of 255: lines of notes through the rows; those of the chosen one are full."""
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class NoteBox(NamedTuple):
    """A note in the picture: ``left`` to ``right`` is its stretch (one point for a moment), ``room`` how far its name
    may reach; ``top`` and ``height`` are its line's."""

    number: int
    left: float
    right: float
    room: float
    top: float
    height: float

    @property
    def thin(self) -> bool:
        return self.right - self.left < THIN

    @property
    def narrow(self) -> bool:
        """Whether the name stands beside it."""
        return self.right - self.left < NARROW

    @property
    def name_at(self) -> float:
        """Where the name of one that is narrow begins."""
        return (self.left + FLAG if self.thin else self.right) + PAD


def note_boxes(scene: Scene) -> list[NoteBox]:
    """The notes in sight, by rising start; a name reaches to the next note on its line."""
    notes, view = scene.notes, scene.view
    if not notes.notes:
        return []
    near = LONGEST * view.span / scene.body.width
    seen = np.flatnonzero((notes.start <= view.end) & (notes.end >= view.start - near))
    seen = seen[np.argsort(notes.start[seen], kind="stable")][:MOST_SEEN]
    height = (scene.place.notes - 1) / max(notes.lines, 1)
    limit = [scene.body.x + scene.body.width] * MOST_LINES
    boxes = []
    for index in reversed(seen.tolist()):
        line = int(notes.line[index])
        left, right = scene.near_x(float(notes.start[index])), scene.near_x(float(notes.end[index]))
        room = min(limit[line], right + LONGEST if right - left < NARROW else right)
        boxes.append(NoteBox(index, left, right, room, scene.place.ruler + line * height, height))
        limit[line] = left - 2
    return boxes[::-1]


def note_at(scene: Scene, x: float, y: float) -> int | None:
    """The note at a point of the picture: a stretch, a moment or its name; the one that begins last."""
    note = None
    for box in note_boxes(scene):
        if box.top <= y < box.top + box.height:
            right = max(name_end(scene, box), box.right) if box.narrow else box.right
            if box.left - (REACH if box.thin else 0) <= x <= right:
                note = box.number
    return note


def name_end(scene: Scene, box: NoteBox) -> float:
    """About where a name beside a note ends."""
    letters = len(scene.notes.notes[box.number].text)
    return min(box.room, box.name_at + letters * box.height * 0.5)


def note_colour(note: TimeNote, theme: Theme) -> str:
    return theme.categories[note.colour % len(theme.categories)]


def paint_notes(painter: QPainter, scene: Scene) -> None:
    """All notes in sight, the chosen one last."""
    if not scene.place.notes:
        return
    boxes, chosen = note_boxes(scene), scene.notes.chosen
    for box in sorted(boxes, key=lambda box: box.number == chosen):
        paint_note(painter, scene, box, chosen=box.number == chosen)


def paint_strip(painter: QPainter, scene: Scene) -> None:
    """Where notes stand, before there are any in sight."""
    place, theme = scene.place, scene.theme
    if not place.notes:
        return
    painter.fillRect(QRectF(0, place.ruler, place.width, place.notes), QColor(theme.raised))
    painter.setPen(QPen(QColor(theme.line)))
    bottom = place.head - 0.5
    painter.drawLine(QPointF(0, bottom), QPointF(place.width, bottom))
    painter.drawLine(QPointF(place.gutter - 1, place.ruler), QPointF(place.gutter - 1, place.head))
    painter.setPen(QPen(QColor(theme.muted)))
    count = len(scene.notes.notes)
    room = QRectF(8, place.ruler, place.gutter - 16, place.notes - 1)
    painter.drawText(room, LEFT, plural("{count:,} note", "{count:,} notes", count=count))


def paint_note(painter: QPainter, scene: Scene, box: NoteBox, *, chosen: bool) -> None:
    """A flag for a moment, a bar for a stretch, each with its name."""
    note, theme = scene.notes.notes[box.number], scene.theme
    colour = QColor(note_colour(note, theme))
    line = QColor(colour)
    line.setAlpha(255 if chosen else FAINT)
    bottom = scene.body.y + scene.body.height
    for edge in {round(box.left), round(box.right)}:
        painter.fillRect(QRectF(edge - (1 if chosen else 0), box.top, 2 if chosen else 1, bottom - box.top), line)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(theme.text), 2) if chosen else Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    metrics = QFontMetrics(painter.font())
    if box.thin:
        x, top, height = float(round(box.left)), box.top + 2, box.height - 5
        points = [(0.0, 0.0), (FLAG, 0.0), (FLAG - 3, height / 2), (FLAG, height), (0.0, height)]
        painter.drawPolygon(QPolygonF([QPointF(x + dx, top + dy) for dx, dy in points]))
    else:
        painter.drawRoundedRect(QRectF(box.left, box.top + 1, box.right - box.left, box.height - 3), 3, 3)
    ink, left = text_on(colour.name()), max(box.left, scene.body.x) + PAD
    if box.narrow:
        ink, left = theme.text, box.name_at
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    room = QRectF(left, box.top, max(box.room - left - (0 if box.narrow else PAD), 0), box.height - 1)
    painter.setPen(QPen(QColor(ink)))
    painter.drawText(room, LEFT, elided(note.text, metrics, room.width()))
    painter.restore()
