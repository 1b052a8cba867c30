"""The source panel: two tables linked through the shared selection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton

from app.analysis.ascend.cores import core_in, core_names
from app.analysis.ascend.typed_columns import key_of
from app.analysis.source_view import SourceView, has_text, instruction_view, source_paths, source_view
from app.analysis.table import Table
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.panels.source.differences import DifferencesBar
from app.panels.source.opening import SourceOpener
from app.panels.source.registers import RegisterLines, reasons, register_cells, stall_cells
from app.panels.source.stalls import StallCell
from app.profile.arrays import I64, among
from app.profile.ascend import state_column
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.views.source.words import about_instruction, about_lines
from app.views.texts import shown_line
from app.widgets.abilities import ShowsLine, StepsDifferences
from app.widgets.code.table import CodeDelegate, CodeModel
from app.widgets.controls import Controls
from app.widgets.empty import OrEmpty
from app.widgets.fields import Chooser
from app.widgets.frame import check_of, split_of
from app.widgets.remarks import Limits
from app.widgets.swatches import Swatches
from app.widgets.table.delegate import CellDrawing
from app.widgets.table.linked import LinkedTable
from app.widgets.table.model import SidedModel
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.sources import SourcePair
    from app.panels.source.comparing import SourceComparison

RIGHT = "source/instructions"
NO_INSTRUCTIONS = tr(
    "This file has no instruction table (block 0x04): simulator runs write it, device runs only when source "
    "or PC sampling is collected."
)
NO_SOURCE = tr("This file names no source: build Triton kernels with TRITON_DISABLE_LINE_INFO=false, others with -g.")
NO_INSTRUCTIONS_IN_REPORT = tr(
    "This report has no instruction table: the simulator writes one for each core "
    "(*_instr_exe*.csv), and visualize_data.bin can contain one."
)
NO_SOURCE_IN_REPORT = tr(
    "This report names no source: the simulator writes *_code_exe*.csv for kernels built with debug lines (-g)."
)
LETTERS = 14
WORTH_READING = 260
"""Width in pixels from which on what is said about the selection is worth its place."""


class SourcePanel(Panel, ShowsLine, StepsDifferences):
    """Choosers of source and core above, the two tables below: with a baseline, lines and instructions of both, with
    both costs."""

    spec = SPECS["source"]
    compares = True
    empty = tr("This file contains neither source nor instructions; a kernel built with debug lines (-g) has them.")

    def build(self) -> None:
        context, display = self.context, self.context.display
        self._view: SourceView | None = None
        self._count = 0
        self._wanted = ("", 0)
        self._shown: tuple[Profile, str, str] | None = None
        self._both: SourceComparison | None = None
        self._pairs: dict[str, SourcePair] = {}
        self.files = Chooser(tr("Source file"), self, LETTERS)
        self.cores = Chooser(tr("Core"), self, LETTERS)
        self.open = QPushButton(tr("Open source file…"), self)
        self.open.setToolTip(tr("The profile does not contain this text. Choose the file to read."))
        self.opener = SourceOpener(context.document, self)
        self.only = check_of(tr("Only related instructions"), tr("Show only the instructions of the selected lines"))
        self.left = TableWidget(display, self, CodeModel, CodeDelegate)
        self.right = TableWidget(display, self, SidedModel)
        for table, text in ((self.left, tr("Filter lines")), (self.right, tr("Filter instructions"))):
            table.field.setPlaceholderText(shown_line(text))
            table.field.setAccessibleName(shown_line(text))
        self.limits = Limits(display, self)
        self.differences = DifferencesBar(display, self)
        self.readout = Readout(display, self)
        self.readout.setMinimumWidth(WORTH_READING)
        self.reasons = Swatches(display, self)
        self._registers = RegisterLines(self)
        self._stalls: dict[int, StallCell] = {}
        self._related_cache: tuple[Profile, tuple[int, ...], I64] | None = None
        self._links = LinkedTable(context, self.left, self.spec.id), LinkedTable(context, self.right, RIGHT)
        self.sides = OrEmpty(display, self.left, self), OrEmpty(display, self.right, self)
        bars = (self.left.bar, 2), (self.right.bar, 2)
        inside = (self.files, 2), self.open, bars[0], self.cores, bars[1], self.only, (self.readout, 1)
        controls = Controls(self, *inside, folds=(self.readout, self.only, self.open))
        halves = split_of((self.sides[0], 550), (self.sides[1], 450))
        self.lay_out(self.limits, self.differences, (halves, 1), self.reasons, home=self.left, controls=controls)
        self._connect()

    def _connect(self) -> None:
        self.files.currentIndexChanged.connect(self._draw)
        self.cores.currentIndexChanged.connect(self._draw)
        self.only.toggled.connect(self._limit)
        self.open.clicked.connect(lambda: self.opener.ask(self._path))
        self.opener.opened.connect(self.refill)
        for colouring in (self._code.colouring, self._code.baseline):
            colouring.grown.connect(self.left.view.viewport().update)
        self.differences.stepped.connect(self.difference_step)
        self.differences.turned.connect(self._draw)
        self._registers.ready.connect(self._draw_cells)

    def show_look(self, _: Look) -> None:
        self._name_reasons()

    def tabular(self) -> Tabular:
        return self.left

    @property
    def _code(self) -> CodeModel:
        model = self.left.view.items
        assert isinstance(model, CodeModel)
        return model

    @property
    def _shows_both(self) -> bool:
        """Whether the rows are those of two profiles."""
        return self._both is not None and self._both.result is not None

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
        if (self._shown is not None or self._shows_both) and not self.refill_due:
            self._go()

    # -- contents -----------------------------------------------------------------------------------------

    def why_empty(self, profile: Profile | None) -> str:
        filled = profile is not None and (profile.sources or profile.lines or profile.instructions)
        return "" if filled else self.empty

    def clear(self) -> None:
        self._shown = self._related_cache = None
        if self._both is not None:
            self._both.forget()

    def fill(self, profile: Profile) -> Iterator[None]:
        """Fills one table in each piece."""
        self.clear()
        cores = list(core_names(profile))
        names, values = self._sources(profile)
        _fill(self.files, names, values)
        _fill(self.cores, cores, cores)
        self.files.setVisible(bool(values))
        self.cores.setVisible(len(cores) > 1)
        yield
        yield from self._draw_pieces()
        self._go()

    def _sources(self, profile: Profile) -> tuple[list[str], list[str]]:
        """Names of the sources to choose from, and what stands for each: its path."""
        comparison = self.comparison
        if comparison is None:
            paths = values = source_paths(profile)
        else:
            from app.analysis.compare.sources import source_pairs
            from app.panels.source.compared import title_of, value_of

            pairs = source_pairs(comparison.before, comparison.after)
            paths, values = [pair.shown for pair in pairs], [value_of(pair) for pair in pairs]
            self._pairs = dict(zip(values, pairs, strict=True))
        short = [path.replace("\\", "/").rsplit("/", 1)[-1] for path in paths]
        uses = Counter(short)
        names = [name if uses[name] == 1 else path for name, path in zip(short, paths, strict=True)]
        if comparison is not None:
            names = [title_of(self._pairs[value], name) for value, name in zip(values, names, strict=True)]
        return names, values

    def _go(self) -> None:
        """Shows the requested line, once it is there."""
        path, line = self._wanted
        place = self.files.findData(path)
        if line and place >= 0:
            self.files.setCurrentIndex(place)
        if self._both is not None and self._both.busy:
            return
        self._wanted = ("", 0)
        number = next((column for column in self.left.view.items.table.columns if column.key == "line"), None)
        if line and place >= 0 and number is not None and isinstance(number.values, np.ndarray):
            there = number.values == line if number.missing is None else (number.values == line) & ~number.missing
            for row in np.flatnonzero(there).tolist()[:1]:
                self.left.choose_row(row)

    def _draw(self) -> None:
        for _ in self._draw_pieces():
            pass

    def _draw_pieces(self) -> Iterator[None]:
        """Draws the chosen source and core; gives up if another one is chosen between two pieces."""
        profile, comparison = self.profile, self.comparison
        if profile is None:
            return
        if comparison is not None:
            self._compare(comparison)
            return
        self._end_comparison()
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
            self.sides[0].show_empty(self.lacks(NO_SOURCE if profile.entries is None else NO_SOURCE_IN_REPORT))
            return
        self.sides[0].show_content()
        opened = self.context.document.source_files.opened(self.context.document.current_id, path)
        text, place = (opened.text, str(opened.file)) if opened is not None else ("", "")
        self._view = source_view(profile, path, core, text, place)
        self.left.view.cell_delegate.bars = self._view.bars
        table = self._view.table
        self._links[0].show(replace(table, note=self.lacks(table.note)) if table.note else table)
        if new_text:
            self._code.colouring.start(self._view.text, path)
            if not len(self.left.selected_rows()) and self._view.hottest >= 0:
                self.left.view.show_row(self._view.hottest)

    def _draw_instructions(self, profile: Profile, core: str) -> None:
        view = instruction_view(profile, core)
        self._count = view[0].rows if view is not None else 0
        self.only.setEnabled(view is not None)
        if view is None:
            missing = NO_INSTRUCTIONS if profile.entries is None else NO_INSTRUCTIONS_IN_REPORT
            self.sides[1].show_empty(self.lacks(missing))
            return
        self.sides[1].show_content()
        table, self.right.view.cell_delegate.bars = view
        self._links[1].show(table)

    def _draw_cells(self) -> None:
        """Sets up cells other than plain text and bars: stall reasons, life lines of registers."""
        profile, core = self.profile, self._core
        if self._both is not None and self._shows_both:
            self._stalls = self._both.draw_cells()
        elif profile is not None and self.comparison is None:
            self._draw_line_cells(profile, core)
            self._draw_instruction_cells(profile, core)
        self._name_reasons()

    def _draw_line_cells(self, profile: Profile, core: str) -> None:
        left, place = self.left.view, core_in(core_names(profile), core)
        self._stalls = {}
        if profile.lines is not None and self._view is not None:
            rows, font = self._view.table.keys, left.cell_delegate.numbers.font
            self._stalls = stall_cells(self._view.table, profile.lines.columns, place, font, rows)
        left.draw_cells(self._stalls)

    def _draw_instruction_cells(self, profile: Profile, core: str) -> None:
        right, place = self.right.view, core_in(core_names(profile), core)
        instructions = profile.instructions
        if instructions is not None and self._count:
            table, font = right.items.table, right.cell_delegate.numbers.font
            stalls = stall_cells(table, instructions.columns, place, font)
            right.draw_cells({**stalls, **self._register_cells(profile, table)})
            self._stalls = {**self._stalls, **{-1 - at: cell for at, cell in stalls.items()}}

    def _register_cells(self, profile: Profile, table: Table) -> dict[int, CellDrawing]:
        """Cells of the life lines of registers, by row of the instructions."""
        instructions, place = profile.instructions, core_in(core_names(profile), self._core)
        states = None if instructions is None else state_column(instructions.columns)
        if instructions is None or states is None:
            return {}
        cell = self._registers.cell(instructions, place, self.right.view.font())
        return register_cells(table, key_of(states.name), cell)

    def _name_reasons(self) -> None:
        self.reasons.show_entries(tr("Stall reasons"), reasons(self._stalls, self.context.display.theme))

    # -- with a baseline ----------------------------------------------------------------------------------

    def _compare(self, comparison: Comparison) -> None:
        """Shows lines and instructions of both profiles as soon as they are matched."""
        from app.analysis.compare.sources import sources_not_compared
        from app.panels.source.compared import Request

        pair, core = self._pairs.get(self._path), self._core
        request = Request(comparison, pair, core, self.differences.largest_first, self._opened_texts(pair))
        if not self._comparing().compare(request):
            return
        self._view = self._shown = None
        path = "" if pair is None else pair.after
        set_tip(self.files, "" if pair is None else "\n".join(filter(None, (pair.after, pair.before))))
        self.open.setVisible(bool(path) and not has_text(comparison.after, path))
        self.limits.say((*comparison.limits, *sources_not_compared(comparison.before, comparison.after, core)))
        self.differences.say(tr("Comparing…"), steps=False)

    def _comparing(self) -> SourceComparison:
        """What shows two profiles; made for the first comparison."""
        if self._both is None:
            from app.panels.source.comparing import Halves, SourceComparison

            halves = Halves(self.left, self.right, self._links, self._register_cells)
            self._both = SourceComparison(halves, self)
            self._both.shown.connect(self._compared)
            self._both.failed.connect(lambda why: self.differences.say(why, steps=False))
        return self._both

    def _opened_texts(self, pair: SourcePair | None) -> tuple[tuple[str, str], tuple[str, str]]:
        """Text and place of each side's source, if the user opened it."""
        document = self.context.document
        entries = document.baselines.of(document.current_id), document.current_id
        paths = ("", "") if pair is None else (pair.before, pair.after)
        opened = [document.source_files.opened(*side) for side in zip(entries, paths, strict=True)]
        before, after = (("", "") if one is None else (one.text, str(one.file)) for one in opened)
        return before, after

    def _compared(self) -> None:
        """Completes what shows two profiles."""
        both = self._both
        if both is None or both.result is None or both.result.request.comparison is not self.comparison:
            return
        lines, listing = both.sides
        in_report = self.profile is not None and self.profile.entries is not None
        for side, rows, why in (
            (self.sides[0], lines, NO_SOURCE_IN_REPORT if in_report else NO_SOURCE),
            (self.sides[1], listing, NO_INSTRUCTIONS_IN_REPORT if in_report else NO_INSTRUCTIONS),
        ):
            if rows is None:
                side.show_empty(self.lacks(why))
            else:
                side.show_content()
        self._count = 0 if listing is None else listing.table.rows
        self.only.setEnabled(listing is not None)
        self._draw_cells()
        self.differences.say(both.summary(), steps=both.differs)
        self.follow()
        self._go()

    def _end_comparison(self) -> None:
        """Removes what only a comparison shows."""
        if self._both is not None and not self.differences.isHidden():
            self._both.end()
            self._pairs = {}
            self.differences.hide()
            self.limits.say(())

    @property
    def can_step_differences(self) -> bool:
        return self._both is not None and self._both.differs

    def difference_step(self, direction: int) -> None:
        if self._both is not None:
            self._both.step(direction)

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
        keys = self.left.view.items.table.keys if self._view is not None or self._shows_both else None
        if not len(lines) or keys is None or among(keys, lines).any():
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
        keys = self.right.view.items.table.keys
        keep = np.zeros(self._count, np.bool_)
        keep[rows if keys is None else among(keys, rows)] = True
        self.right.limit(keep, tr("Only the instructions of the selected lines are shown."))
        self.right.view.mark(np.flatnonzero(keep))

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
            self.readout.say("")
        elif rows is not None:
            self.readout.say(about_lines(profile, selection, len(rows)))
        else:
            self.readout.say(about_instruction(profile, selection))


def _fill(box: Chooser, texts: list[str], values: list[str]) -> None:
    """Replaces the entries of ``box``; the chosen one stays if it is still there."""
    wanted = box.currentData()
    box.offer(texts, values, values.index(str(wanted)) if wanted in values else 0)
