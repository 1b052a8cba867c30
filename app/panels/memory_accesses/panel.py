"""The memory accesses panel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.analysis.subset import subset
from app.analysis.table import Table
from app.analysis.tables.ascend_load import memory_accesses as accesses_table
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import plural, tr
from app.panels.memory_accesses import SPEC
from app.panels.memory_accesses.filters import FilterBar
from app.panels.memory_accesses.scene import AccessScene
from app.panels.panel import Panel
from app.profile.arrays import I64
from app.profile.memory_accesses import MemoryAccesses
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.memory_accesses.raster import Bars
from app.views.memory_accesses.records import Filter, kinds_of, records, space_name
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.frame import check_of
from app.widgets.limits import Limits
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.readout import Readout
from app.widgets.tabular import Tabular
from app.widgets.twin import Twin

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.operators.accesses import MergedAccesses
    from app.panels.memory_accesses.compared import ComparedScene

FILTERED = tr("Only the accesses that match the filters above.")
SMALL = 5_000
"""Scenes of more accesses than this are made in the background."""
NONE: I64 = np.empty(0, np.int64)


class MemoryAccessesPanel(Panel):
    """Filters above; bars over record numbers, or the table, below."""

    spec = SPEC
    empty = tr("The memory access block of the file is empty.")
    as_left = True
    compares = True

    def build(self) -> None:
        self._scene: AccessScene | None = None
        self._merged: MergedAccesses | None = None
        self._both = False  # whether there is a baseline
        self.filters = FilterBar(self)
        about = tr("Shorten long address ranges without accesses")
        self.compact = check_of(tr("Close gaps"), about, on=True)
        self.count = Readout(self.context.display, self)
        self.canvas: PlaneCanvas[AccessScene] = PlaneCanvas(self.context.display, self)
        tip = tr("The same accesses as a table: to sort, copy and export")
        self.twin = Twin(self.context, self.spec.id, self.canvas, self._table, self._marked, tip, compares=True)
        self.as_table, self.table = self.twin.box, self.twin.table
        self._background = Background(self)
        inside = self.filters, self.compact, self.as_table, (self.table.bar, 3), (self.count, 1)
        controls = Controls(self, *inside, folds=(self.count, self.compact, self.as_table))
        self.limits = Limits(self.context.display, self)
        self.lay_out(self.limits, (self.twin, 1), home=self.canvas, controls=controls)
        self.filters.changed.connect(self._draw)
        self.compact.toggled.connect(self._draw)
        self.twin.turned.connect(self.compact.setDisabled)
        self.canvas.chosen.connect(self._choose)
        self.canvas.pointed.connect(self._point)
        self.canvas.legend_clicked.connect(self.filters.toggle)

    def tabular(self) -> Tabular:
        return self.twin

    def picture(self) -> HasPicture:
        return self.canvas

    def clear(self) -> None:
        self._scene = self._merged = None
        self._background.cancel()
        self.canvas.set_scene(None)

    def fill(self, profile: Profile) -> None:
        section = profile.memory_accesses
        if section is None or not len(section.record):
            self.clear()
            self.say_empty(self.lacks(self.empty))
            return
        if self._scene is not None and self._scene.section is not section:
            self._scene = None
            self.canvas.set_scene(None)
        comparison = self.comparison
        self._both = comparison is not None
        if self._merged is not None and self._merged.comparison is not comparison:
            self._merged = None
        if comparison is None:
            self.limits.say(())
            self.filters.offer(section)
        else:
            from app.analysis.compare.operators.accesses import joined_accesses

            self.filters.offer(joined_accesses(comparison.before.memory_accesses, section))
        self._draw()

    @property
    def _section(self) -> MemoryAccesses | None:
        return None if self.profile is None else self.profile.memory_accesses

    def _draw(self) -> None:
        section = self._section
        if section is None:
            return
        wanted, compact, comparison = self.filters.wanted, self.compact.isChecked(), self.comparison
        if comparison is not None:
            self._draw_compared(comparison, wanted, compact)
            return
        if len(section.record) <= SMALL:
            self._background.cancel()
            self._take(scene_of(section, wanted, compact=compact))
            return
        self.count.say(
            plural(
                "Laying out {count:,} access…",
                "Laying out {count:,} accesses…",
                count=len(section.record),
            ),
            muted=True,
        )
        self._background.run(Task(lambda *_: prepared(section, wanted, compact), self._take, self._fail))

    def _draw_compared(self, comparison: Comparison, wanted: Filter, compact: bool) -> None:
        """Draws the accesses of both as soon as they are matched."""
        from app.panels.memory_accesses.compared import prepared_both

        self.count.say(tr("Comparing…"), muted=True)
        merged = self._merged
        self._background.run(
            Task(
                lambda token, _: prepared_both(comparison, merged, wanted, compact, token.check),
                self._take_compared,
                self._fail,
            )
        )

    def _take_compared(self, scene: ComparedScene | None) -> None:
        from app.analysis.compare.operators.accesses import not_compared
        from app.panels.memory_accesses.compared import summary

        comparison = self.comparison
        if scene is None or comparison is None or scene.merged.comparison is not comparison:
            return
        self._merged = scene.merged
        self._show_scene(scene, summary(scene.merged))
        self.limits.say((*comparison.limits, *not_compared(comparison, scene.merged)))

    def _fail(self, error: FormatError) -> None:
        self.say_empty(tr("The accesses cannot be laid out: {error}", error=error.text))

    def _take(self, scene: AccessScene) -> None:
        section = self._section
        if section is None or scene.section is not section:
            return
        shown, total = len(scene.bars.records.row), len(section.record)
        self._show_scene(
            scene,
            plural(
                "{count:,} access",
                "{count:,} accesses",
                count=shown,
            )
            if shown == total
            else plural(
                "{shown:,} of {count:,} access",
                "{shown:,} of {count:,} accesses",
                count=total,
                shown=shown,
            ),
        )

    def _show_scene(self, scene: AccessScene, count: str) -> None:
        self._scene = scene
        self.canvas.set_scene(scene)
        self.count.say(count, muted=True)
        self.twin.renew()
        self.follow()

    def _table(self, profile: Profile) -> Table | None:
        """The visible accesses; with a baseline all, since what is matched depends on all."""
        if self._both:
            return accesses_table(profile)
        return None if self._scene is None else _table(profile, self._scene)

    def _marked(self) -> I64:
        marked = self.canvas.marks.selected
        if not self._both or self._scene is None:
            return marked
        rows = self._scene.rows[marked]
        return np.sort(rows[rows >= 0])

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self.canvas.mark(self._places(selection).tolist(), reveal=reveal)

    def show_hover(self, hover: Selection | None) -> None:
        places = self._places(hover) if hover is not None and hover.kind == "access" else NONE
        self.canvas.hover(int(places[0]) if len(places) else -1)

    def _places(self, selection: Selection | None) -> I64:
        """Indices of the selected accesses among the visible records."""
        rows = self.shared.items(selection, "access")
        if self._scene is None or not len(rows):
            return NONE
        return np.flatnonzero(np.isin(self._scene.rows, rows)).astype(np.int64)

    def _choose(self, places: I64, adding: bool) -> None:
        row = -1 if self._scene is None else int(self._scene.rows[places[0]])
        if row >= 0:  # not one that only the baseline has
            self.shared.toggle("access", row, adding=adding)

    def _point(self, place: int) -> None:
        self.shared.point("access", int(self._scene.rows[place]) if self._scene is not None and place >= 0 else -1)


def scene_of(section: MemoryAccesses, wanted: Filter, *, compact: bool) -> AccessScene:
    """The scene of the accesses that pass a filter."""
    made = Bars(records(section, wanted, compact=compact))
    where = "" if wanted.space is None else tr(" to {space_name}", space_name=space_name(wanted.space))
    present = int(np.bitwise_or.reduce(kinds_of(section.operation), initial=0))
    return AccessScene(
        section, made, wanted, present, compact, tr("Memory accesses{where}: address over record number", where=where)
    )


def prepared(section: MemoryAccesses, wanted: Filter, compact: bool) -> AccessScene:
    """The same scene with everything precomputed that the first frames need."""
    scene = scene_of(section, wanted, compact=compact)
    scene.bars.prepare()
    return scene


def _table(profile: Profile, scene: AccessScene) -> Table | None:
    made = accesses_table(profile)
    rows = scene.bars.records.row
    if made is None or len(rows) == made.rows:
        return made
    return subset(made, rows, FILTERED)
