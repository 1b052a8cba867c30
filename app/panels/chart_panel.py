"""Panels of a picture and a table of the same figures.

They repeat one shape: controls choose what is drawn, it is drawn, a table shows the same, what is chosen or hovered in
the picture is so in all panels and the other way round, and a line above says what cannot be compared with a baseline.
A subclass says what is in the picture, and overrides the rest where it differs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np
from PySide6.QtWidgets import QLayout, QWidget

from app.analysis.table import Table
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.panels.panel import NO_ROWS, Panel
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.store.token import Token
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.remarks import Limits
from app.widgets.table.model import TableModel
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.twin import SAME, Twin

Result = TypeVar("Result")


class ChartPanel(Panel):
    """``build`` creates the picture, calls ``add_twin`` (picture or table, one at a time) or ``add_table`` (both are
    seen), and then ``lay_out``."""

    compares = True
    twin: Twin
    table: TableWidget
    _tabular: Tabular

    # -- parts --------------------------------------------------------------------------------------------

    def add_twin(self, picture: QWidget, tip: str = SAME, source: str = "") -> None:
        """Makes ``twin`` of ``picture`` and ``table``, and the check box ``as_table``. The table is that of
        ``table_of``, its selected rows those of ``marked_rows``."""
        self.twin = Twin(
            self.context, source or self.spec.id, picture, self.table_of, self.marked_rows, tip, compares=True
        )
        self.as_table, self.table = self.twin.box, self.twin.table
        self._tabular = self.twin

    def add_table(self, source: str = "", model: type[TableModel] = TableModel) -> None:
        """Makes ``table``, and ``profile_table``, which fills it."""
        self.table = TableWidget(self.context.display, self, model)
        self._tabular = self.table
        self.profile_table = ProfileTable(self.context, self.table, source or self.spec.id)

    def lay_out(
        self,
        *parts: QLayout | QWidget | tuple[QWidget, int],
        home: QWidget | None = None,
        controls: Controls | None = None,
    ) -> None:
        self.limits = Limits(self.context.display, self)
        self._background = Background(self)
        super().lay_out(self.limits, *parts, home=home, controls=controls)

    def tabular(self) -> Tabular | None:
        return self._tabular

    # -- contents -----------------------------------------------------------------------------------------

    def has_data(self, profile: Profile) -> bool:
        """Whether there is anything to draw; otherwise the panel shows ``empty``."""
        return self.spec.offered(profile)

    def why_empty(self, profile: Profile | None) -> str:
        return "" if profile is not None and self.has_data(profile) else self.empty

    def table_of(self, profile: Profile) -> Table | None:
        """The table beside the picture of a profile, which may be the baseline; may run in a thread."""
        raise NotImplementedError

    def marked_rows(self) -> I64:
        """Rows of ``table_of`` the current profile that are selected in the picture."""
        raise NotImplementedError

    def say_limits(self, *reasons: str) -> None:
        """Says what cannot be compared with the baseline, with further ``reasons``; nothing without a baseline."""
        comparison = self.comparison
        self.limits.say(() if comparison is None else (*comparison.limits, *reasons))

    def compute(
        self,
        work: Callable[[Token], Result],
        take: Callable[[Result], object],
        fail: Callable[[FormatError], object],
        *,
        now: bool,
    ) -> None:
        """Calls ``take`` with the result of ``work``: at once (``now``), or when a thread has it. What was being
        computed before is dropped."""
        self._background.cancel()
        if now:
            take(work(Token()))
        else:
            self._background.run(Task(lambda token, _: work(token), take, fail))


class CanvasPanel(ChartPanel):
    """A panel whose picture is a ``canvas``; its marks are items of ``kind``, and ``items`` says which. ``build`` calls
    ``link_canvas``."""

    kind: ClassVar[Kind]
    canvas: PlaneCanvas[Any]

    def link_canvas(self) -> None:
        """Connects what is chosen and hovered in the canvas with the shared selection."""
        self.canvas.chosen.connect(self.choose)
        self.canvas.pointed.connect(self.point)

    def picture(self) -> HasPicture | None:
        return self.canvas

    @property
    def items(self) -> I64:
        """int64: the item that each mark of the canvas is, -1 for one that other panels do not know."""
        return NO_ROWS

    def marks_of(self, selection: Selection | None) -> I64:
        """Indices of the marks that ``selection`` refers to."""
        return np.flatnonzero(among(self.items, self.shared.items(selection, self.kind))).astype(np.int64)

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        self.canvas.mark(self.marks_of(selection), reveal=reveal)

    def show_hover(self, hover: Selection | None) -> None:
        marks = self.marks_of(hover) if hover is not None and hover.kind == self.kind else NO_ROWS
        self.canvas.hover(int(marks[0]) if len(marks) else -1)

    def choose(self, marks: I64, adding: bool) -> None:
        """Selects the item of the first of ``marks``; ``adding``: beside those that are selected."""
        item = int(self.items[marks[0]])
        if item >= 0:
            self.shared.toggle(self.kind, item, adding=adding)

    def point(self, mark: int, _text: str = "") -> None:
        """Says which item is under the pointer."""
        self.shared.point(self.kind, int(self.items[mark]) if 0 <= mark < len(self.items) else -1)
