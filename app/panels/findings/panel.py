"""The findings panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent

from app.analysis.findings import ranked
from app.analysis.findings.finding import Finding, Outcome, Rule, Saving, as_table
from app.analysis.findings.rules import thresholds_of
from app.analysis.findings.thresholds import Thresholds, described, with_values
from app.analysis.table import Table
from app.document.background import Background
from app.formats.errors import FormatError
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.store.findings import outcomes
from app.store.token import Token
from app.views.look import Look
from app.views.pages.findings import finding_section, not_checked, saving_text
from app.widgets.abilities import Copies, HasViewState
from app.widgets.buttons import tool_button
from app.widgets.empty import ProgressPage
from app.widgets.frame import pages_of, split_of
from app.widgets.page import Page
from app.widgets.refresh import Refresh
from app.widgets.sheet import Sheet
from app.widgets.table.severity import SeverityButtons, SeverityModel
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.analysis.lookup.hit import Target
    from app.analysis.view_links.view_link import ViewState

UNIT = 100
BESIDE = 640
"""From this width on, the explanation may stand beside the table."""
HIGH_ENOUGH = 320
"""From this height on, it may stand below it."""
LEAST_PAGE, LARGEST_SHARE, BELOW = 240, 0.4, 0.45
"""Width of the explanation beside the table: at least so many pixels, at most this share, between these what the
columns leave; its share of the height below it."""
LEAST_RULE = 64
"""Width of the names of rules, which are elided rather than scrolled to."""
FIRST = ("severity", "title", "saving")
"""Columns that are seen without scrolling, where there is room."""
NOTHING = tr("No findings for this profile.")
THRESHOLDS = tr("Thresholds…")
CHECKING = tr("Checking the rules…")
WAITING = tr("Reading… The rules are checked after all files are read.")


class FindingsPanel(Panel, Copies, HasViewState):
    """The findings in a table, the explanation and evidence of the current one below it."""

    spec = SPECS["findings"]
    empty = tr("Nothing is open. Drop a file on the window, or use Open.")
    patient = True
    compares = True

    def build(self) -> None:
        self._pairs: list[tuple[Rule, Finding]] = []
        self._made: Sequence[Outcome] = ()
        self._waits = False
        self._background = Background(self)
        self._again = Refresh(self, self._list_again)
        self.table = TableWidget(self.context.display, self, SeverityModel)
        self.table.view.least_rest, self.table.view.elided = LEAST_RULE, "title"
        self.table.view.hidden_first = frozenset(("rule",))  # for scripts: the tool tip and copies have it
        self.page = Page(self.context.display, tr("Explanation of the finding"))
        self._severities = SeverityButtons(self.table)
        self.thresholds = tool_button(THRESHOLDS, tr("Set the thresholds of the rules"), self.table)
        self.thresholds.clicked.connect(self.show_thresholds)
        self.table.bar.insert(-1, self.thresholds, folds=True)
        self._checked_by = with_values({})
        self.context.document.thresholds.changed.connect(self.refill)
        self.split = split_of((self.table, 3 * UNIT), (self.page, 2 * UNIT))
        self._moved = False
        self.split.splitterMoved.connect(self._split_moved)
        self.progress = ProgressPage(self)
        self.progress.cancelled.connect(self._cancel)
        self._places = pages_of(self, (self.split, self.progress))
        self.lay_out((self._places, 1), home=self.table, controls=self.table.bar)
        self._severities.changed.connect(self._severities.limit)
        self.context.document.entries_changed.connect(self._completed)
        self.table.view.selectionModel().currentChanged.connect(self._explain)

    def sizeHint(self) -> QSize:
        return QSize(640, 300)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def _divide(self) -> None:
        """Places the explanation beside the table if that leaves room for the first columns (all of them, unless the
        panel is too low for one below the other), and divides the room by what these need, unless the user has done so.
        """
        view = self.table.view
        columns = enumerate(view.items.table.columns)
        wanted = sum(view.wanted_width(place) for place, column in columns if column.key in FIRST)
        beside = self.width() >= max(BESIDE, wanted + LEAST_PAGE if self.height() >= HIGH_ENOUGH else 0)
        orientation = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        turned = orientation != self.split.orientation()
        self.split.setOrientation(orientation)
        if self._pairs and (turned or not self._moved):
            whole = (self.split.width() if beside else self.split.height()) - self.split.handleWidth()
            page = (
                max(min(whole - wanted - LEAST_RULE, int(whole * LARGEST_SHARE)), LEAST_PAGE)
                if beside
                else int(whole * BELOW)
            )
            self.split.setSizes([whole - page, page])

    def _split_moved(self) -> None:
        self._moved = True

    def tabular(self) -> Tabular:
        return self.table

    def copy_text(self) -> str:
        """The explanation, one line per entry."""
        return "" if self.stack.is_empty else self.page.copy_text()

    def view_state(self) -> ViewState:
        """The rule of the current finding, and which finding of that rule it is."""
        if not 0 <= self._row < len(self._pairs):
            return {}
        rule = self._pairs[self._row][0].id
        return {"rule": rule, "number": sum(own.id == rule for own, _ in self._pairs[: self._row])}

    def restore_view(self, saved: ViewState) -> None:
        rows = [row for row, (rule, _) in enumerate(self._pairs) if rule.called((str(saved.get("rule")),))]
        number = saved.get("number")
        if isinstance(number, int) and 0 <= number < len(rows):
            self.table.choose_row(rows[number])

    def show_look(self, _: Look) -> None:
        self._again.request()

    def _list_again(self) -> None:
        if self._made:
            self._list(self._made, row=self._row)

    def show_thresholds(self) -> None:
        """Opens the window in which they are changed."""
        from app.panels.findings.thresholds_dialog import show_thresholds

        profile = self.profile
        show_thresholds(self.context.document.thresholds, self, None if profile is None else thresholds_of(profile))

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        self._background.cancel()
        self._list([])

    def fill(self, profile: Profile) -> Iterator[object]:
        """Checks the rules in the background, with a baseline also those about comparisons; the former findings stay
        until then. Of a profile that is still read they would say what is not true of the whole."""
        entry = self.context.document.current
        self._waits = entry is not None and not entry.done
        if self._waits:
            self._list([], WAITING)
            return
        if not self._pairs:
            self._list([])
            self.progress.begin(CHECKING)
            self._places.setCurrentWidget(self.progress)
            self.stack.show_content()
            self.uncover()
        thresholds = with_values(self.context.document.thresholds.values)
        work = partial(_checked, profile, self.comparison, thresholds)
        try:
            made = yield from self._background.watched(work, self.progress.show_progress)
        except FormatError as error:
            self._list([], tr("The rules could not be checked: {error}", error=error))
            return
        self._checked_by = thresholds
        self._list(made)

    def _cancel(self) -> None:
        """Ends the checking; the panel says so, and offers to check again."""
        self.stop_filling()
        self._places.setCurrentWidget(self.split)
        self.say_empty(tr("The rules were not checked."), tr("Check"), self.refill)

    def _completed(self) -> None:
        """Checks the rules once everything has been read."""
        entry = self.context.document.current
        if self._waits and entry is not None and entry.done:
            self.refill()

    def _list(self, made: Sequence[Outcome], empty: str = NOTHING, row: int = 0) -> None:
        self._places.setCurrentWidget(self.split)
        self._made = made
        self._pairs = ranked(made)
        # without columns when there is nothing, else they would be fitted to an empty table
        table = as_table(self._pairs, self._amount) if self._pairs else Table("findings", "", ())
        self.table.set_table(table, empty=empty)
        self.table.view.items.tips = dict.fromkeys(range(len(table.columns)), self._tip)
        self._severities.count(finding.severity for _, finding in self._pairs)
        self._severities.limit()
        if self._pairs:
            self.table.choose_row(row)
        self._divide()
        self._explain()

    def _tip(self, row: int) -> str:
        """The rule of a finding, its thresholds, and its name for scripts."""
        rule, _ = self._pairs[row]
        name = tr("Rule: {name}", name=rule.id)
        return "\n".join(text for text in (rule.help, described(rule.thresholds, self._checked_by), name) if text)

    # -- explanation --------------------------------------------------------------------------------------

    def _explain(self) -> None:
        """Shows the current finding, and below it which rules could not be checked."""
        sheet = Sheet(self.context.display)
        missing = not_checked(self._made)
        if 0 <= self._row < len(self._pairs):
            rule, finding = self._pairs[self._row]
            limits = described(rule.thresholds, self._checked_by).splitlines()
            section = finding_section(rule, finding, self.context.display.look, self._clock, thresholds=limits)
            sheet.title(section.title)
            sheet.show_blocks(section.blocks, self._selecting, self._going)
        if missing is not None:
            sheet.show_blocks([missing], self._selecting)
        sheet.end()
        self.page.show_sheet(sheet)
        self.page.setVisible(bool(self._pairs or missing))

    def _selecting(self, selection: Selection) -> Callable[[], object]:
        return partial(self.context.document.selection.set, selection)

    def _going(self, target: Target) -> Callable[[], object]:
        return partial(self.context.document.target_wanted.emit, target)

    @property
    def _row(self) -> int:
        """The current row of the table; -1 for none."""
        place, rows = self.table.view.currentIndex().row(), self.table.view.items.rows
        return int(rows[place]) if 0 <= place < len(rows) else -1

    def _amount(self, saving: Saving) -> str:
        return saving_text(saving, self.context.display.look, self._clock)

    @property
    def _clock(self) -> float | None:
        profile = self.profile
        return profile.target.clock_hz if profile is not None and profile.target is not None else None


def _checked(
    profile: Profile,
    comparison: Comparison | None,
    thresholds: Thresholds,
    token: Token,
    progress: Callable[[int, int], object],
) -> list[Outcome]:
    """What the rules say about the comparison, and about the profile."""
    own = outcomes(profile, thresholds, look=token.check, progress=progress)
    if comparison is None:
        return own
    from app.analysis.findings.compared import compared_outcomes  # only with a baseline

    return [*compared_outcomes(comparison, thresholds, token.check), *own]
