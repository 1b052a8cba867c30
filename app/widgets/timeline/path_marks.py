"""Paints the critical path over the lanes."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.views.timeline.path_lines import DrawnPath, drawn_path
from app.views.timeline.scene import Scene

HALO, LINE, JOIN = 5.0, 3.0, 1.0
"""Pixels of the line, of what keeps it apart from every fill, and of the line from one lane to another."""


def paint_path(painter: QPainter, scene: Scene) -> DrawnPath | None:
    """Lines at the feet of the slices that work on it, dotted lines where it waits; None without a path."""
    if scene.path is None or scene.centres is None:
        return None
    drawn = drawn_path(scene.path, scene, scene.centres)
    colour, surface = QColor(scene.shades.path), QColor(scene.theme.surface)
    ends = (part.tolist() for part in (drawn.x0, drawn.y, drawn.x1, drawn.y))
    lines = [QLineF(*line) for line in zip(*ends, strict=True)]
    ends = (part.tolist() for part in (drawn.join, drawn.top, drawn.join, drawn.bottom))
    joins = [QLineF(*line) for line in zip(*ends, strict=True)]
    works = np.flatnonzero(drawn.works).tolist()
    waits = np.flatnonzero(~drawn.works).tolist()
    painter.save()
    flat = Qt.PenCapStyle.FlatCap
    painter.setPen(QPen(surface, JOIN + 2, Qt.PenStyle.SolidLine, flat))
    painter.drawLines(joins)
    painter.setPen(QPen(surface, HALO, Qt.PenStyle.SolidLine, flat))
    painter.drawLines(lines)
    painter.setPen(QPen(colour, JOIN, Qt.PenStyle.SolidLine, flat))
    painter.drawLines(joins)
    painter.setPen(QPen(colour, LINE, Qt.PenStyle.SolidLine, flat))
    painter.drawLines([lines[place] for place in works])
    painter.setPen(QPen(colour, LINE, Qt.PenStyle.DotLine, flat))
    painter.drawLines([lines[place] for place in waits])
    painter.restore()
    return drawn
