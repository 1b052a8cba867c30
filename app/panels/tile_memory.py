"""How full each tile is, and of what."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.memory import BREAKDOWNS, Breakdown, TileSeries, series, spread
from app.analysis.table import Column, Table
from app.document.document import Update
from app.panels.panel import PanelSpec, PlotSpec
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection, TileRange
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.plot.canvas import PlotCanvas
from app.widgets.plot.draw import draw_plot
from app.widgets.plot.picture import OTHERS, Limit, PlotPicture, plot_picture
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.theme import Theme
from app.widgets.tile_axis import TileAxis
from app.widgets.units import format_value, percent

SOURCE = "tile_memory"
EMPTY = "This profile has no memory per tile: the graph was written without it."
TITLES: Final[dict[Breakdown, str]] = {
    "none": "In all",
    "region": "By region",
    "category": "By category",
    "liveness": "Always live and temporary",
}
COLOURS: Final[dict[str, str]] = {
    "interleaved": "#0072B2",
    "nonInterleaved": "#56B4E9",
    "overflowed": "#D55E00",
    "between": "#A3ABB6",
    "always": "#0072B2",
    "temporary": "#E69F00",
}
"""Of the parts that every profile has; a gap is no use of memory and stays grey."""
MOST_LAYERS = 12
"""More categories than this cannot be told apart by colour; the smaller ones are joined (the table has them all)."""
LIMIT_NAME = "Memory of a tile"
NONE: I64 = np.empty(0, np.int64)


def picture_of(profile: Profile, by: Breakdown, *, gaps: bool = True, limit: bool = True) -> PlotPicture | None:
    """The bars of a breakdown, the largest part at the bottom; None where the file lacks what that needs."""
    found = series(profile, by, gaps=gaps)
    if found is None:
        return None
    target = profile.target
    axis = TileAxis(len(found.total), group=(target.tiles_per_ipu or 0) if target is not None else 0)
    layers = [(part.title, part.values) for part in found.parts]
    colours = tuple(COLOURS[part.key] for part in found.parts if part.key in COLOURS)
    if by == "category":
        layers = _largest_first(layers)
    gap_text = "including gaps" if gaps else "without gaps"
    title = "Memory per tile" + (f", {gap_text}" if by in ("none", "region") else f", {TITLES[by].lower()}")
    line = Limit(found.limit, LIMIT_NAME) if limit and found.limit else None
    return plot_picture(title, "B", axis, layers, limit=line, colours=colours if len(colours) == len(layers) else ())


def table_of(profile: Profile, by: Breakdown, *, gaps: bool = True) -> Table | None:
    """The same figures as a table, one row a tile, every part a column."""
    found = series(profile, by, gaps=gaps)
    if found is None:
        return None
    columns = [Column("tile", "Tile", np.arange(len(found.total)))]
    if profile.target is not None and profile.target.tiles_per_ipu:
        columns.append(Column("ipu", "IPU", np.arange(len(found.total)) // profile.target.tiles_per_ipu))
    columns.append(Column("total", "Total", found.total, "B", "Sum of the parts."))
    if found.limit:
        share = 100 * found.total / found.limit
        columns.append(Column("share", "Share", share, "%", share_of="the memory of a tile"))
    if len(found.parts) > 1:
        columns += [Column(part.key, part.title, part.values, "B", part.help) for part in found.parts]
    return Table(f"tile-memory-{by}", f"Memory per tile: {TITLES[by].lower()}", tuple(columns), "tile", note=found.note)


def _largest_first(layers: list[tuple[str, I64]]) -> list[tuple[str, I64]]:
    filled = sorted((layer for layer in layers if layer[1].any()), key=lambda layer: -int(layer[1].sum()))
    if len(filled) <= MOST_LAYERS:
        return filled or layers[:1]
    rest = np.sum([values for _, values in filled[MOST_LAYERS - 1 :]], axis=0)
    return [*filled[: MOST_LAYERS - 1], (OTHERS, rest)]


class TileMemoryPanel(QWidget):
    """Choices above, bars (or the table) below, figures of the tiles in the range at the bottom."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._series: TileSeries | None = None
        self.breakdown = QComboBox(self)
        self.breakdown.setAccessibleName("What the bars are made of")
        for by in BREAKDOWNS:
            self.breakdown.addItem(TITLES[by], by)
        self.gaps = _check("Gaps", "Count the gaps that alignment leaves: what has to fit on the tile", self)
        self.limit = _check("Limit", "Show how much memory a tile has", self)
        self.as_table = _check("Table", "The same figures as a table: to sort, copy and export", self, on=False)
        self.canvas = PlotCanvas(context.display, self)
        self.table = TableWidget(context.display, self)
        self._link = LinkedTable(context, self.table, SOURCE)
        self.readout = Readout(context.display, self)
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        for widget in (self.breakdown, self.gaps, self.limit, self.as_table):
            bar.addWidget(widget)
        bar.addStretch(1)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.canvas)
        self.pages.addWidget(self.table)
        content = QWidget(self)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(bar)
        inside.addWidget(self.pages, 1)
        inside.addWidget(self.readout)
        self.stack = OrEmpty(self._context.display, content, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.canvas)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        self._context.display.changed.connect(self._say)
        self.breakdown.currentIndexChanged.connect(self._show)
        for box in (self.gaps, self.limit):
            box.toggled.connect(self._show)
        self.as_table.toggled.connect(self._turn)
        self.canvas.pointed.connect(self._point)
        self.canvas.chosen.connect(self._choose)
        self.canvas.range_wanted.connect(self._set_range)

    # -- abilities ----------------------------------------------------------------------------------------

    def shown_table(self) -> Table | None:
        profile = self._context.document.profile
        return None if profile is None else table_of(profile, self.by, gaps=self.gaps.isChecked())

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.as_table.isChecked() else None

    def selected_rows(self) -> I64:
        return self.table.selected_rows() if self.as_table.isChecked() else self.canvas.marks.selected

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.canvas.draw_picture(painter, place, theme)

    # -- contents -----------------------------------------------------------------------------------------

    @property
    def by(self) -> Breakdown:
        return BREAKDOWNS[max(self.breakdown.currentIndex(), 0)]

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("tile_memory", "target"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        memory = None if profile is None else profile.tile_memory
        if profile is None or memory is None or not memory.tiles:
            self._series = None
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        gaps = self.gaps.isChecked()
        self.gaps.setEnabled(self.by in ("none", "region"))
        self._series = series(profile, self.by, gaps=gaps)
        self.canvas.set_picture(picture_of(profile, self.by, gaps=gaps, limit=self.limit.isChecked()))
        self._turn()
        self._selected(self._context.document.selection.value)
        self._ranged(self._context.document.ranges.value)

    def _turn(self) -> None:
        """Between the bars and their table, which is made when it is first wanted."""
        table = self.shown_table() if self.as_table.isChecked() else None
        if table is not None:
            self._link.show(table)
        self.pages.setCurrentWidget(self.table if self.as_table.isChecked() else self.canvas)

    def _say(self, pointed: str = "") -> None:
        """The figure under the pointer, else the spread over the tiles of the selection or the range."""
        self.readout.say(pointed if isinstance(pointed, str) and pointed else self._spread())

    def _spread(self) -> str:
        found, look = self._series, self._context.display.look
        if found is None:
            return "This file does not break the memory down that way."
        tiles, of = self._tiles(len(found.total))
        figures = spread(found.total[tiles])
        if figures is None:
            return ""
        worst = int(tiles[int(np.argmax(found.total[tiles]))])
        parts = [
            f"{figures.tiles:,} tiles{of}",
            f"sum {format_value(figures.total, 'B', look)}",
            f"mean {format_value(figures.mean, 'B', look)}",
            f"median {format_value(figures.median, 'B', look)}",
            f"fullest tile {worst:,}: {format_value(figures.largest, 'B', look)}",
        ]
        if found.limit:
            left = found.limit - figures.largest
            state = "free" if left >= 0 else "too much"
            parts[-1] += f" ({percent(100 * figures.largest / found.limit)} of a tile, "
            parts[-1] += f"{format_value(abs(left), 'B', look)} {state})"
        return " · ".join(parts)

    def _tiles(self, count: int) -> tuple[I64, str]:
        """Which tiles the figures are of: several selected ones, else the range, else all."""
        if len(self.canvas.marks.selected) > 1:
            return self.canvas.marks.selected, " selected"
        within = self.canvas.marks.within
        return (np.arange(count), "") if within is None else (within, " in the range")

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        profile, count = self._context.document.profile, 0 if self._series is None else len(self._series.total)
        tiles = NONE
        if profile is not None and selection is not None and count:
            tiles = translate(profile, selection, "tile")
            tiles = np.unique(tiles[(tiles >= 0) & (tiles < count)])
        self.canvas.mark(tiles, reveal=selection is not None and selection.source != SOURCE)
        self._say()

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or hover.source != SOURCE:
            self.canvas.hover(hover.first if hover is not None and hover.kind == "tile" else -1)

    def _ranged(self, ranges: Ranges) -> None:
        count = 0 if self._series is None else len(self._series.total)
        tiles = None if ranges.tiles is None else np.array(ranges.tiles.tiles, np.int64)
        self.canvas.set_range(None if tiles is None else tiles[tiles < count])
        self._say()

    def _choose(self, first: int, last: int, adding: bool) -> None:
        chosen = np.arange(first, last + 1)
        if adding:
            chosen = np.union1d(self.canvas.marks.selected, chosen)
        self._context.document.selection.set(Selection("tile", tuple(chosen.tolist()), SOURCE))

    def _set_range(self, first: int, last: int) -> None:
        ranges = self._context.document.ranges
        ranges.set(Ranges(ranges.value.time, TileRange(tuple(range(first, last + 1)))))

    def _point(self, tile: int, text: str) -> None:
        self._say(text)
        self._context.document.hover.set(Selection("tile", (tile,), SOURCE) if tile >= 0 else None)


def _check(text: str, tip: str, parent: QWidget, *, on: bool = True) -> QCheckBox:
    box = QCheckBox(text, parent)
    box.setChecked(on)
    box.setToolTip(tip)
    return box


SPEC = PanelSpec(
    "tile_memory",
    "Tile memory",
    TileMemoryPanel,
    ("tile_memory",),
    "a Poplar graph profile (graph.json or graph.cbor) with memory per tile",
    "How full each tile is against the memory it has. Click a bar to select its tile, drag for several; where a "
    "column of pixels stands for several tiles, it shows the fullest, and lighter (or dotted) the emptiest.",
)


def _draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme, by: Breakdown) -> None:
    picture = picture_of(profile, by)
    if picture is not None:
        draw_plot(painter, place, picture, Look(theme=theme))


def _plot(plot_id: str, title: str, by: Breakdown) -> PlotSpec:
    return PlotSpec(
        plot_id,
        title,
        lambda profile: profile.tile_memory is not None and series(profile, by) is not None,
        lambda painter, place, profile, theme: _draw(painter, place, profile, theme, by),
    )


PLOT_SPECS = (
    _plot("tile-memory", "Memory per tile", "none"),
    _plot("tile-memory-by-region", "Memory per tile by region", "region"),
    _plot("tile-memory-by-category", "Memory per tile by category", "category"),
    _plot("tile-memory-by-liveness", "Memory per tile, always live and temporary", "liveness"),
)
