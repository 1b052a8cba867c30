"""The programs as they contain and call one another."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.analysis.links import translate
from app.analysis.poplar.program_figures import ProgramFigures, cheap, program_figures
from app.analysis.program_tree import programs, programs_table
from app.analysis.table import Table
from app.document.background import Background, Question
from app.document.document import Update
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.programs import Programs
from app.profile.selection import Selection
from app.widgets.context import Context
from app.widgets.refresh import Refresh
from app.widgets.tabular import Tabular
from app.widgets.tree.widget import TreeWidget

SOURCE = "tree"
FIGURES = ("compute_sets", "compute_set_bytes", "exchanges", "steps", "execution", "target")
"""Sections that figures of programs come from."""
EMPTY = "This file names no programs; a Poplar graph profile (graph.json) has them."


class ProgramTree(QWidget, Tabular):
    """Control programs and functions at the top, calls resolved. Choosing a row selects the program; what is
    selected elsewhere is marked in every place where it stands. Figures of many programs come a little later."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.tree = TreeWidget(context.display, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)
        self.setFocusProxy(self.tree)
        self._shown: Programs | None = None
        self._background = Background(self)
        self._refresh = Refresh(self, self._show)
        document = context.document
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        self.tree.view.chosen.connect(self._chosen)
        self.tree.view.pointed.connect(self._pointed)
        self.tree.found.connect(self._found)
        self._refresh.request()

    def shown_table(self) -> Table | None:
        return self.tree.shown_table()

    def shown_rows(self) -> I64 | None:
        return self.tree.shown_rows()

    def selected_rows(self) -> I64:
        return self.tree.selected_rows()

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("programs", *FIGURES):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        self._background.cancel()
        figures = _at_once(profile)
        if profile is None or profile.programs is None or profile.programs is not self._shown:
            self._shown = None if profile is None else profile.programs
            hierarchy = None if profile is None else programs(profile, figures or ProgramFigures())
            clock = None if profile is None or profile.target is None else profile.target.clock_hz
            self.tree.set_hierarchy(hierarchy, empty=EMPTY, clock_hz=clock, key=self._context.document.current_id)
            self._selected(self._context.document.selection.value, again=True)
        elif figures is not None:
            self._fill(profile, figures)
        if profile is not None and figures is None:
            self._ask(profile)

    def _ask(self, profile: Profile) -> None:
        """Works the figures out in the background."""
        take = partial(self._take, profile)
        self._background.ask(Question(lambda *_: program_figures(profile), take, lambda _: None))

    def _take(self, profile: Profile, figures: ProgramFigures | None) -> None:
        if profile.programs is self._shown and figures is not None:
            self._fill(profile, figures)

    def _fill(self, profile: Profile, figures: ProgramFigures) -> None:
        table = programs_table(profile, figures)
        if table is not None:
            clock = None if profile.target is None else profile.target.clock_hz
            self.tree.set_table(table, clock_hz=clock)

    def _selected(self, selection: Selection | None, *, again: bool = False) -> None:
        """``again``: it was selected before, and the tree comes back as it was left."""
        profile = self._context.document.profile
        if profile is None or selection is None:
            self.tree.view.mark(np.empty(0, np.int64))
        elif selection.source != SOURCE or again:
            items = translate(profile, selection, "program")
            if len(items) and not again:
                self.tree.view.reveal(int(items[0]))
            self.tree.view.mark(items)

    def _hovered(self, hover: Selection | None) -> None:
        own = hover is not None and hover.kind == "program" and hover.source != SOURCE
        self.tree.view.hover_item(hover.first if own and hover is not None else -1)

    def _chosen(self) -> None:
        items = self.tree.view.chosen_items()
        if len(items):
            self._context.document.selection.set(Selection("program", tuple(items.tolist()), SOURCE))
            self.tree.view.items.chosen = None

    def _found(self, item: int) -> None:
        self._context.document.selection.set(Selection("program", (item,), SOURCE))
        self.tree.view.mark(np.array([item], np.int64))

    def _pointed(self, item: int) -> None:
        self._context.document.hover.set(Selection("program", (item,), SOURCE) if item >= 0 else None)


def _at_once(profile: Profile | None) -> ProgramFigures | None:
    """The figures, unless they take longer than a frame."""
    return program_figures(profile) if profile is not None and cheap(profile) else None
