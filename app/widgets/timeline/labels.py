"""Names on slices: laid out once for each name and width, then only placed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QStaticText

from app.views.texts import shown_line
from app.views.timeline.body import Labels
from app.views.timeline.model import NO_NAME
from app.views.timeline.scene import Scene
from app.widgets.texts import advance, elided

PAD = 4
STEP = 6
"""Widths are rounded to so many pixels, so that a pan finds every text laid out."""
LEAST_LETTERS = 4
"""A name cut to fewer, the dots included, says nothing."""
MOST_LETTERS = 200
MOST_KEPT = 20_000
MOST_WRITTEN = 4_000


def fitting(texts: Sequence[str], metrics: QFontMetrics, room: float) -> str:
    """The first of ``texts`` (the fullest first) that fits into ``room`` pixels; if none does, the last, cut short."""
    text = next((text for text in texts if advance(text, metrics) <= room), texts[-1])
    return elided(text, metrics, room)


class LabelCache:
    """Texts ready to be placed, for one font. ``""`` stands for "no room"."""

    def __init__(self, font: QFont) -> None:
        self.font = QFont(font)
        self.metrics = QFontMetrics(self.font)
        self._ready: dict[tuple[int, int], QStaticText | None] = {}
        self._full: dict[int, tuple[str, int]] = {}

    def forget(self) -> None:
        """Another timeline: the ids mean other names."""
        self._ready.clear()
        self._full.clear()

    def text(self, scene: Scene, name: int, room: float) -> QStaticText | None:
        """The name with id ``name``, elided to ``room`` pixels; None where not even a letter fits."""
        steps = int(room) // STEP
        full = self._full.get(name)
        if full is None:
            if len(self._full) > MOST_KEPT:
                self.forget()
            text = shown_line(scene.model.timeline.strings.get(name, NO_NAME), MOST_LETTERS)
            full = self._full[name] = (text, advance(text, self.metrics))
        if full[1] <= steps * STEP:
            steps = -1  # all of it
        key = (name, steps)
        if key not in self._ready:
            if len(self._ready) > MOST_KEPT:
                self._ready.clear()
            self._ready[key] = self._lay_out(full[0], steps)
        return self._ready[key]

    def _lay_out(self, text: str, steps: int) -> QStaticText | None:
        if steps >= 0:
            text = elided(text, self.metrics, steps * STEP)
            if len(text) < LEAST_LETTERS:
                return None
        ready = QStaticText(text)
        ready.setTextFormat(Qt.TextFormat.PlainText)
        ready.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        ready.prepare(font=self.font)
        return ready


def write_labels(painter: QPainter, scene: Scene, labels: Labels, cache: LabelCache) -> None:
    """Writes the names of slices at the left end of what is seen of them, in the ink that reads on their fill."""
    high = labels.height >= cache.metrics.height()
    if not high.any():
        return
    painter.setFont(cache.font)
    names = scene.model.timeline.slices.name
    x0, y0 = scene.body.x, scene.body.y
    drop = (labels.height[high] - 1 - cache.metrics.height()) / 2 + labels.y[high]
    ink = scene.shades.ink
    rows = zip(
        names[labels.index[high]].tolist(),
        labels.slot[high].tolist(),
        labels.x[high].tolist(),
        drop.tolist(),
        labels.width[high].tolist(),
        strict=True,
    )
    current = ""
    for number, (name, slot, x, y, width) in enumerate(rows):
        if number > MOST_WRITTEN:
            break
        ready = cache.text(scene, name, width - 2 * PAD)
        if ready is None:
            continue
        if ink[slot] != current:
            current = ink[slot]
            painter.setPen(QPen(QColor(current)))
        painter.drawStaticText(QPointF(x0 + x + PAD, y0 + y), ready)
