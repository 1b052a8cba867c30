"""The cards of the cores: how they are laid out and drawn, on the screen and for export, and the widget that shows
them, with hover and selection of cores."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.analysis.ascend.cores import METRICS, TITLES, Card, Metric, Tile, cards, count_of_cores, metrics
from app.language import plural, tr
from app.panels.spec import PlotSpec
from app.profile.arrays import F64
from app.profile.ascend import CoreLoad
from app.profile.profile import Profile
from app.views.colours import blend, text_on
from app.views.core_load import (
    COMPARED,
    LEVELS,
    OF_LEVELS,
    about,
    about_baseline,
    against,
    figure,
    ground,
    heading,
    shade,
)
from app.views.look import Look, Theme
from app.views.texts import shown_line
from app.widgets.abilities import ITEM, HasItemMenus, HasPicture
from app.widgets.announce import announce
from app.widgets.display import Display
from app.widgets.texts import advance, elided
from app.widgets.tips import tip

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


def idle_cores(load: CoreLoad, metric: Metric) -> int:
    """How many cores have a card, but no load."""
    return sum(not card.tiles for card in cards(load, metric, MOST_CARDS, MOST_TILES))


def picture_of(load: CoreLoad, metric: Metric, look: Look, before: F64 | None = None, *, idle: bool = True) -> Picture:
    """The cards of ``metric``; ``before``: the figures of a baseline, by row; ``idle``: also of cores without load."""
    every = tuple(cards(load, metric, MOST_CARDS, MOST_TILES))
    shown = every if idle else tuple(card for card in every if card.tiles)
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


class CoreCards(QWidget, HasItemMenus, HasPicture):
    """Signals: ``chosen`` (numbers of cores, whether to extend the selection), ``pointed`` (number of a core, -1 for
    none). The arrow keys move from card to card."""

    chosen = Signal(object, bool)
    pointed = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._display = display
        self.picture: Picture | None = None
        self.clock_hz: float | None = None
        self.baseline_hz: float | None = None
        self.marks = Marks()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleDescription(tr("The table shows the same figures."))

    # -- contents -----------------------------------------------------------------------------------------

    def set_picture(
        self, picture: Picture | None, clock_hz: float | None = None, baseline_hz: float | None = None
    ) -> None:
        """Shows other cards. ``baseline_hz``: the clock of the baseline's cycles."""
        self.picture, self.clock_hz, self.baseline_hz = picture, clock_hz, baseline_hz
        self.marks = replace(self.marks, hovered=-1)
        self.setAccessibleName(
            shown_line(
                ""
                if picture is None
                else plural(
                    "{count:,} core",
                    "{count:,} cores",
                    count=len(picture.cards),
                )
            )
        )
        self._grow()
        self.update()

    def mark(self, cores: frozenset[int]) -> None:
        """Marks these cores as selected."""
        self.marks = replace(self.marks, selected=cores)
        self.update()

    def hover(self, core: int) -> None:
        """Outlines the first tile of a core that is hovered in another view; -1 for none."""
        tiles = () if self.picture is None else (tile for card in self.picture.cards for tile in card.tiles)
        self._hover(next((tile.row for tile in tiles if core >= 0 and tile.core == core), -1))

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws all cards, for export."""
        if self.picture is not None:
            draw_fitted(painter, place, self.picture, replace(self._display.look, theme=theme))

    def place_of(self, cores: frozenset[int]) -> QRectF:
        """The rectangle of the first card that shows one of these cores."""
        grid = self.grid()
        if self.picture is not None and grid is not None:
            for number, card in enumerate(self.picture.cards):
                if cores.intersection(card.cores):
                    return grid.card(number)
        return QRectF()

    def grid(self) -> Grid | None:
        """The geometry of the cards; None if there are none."""
        if self.picture is None:
            return None
        return lay_out(QRectF(self.rect()), self.picture, QFontMetricsF(self.font(), self))

    # -- Qt's side ----------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(600, 240)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), QColor(self._display.theme.surface))
            if self.picture is not None:
                look, place = self._display.look, QRectF(self.rect())
                draw_cards(painter, place, self.picture, look, self.marks, QRectF(event.rect()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._grow()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), tip(self.describe(QPointF(event.pos()))), self)
            return True
        return super().event(event)

    def describe(self, point: QPointF) -> str:
        """The tool tip of the tile or card under ``point``."""
        card, tile = self._under(point)
        if card is None or self.picture is None:
            return ""
        if tile is None:
            return card.title if card.tiles else tr("{card}: no load in the file", card=card.title)
        look, metric, baseline = self._display.look, self.picture.metric, self.picture.baseline
        text = about(card, tile, self.picture.load, metric, look, self.clock_hz)
        if baseline is None:
            return text
        before = float(baseline.amounts[tile.row])
        return "\n".join((text, *about_baseline(before, tile.value, metric, look, self.baseline_hz)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        _, tile = self._under(event.position())
        row = -1 if tile is None else tile.row
        if row != self.marks.hovered:
            self._hover(row)
            self.pointed.emit(-1 if tile is None else tile.core)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)
        self.pointed.emit(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        card, tile = self._under(event.position())
        if event.button() != Qt.MouseButton.LeftButton or card is None:
            return
        cores = (tile.core,) if tile is not None and tile.core >= 0 else card.cores
        adding = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
        if cores:
            self.chosen.emit(cores, bool(event.modifiers() & adding))

    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """The core under a point, as a click selects it."""
        if point is None:
            return (ITEM,) if self.marks.selected else ()
        card, tile = self._under(QPointF(point))
        cores = (tile.core,) if tile is not None and tile.core >= 0 else card.cores if card is not None else ()
        if cores and not self.marks.selected.issuperset(cores):
            self.chosen.emit(cores, False)
        return (ITEM,) if cores else ()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        grid = self.grid()
        steps = {} if grid is None or self.picture is None else _steps(grid.columns, len(self.picture.cards))
        if event.key() not in steps or self.picture is None:
            super().keyPressEvent(event)
            return
        cards = self.picture.cards
        now = next((n for n, card in enumerate(cards) if self.marks.selected.intersection(card.cores)), None)
        step = steps[event.key()]
        place, way = (0, 1) if now is None else (now + step, 1 if step > 0 else -1)
        if abs(step) == len(cards):  # to an end, and back from it to the first that can be selected
            place, way = (0, 1) if step < 0 else (len(cards) - 1, -1)
        while 0 <= place < len(cards) and not cards[place].cores:
            place += way
        if 0 <= place < len(cards):
            self.chosen.emit(cards[place].cores, False)
            announce(self, self._spoken(cards[place]))

    def _spoken(self, card: Card) -> str:
        """A card, and the figures of its tiles."""
        figures = () if self.picture is None else self.picture.figures
        return "\n".join((card.title, *(f"{tile.name} {figures[tile.row]}" for tile in card.tiles)))

    # -- inside -------------------------------------------------------------------------------------------

    def _under(self, point: QPointF) -> tuple[Card | None, Tile | None]:
        grid = self.grid()
        place = -1 if grid is None else grid.under(point)
        if self.picture is None or grid is None or place < 0:
            return None, None
        card, names = self.picture.cards[place], self.picture.names
        tallest = max(len(names), len(card.tiles))
        for number, tile in enumerate(card.tiles):
            slot = names.index(tile.name) if len(card.tiles) <= len(names) else number
            if grid.tile_at(place, tallest - 1 - slot).contains(point):
                return card, tile
        return card, None

    def _hover(self, row: int) -> None:
        if row != self.marks.hovered:
            self.marks = replace(self.marks, hovered=row)
            self.update()

    def _grow(self) -> None:
        """Makes the widget as high as all cards need at this width."""
        grid = self.grid()
        self.setMinimumHeight(0 if grid is None else round(grid.height))


def _steps(columns: int, cards: int) -> dict[int, int]:
    """Key → how many cards it goes on; as many as there are: to an end."""
    keys = Qt.Key
    return {
        keys.Key_Left.value: -1,
        keys.Key_Right.value: 1,
        keys.Key_Up.value: -columns,
        keys.Key_Down.value: columns,
        keys.Key_Home.value: -cards,
        keys.Key_End.value: cards,
    }


def _plot(metric: Metric) -> PlotSpec:
    def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
        if profile.core_load is not None:
            look = Look(theme=theme)
            draw_fitted(painter, place, picture_of(profile.core_load, metric, look), look)

    return PlotSpec(
        f"core-load-{metric.replace('_', '-')}",
        tr("Core load: {titles}", titles=TITLES[metric]),
        lambda profile: profile.core_load is not None and metric in metrics(profile.core_load),
        draw,
    )


PLOTS = tuple(_plot(metric) for metric in METRICS)
