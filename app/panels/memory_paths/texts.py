"""Every text of a diagram with its place, for drawing and for tests."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from PySide6.QtGui import QFont, QFontMetricsF

from app.analysis.ascend.diagram.figures import BlockFigures, PathFigures
from app.analysis.ascend.diagram.parts import LABEL, TEXT, Arrow, Box, Diagram, Rect, Side
from app.views.memory_paths.changes import NO_BASELINE, PARENTHESES, difference, label_of, largest
from app.views.memory_paths.words import MARK, Show, box_lines, label, notes
from app.views.texts import shown_line
from app.widgets.texts import advance, elided

SMALL = 10.0
SHRUNK = 0.75
"""A text that is too wide shrinks to this share of its size, then it is elided."""
INSET = 3.0
BAR, NARROWEST_BAR = 2.5, 24.0


class Written(Struct, frozen=True):
    """One line of text. ``size`` in logical pixels; ``width``: the width that the text needs."""

    text: str
    place: Rect
    size: float
    width: float
    bold: bool = False
    side: Side = "centre"
    muted: bool = False

    @property
    def extent(self) -> Rect:
        """The rectangle that the letters cover."""
        free = self.place.width - self.width
        left = self.place.x + (0.0 if self.side == "left" else free if self.side == "right" else free / 2)
        return Rect(left, self.place.y, self.width, self.place.height)


class ChangeBar(Struct, frozen=True):
    """The difference of a path to the baseline: ``share`` of half of the ``track``, from its middle, with its sign."""

    path: int
    track: Rect
    share: float

    @property
    def bar(self) -> Rect:
        middle, half = self.track.x + self.track.width / 2, self.track.width / 2
        length = half * abs(self.share)
        return Rect(middle if self.share > 0 else middle - length, self.track.y, length, self.track.height)


def font_of(base: QFont, size: float, bold: bool = False) -> QFont:
    """A font that scales linearly with the diagram."""
    font = QFont(base)
    font.setPixelSize(max(1, round(size)))
    font.setBold(bold)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


def write(
    base: QFont,
    text: str,
    place: Rect,
    size: float = TEXT,
    *,
    bold: bool = False,
    side: Side = "centre",
    muted: bool = False,
) -> Written:
    """Fits ``text`` into ``place``."""
    text = shown_line(text)
    width = advance(text, QFontMetricsF(font_of(base, size, bold)))
    while width > place.width and size - 1 >= SHRUNK * TEXT:
        size -= 1
        width = advance(text, QFontMetricsF(font_of(base, size, bold)))
    if width > place.width:
        metrics = QFontMetricsF(font_of(base, size, bold))
        text = elided(text, metrics, place.width)
        width = advance(text, metrics)
    return Written(text, place, size, width, bold, side, muted)


def texts(figures: BlockFigures, show: Show, base: QFont) -> Iterator[Written]:
    """Titles, names, figures and labels of the diagram."""
    diagram = figures.diagram
    for frame in diagram.frames:
        yield write(base, frame.title, frame.title_place, side="left", muted=True)
    for box in diagram.boxes:
        yield from _in_box(box, figures, base)
    for arrow in drawn(diagram, figures):
        yield from _at_arrow(arrow, figures, show, base)


def drawn(diagram: Diagram, figures: BlockFigures) -> list[Arrow]:
    """The visible arrows."""
    hidden = {path.path for path in figures.hidden} - set(figures.shown)
    return [arrow for arrow in diagram.arrows if arrow.path not in hidden]


def all_notes(figures: BlockFigures, show: Show) -> list[str]:
    """The notes beside the diagram: with a baseline, first how it is shown."""
    lines = notes(figures, show, marked(figures, show))
    baseline = figures.baseline
    return lines if baseline is None else [PARENTHESES if baseline.block else NO_BASELINE, *lines]


def marked(figures: BlockFigures, show: Show) -> list[PathFigures]:
    """Paths whose remarks do not fit beside their arrows."""
    return [
        figures.shown[arrow.path]
        for arrow in drawn(figures.diagram, figures)
        if arrow.path in figures.shown and label(figures.shown[arrow.path], show)[1] and not _roomy(arrow)
    ]


def _in_box(box: Box, figures: BlockFigures, base: QFont) -> Iterator[Written]:
    lines = box_lines(box, figures)
    rect = box.rect
    top = rect.y + (rect.height - LABEL * (1 + len(lines))) / 2
    room = Rect(rect.x + INSET, top, rect.width - 2 * INSET, LABEL)
    yield write(base, box.name, room, bold=True)
    for number, line in enumerate(lines, start=1):
        yield write(base, line, Rect(room.x, top + LABEL * number, room.width, LABEL))


def _roomy(arrow: Arrow) -> bool:
    return arrow.label.height > LABEL


def change_bars(figures: BlockFigures, show: Show, base: QFont) -> Iterator[ChangeBar]:
    """The bars of differences below the figures of the arrows; none without a baseline."""
    most = 0.0 if figures.baseline is None else largest(figures, show)
    for arrow in drawn(figures.diagram, figures) if most else ():
        more = difference(arrow.path, figures, show)
        if more:
            extent = next(_at_arrow(arrow, figures, show, base)).extent
            width = max(extent.width, NARROWEST_BAR)
            track = Rect(extent.x + (extent.width - width) / 2, extent.bottom - 1, width, BAR)
            yield ChangeBar(arrow.path, track, more / most)


def _at_arrow(arrow: Arrow, block: BlockFigures, show: Show, base: QFont) -> Iterator[Written]:
    figure, remark = label_of(arrow.path, block, show)
    place, missing = arrow.label, label(block.shown.get(arrow.path), show)[0] == label(None, show)[0]
    if not _roomy(arrow):
        text = figure + MARK if remark else figure
        yield write(base, text, place, side=arrow.side, muted=missing)
        return
    lines = _wrapped(base, remark, place.width, round(place.height / LABEL) - 1)
    over = place.y < arrow.lines[0].points[0][1]  # the figure goes next to its arrow, the remark beyond it
    first = place.bottom - LABEL * (1 + len(lines)) if over else place.y
    yield write(base, figure, Rect(place.x, first, place.width, LABEL), muted=missing)
    for number, line in enumerate(lines, start=1):
        yield write(base, line, Rect(place.x, first + LABEL * number, place.width, LABEL), SMALL, muted=True)


def _wrapped(base: QFont, text: str, width: float, most: int) -> list[str]:
    """``text`` in at most ``most`` lines, wrapped at spaces."""
    metrics = QFontMetricsF(font_of(base, SMALL))
    lines: list[str] = []
    for word in shown_line(text).split():
        if lines and (len(lines) == most or advance(f"{lines[-1]} {word}", metrics) <= width):
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines
