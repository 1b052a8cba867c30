"""The page with the chart of a result, and the choice of its columns."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.analysis.table import Table
from app.language import tr
from app.profile.arrays import I64
from app.views.chart.bars import BarsPicture
from app.views.query.picture import Choice, LinePicture, bars_of, line_of, numeric_places
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas, ScrolledBars
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.fields import Chooser
from app.widgets.frame import bar_of, pages_of, stack_in
from app.widgets.texts import Label

BARS, LINE = "bars", "line"
NO_NUMBERS = tr("The result has no numeric column to draw.")
NO_VALUES = tr("No row has both values.")


class ChartPage(QWidget):
    """Bars or a line of two columns. Signal ``chosen`` (row of the table) when a bar is clicked."""

    chosen = Signal(int)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = Table("", "", ())
        self._rows: I64 | None = None
        self._clock: float | None = None
        self.kind = Chooser(tr("Kind of chart"), self)
        self.kind.offer([tr("Bars"), tr("Line")], [BARS, LINE])
        self.across = Chooser(tr("Column of names, or of the horizontal axis"), self, 12)
        self.up = Chooser(tr("Column of values"), self, 12)
        self.bars: ScrolledBars[BarsPicture] = ScrolledBars(display, self)
        self.line: ChartCanvas[LinePicture] = ChartCanvas(display, self)
        self._pages = pages_of(self, (self.bars, self.line))
        self._shown = OrEmpty(display, self._pages, self)
        bar = bar_of(self.kind, (self.up, 1), Label(tr("by")), (self.across, 1), 1)
        stack_in(self, bar, (self._shown, 1))
        self.kind.currentIndexChanged.connect(self._kind_chosen)
        for box in (self.across, self.up):
            box.currentIndexChanged.connect(self._draw)
        self.bars.canvas.chosen.connect(self._chosen)

    @property
    def canvas(self) -> HasPicture:
        """The visible chart."""
        return self.bars.canvas if self.kind.currentData() == BARS else self.line

    def show_rows(self, table: Table, rows: I64, clock_hz: float | None) -> None:
        """Draws these rows; the columns stay chosen if the result has the same."""
        same = [column.key for column in table.columns] == [column.key for column in self._table.columns]
        self._table, self._rows, self._clock = table, rows, clock_hz
        if not same:
            self._offer()
        self._draw()

    def clear(self) -> None:
        """Releases the rows."""
        self._table, self._rows = Table("", "", ()), None
        self._offer()
        self._draw()

    def _kind_chosen(self) -> None:
        self._offer()
        self._draw()

    def _offer(self) -> None:
        """Offers the columns that can be drawn: texts first as names, numbers only on axes."""
        columns, numbers = self._table.columns, numeric_places(self._table)
        names = numbers if self.kind.currentData() == LINE else list(range(len(columns)))
        keys = [place for place in numbers if columns[place].is_key]
        amounts = [place for place in numbers if place not in keys] or numbers
        first = next((place for place in names if not columns[place].numeric), names[0] if names else -1)
        if self.kind.currentData() == LINE and len(amounts) > 1:
            first = amounts[0] if not keys else keys[0]
        second = next((place for place in amounts if place != first), first)
        self.across.offer([columns[place].title for place in names], names, names.index(first) if first in names else 0)
        self.up.offer([columns[place].title for place in numbers], numbers, numbers.index(second) if numbers else 0)

    def _draw(self) -> None:
        x, y, rows = self.across.number, self.up.number, self._rows
        self.bars.canvas.show_picture(None)
        self.line.show_picture(None)
        if rows is None or x is None or y is None:
            self._shown.show_empty(NO_NUMBERS)
            return
        choice = Choice(self._table, rows, x, y, self._clock)
        if self.kind.currentData() == BARS:
            self._pages.setCurrentWidget(self.bars)
            self.bars.canvas.show_picture(bars_of(choice))
        else:
            self._pages.setCurrentWidget(self.line)
            picture = line_of(choice)
            if picture is None:
                self._shown.show_empty(NO_VALUES)
                return
            self.line.show_picture(picture)
        self._shown.show_content()

    def _chosen(self, places: I64) -> None:
        if self._rows is not None and len(places):
            self.chosen.emit(int(self._rows[int(places[0])]))
