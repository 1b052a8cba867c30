"""The source panel: two tables that select one another through the shared selection."""

from __future__ import annotations

from collections import Counter

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from app.analysis.ascend.cores import core_in, core_names
from app.analysis.ascend.registers import state_column
from app.analysis.ascend.typed_columns import key_of
from app.analysis.links import translate
from app.analysis.source_view import SourceView, instruction_view, source_paths, source_view
from app.document.document import Update
from app.panels.source.drawn import reasons, register_cells, stall_cells
from app.panels.source.registers import RegisterLines
from app.panels.source.stalls import StallCell
from app.panels.source.words import about_instruction, about_lines
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.abilities import ShowsLine
from app.widgets.chooser import Chooser
from app.widgets.code.colouring import Colouring
from app.widgets.code.table import CodeDelegate, CodeModel
from app.widgets.context import Context
from app.widgets.empty import OrEmpty
from app.widgets.readout import Readout
from app.widgets.refresh import Refresh
from app.widgets.swatches import Swatches
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tips import set_tip

SOURCE = "source"
RIGHT = "source/instructions"
EMPTY = "This file holds neither source nor instructions; a kernel built with debug lines (-g) has them."
NO_INSTRUCTIONS = (
    "This file has no instruction table (block 0x04): simulator runs write it, device runs only when source or PC "
    "sampling is collected."
)
NO_SOURCE = "This file names no source: Triton kernels need TRITON_DISABLE_LINE_INFO=false, others -g."
LETTERS = 14
HINT = "Select a line to see its instructions, or an instruction to see its line."


class SourcePanel(QWidget, ShowsLine):
    """Choosers of the source and of the core above, the two tables below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._view: SourceView | None = None
        self._count = 0
        self._wanted = ("", 0)
        self._shown: tuple[Profile, str, str] | None = None
        self.files = Chooser("Source file", self, LETTERS)
        self.cores = Chooser("Core", self, LETTERS)
        self.only = QCheckBox("Only related instructions", self)
        self.only.setToolTip("Leave only the instructions of the selected lines")
        self.left = TableWidget(context.display, self, CodeModel, CodeDelegate)
        self.right = TableWidget(context.display, self)
        self.readout = Readout(context.display, self)
        self.reasons = Swatches(context.display, self)
        self._registers = RegisterLines(self)
        self._stalls: dict[int, StallCell] = {}
        self._found: tuple[Profile, tuple[int, ...], I64] | None = None
        self._links = LinkedTable(context, self.left, SOURCE), LinkedTable(context, self.right, RIGHT)
        self._build()
        self._connect()
        self._refresh.request()

    def _build(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 4, 8, 4)
        bar.addWidget(self.files, 2)
        bar.addWidget(self.cores, 1)
        bar.addWidget(self.only)
        bar.addWidget(self.readout, 2)
        self.sides = OrEmpty(self._context.display, self.left, self), OrEmpty(self._context.display, self.right, self)
        splitter = QSplitter(Qt.Orientation.Horizontal, self)
        for side in self.sides:
            splitter.addWidget(side)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([550, 450])
        content = QWidget(self)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(bar)
        inside.addWidget(splitter, 1)
        inside.addWidget(self.reasons)
        self.stack = OrEmpty(self._context.display, content, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        self.setFocusProxy(self.left)

    def _connect(self) -> None:
        document = self._context.document
        self._refresh = Refresh(self, self._show)
        document.updated.connect(self._updated)
        document.selection.changed.connect(self._selected)
        self.files.currentIndexChanged.connect(self._draw)
        self.cores.currentIndexChanged.connect(self._draw)
        self.only.toggled.connect(self._limit)
        self._colouring.grown.connect(self.left.view.viewport().update)
        self._registers.ready.connect(self._draw_cells)
        self._context.display.changed.connect(self._name_reasons)

    @property
    def _colouring(self) -> Colouring:
        model = self.left.view.items
        assert isinstance(model, CodeModel)
        return model.colouring

    @property
    def _path(self) -> str:
        """The source that is chosen; "" none."""
        return str(self.files.currentData() or "")

    @property
    def _core(self) -> str:
        """The core that is chosen; "" none."""
        return str(self.cores.currentData() or "")

    def show_line(self, text: str, line: int) -> None:
        """Turns to a source by its path and chooses a line of it, now or when it has arrived."""
        self._wanted = text, line
        if self._shown is not None and not self._refresh.due:
            self._go()

    # -- contents -----------------------------------------------------------------------------------------

    def _updated(self, update: Update) -> None:
        if update.profile is None or update.touches("sources", "lines", "instructions", "target"):
            self._refresh.request()

    def _show(self) -> None:
        profile = self._context.document.profile
        self._shown = None
        filled = profile is not None and (profile.sources or profile.lines or profile.instructions)
        if profile is None or not filled:
            self.stack.show_empty(EMPTY)
            return
        self.stack.show_content()
        paths, cores = source_paths(profile), list(core_names(profile))
        short = [path.replace("\\", "/").rsplit("/", 1)[-1] for path in paths]
        uses = Counter(short)
        shown = [name if uses[name] == 1 else path for name, path in zip(short, paths, strict=True)]
        _fill(self.files, shown, paths)
        _fill(self.cores, cores, cores)
        self.files.setVisible(bool(paths))
        self.cores.setVisible(len(cores) > 1)
        self._draw()
        self._go()

    def _go(self) -> None:
        """To the line that was asked for."""
        (path, line), self._wanted = self._wanted, ("", 0)
        place = self.files.findData(path)
        if not line or place < 0:
            return
        self.files.setCurrentIndex(place)
        if self._view is not None:
            numbers = self._view.table.columns[0].values
            rows = np.flatnonzero(numbers == line).tolist() if isinstance(numbers, np.ndarray) else []
            if rows:
                self.left.choose_row(rows[0])

    def _draw(self) -> None:
        profile = self._context.document.profile
        if profile is None:
            return
        path, core = self._path, self._core
        before, self._shown = self._shown, (profile, path, core)
        if before == self._shown:
            return
        set_tip(self.files, path)
        self._draw_source(profile, path, core, new_text=before is None or before[:2] != (profile, path))
        self._draw_instructions(profile, core)
        self._draw_cells()
        self._selected(self._context.document.selection.value)

    def _draw_source(self, profile: Profile, path: str, core: str, *, new_text: bool) -> None:
        if not path:
            self.sides[0].show_empty(NO_SOURCE)
            return
        self.sides[0].show_content()
        self._view = source_view(profile, path, core)
        self.left.view.cell_delegate.bars = self._view.bars
        self._links[0].show(self._view.table)
        if new_text:
            self._colouring.start(self._view.text, path)
            if not len(self.left.selected_rows()) and self._view.hottest >= 0:
                self.left.view.show_row(self._view.hottest)

    def _draw_instructions(self, profile: Profile, core: str) -> None:
        found = instruction_view(profile, core)
        self._count = found[0].rows if found is not None else 0
        self.only.setEnabled(found is not None)
        if found is None:
            self.sides[1].show_empty(NO_INSTRUCTIONS)
            return
        self.sides[1].show_content()
        table, self.right.view.cell_delegate.bars = found
        self._links[1].show(table)

    def _draw_cells(self) -> None:
        """What is no plain text or bar: stall reasons, life lines of registers."""
        profile, core = self._context.document.profile, self._core
        if profile is None:
            return
        left, right = self.left.view, self.right.view
        place = core_in(core_names(profile), core)
        self._stalls = {}
        if profile.lines is not None and self._view is not None:
            rows, font = self._view.table.keys, left.cell_delegate.number_font
            self._stalls = stall_cells(self._view.table, profile.lines.columns, place, font, rows)
        left.draw_cells(self._stalls)
        found = profile.instructions
        if found is not None and self._count:
            table, font = right.items.table, right.cell_delegate.number_font
            stalls, states = stall_cells(table, found.columns, place, font), state_column(found)
            cells = (
                {}
                if states is None
                else register_cells(table, key_of(states.name), self._registers.cell(found, place, right.font()))
            )
            right.draw_cells({**stalls, **cells})
            self._stalls = {**self._stalls, **{-1 - at: cell for at, cell in stalls.items()}}
        self._name_reasons()

    def _name_reasons(self) -> None:
        self.reasons.show_entries("Stall reasons", reasons(self._stalls, self._context.display.theme))

    # -- selection ----------------------------------------------------------------------------------------

    def _selected(self, selection: Selection | None) -> None:
        self._follow(selection)
        self._limit()
        self._say(selection)

    def _follow(self, selection: Selection | None) -> None:
        """Turns to the source of what is selected elsewhere, where it is not the one that is shown."""
        profile = self._context.document.profile
        if profile is None or profile.lines is None or selection is None or selection.source == SOURCE:
            return
        lines = translate(profile, selection, "line")
        keys = None if self._view is None else self._view.table.keys
        if not len(lines) or keys is None or np.isin(keys, lines).any():
            return
        path = profile.lines.paths.get(int(profile.lines.file[int(lines[0])]))
        place = self.files.findData(path)
        if place >= 0:
            self.files.setCurrentIndex(place)

    def _limit(self) -> None:
        profile, rows = self._context.document.profile, self._related()
        if profile is None or not self._count or not self.only.isChecked() or rows is None:
            self.right.limit(None)
            return
        keep = np.zeros(self._count, np.bool_)
        keep[rows] = True
        self.right.limit(keep, "Only the instructions of the selected lines are shown.")
        self.right.view.mark(rows)

    def _related(self) -> I64 | None:
        """Instructions of the selected lines; None while no line is selected."""
        profile, selection = self._context.document.profile, self._context.document.selection.value
        if profile is None or selection is None or selection.kind != "line":
            return None
        kept = self._found
        if kept is None or kept[0] is not profile or kept[1] != selection.indices:
            kept = self._found = profile, selection.indices, translate(profile, selection, "instruction")
        return kept[2]

    def _say(self, selection: Selection | None) -> None:
        profile, rows = self._context.document.profile, self._related()
        if profile is None or selection is None:
            self.readout.say(HINT, muted=True)
        elif rows is not None:
            self.readout.say(about_lines(profile, selection, len(rows)))
        else:
            said = about_instruction(profile, selection)
            self.readout.say(said or HINT, muted=not said)


def _fill(box: Chooser, texts: list[str], values: list[str]) -> None:
    """Other entries; the chosen one stays where it is still there."""
    wanted = box.currentData()
    box.offer(texts, values, values.index(str(wanted)) if wanted in values else 0)
