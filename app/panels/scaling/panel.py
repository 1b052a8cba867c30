"""The scaling panel: inputs at the left, results at the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QSize

from app.analysis.scaling.advice import Advice
from app.analysis.scaling.measure import Derived
from app.analysis.scaling.model import Model
from app.analysis.table import Table
from app.analysis.tables.scaling import advice_table, curve_table
from app.language import tr
from app.panels.panel import NO_ROWS, Panel
from app.panels.registry import SPECS
from app.panels.scaling.compare import Compare
from app.panels.scaling.form import FAMILY, Desk, Form
from app.panels.scaling.measured import Measured
from app.panels.scaling.pictures import Pictures
from app.panels.scaling.sliders import Sliders
from app.panels.scaling.work import Compared, Work
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.views.look import Look
from app.views.pages.document import Block
from app.views.pages.scaling import checklist_sections, figures_section
from app.views.scaling import charts
from app.views.scaling.described import bars_chart, curves_chart, summary
from app.views.scaling.study import NEEDED, Study, study
from app.widgets.abilities import HasPicture
from app.widgets.controls import Controls
from app.widgets.display import Display
from app.widgets.empty import OrEmpty
from app.widgets.frame import check_of, column_of, pages_of, split_of
from app.widgets.page import Page
from app.widgets.sheet import Sheet
from app.widgets.table.widget import TableWidget
from app.widgets.tabs import Tabs
from app.widgets.tabular import Tabular
from app.widgets.texts import Readout

MOST_SELECTED = 100_000
PAGES = (tr("Throughput"), tr("Time"), tr("Figures"), tr("Checklist"), tr("Measured"), tr("Two profiles"), tr("Table"))
THROUGHPUT, TIME, FIGURES, CHECKLIST, MEASURED, COMPARE, TABLE = range(len(PAGES))


class ScalingPanel(Panel):
    """Items of the charts are numbers of replicas, the same in all of them and in the table. With a baseline, inputs,
    curves and figures of both."""

    spec = SPECS["scaling"]
    patient = True
    compares = True

    def build(self) -> None:
        display = self.context.display
        self.study: Study | None = None
        self.before: Study | None = None
        self._stale: set[int] = set()
        self._replicas = 0
        self.desk = Desk(self.context.document, self.spec.id, self)
        self.work = Work(self)
        self.form, self.sliders = Form(display, self), Sliders(display, self)
        self.curves, self.bars = Pictures(display, 2, self), Pictures(display, 1, self)
        self.figures, self.checklist = Page(display, tr("Figures"), self), Page(display, tr("Checklist"), self)
        self.measured, self.compare = Measured(display, self), Compare(display, self)
        self.table = TableWidget(display, self)
        self.shares = check_of(tr("Shares"), tr("Each bar as 100 %"))
        self.readout = Readout(display, self)
        self.curves_page, self.bars_page = OrEmpty(display, self.curves, self), OrEmpty(display, self.bars, self)
        self.table_page = OrEmpty(display, self.table, self)
        self.side_tabs = Tabs(tr("Inputs or what if"), self, (tr("Inputs"), tr("What if")))
        self.side = pages_of(self, (self.form, self.sliders))
        self.tabs = Tabs(tr("Pages"), self, PAGES)
        reading = (self.figures, self.checklist, self.measured, self.compare)
        self.pages = pages_of(self, (self.curves_page, self.bars_page, *reading, self.table_page))
        split = split_of((self.side, 290), (column_of((self.pages, 1), self.readout), 710))
        split.setStretchFactor(1, 1)
        controls = Controls(self, self.side_tabs, self.tabs, self.shares, (self.table.bar, 1), 1, folds=(self.shares,))
        self.lay_out((split, 1), home=self.form, controls=controls)
        self._connect()
        self._turn()

    def _connect(self) -> None:
        desk = self.desk
        self.context.document.entries_changed.connect(self.refill)
        self.work.ready.connect(self.refill)
        desk.changed.connect(self._renew)
        self.form.typed.connect(desk.type_text)
        self.form.loop_chosen.connect(desk.choose_loop)
        self.form.steps_wanted.connect(self._select_steps)
        self.sliders.changed.connect(desk.change_what_if)
        self.measured.pasted.connect(desk.paste)
        self.compare.other_chosen.connect(desk.choose_other)
        self.compare.replicas_given.connect(desk.give_replicas)
        self.shares.toggled.connect(self._show_pictures)
        self.side_tabs.currentChanged.connect(self.side.setCurrentIndex)
        self.tabs.currentChanged.connect(self._turn)
        for pictures in (self.curves, self.bars):
            pictures.chosen.connect(self._chosen)
            pictures.pointed.connect(self._pointed)
        self.table.view.selectionModel().selectionChanged.connect(self._row_chosen)

    def sizeHint(self) -> QSize:
        return QSize(900, 420)

    # -- abilities ----------------------------------------------------------------------------------------

    def tabular(self) -> Tabular:
        return self

    def shown_table(self) -> Table | None:
        page, shown = self.pages.currentIndex(), self.study
        if page == COMPARE:
            return self.compare.shown_table()
        if shown is None:
            return None
        if page == CHECKLIST:
            return advice_table(list(shown.advice))
        return None if shown.model is None else self._curve_table(shown.model)

    def shown_rows(self) -> I64 | None:
        return self.table.shown_rows() if self.pages.currentIndex() == TABLE else None

    def selected_rows(self) -> I64:
        return self.table.selected_rows() if self.pages.currentIndex() == TABLE else NO_ROWS

    def picture(self) -> HasPicture:
        return self._seen

    # -- contents -----------------------------------------------------------------------------------------

    def show_look(self, _: Look) -> None:
        self.refill()

    def clear(self) -> None:
        """Shows results of typed inputs alone, as there is no profile."""
        self._renew()

    def fill(self, _: Profile) -> None:
        self._renew()

    def why_empty(self, _: Profile | None) -> str:
        return ""

    def _renew(self) -> None:
        typed, profile = self.desk.inputs, self.profile
        measured = self.work.measurement(profile, typed.loop)
        compared = self._compared()
        shown = study(profile, measured, typed, None if compared is None else compared.memory)
        if shown.error.startswith(NEEDED):
            shown = replace(shown, error=self.lacks(shown.error))
        self.study = shown
        self.before = self._of_baseline()
        self.form.show_loops(measured, typed.loop)
        self.form.show_study(shown, typed, self.before)
        self.sliders.show_study(shown, typed.what_if)
        due = sum(item.state == "due" for item in shown.advice)
        self.tabs.rename(CHECKLIST, f"{PAGES[CHECKLIST]} ({due})" if due else PAGES[CHECKLIST])
        self._stale = set(range(len(PAGES)))
        self._fill()
        self._say()

    def _of_baseline(self) -> Study | None:
        """The study of the baseline, with what was typed for it; None without one."""
        comparison = self.comparison
        if comparison is None or comparison.before.origin.format != FAMILY:
            self.work.baseline(None, None)
            return None
        typed = self.desk.baseline_inputs
        return study(comparison.before, self.work.baseline(comparison.before, typed.loop), typed)

    def _fill(self) -> None:
        """Updates the visible page; the others are updated when they are turned to."""
        page, shown = self.tabs.currentIndex(), self.study
        if shown is None or page not in self._stale:
            return
        self._stale.remove(page)
        if page in (THROUGHPUT, TIME):
            self._show_pictures()
        elif page == FIGURES:
            self._show_figures(shown)
        elif page == CHECKLIST:
            self.checklist.show_sheet(checklist_sheet(shown.advice, self.context.display))
        elif page == MEASURED:
            self.measured.set_text(self.desk.inputs.pasted)
            self.measured.show_study(shown)
        elif page == TABLE:
            self._show_or_say(self.table_page, shown.model is not None)
            if shown.model is not None:
                self.table.set_table(self._curve_table(shown.model))
        self._mark()

    def _curve_table(self, own: Model) -> Table:
        """The curve, or how it differs from the baseline's."""
        comparison, before = self.comparison, self.before
        if comparison is None or before is None or before.model is None:
            return curve_table(own)
        from app.analysis.compare.as_table import as_table  # only with a baseline

        after = curve_table(own)
        return as_table(comparison.compare(after.id, curve_table(before.model), after))

    def _show_figures(self, shown: Study) -> None:
        if shown.model is None:
            self.figures.show_empty(shown.error)
        else:
            self.figures.show_sheet(figures_sheet(shown, self.context.display, self.before))

    def _show_or_say(self, page: OrEmpty, there: bool) -> None:
        """Shows the page's content, or which input is missing; without a profile also a button that fills in an
        example."""
        if there or self.study is None:
            page.show_content()
        elif self.profile is None:
            page.show_empty(self.study.error, tr("Fill in an example"), self.desk.fill_example)
        else:
            page.show_empty(self.study.error)

    def _show_pictures(self) -> None:
        shown = self.study
        if shown is None:
            return
        if self.tabs.currentIndex() == TIME:
            bars = charts.time(shown, self.before, shares=self.shares.isChecked())
            self.bars.show_charts(() if bars is None else bars.counts, [None if bars is None else bars_chart(bars)])
            self._show_or_say(self.bars_page, self.bars.filled)
        else:
            throughput, efficiency = charts.throughput(shown, self.before), charts.efficiency(shown, self.before)
            first = None if throughput is None else curves_chart(throughput)
            second = None if efficiency is None else curves_chart(efficiency, legend=False)
            self.curves.show_charts(() if throughput is None else throughput.counts, [first, second])
            self._show_or_say(self.curves_page, self.curves.filled)

    def _compared(self) -> Compared | None:
        """The comparison with the chosen other profile, if any; also updates the list of open profiles."""
        profile, other, others = self.profile, self.desk.other_profile, self.desk.others
        self.compare.offer(others, self.desk.other, self.desk.replicas)
        if profile is None or other is None:
            self.compare.show_nothing(bool(others))
            self.work.forget_comparison()
            return None
        comparison = self.work.comparison(profile, other, self.desk.replicas)
        self.compare.show_tables(comparison or Compared(error=tr("Comparing the runs…")))
        return comparison

    def _say(self, pointed: str = "") -> None:
        if pointed or self.study is None:
            self.readout.say(pointed)
        else:
            text = tr("Measuring the run…") if self.work.busy else summary(self.study)
            self.readout.say(text)

    def _turn(self) -> None:
        self._fill()
        self.pages.setCurrentIndex(self.tabs.currentIndex())
        self.shares.setVisible(self.tabs.currentIndex() == TIME)

    # -- pointing and choosing ----------------------------------------------------------------------------

    def _chosen(self, item: int, _adding: bool) -> None:
        """Handles the selection of a number of replicas in a chart."""
        counts = self._seen.counts
        if 0 <= item < len(counts):
            self._choose(counts[item])

    def _row_chosen(self) -> None:
        """Handles the selection of a row in the table."""
        rows = self.table.selected_rows()
        model = self.study.model if self.study is not None else None
        if model is not None and len(rows):
            place = self.table.view.items.table.key(int(rows[0]))
            if 0 <= place < len(model.curve.points):  # not one of the baseline alone
                self._choose(model.curve.points[place].replicas)

    def _choose(self, replicas: int) -> None:
        if replicas != self._replicas:
            self._replicas = replicas
            self._mark()

    def _mark(self) -> None:
        """Marks the selected number of replicas in all charts and the table."""
        for pictures in (self.curves, self.bars):
            pictures.mark_count(self._replicas)
        points = self.study.model.curve.points if self.study is not None and self.study.model is not None else ()
        rows = [row for row, point in enumerate(points) if point.replicas == self._replicas]
        if rows and self.table.view.items.table.rows == len(points) and self.table.selected_rows().tolist() != rows:
            self.table.view.mark(np.array(rows, np.int64))

    @property
    def _seen(self) -> Pictures:
        """The charts of the visible page."""
        return self.bars if self.tabs.currentIndex() == TIME else self.curves

    def _pointed(self, item: int) -> None:
        self._seen.hover(item)
        self._say(self._seen.about(item))

    def _select_steps(self, key: str) -> None:
        """Selects the steps that a value was taken from, in every panel."""
        given = None if self.study is None else self.study.inputs.get(key)
        if given is not None and isinstance(given.finding, Derived) and len(given.finding.steps):
            self.shared.select("step", given.finding.steps[:MOST_SELECTED])


def figures_sheet(study: Study, display: Display, before: Study | None = None) -> Sheet:
    """The figures of a study that has a model; ``before``: the baseline, whose figures stand beside."""
    assert study.model is not None
    section = figures_section(study.model, display.look, None if before is None else before.model)
    sheet = Sheet(display)
    sheet.title(section.title)
    return _ended(sheet, section.blocks)


def checklist_sheet(advice: Sequence[Advice], display: Display) -> Sheet:
    """The checklist; items that are due stand out, the others are muted."""
    return _ended(Sheet(display), checklist_sections(advice))


def _ended(sheet: Sheet, blocks: Iterable[Block]) -> Sheet:
    sheet.show_blocks(blocks)
    sheet.end()
    return sheet
