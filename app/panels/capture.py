"""Panels of a whole Ascend capture: training steps, kernels, communication, and memory over time. Each has a picture at
the left and tables at the right."""

from __future__ import annotations

from functools import partial

from app.language import tr
from app.panels.pages_panel import SMALL, BarsPanel, Page, PagesPanel, table_plot
from app.panels.registry import SPECS
from app.panels.spec import chart_plot
from app.profile.profile import Profile
from app.views.capture import (
    MemoryPicture,
    collectives_picture,
    delays_picture,
    links_picture,
    memory_picture,
    ranks_of,
    steps_picture,
    types_picture,
)
from app.widgets.abilities import HasPicture
from app.widgets.chart.canvas import ChartCanvas
from app.widgets.fields import Chooser

STEPS, KERNEL_TYPES, COLLECTIVES = "steps-of-training", "kernel-types", "collectives"


class TrainingStepsPanel(BarsPanel):
    """How the time of each rank and step is spent."""

    spec = SPECS["training_steps"]
    empty = tr("The capture has no kernels, and no table of its steps.")
    tables = (Page(tr("Steps"), STEPS, "training_steps", draw=steps_picture),)


class KernelsPanel(BarsPanel):
    """Kernels by type, each of them, and the operators and calls of the host."""

    spec = SPECS["kernels"]
    empty = tr("The capture has no kernels.")
    tables = (
        Page(tr("Types"), KERNEL_TYPES, "kernels", draw=types_picture),
        Page(tr("Kernels"), "kernels", "kernels"),
        Page(tr("Operators"), "framework-operators", "framework_operators"),
        Page(tr("Calls"), "calls", "calls"),
    )


class CommunicationPanel(BarsPanel):
    """Collectives, how late the ranks begin them, and the links between ranks."""

    spec = SPECS["communication"]
    empty = tr("The capture has no communication.")
    tables = (
        Page(tr("Collectives"), COLLECTIVES, "collectives", draw=collectives_picture),
        Page(tr("Delays"), "collective-delays", "collectives", 2, delays_picture),
        Page(tr("Links"), "links", "links", draw=links_picture),
    )


class DeviceMemoryPanel(PagesPanel):
    """Curves of one rank, and what took memory."""

    spec = SPECS["device_memory"]
    empty = tr("The capture has no record of memory: profile_memory was off.")
    tables = (
        Page(tr("Operators"), "memory-operators", "memory_operators"),
        Page(tr("Records"), "memory-record", "memory_record"),
    )

    def build(self) -> None:
        self.ranks = Chooser(tr("Rank"), self)
        self.ranks.hide()
        self.canvas: ChartCanvas[MemoryPicture] = ChartCanvas(self.context.display, self)
        self.add_pages(self.canvas, self.canvas, self.ranks)
        self.ranks.currentIndexChanged.connect(self.draw)

    def picture(self) -> HasPicture:
        return self.canvas

    def clear(self) -> None:
        super().clear()
        self.canvas.show_picture(None)

    def fill(self, profile: Profile) -> None:
        names = ranks_of(profile.capture)
        self.ranks.offer(names, list(range(len(names))), max(self.ranks.currentIndex(), 0))
        self.ranks.setVisible(len(names) > 1)
        super().fill(profile)
        self._show_table()

    def draw(self) -> None:
        profile = self.profile
        if profile is None or profile.memory_record is None:
            self.canvas.show_picture(None)
            return
        work = partial(memory_picture, profile.memory_record, ranks_of(profile.capture), self.ranks.number or 0)
        now = len(profile.memory_record) <= SMALL
        self.compute(lambda _: work(), self.canvas.show_picture, self.fail, now=now)


def _memory(profile: Profile) -> MemoryPicture | None:
    record = profile.memory_record
    return None if record is None else memory_picture(record, ranks_of(profile.capture), 0)


PLOTS = (
    table_plot("training-steps", tr("Training steps"), steps_picture, STEPS, "training_steps"),
    table_plot("kernel-types", tr("Kernels by type"), types_picture, KERNEL_TYPES, "kernels"),
    table_plot("collectives", tr("Collectives"), collectives_picture, COLLECTIVES, "collectives"),
    table_plot("links", tr("Bandwidth of links"), links_picture, "links", "links"),
    chart_plot(
        "device-memory",
        tr("Memory of the device"),
        lambda profile: profile.memory_record is not None,
        _memory,
    ),
)
