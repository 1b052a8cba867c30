"""Filters for accesses: core, core type, address space, and kinds of operations."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.language import tr
from app.profile.arrays import distinct
from app.profile.ascend import MemoryAccesses
from app.views.memory_accesses.records import ALL, Filter, block_type_name, commonest, space_name
from app.widgets.chooser import Chooser


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
