"""Drawing of the cards of the cores, for the screen and for export."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable

from msgspec import Struct, field
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app.analysis.ascend.cores import Card, Metric, Tile, cards, count_of_cores
from app.language import plural, tr
from app.profile.arrays import F64
from app.profile.core_load import CoreLoad
from app.views.colours import blend, text_on
from app.views.core_load.shades import LEVELS, ground, shade
from app.views.core_load.words import COMPARED, OF_LEVELS, against, figure, heading
from app.views.look import Look
from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.texts import advance, elided

PAD, GAP, AIR = 8.0, 8.0, 4.0
ROUND = 4.0
MOST_CARDS, MOST_TILES = 500, 32
"""The most cores that get a card, and sub-cores per core that get a tile; the table has all of them."""
MEASURED = 200
"""Only this many of the longest texts are measured to find the widest."""
CORNER = 2.0
TRACK, STROKE = 4.0, 2.0
FAINTEST, STRONGEST = 0.08, 0.4
"""How much of the colour of a difference the background of a tile has."""
SELECTED = 0.2
CENTRE = Qt.AlignmentFlag.AlignCenter.value | Qt.TextFlag.TextSingleLine.value
LEFT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignLeft.value | Qt.TextFlag.TextSingleLine.value
RIGHT = Qt.AlignmentFlag.AlignVCenter.value | Qt.AlignmentFlag.AlignRight.value | Qt.TextFlag.TextSingleLine.value


class Baseline(Struct, frozen=True, eq=False):
    """``amounts``: float64, the figure of the baseline for each row of the load, NaN none; ``most``: the largest figure
    of both; ``span``: the largest difference, without sign."""

    amounts: F64
    most: float
    span: float

    def difference(self, tile: Tile) -> float:
        """The tile's figure minus that of the baseline; NaN if one is not known."""
        return tile.value - float(self.amounts[tile.row])


class Picture(Struct, frozen=True):
    """The cards of one metric, the tile names of a card (none if there are too many for fixed positions), and the
    figures by row. ``widest``: candidates for the widest name and figure; ``left_out``: number of cores without a
    card; ``baseline``: what the figures are compared with."""

    load: CoreLoad
    metric: Metric
    cards: tuple[Card, ...]
    names: tuple[str, ...]
    figures: dict[int, str]
    widest: tuple[tuple[str, ...], tuple[str, ...]]
    left_out: int = 0
    baseline: Baseline | None = None


class Marks(Struct, frozen=True):
    """Selected cores (by their numbers in the file), and the hovered tile (row of the load)."""

    selected: frozenset[int] = field(default_factory=frozenset)
    hovered: int = -1


class Grid(Struct, frozen=True):
    """A grid of cards with ``columns`` per row; ``tile``: the height of a tile; ``level``: the width of its level."""

    top: float
    left: float
    columns: int
    card_width: float
    card_height: float
    tile: float
    level: float
    count: int

    def card(self, place: int) -> QRectF:
        row, column = divmod(place, self.columns)
        x = self.left + column * (self.card_width + GAP)
        return QRectF(x, self.top + row * (self.card_height + GAP), self.card_width, self.card_height)

    def tile_at(self, place: int, number: int) -> QRectF:
        card = self.card(place)
        top = card.bottom() - PAD - (self.tile + AIR) * number - self.tile
        return QRectF(card.left() + PAD, top, card.width() - 2 * PAD, self.tile)

    @property
    def height(self) -> float:
        """The lower edge of the last row."""
        return self.card(max(self.count - 1, 0)).bottom() + PAD

    def under(self, point: QPointF) -> int:
        """The card under ``point``; -1 for none."""
        column = math.floor((point.x() - self.left) / (self.card_width + GAP))
        row = math.floor((point.y() - self.top) / (self.card_height + GAP))
        place = row * self.columns + column
        inside = 0 <= column < self.columns and 0 <= place < self.count
        return place if inside and self.card(place).contains(point) else -1


def picture_of(load: CoreLoad, metric: Metric, look: Look, before: F64 | None = None) -> Picture:
    """The cards of ``metric``; ``before``: the figures of a baseline, by row."""
    shown = tuple(cards(load, metric, MOST_CARDS, MOST_TILES))
    names = sorted({tile.name for card in shown for tile in card.tiles})
    baseline = None if before is None else baseline_of(shown, before)
    figures = {tile.row: _figure(tile, metric, look, baseline) for card in shown for tile in card.tiles}
    left_out = count_of_cores(load) - sum(bool(card.tiles) for card in shown)
    widest = tuple(heapq.nlargest(MEASURED, names, len)), tuple(heapq.nlargest(MEASURED, figures.values(), len))
    drawn = tuple(names if len(names) <= MOST_TILES else ())
    return Picture(load, metric, shown, drawn, figures, widest, left_out, baseline)


def baseline_of(shown: Iterable[Card], before: F64) -> Baseline:
    """The figures of the baseline, with the scales of marks and colours."""
    pairs = [(tile.value, float(before[tile.row])) for card in shown for tile in card.tiles]
    known = [amount for pair in pairs for amount in pair if amount == amount]
    differences = [abs(new - old) for new, old in pairs if new == new and old == old]
    return Baseline(before, max(known, default=0.0), max(differences, default=0.0))


def _figure(tile: Tile, metric: Metric, look: Look, baseline: Baseline | None) -> str:
    text = figure(tile.value, metric, look)
    return text if baseline is None else f"{text} ({against(baseline.difference(tile), metric, look)})"


def lay_out(place: QRectF, picture: Picture, metrics: QFontMetricsF) -> Grid:
    """Fits as many cards of equal size into a row as there is room for."""
    line = math.ceil(metrics.height())
    tile, level = line + 8.0, math.ceil(metrics.horizontalAdvance("10")) + 8.0
    names, figures = picture.widest
    named = max((advance(name, metrics) for name in names), default=0.0)
    longest = max((advance(text, metrics) for text in figures), default=0.0)
    tallest = max([len(picture.names), *(len(card.tiles) for card in picture.cards)], default=0)
    width = math.ceil(max(named + longest + level + 4 * PAD, metrics.horizontalAdvance("Core 00") + 2 * PAD) + 2 * PAD)
    height = line + 2 * PAD + AIR + (tile + AIR) * tallest
    inside = place.adjusted(PAD, PAD, -PAD, -PAD)
    columns = max(1, math.floor((inside.width() + GAP) / (width + GAP)))
    top = inside.top() + 2 * line + GAP + AIR
    return Grid(top, inside.left(), columns, width, height, tile, level, len(picture.cards))


def draw_cards(
    painter: QPainter,
    place: QRectF,
    picture: Picture,
    look: Look,
    marks: Marks | None = None,
    clip: QRectF | None = None,
) -> Grid:
    """Draws heading, legend and all cards (those that touch ``clip``) into ``place``; returns their geometry."""
    theme, marks = look.theme, marks or Marks()
    metrics = QFontMetricsF(painter.font(), painter.device())
    grid = lay_out(place, picture, metrics)
    _draw_head(painter, place.adjusted(PAD, PAD, -PAD, 0), picture, theme, metrics)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for number, card in enumerate(picture.cards):
        if clip is None or grid.card(number).intersects(clip):
            _draw_card(painter, grid, number, card, picture, theme, marks)
    painter.restore()
    return grid


def draw_fitted(painter: QPainter, place: QRectF, picture: Picture, look: Look) -> None:
    """Draws everything into ``place``, scaled down if it would not fit."""
    metrics = QFontMetricsF(painter.font(), painter.device())
    scale = 1.0
    for _ in range(40):
        wide = QRectF(0, 0, place.width() / scale, place.height() / scale)
        if lay_out(wide, picture, metrics).height <= wide.height():
            break
        scale *= 0.9
    painter.save()
    painter.translate(place.topLeft())
    painter.scale(scale, scale)
    draw_cards(painter, QRectF(0, 0, place.width() / scale, place.height() / scale), picture, look)
    painter.restore()


def _draw_head(painter: QPainter, place: QRectF, picture: Picture, theme: Theme, metrics: QFontMetricsF) -> None:
    """Draws the heading, and the levels with their colours."""
    line = metrics.height()
    painter.setPen(QColor(theme.text))
    text = heading(picture.metric, picture.load)
    if picture.left_out:
        text += plural(
            " · {count:,} more core is in the table",
            " · {count:,} more cores are in the table",
            count=picture.left_out,
        )
    painter.drawText(QRectF(place.left(), place.top(), place.width(), line), LEFT, shown_line(text))
    top, width = place.top() + line + AIR, metrics.horizontalAdvance("10") + 8
    painter.setPen(QColor(theme.muted))
    title = tr("Level ")
    painter.drawText(QRectF(place.left(), top, place.width(), line), LEFT, title)
    x = place.left() + advance(title, metrics) + AIR
    for level in range(len(LEVELS)):
        _draw_level(painter, QRectF(x, top, width, line), level, theme)
        x += width + 1
    painter.setPen(QColor(theme.muted))
    shown = elided(OF_LEVELS if picture.baseline is None else COMPARED, metrics, max(place.right() - x - PAD, 0.0))
    painter.drawText(QRectF(x + PAD, top, max(place.right() - x - PAD, 0.0), line), LEFT, shown)


def _draw_level(painter: QPainter, place: QRectF, level: int, theme: Theme) -> None:
    """Draws the number of a level on its colour, so that neither stands alone."""
    fill = shade(level, theme)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(place, CORNER, CORNER)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QColor(text_on(fill)))
    painter.drawText(place, CENTRE, str(level))


def _draw_card(
    painter: QPainter, grid: Grid, number: int, card: Card, picture: Picture, theme: Theme, marks: Marks
) -> None:
    place = grid.card(number)
    selected = bool(marks.selected.intersection(card.cores))
    pen = QPen(QColor(theme.selection if selected else theme.line), 2.0 if selected else 1.0)
    if not card.tiles:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    painter.setBrush(QColor(blend(theme.surface, theme.selection, SELECTED)) if selected else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), ROUND, ROUND)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    line = QRectF(place.left() + PAD, place.top() + PAD, place.width() - 2 * PAD, grid.tile - 8)
    painter.setPen(QColor(theme.text if card.tiles else theme.muted))
    painter.drawText(line, LEFT, shown_line(card.title))
    if not card.tiles:
        painter.drawText(line.translated(0, line.height() + AIR), LEFT, tr("no load"))
    tallest = max(len(picture.names), len(card.tiles))
    for place_of, tile in enumerate(card.tiles):
        # from the top down; a name keeps its height if a core lacks that sub-core
        slot = picture.names.index(tile.name) if len(card.tiles) <= len(picture.names) else place_of
        _draw_tile(
            painter, grid, grid.tile_at(number, tallest - 1 - slot), tile, picture, theme, marks.hovered == tile.row
        )


def _draw_tile(
    painter: QPainter, grid: Grid, place: QRectF, tile: Tile, picture: Picture, theme: Theme, hovered: bool
) -> None:
    painter.setBrush(
        QColor(ground(tile.level, theme) if picture.baseline is None else _changed(tile, picture.baseline, theme))
    )
    painter.setPen(QPen(QColor(theme.hover), 1.0) if hovered else Qt.PenStyle.NoPen)
    painter.drawRoundedRect(place, CORNER, CORNER)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    level = QRectF(place.right() - grid.level - 3, place.top() + 3, grid.level, place.height() - 6)
    if tile.level >= 0:
        _draw_level(painter, level, tile.level, theme)
    painter.setPen(QColor(theme.text))
    high = place.height() - (0.0 if picture.baseline is None else TRACK)  # the marks stand below the text, not under it
    text = QRectF(place.left() + PAD, place.top(), level.left() - PAD - place.left() - PAD, high)
    painter.drawText(text, LEFT, shown_line(tile.name))
    if tile.level < 0:
        painter.setPen(QColor(theme.muted))
    painter.drawText(text, RIGHT, picture.figures[tile.row])
    if picture.baseline is not None:
        _draw_baseline(painter, track_of(place, level), tile, picture.baseline, theme)


def track_of(place: QRectF, level: QRectF) -> QRectF:
    """The line at the lower edge of a tile on which the figure and that of the baseline are marked."""
    return QRectF(place.left() + PAD, place.bottom() - TRACK, level.left() - 2 * PAD - place.left(), TRACK - 1)


def _changed(tile: Tile, baseline: Baseline, theme: Theme) -> str:
    """The background of a tile that has less or more than in the baseline."""
    difference = baseline.difference(tile)
    if difference != difference or not difference or not baseline.span:
        return theme.raised
    strength = FAINTEST + (STRONGEST - FAINTEST) * abs(difference) / baseline.span
    return blend(theme.surface, theme.more if difference > 0 else theme.less, strength)


def _draw_baseline(painter: QPainter, track: QRectF, tile: Tile, baseline: Baseline, theme: Theme) -> None:
    """Draws the figure as a thin bar, and a stroke where that of the baseline ends."""
    before = float(baseline.amounts[tile.row])
    if baseline.most <= 0:
        return
    if tile.value == tile.value:
        width = track.width() * max(tile.value, 0.0) / baseline.most
        painter.fillRect(QRectF(track.left(), track.top(), width, track.height()), QColor(theme.muted))
    if before == before:
        x = track.left() + track.width() * max(before, 0.0) / baseline.most
        painter.fillRect(QRectF(x - STROKE / 2, track.top(), STROKE, track.height()), QColor(theme.text))
