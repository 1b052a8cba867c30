"""Paints notes: a strip of names above the rows, and where they begin and end through the rows."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QPolygonF

from app.profile.time_note import TimeNote
from app.widgets.colours import text_on
from app.widgets.texts import elided
from app.widgets.theme import Theme
from app.widgets.timeline.note_boxes import FLAG, PAD, NoteBox, note_boxes
from app.widgets.timeline.scene import Scene

FAINT = 150
"""Of 255: lines of notes through the rows; those of the chosen one are full."""
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def note_colour(note: TimeNote, theme: Theme) -> str:
    return theme.categories[note.colour % len(theme.categories)]


def paint_notes(painter: QPainter, scene: Scene, chosen: int | None) -> None:
    """All notes in sight, the chosen one last."""
    if not scene.place.notes:
        return
    boxes = note_boxes(scene)
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
    painter.drawText(room, LEFT, "1 note" if count == 1 else f"{count:,} notes")


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
