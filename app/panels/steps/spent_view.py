"""The cycles of all tiles together by kind: bars, their table, and whether they add up."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.analysis.poplar.runs import TYPES, has_spent, spent, tiles_of_run
from app.analysis.tables.poplar_steps import tile_cycles
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection, TimeRange
from app.views.chart.bars import BarsPicture
from app.views.look import Look, Theme
from app.views.steps.difference_frames import baseline_range, table_of
from app.views.steps.spent_picture import balance_text, kinds_of_both, picture_of
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ScrolledBars
from app.widgets.chart.scene import ChartPainter
from app.widgets.context import Context
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.texts import Readout

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

SOURCE = "tile-cycles"
MOST_CHOSEN = 50_000


class SpentView(QWidget, HasPicture):
    """The page of all tiles' cycles. A click on a bar selects the steps that spend its cycles."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._profile: Profile | None = None
        self._kinds: list[str] = []
        self.bars: ScrolledBars[BarsPicture] = ScrolledBars(context.display, self)
        self.table = TableWidget(context.display, self)
        self._shown = ProfileTable(context, self.table, SOURCE)
        self.readout = Readout(context.display, self)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        splitter.addWidget(self.bars)
        splitter.addWidget(self.table)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([560, 440])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.readout)
        self.setFocusProxy(self.bars)
        self.bars.canvas.chosen.connect(self._chosen)

    @property
    def busy(self) -> bool:
        """Whether the tables are being compared."""
        return self._shown.busy

    def drop_baseline(self) -> None:
        """Ends the comparison; the next ``show_profile`` shows the profile alone."""
        self._shown.clear()

    def release(self) -> None:
        """Releases the profile, as another one or none is shown."""
        self._profile = None

    def show_profile(
        self, profile: Profile | None, stretch: TimeRange | None, comparison: Comparison | None = None
    ) -> None:
        """Shows the whole run, or the sum over the steps of a time range; with a baseline, both."""
        self._profile = profile
        cycles = None if profile is None else spent(profile, stretch)
        if profile is None or cycles is None:
            self._kinds = []
            self.bars.canvas.show_picture(None)
            self._shown.clear()
            self.table.release_rows()
            self.readout.say(tr("No step in the range has data of its tiles."), muted=True)
            return
        clock = profile.target.clock_hz if profile.target is not None else None
        before = None if comparison is None else spent(comparison.before, baseline_range(comparison, stretch))
        self._kinds = kinds_of_both(cycles, before)
        picture = picture_of(cycles, stretch, clock, before)
        self.bars.canvas.show_picture(picture)
        self.bars.setVisible(picture is not None)
        self.readout.say(balance_text(cycles, stretch))
        self._shown.show(partial(table_of, tile_cycles, comparison, stretch))

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        self.bars.canvas.draw_picture(painter, place, theme)

    def _chosen(self, places: I64) -> None:
        profile, place = self._profile, int(places[0])
        kind = self._kinds[place] if place < len(self._kinds) else ""
        wanted = {"activeCompute": TYPES["compute"], "sync": "Sync"}.get(kind) or TYPES.get(kind)
        if profile is None or profile.steps is None or wanted is None:
            return
        steps = profile.steps.of_type(wanted)[:MOST_CHOSEN]
        if len(steps):
            self._context.document.selection.set(Selection("step", tuple(steps.tolist()), SOURCE))


def draw(painter: QPainter, place: QRectF, profile: Profile, theme: Theme) -> None:
    """Draws the bars of the whole run."""
    cycles = spent(profile)
    clock = profile.target.clock_hz if profile.target is not None else None
    picture = None if cycles is None else picture_of(cycles, None, clock)
    if picture is not None:
        look = Look(theme=theme)
        ChartPainter().draw_whole(painter, picture.chart(look), place, look)


def has_tile_cycles(profile: Profile) -> bool:
    """Whether the profile has data for these bars."""
    return (
        has_spent(profile)
        and bool(tiles_of_run(profile))
        and profile.execution is not None
        and bool(profile.execution.cycles)
    )
