"""Panels of a Tenstorrent capture: floor plan, zones, operations, transfers of the network on chip, L1 memory."""

from __future__ import annotations

from functools import partial

import numpy as np

from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.tenstorrent import Amount, Floor, amounts, floors, name_of_core, noc_links, words
from app.analysis.tiles import tile_events
from app.language import tr
from app.panels.chart_panel import CanvasPanel
from app.panels.pages_panel import BarsPanel, Page, PagesPanel, table_plot
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.panels.spec import chart_plot, scene_plot
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.views.axis import TileAxis
from app.views.look import Look
from app.views.tenstorrent import L1Picture, bars_of, l1_picture
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.heat.floor import FloorScene, Line
from app.widgets.heat.picture import heat_picture
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.texts import Readout


def floor_scene(profile: Profile, floor: Floor, amount: Amount) -> FloorScene:
    """The amounts of the cores at their places, and the most bytes between them."""
    assert profile.worker_cores is not None
    own = words(profile.worker_cores)
    values = np.where(floor.core >= 0, amount.values[np.maximum(floor.core, 0)], np.nan)
    across = values.shape[1]
    title: str = amount.title
    if tile_events(profile) is None:
        title = tr("{title}, device {device}", title=title, device=floor.device)

    axis = TileAxis(across, own.x)
    clock = None if profile.target is None else profile.target.clock_hz
    picture = heat_picture(title, values, amount.unit, own.y, own.row, axis, clock_hz=clock)
    place = np.full(int(floor.core.max(initial=-1)) + 2, -1, np.int64)
    cells = np.flatnonzero(floor.core.reshape(-1) >= 0)
    place[floor.core.reshape(-1)[cells]] = cells
    links = noc_links(profile) if amount.id in ("sent", "received") else []
    most = max((link.bytes for link in links), default=1)
    lines = tuple(
        Line(int(place[link.source]), int(place[link.target]), link.bytes / most)
        for link in links
        if max(link.source, link.target) < len(place) and min(place[link.source], place[link.target]) >= 0
    )
    return FloorScene(picture, lines=lines)


class FloorPlanPanel(CanvasPanel):
    """Choosers of figure and device above, the chip below, or its cores as a table."""

    spec = SPECS["floor_plan"]
    empty = tr("The files name no cores with figures.")
    kind = "worker_core"

    def build(self) -> None:
        self._items: I64 = NO_ROWS
        self._amounts: list[Amount] = []
        self._floors: list[Floor] = []
        self.figure, self.device = Chooser(tr("Figure"), self), Chooser(tr("Device"), self)
        self.canvas: PlaneCanvas[FloorScene] = PlaneCanvas(self.context.display, self)
        self.readout = Readout(self.context.display, self)
        self.add_twin(self.canvas)
        controls = Controls(self, self.figure, self.device, self.as_table, (self.table.bar, 3), 1)
        self.lay_out((self.twin, 1), self.readout, home=self.canvas, controls=controls)
        self.figure.currentIndexChanged.connect(self._draw)
        self.device.currentIndexChanged.connect(self._draw)
        self.link_canvas()

    def has_data(self, profile: Profile) -> bool:
        return bool(amounts(profile))

    def clear(self) -> None:
        self._amounts, self._floors, self._items = [], [], NO_ROWS
        self.canvas.set_scene(None)

    def fill(self, profile: Profile) -> None:
        shown = self.figure.currentText()
        self._amounts, self._floors = amounts(profile), floors(profile)
        titles = [amount.title for amount in self._amounts]
        self.figure.offer(titles, chosen=titles.index(shown) if shown in titles else 0)
        names = [
            tr("Device {device}, logical", device=floor.device)
            if floor.logical
            else tr("Device {device}", device=floor.device)
            for floor in self._floors
        ]
        self.device.offer(names, chosen=min(max(self.device.currentIndex(), 0), len(names) - 1))
        self.device.setVisible(len(names) > 1)
        self._draw()

    def _draw(self) -> None:
        figure, device = self.figure.currentIndex(), self.device.currentIndex()
        if self.profile is None or not 0 <= figure < len(self._amounts) or not 0 <= device < len(self._floors):
            self.canvas.set_scene(None)
            return
        floor = self._floors[device]
        self._items = floor.core.reshape(-1).astype(np.int64)
        self.canvas.set_scene(floor_scene(self.profile, floor, self._amounts[figure]))
        self.readout.say(self._hint, muted=True)
        limit = tr("The floor plan shows the comparison; the table shows the differences.")
        self.say_limits(limit if self.comparison is not None else "")
        self.twin.renew()
        self.follow()

    @property
    def items(self) -> I64:
        return self._items

    def choose(self, marks: I64, adding: bool) -> None:
        cores = self._items[marks[(marks >= 0) & (marks < len(self._items))]]
        cores = cores[cores >= 0]
        if len(cores) == 1:
            self.shared.toggle(self.kind, int(cores[0]), adding=adding)
        elif len(cores):
            self.shared.select(self.kind, cores)

    def point(self, mark: int, text: str = "") -> None:
        core = int(self._items[mark]) if 0 <= mark < len(self._items) else -1
        name = "" if self.profile is None else name_of_core(self.profile, core)
        self.readout.say(f"{name}: {text}" if name and text else text or self._hint, muted=not text)
        super().point(mark, text)

    @property
    def _hint(self) -> str:
        own = None if self.profile is None else self.profile.worker_cores
        return "" if own is None else words(own).hint

    def table_of(self, profile: Profile) -> Table | None:
        return by_id(profile, "tile-events") or by_id(profile, "worker-cores")

    def marked_rows(self) -> I64:
        if self.profile is None or self.profile.worker_cores is None:
            return NO_ROWS
        chosen = self.shared.items(self.shared.selection, self.kind)
        events = tile_events(self.profile)  # the table has a row for each
        rows = np.arange(len(self.profile.worker_cores)) if events is None else events.core
        return np.flatnonzero(among(rows, chosen)).astype(np.int64)


_zones = bars_of(tr("Cycles of zones, all cores together"), ("name", "processor"), "cycles", "cycles", 2)
_codes = bars_of(tr("Operations: kernel time by name"), ("op_code",), "total", "s", 0)
_noc = bars_of(tr("Bytes of the transfers that a core issues"), ("core",), "bytes", "B", 6)


class ZonesPanel(BarsPanel):
    """Zones by name and processor, and the cores."""

    spec = SPECS["zones"]
    empty = tr("The capture has no device log with zones.")
    tables = (
        Page(tr("Zones"), "device-zones", "device_run", draw=_zones),
        Page(tr("Cores"), "worker-cores", "worker_cores"),
    )


class OperationsPanel(BarsPanel):
    """Operations by name, and each of them."""

    spec = SPECS["operations"]
    empty = tr("The capture has no operations with a time on a device.")
    tables = (
        Page(tr("Names"), "op-codes", "operations", draw=_codes),
        Page(tr("Each"), "operations", "operations"),
    )


class NocPanel(BarsPanel):
    """Transfers by the core that issues them, each of them, and the links of a simulation."""

    spec = SPECS["noc"]
    empty = tr("The NoC traces have no transfers.")
    tables = (
        Page(tr("Cores"), "noc-cores", "noc_transfers", draw=_noc),
        Page(tr("Transfers"), "noc-transfers", "noc_transfers"),
        Page(tr("Links"), "noc-links", "noc_transfers"),
    )


class CoreMemoryPanel(PagesPanel):
    """L1 of the fullest core over the operations of a report, and its tables."""

    spec = SPECS["core_memory"]
    empty = tr("The report has no buffers in L1.")
    tables = (
        Page(tr("Operations (report)"), "report-operations", "core_memory"),
        Page(tr("Cores"), "l1-per-core", "core_memory"),
        Page(tr("Buffers"), "buffers", "core_memory"),
        Page(tr("Tensors"), "tenstorrent-tensors", "core_memory"),
    )

    def build(self) -> None:
        self.canvas: ChartCanvas[L1Picture] = ChartCanvas(self.context.display, self)
        self.add_pages(self.canvas, self.canvas)

    def picture(self) -> HasPicture:
        return self.canvas

    def clear(self) -> None:
        super().clear()
        self.canvas.show_picture(None)

    def fill(self, profile: Profile) -> None:
        super().fill(profile)
        self._show_table()

    def draw(self) -> None:
        profile, comparison = self.profile, self.comparison
        if profile is None:
            self.canvas.show_picture(None)
            return
        work = partial(l1_picture, profile, None if comparison is None else comparison.before)
        self.compute(lambda _: work(), self.canvas.show_picture, self.fail, now=True)


def _first(profile: Profile, _: Look) -> FloorScene | None:
    figures, grids = amounts(profile), floors(profile)
    return floor_scene(profile, grids[0], figures[0]) if figures and grids else None


PLOTS = (
    scene_plot("floor-plan", tr("Floor plan"), lambda profile: bool(amounts(profile)), _first),
    table_plot("device-zones", tr("Zones"), _zones, "device-zones", "device_run"),
    table_plot("op-codes", tr("Operations by name"), _codes, "op-codes", "operations"),
    table_plot("noc-cores", tr("NoC transfers by core"), _noc, "noc-cores", "noc_transfers"),
    chart_plot("l1", tr("L1 over operations"), lambda profile: l1_picture(profile) is not None, l1_picture),
)
