"""The comparison panel: what differs between the shown profile and its baseline, and what explains it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.language import tr
from app.panels.comparison.overview import Overview, overview

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, get_args

import numpy as np
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QToolButton

from app.analysis.compare.cause import Place
from app.analysis.compare.changes import Change
from app.analysis.compare.names import TITLES as NAMES
from app.analysis.compare.overview import matched_share, rule_help, rules_used
from app.analysis.compare.ranking import Covered
from app.analysis.findings.thresholds import with_values
from app.analysis.lookup.hit import Target
from app.analysis.table import Column, Table
from app.language import joined, labelled
from app.panels.panel import READING, Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.colours import blend, legible
from app.views.look import LIGHT, Look, Theme
from app.views.names_apart import side_names
from app.views.table import Cells
from app.views.texts import shown_line
from app.views.units import change, exact, format_value, signed_percent
from app.widgets.abilities import ShowsEvidence
from app.widgets.buttons import icon_toggle
from app.widgets.controls import Controls
from app.widgets.empty import ProgressPage
from app.widgets.frame import column_of, pages_of, row_of, split_of
from app.widgets.table.delegate import PADDING
from app.widgets.table.model import TableModel
from app.widgets.table.widget import TableWidget
from app.widgets.tabs import Tabs
from app.widgets.tabular import Tabular
from app.widgets.texts import Label, Readout
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

Row = TypeVar("Row")
Page: TypeAlias = Literal["causes", "changed", "findings", "figures", "matched", "limits"]
PAGES: Final[tuple[Page, ...]] = ("causes", "changed", "findings", "figures")
"""Those with a tab. The other two are the page of the button for matching, one below the other."""
MOST_TOTALS: Final = 6
"""Rows of totals that are visible without scrolling."""
NO_FINDINGS: Final = tr("Neither profile has findings.")
NOT_KEPT: Final = tr("A baseline document has no findings.")
HOW_TO: Final = tr("Compare this profile with another one: totals, what explains the difference, and what changed.")
MATCHING: Final = tr("Matching: rules, and what cannot be compared")


class ComparisonPanel(Panel, ShowsEvidence):
    """What is compared and the totals above; below, one page for each question. A row selects what it stands for."""

    spec = SPECS["comparison"]
    empty = tr("Nothing is open. Drop a file on the window, or use Open.")
    compares = True
    patient = True

    def build(self) -> None:
        display = self.context.display
        self._shown: Overview | None = None
        self.results = Results(self.context.document, self)
        self.headline = Readout(display, self)
        self.share = Label(parent=self)
        self.matching = icon_toggle("info", MATCHING, self)
        self.totals = TableWidget(display, self, SignedModel)
        self.pages: dict[Page, TableWidget] = {page: TableWidget(display, self, SignedModel) for page in get_args(Page)}
        self.tabs = Tabs(tr("Pages of the comparison"), self)
        self.show_row = QToolButton(self)
        self.show_row.setText(tr("Show in Tables"))
        set_tip(self.show_row, tr("Shows the current row in the compared table (Enter or double-click)."))
        self.progress = ProgressPage(self)
        matching = split_of((self.pages["matched"], 3), (self.pages["limits"], 2))
        self._stack = pages_of(self, (*(self.pages[page] for page in PAGES), matching))
        header = row_of(self.headline, self.share, self.matching)
        whole = column_of(header, self.totals, (self._stack, 1))
        self._places = pages_of(self, (whole, self.progress))
        tables = ((table.bar, 1) for page, table in self.pages.items() if page != "limits")
        controls = Controls(whole, self.tabs, *tables, self.show_row, folds=(self.show_row,))
        self.lay_out((self._places, 1), home=self.pages["causes"], controls=controls)
        self._connect()

    def _connect(self) -> None:
        self.results.ready.connect(self._take)
        self.results.failed.connect(self.say_empty)
        self.results.progressed.connect(self.progress.show_progress)
        self.progress.cancelled.connect(self._cancel)
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.tabBarClicked.connect(lambda _: self.matching.setChecked(False))
        self.matching.toggled.connect(self._turn)
        self.show_row.clicked.connect(self.show_evidence)
        self.context.document.entries_changed.connect(self.refill)
        for page in ("causes", "changed", "matched"):
            view = self.pages[page].view
            view.chosen.connect(self._choose)
            view.opened.connect(lambda _: self.show_evidence())

    @property
    def comparison(self) -> Comparison | None:
        """Also that with a baseline document, which no other panel takes."""
        return self.context.document.baselines.explained

    def tabular(self) -> Tabular | None:
        return None if self._shown is None else self.pages[self.page]

    @property
    def page(self) -> Page:
        """The page in front."""
        return "matched" if self.matching.isChecked() else PAGES[max(self.tabs.currentIndex(), 0)]

    @property
    def busy(self) -> bool:
        """Whether the comparison is being computed."""
        return self.results.busy

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        self._shown = None
        self.results.cancel()

    def fill(self, _: Profile) -> None:
        comparison, entry = self.comparison, self.context.document.current
        if comparison is None:
            self.clear()
            self.say_empty(HOW_TO, tr("Compare with…"), self._ask)
        elif entry is None or not entry.done:
            self.clear()
            self.say_empty(READING)
        else:
            self._compare(comparison)

    def _compare(self, comparison: Comparison) -> None:
        """Show the result, or wait for it."""
        made = self.results.get(comparison)
        if made is None:
            self._shown = None
            after, before = map(shown_line, side_names(comparison.after, comparison.before))
            self.progress.begin(tr("Comparing {after} with {before}…", after=after, before=before))
            self._places.setCurrentWidget(self.progress)
        else:
            self._show_overview(made)

    def _ask(self) -> None:
        self.commands_wanted.emit("baseline", self.mapToGlobal(QPoint(self.width() // 3, self.height() // 2)))

    def _cancel(self) -> None:
        self.results.cancel()
        self.say_empty(tr("The comparison was cancelled."), tr("Compare"), self.refill)

    def _take(self, made: Overview) -> None:
        self._show_overview(made)
        self.stack.show_content()
        self.follow()

    def _show_overview(self, made: Overview) -> None:
        """Fill all pages; the first with anything to say comes to the front."""
        if self._shown is made:
            return
        self._shown = made
        self._places.setCurrentIndex(0)
        self._say_header(made)
        self._fill_totals(made)
        explained = tr("No difference.") if made.same else tr("No row differs by an amount.")
        tables: dict[Page, tuple[Table, str]] = {
            "causes": (made.causes, explained),
            "changed": (made.changed, tr("No difference.") if made.same else tr("Nothing else changed.")),
            "findings": (made.findings, NO_FINDINGS if made.comparison.kept is None else NOT_KEPT),
            "figures": (made.figures, tr("The profiles have no main figures.")),
            "matched": (made.matched, tr("The profiles have no tables.")),
            "limits": (made.limits, tr("Everything can be compared.")),
        }
        for name, (table, empty) in tables.items():
            self._set_clock(self.pages[name], made.comparison)
            self.pages[name].set_table(table, empty=empty)
        self.pages["limits"].bar.hide()
        _draw_bars(self.pages["causes"], made.causes, "share")
        self._say_rules(made)
        self._offer(made)

    def _say_header(self, made: Overview) -> None:
        self.headline.say(headline(made), more="\n".join(map(str, made.comparison.after.origin.paths)))
        self.share.setText(tr("{share} of the rows are matched.", share=share_text(made)))
        about = (MATCHING, NAMES[made.comparison.names], rules_used(made.made.covered))
        set_tip(self.matching, "\n".join(about))

    def _fill_totals(self, made: Overview) -> None:
        self._set_clock(self.totals, made.comparison)
        self.totals.set_table(made.totals)
        self.totals.bar.hide()
        _draw_bars(self.totals, made.totals, "percent", TOTAL_BAR)
        self.totals.setVisible(made.totals.rows > 0)
        view = self.totals.view
        rows = min(made.totals.rows, MOST_TOTALS)
        height = view.horizontalHeader().sizeHint().height() + rows * view.verticalHeader().defaultSectionSize()
        self.totals.setFixedHeight(height + view.horizontalScrollBar().sizeHint().height())

    def _set_clock(self, table: TableWidget, comparison: Comparison) -> None:
        """Cycles are shown as times only where both sides have the same clock."""
        clocks = {
            side.target.clock_hz if side.target is not None else None for side in (comparison.before, comparison.after)
        }
        table.view.items.set_clock(clocks.pop() if len(clocks) == 1 else None)

    def _say_rules(self, made: Overview) -> None:
        """What each rule does, as the tool tip of its cells."""
        covered = made.made.covered
        self.pages["matched"].view.items.tips = {1: lambda row: rule_help(covered[row].rule)}

    def _offer(self, made: Overview) -> None:
        """The titles of the pages say how much is on them."""
        titles = [
            tr("Causes ({count:,})", count=made.causes.rows),
            tr("Other changes ({count:,})", count=made.changed.rows),
            tr("Findings ({count:,})", count=made.findings.rows),
            tr("Main figures"),
        ]
        first = 1 if made.changed.rows and not made.causes.rows else 0
        self.tabs.offer(titles, titles[first])
        self._turn()

    def _turn(self) -> None:
        self._stack.setCurrentIndex(len(PAGES) if self.matching.isChecked() else PAGES.index(self.page))
        self.setFocusProxy(self.pages[self.page])
        self._enable()

    # -- selection ----------------------------------------------------------------------------------------

    def _rows(self) -> Sequence[Change | Place]:
        """What the rows of the page in front say."""
        made = self._shown
        if made is None:
            return ()
        pages: dict[Page, Sequence[Change | Place]] = {"causes": made.places, "changed": made.changes}
        return pages.get(self.page, ())

    @property
    def _covered(self) -> Sequence[Covered]:
        """What the rows of the page about matching say, while it is in front."""
        return self._shown.made.covered if self._shown is not None and self.page == "matched" else ()

    def _row(self) -> Change | Place | None:
        """The current row of the page in front."""
        return self._chosen(self._rows())

    def _chosen(self, rows: Sequence[Row]) -> Row | None:
        """The one that is selected in the page in front, and stands for its row."""
        chosen = self.pages[self.page].selected_rows()
        return rows[int(chosen[0])] if len(chosen) and int(chosen[0]) < len(rows) else None

    def _choose(self) -> None:
        row = self._row()
        self._enable()
        if row is not None and row.kind is not None and row.item >= 0:
            self.context.document.selection.set(Selection(row.kind, (row.item,), self.spec.id))

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Mark the rows of the things that are selected elsewhere; a row that was chosen here stays the only one."""
        rows = self._rows()
        if selection is None or self.shared.own(selection) or self._shown is None or not rows:
            return
        wanted = set(selection.indices)
        same = [n for n, row in enumerate(rows) if row.kind == selection.kind and row.item in wanted]
        self.pages[self.page].view.mark(np.array(same, np.int64))
        self._enable()

    def _enable(self) -> None:
        self.show_row.setEnabled(self.can_show_evidence)

    @property
    def can_show_evidence(self) -> bool:
        """Whether the current row is that of a table."""
        return self._evidence() is not None

    def show_evidence(self) -> None:
        """Bring the current row to the front in Tables."""
        target = self._evidence()
        if target is not None:
            self.context.document.target_wanted.emit(target)

    def _evidence(self) -> Target | None:
        """The row of a table that the current row stands for, or the table that it is about."""
        row, covered = self._row(), self._chosen(self._covered)
        if covered is not None:
            return Target(panel="tables", table=covered.table)
        if row is None or not row.table:
            return None
        alone = row.row_after < 0
        if alone and self.comparison is not None and self.comparison.kept is not None:
            return None  # Tables show nothing of a document
        return Target(
            panel="tables", table=row.table, row=row.row_before if alone else row.row_after, of_baseline=alone
        )


def share_text(made: Overview) -> str:
    """The share of matched rows, rounded down: it is 100 % only if all are."""
    share = matched_share(made.made.covered)
    return format_value(None if share is None else math.floor(share * 10) / 10, "%")


def headline(made: Overview) -> str:
    """What is compared; of how many runs the baseline consists; whether anything differs."""
    after, before = side_names(made.comparison.after, made.comparison.before)
    names = tr("A: {after}   B: {before} (baseline)", after=shown_line(after), before=shown_line(before))
    runs = 1 if made.comparison.kept is None else made.comparison.kept.runs
    medians = [] if runs == 1 else [tr("The figures of the baseline are medians of {count:,} runs.", count=runs)]
    return joined("   ", [names, *medians, *([tr("No difference.")] if made.same else [])])


SIGNED: Final = frozenset(("difference", "percent", "share"))
"""Keys of the columns whose figures have a sign."""
FULL: Final = 100.0
"""The share of a full bar, in percent, if none is larger."""
BAR: Final = 0.25
FIGURE: Final = 84
"""Pixels of a share beside its bar."""
BAR_WIDTH: Final = 96
"""Pixels of the part of the cell that bars take, left of the figure."""
TOTAL_BAR: Final = 40
"""The same for totals."""


class SignedCells(Cells):
    """Each amount in the unit that suits it; figures of signed columns with a plus, too."""

    def text(self, column: int, row: int) -> str | None:
        named = self.table.columns[column]
        if not named.numeric or (named.units is None and named.key not in SIGNED):
            return super().text(column, row)
        value = named.value(row)
        if value is None or isinstance(value, (str, bool)):
            return None
        unit = named.unit_of(row)
        if named.key in SIGNED:
            return signed_percent(value) if unit == "%" else change(value, unit, self.look, self.clock_hz)  # type: ignore[arg-type]
        return format_value(value, unit, self.look, self.clock_hz)  # type: ignore[arg-type]


class SignedModel(TableModel):
    """Differences are coloured by their sign, which they show as well."""

    cells_type = SignedCells
    theme: Theme = LIGHT

    def set_look(self, look: Look) -> None:
        self.theme = look.theme
        super().set_look(look)

    def ink(self, column: int, source: int) -> str | None:
        named = self.column(column)
        if named.key not in SIGNED or not named.numeric:
            return None
        value = named.value(source)
        if not isinstance(value, (int, float)) or not value:
            return None
        return legible(*signed_colours(self.theme, value))


def signed_colours(theme: Theme, value: float) -> tuple[str, str]:
    """The colour of a difference, and that of a bar of it behind the text."""
    colour = theme.more if value > 0 else theme.less
    return colour, blend(theme.surface, colour, BAR)


class ShareCell:
    """Draws a share as a bar to the side of its sign, and leaves the rest to the figure."""

    def __init__(self, column: Column, bar: int = BAR_WIDTH) -> None:
        self._column = column
        self._bar = bar
        self.width = bar + FIGURE
        assert isinstance(column.values, np.ndarray)
        self._full = max(FULL, float(np.abs(column.values).max(initial=0.0)))

    def draw(self, painter: QPainter, rect: QRect, row: int, theme: Theme) -> QRect | None:
        """Draws the bar; the text is drawn over it."""
        value = self._column.value(row)
        if isinstance(value, (int, float)) and value:
            middle = rect.x() + PADDING + self._bar // 2
            length = max(round(self._bar // 2 * abs(value) / self._full), 1)
            colour = QColor(signed_colours(theme, value)[1])
            painter.fillRect(middle if value > 0 else middle - length, rect.y() + 3, length, rect.height() - 7, colour)
            painter.fillRect(middle, rect.y() + 2, 1, rect.height() - 5, QColor(theme.muted))
        return rect.adjusted(self._bar, 0, 0, 0)

    def tip(self, row: int) -> str:
        """All digits."""
        value = self._column.value(row)
        return labelled(self._column.title, exact(value, "%")) if value is not None else ""


def _draw_bars(shown: TableWidget, table: Table, key: str, width: int = BAR_WIDTH) -> None:
    """Draws the figures of a column as bars to both sides of zero."""
    place = next(place for place, column in enumerate(table.columns) if column.key == key)
    shown.view.draw_cells({place: ShareCell(table.columns[place], width)})


class Results(QObject):
    """Signals: ``ready`` (Overview), ``failed`` (text), ``progressed`` (done, total)."""

    ready = Signal(object)
    failed = Signal(str)
    progressed = Signal(int, int)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._background = Background(self)
        self._computed: dict[int, Overview] = {}
        self._running: Comparison | None = None
        document.entry_closed.connect(self._drop_closed)

    @property
    def busy(self) -> bool:
        """Whether a result is still to come."""
        return self._background.busy

    def get(self, comparison: Comparison) -> Overview | None:
        """The result of the shown comparison, None while it is computed."""
        computed = self._computed.get(self._document.current_id or 0)
        if computed is not None and computed.comparison is comparison:
            return computed
        if self._running is not comparison:
            self._running = comparison
            work = partial(overview, comparison, with_values(self._document.thresholds.values))
            self._background.run(Task(work, self._take, self._fail, self._report))
        return None

    def cancel(self) -> None:
        """Stop computing."""
        self._running = None
        self._background.cancel()

    def _take(self, made: Overview) -> None:
        self._running = None
        current = self._document.current_id
        if current is not None and self._document.baselines.explained is made.comparison:
            self._computed[current] = made
            self.ready.emit(made)

    def _fail(self, error: FormatError) -> None:
        self._running = None
        self.failed.emit(tr("The profiles cannot be compared: {error}", error=error))

    def _report(self, done: int, total: int) -> None:
        self.progressed.emit(done, total)

    def _drop_closed(self) -> None:
        """Release profiles that were closed or reloaded."""
        if self._running is not None and self._document.baselines.explained is not self._running:
            self.cancel()
        for entry_id, made in list(self._computed.items()):
            if self._document.baselines.explained_of(entry_id) is not made.comparison:
                del self._computed[entry_id]
