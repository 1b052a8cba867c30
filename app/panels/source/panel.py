"""The source panel: two tables linked through the shared selection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
from PySide6.QtWidgets import QPushButton

from app.analysis.ascend.cores import core_in, core_names
from app.analysis.ascend.registers import state_column
from app.analysis.ascend.typed_columns import key_of
from app.analysis.source_view import SourceView, has_text, instruction_view, source_paths, source_view
from app.language import tr
from app.panels.panel import Panel
from app.panels.source import SPEC
from app.panels.source.drawn import reasons, register_cells, stall_cells
from app.panels.source.opening import SourceOpener
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
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.frame import bar_of, check_of, split_of
from app.widgets.readout import Readout
from app.widgets.swatches import Swatches
from app.widgets.table.linked import LinkedTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip

RIGHT = "source/instructions"
NO_INSTRUCTIONS = tr(
    "This file has no instruction table (block 0x04): simulator runs write it, device runs only when source "
    "or PC sampling is collected."
)
NO_SOURCE = tr("This file names no source: Triton kernels need TRITON_DISABLE_LINE_INFO=false, others -g.")
NO_INSTRUCTIONS_IN_REPORT = tr(
    "This report has no instruction table: the simulator writes one for each core (*_instr_exe*.csv), and "
    "visualize_data.bin can hold one."
)
NO_SOURCE_IN_REPORT = tr(
    "This report names no source: the simulator writes *_code_exe*.csv for kernels built with debug lines (-g)."
)
LETTERS = 14
HINT = tr("Select a line to see its instructions, or an instruction to see its line.")


class SourcePanel(Panel, ShowsLine):
    """Choosers of source and core above, the two tables below."""

    spec = SPEC
    empty = tr("This file holds neither source nor instructions; a kernel built with debug lines (-g) has them.")

    def build(self) -> None:
        context, display = self.context, self.context.display
        self._view: SourceView | None = None
        self._count = 0
        self._wanted = ("", 0)
        self._shown: tuple[Profile, str, str] | None = None
        self.files = Chooser(tr("Source file"), self, LETTERS)
        self.cores = Chooser(tr("Core"), self, LETTERS)
        self.open = QPushButton(tr("Open source file…"), self)
        self.open.setToolTip(
            tr("The profile does not hold this text: choose where the file is. Nothing is read unasked.")
        )
        self.opener = SourceOpener(context.document, self)
        self.only = check_of(tr("Only related instructions"), tr("Leave only the instructions of the selected lines"))
        self.left = TableWidget(display, self, CodeModel, CodeDelegate)
        self.right = TableWidget(display, self)
        self.readout = Readout(display, self)
        self.reasons = Swatches(display, self)
        self._registers = RegisterLines(self)
        self._stalls: dict[int, StallCell] = {}
        self._related_cache: tuple[Profile, tuple[int, ...], I64] | None = None
        self._links = LinkedTable(context, self.left, self.spec.id), LinkedTable(context, self.right, RIGHT)
        self.sides = OrEmpty(display, self.left, self), OrEmpty(display, self.right, self)
        bar = bar_of((self.files, 2), self.open, (self.cores, 1), self.only, (self.readout, 2))
        halves = split_of((self.sides[0], 550), (self.sides[1], 450))
        self.lay_out(bar, (halves, 1), self.reasons, home=self.left)
        self._connect()

    def _connect(self) -> None:
        self.files.currentIndexChanged.connect(self._draw)
        self.cores.currentIndexChanged.connect(self._draw)
        self.only.toggled.connect(self._limit)
        self.open.clicked.connect(lambda: self.opener.ask(self._path))
        self.opener.opened.connect(self.refill)
        self._colouring.grown.connect(self.left.view.viewport().update)
        self._registers.ready.connect(self._draw_cells)

    def show_look(self, _: Look) -> None:
        self._name_reasons()

    def tabular(self) -> Tabular:
        return self.left

    @property
    def _colouring(self) -> Colouring:
        model = self.left.view.items
        assert isinstance(model, CodeModel)
        return model.colouring

    @property
    def _path(self) -> str:
        """Path of the chosen source; "" for none."""
        return str(self.files.currentData() or "")

    @property
    def _core(self) -> str:
        """Name of the chosen core; "" for none."""
        return str(self.cores.currentData() or "")

    def show_line(self, text: str, line: int) -> None:
        """Shows a source by its path and selects a line of it, now or as soon as it has been read."""
        self._wanted = text, line
        if self._shown is not None and not self.refill_due:
            self._go()

    # -- contents -----------------------------------------------------------------------------------------

    def why_empty(self, profile: Profile | None) -> str:
        filled = profile is not None and (profile.sources or profile.lines or profile.instructions)
        return "" if filled else self.empty

    def clear(self) -> None:
        self._shown = None

    def fill(self, profile: Profile) -> Iterator[None]:
        """Fills one table in each piece."""
        self._shown = None
        paths, cores = source_paths(profile), list(core_names(profile))
        short = [path.replace("\\", "/").rsplit("/", 1)[-1] for path in paths]
        uses = Counter(short)
        shown = [name if uses[name] == 1 else path for name, path in zip(short, paths, strict=True)]
        _fill(self.files, shown, paths)
        _fill(self.cores, cores, cores)
        self.files.setVisible(bool(paths))
        self.cores.setVisible(len(cores) > 1)
        yield
        yield from self._draw_pieces()
        self._go()

    def _go(self) -> None:
        """Shows the requested line."""
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
        for _ in self._draw_pieces():
            pass

    def _draw_pieces(self) -> Iterator[None]:
        """Draws the chosen source and core; gives up if another one is chosen between two pieces."""
        profile = self.profile
        if profile is None:
            return
        path, core = self._path, self._core
        before, self._shown = self._shown, (profile, path, core)
        if before == self._shown:
            return
        set_tip(self.files, path)
        self.open.setVisible(bool(path) and not has_text(profile, path))
        self._draw_source(profile, path, core, new_text=before is None or before[:2] != (profile, path))
        self._draw_line_cells(profile, core)
        yield
        if self._shown != (profile, path, core):
            return
        self._draw_instructions(profile, core)
        self._draw_instruction_cells(profile, core)
        self._name_reasons()
        self.follow()

    def _draw_source(self, profile: Profile, path: str, core: str, *, new_text: bool) -> None:
        if not path:
            self.sides[0].show_empty(NO_SOURCE if profile.entries is None else NO_SOURCE_IN_REPORT)
            return
        self.sides[0].show_content()
        opened = self.context.document.source_files.opened(self.context.document.current_id, path)
        text, place = (opened.text, str(opened.file)) if opened is not None else ("", "")
        self._view = source_view(profile, path, core, text, place)
        self.left.view.cell_delegate.bars = self._view.bars
        self._links[0].show(self._view.table)
        if new_text:
            self._colouring.start(self._view.text, path)
            if not len(self.left.selected_rows()) and self._view.hottest >= 0:
                self.left.view.show_row(self._view.hottest)

    def _draw_instructions(self, profile: Profile, core: str) -> None:
        view = instruction_view(profile, core)
        self._count = view[0].rows if view is not None else 0
        self.only.setEnabled(view is not None)
        if view is None:
            self.sides[1].show_empty(NO_INSTRUCTIONS if profile.entries is None else NO_INSTRUCTIONS_IN_REPORT)
            return
        self.sides[1].show_content()
        table, self.right.view.cell_delegate.bars = view
        self._links[1].show(table)

    def _draw_cells(self) -> None:
        """Sets up cells other than plain text and bars: stall reasons, life lines of registers."""
        profile, core = self.profile, self._core
        if profile is not None:
            self._draw_line_cells(profile, core)
            self._draw_instruction_cells(profile, core)
            self._name_reasons()

    def _draw_line_cells(self, profile: Profile, core: str) -> None:
        left, place = self.left.view, core_in(core_names(profile), core)
        self._stalls = {}
        if profile.lines is not None and self._view is not None:
            rows, font = self._view.table.keys, left.cell_delegate.number_font
            self._stalls = stall_cells(self._view.table, profile.lines.columns, place, font, rows)
        left.draw_cells(self._stalls)

    def _draw_instruction_cells(self, profile: Profile, core: str) -> None:
        right, place = self.right.view, core_in(core_names(profile), core)
        instructions = profile.instructions
        if instructions is not None and self._count:
            table, font = right.items.table, right.cell_delegate.number_font
            stalls, states = stall_cells(table, instructions.columns, place, font), state_column(instructions)
            cells = (
                {}
                if states is None
                else register_cells(table, key_of(states.name), self._registers.cell(instructions, place, right.font()))
            )
            right.draw_cells({**stalls, **cells})
            self._stalls = {**self._stalls, **{-1 - at: cell for at, cell in stalls.items()}}

    def _name_reasons(self) -> None:
        self.reasons.show_entries(tr("Stall reasons"), reasons(self._stalls, self.context.display.theme))

    # -- selection ----------------------------------------------------------------------------------------

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        if selection is not None and reveal:
            self._turn_to(selection)
        self._limit()
        self._say(selection)

    def _turn_to(self, selection: Selection) -> None:
        """Shows the source of a selection made elsewhere, unless it is already shown."""
        profile = self.profile
        if profile is None or profile.lines is None:
            return
        lines = self.shared.items(selection, "line")
        keys = None if self._view is None else self._view.table.keys
        if not len(lines) or keys is None or np.isin(keys, lines).any():
            return
        path = profile.lines.paths.get(int(profile.lines.file[int(lines[0])]))
        place = self.files.findData(path)
        if place >= 0:
            self.files.setCurrentIndex(place)

    def _limit(self) -> None:
        profile, rows = self.profile, self._related()
        if profile is None or not self._count or not self.only.isChecked() or rows is None:
            self.right.limit(None)
            return
        keep = np.zeros(self._count, np.bool_)
        keep[rows] = True
        self.right.limit(keep, tr("Only the instructions of the selected lines are shown."))
        self.right.view.mark(rows)

    def _related(self) -> I64 | None:
        """Instructions of the selected lines; None if no line is selected."""
        profile, selection = self.profile, self.shared.selection
        if profile is None or selection is None or selection.kind != "line":
            return None
        cached = self._related_cache
        if cached is None or cached[0] is not profile or cached[1] != selection.indices:
            cached = self._related_cache = profile, selection.indices, self.shared.items(selection, "instruction")
        return cached[2]

    def _say(self, selection: Selection | None) -> None:
        profile, rows = self.profile, self._related()
        if profile is None or selection is None:
            self.readout.say(HINT, muted=True)
        elif rows is not None:
            self.readout.say(about_lines(profile, selection, len(rows)))
        else:
            text = about_instruction(profile, selection)
            self.readout.say(text or HINT, muted=not text)


def _fill(box: Chooser, texts: list[str], values: list[str]) -> None:
    """Replaces the entries of ``box``; the chosen one stays if it is still there."""
    wanted = box.currentData()
    box.offer(texts, values, values.index(str(wanted)) if wanted in values else 0)
