"""The cards as a widget, with hover and selection of cores."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.analysis.ascend.cores import Card, Tile
from app.language import plural, tr
from app.panels.core_load.draw import Grid, Marks, Picture, draw_cards, draw_fitted, lay_out
from app.views.core_load.words import about, about_baseline
from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.abilities import ITEM, HasItemMenus, HasPicture
from app.widgets.announce import announce
from app.widgets.display import Display
from app.widgets.tips import tip


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
