"""The memory accesses panel, and its filters: core, core type, address space, and kinds of operations."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.analysis.compare.operators import MergedAccesses, accesses_not_compared, joined_accesses, merged_accesses
from app.analysis.table import Table, subset
from app.analysis.tables.ascend_load import memory_accesses as accesses_table
from app.formats.errors import FormatError
from app.language import plural, tr
from app.panels.chart_panel import CanvasPanel
from app.panels.memory_accesses.picture import AccessScene, has_accesses, scene_of, summary
from app.panels.panel import NO_ROWS
from app.panels.registry import SPECS
from app.profile.arrays import I64, distinct
from app.profile.ascend import MemoryAccesses
from app.profile.profile import Profile
from app.store.token import Token
from app.views.memory_accesses.records import ALL, Filter, block_type_name, commonest, space_name
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.frame import check_of
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.texts import Readout

FILTERED = tr("Only the accesses that match the filters above.")
SMALL = 5_000
"""Scenes of more accesses than this are made in the background."""


class MemoryAccessesPanel(CanvasPanel):
    """Filters above; bars over record numbers, or the table, below."""

    spec = SPECS["memory_accesses"]
    empty = tr("The memory access block of the file is empty.")
    as_left = True
    kind = "access"

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
        self.add_twin(self.canvas, tip)
        inside = self.filters, self.compact, self.as_table, (self.table.bar, 3), (self.count, 1)
        controls = Controls(self, *inside, folds=(self.count, self.compact, self.as_table))
        self.lay_out((self.twin, 1), home=self.canvas, controls=controls)
        self.filters.changed.connect(self._draw)
        self.compact.toggled.connect(self._draw)
        self.twin.turned.connect(self.compact.setDisabled)
        self.link_canvas()
        self.canvas.legend_clicked.connect(self.filters.toggle)

    def has_data(self, profile: Profile) -> bool:
        return has_accesses(profile)

    def clear(self) -> None:
        self._scene = self._merged = None
        self._background.cancel()
        self.canvas.set_scene(None)

    def fill(self, profile: Profile) -> None:
        section = profile.memory_accesses
        assert section is not None
        if self._scene is not None and self._scene.section is not section:
            self._scene = None
            self.canvas.set_scene(None)
        comparison = self.comparison
        self._both = comparison is not None
        if self._merged is not None and self._merged.comparison is not comparison:
            self._merged = None
        if comparison is None:
            self.say_limits()
            self.filters.offer(section)
        else:
            self.filters.offer(joined_accesses(comparison.before.memory_accesses, section))
        self._draw()

    @property
    def _section(self) -> MemoryAccesses | None:
        return None if self.profile is None else self.profile.memory_accesses

    def _draw(self) -> None:
        """Draws the accesses; those of both as soon as they are matched."""
        section = self._section
        if section is None:
            return
        comparison, now = self.comparison, len(section.record) <= SMALL
        if comparison is not None:
            now = False
            self.count.say(tr("Comparing…"), muted=True)
        elif not now:
            count = len(section.record)
            text = plural("Laying out {count:,} access…", "Laying out {count:,} accesses…", count=count)
            self.count.say(text, muted=True)
        wanted, compact, merged = self.filters.wanted, self.compact.isChecked(), self._merged

        def scene(token: Token) -> AccessScene | None:
            both = None
            if comparison is not None:
                both = merged_accesses(comparison, token.check) if merged is None else merged
                if both is None:
                    return None
            made = scene_of(section, wanted, compact=compact, merged=both)
            if not now:
                made.bars.prepare()  # what the first frames need
            return made

        self.compute(scene, self._take, self._fail, now=now)

    def _fail(self, error: FormatError) -> None:
        self.say_empty(tr("The accesses cannot be laid out: {error}", error=error.text))

    def _take(self, scene: AccessScene | None) -> None:
        if scene is None or scene.section is not self._section:
            return
        comparison, merged = self.comparison, scene.merged
        if comparison is not (None if merged is None else merged.comparison):
            return
        self._scene, self._merged = scene, merged
        self.canvas.set_scene(scene)
        self.count.say(summary(scene), muted=True)
        self.twin.renew()
        self.follow()
        self.say_limits(*(() if comparison is None or merged is None else accesses_not_compared(comparison, merged)))

    def table_of(self, profile: Profile) -> Table | None:
        """The visible accesses; with a baseline all, since what is matched depends on all."""
        table, scene = accesses_table(profile), self._scene
        if self._both:
            return table
        if table is None or scene is None:
            return None
        rows = scene.bars.records.row
        return table if len(rows) == table.rows else subset(table, rows, FILTERED)

    def marked_rows(self) -> I64:
        marked = self.canvas.marks.selected
        if not self._both or self._scene is None:
            return marked
        rows = self._scene.rows[marked]
        return np.sort(rows[rows >= 0])

    # -- selection ----------------------------------------------------------------------------------------

    @property
    def items(self) -> I64:
        return NO_ROWS if self._scene is None else self._scene.rows


class FilterBar(QWidget):
    """Filter controls; those with a single choice are hidden. Signal ``changed``: the filter is another one."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds = ALL
        self.core = Chooser(tr("Core"), self)
        self.block_type = Chooser(tr("Core type"), self)
        self.space = Chooser(tr("Address space"), self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for combo in (self.core, self.block_type, self.space):
            layout.addWidget(combo)
            combo.currentIndexChanged.connect(self.changed)

    @property
    def wanted(self) -> Filter:
        """The current filter."""
        core, block_type, space = (combo.number for combo in (self.core, self.block_type, self.space))
        return Filter(core, block_type, space, self._kinds)

    def offer(self, section: MemoryAccesses) -> None:
        """Fills the choosers from a section. The memory with the most accesses is preselected, because addresses of two
        memories are unrelated."""
        self._kinds = ALL
        spaces = distinct(section.space).tolist()
        _fill(
            self.core,
            tr("All cores"),
            [(tr("Core {core}", core=core), core) for core in distinct(section.core).tolist()],
        )
        types = [(block_type_name(kind), kind) for kind in distinct(section.block_type).tolist()]
        _fill(self.block_type, tr("All core types"), types)
        _fill(self.space, tr("All spaces"), [(space_name(space), space) for space in spaces])
        first = commonest(section.space, set(spaces))
        if first is not None:
            self.space.blockSignals(True)
            self.space.setCurrentIndex(self.space.findData(first))
            self.space.blockSignals(False)

    def toggle(self, kind: int) -> None:
        """Hides or shows loads, stores or other operations; at least one kind stays visible."""
        self._kinds = self._kinds ^ kind or ALL
        self.changed.emit()


def _fill(combo: Chooser, all_: str, values: list[tuple[str, int]]) -> None:
    """Fills a chooser with ``all_`` and the values, and keeps the previous choice; hides it if there is nothing to
    choose."""
    before = combo.currentData()
    numbers = [None, *(value for _, value in values)]
    combo.offer([all_, *(text for text, _ in values)], numbers, numbers.index(before) if before in numbers else 0)
    combo.setVisible(len(values) > 1)
