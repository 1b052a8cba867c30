"""The summary panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from app.analysis.figures import Figure, sources
from app.analysis.verdicts import verdicts
from app.analysis.verdicts.answer import Verdict
from app.document.answers import UNKNOWN, Answers
from app.document.background import Background, Task
from app.language import tr
from app.panels.page_panel import PagePanel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import Look
from app.views.names_apart import side_names
from app.views.pages.document import Section
from app.views.pages.figures import Baseline, figure_sections, files_of, unsaid
from app.views.pages.findings import verdict_sentences
from app.views.sentences import sentence
from app.views.severities import SIGNS
from app.views.units import format_value
from app.widgets.sheet import SELECT, Sheet

if TYPE_CHECKING:
    from app.analysis.compare.comparison import ComparedFigure, Comparison
    from app.analysis.findings.finding import Finding, Rule
    from app.store.token import Token

PLOT_HEIGHT = 172
LARGE = 100_000
"""From so many slices on a thread computes the figures."""
NOTHING = tr("No data has been read yet.")
MOST: Final = 5
"""Findings that are listed."""
HEADS: Final = (
    (tr("A"), tr("The profile that is shown.")),
    (tr("B"), tr("The baseline.")),
    (tr("Δ"), tr("Comparison minus baseline.")),
    (tr("Δ (%)"), tr("100 × difference / figure of the baseline.")),
)


class SummaryPanel(PagePanel):
    """A page that is rebuilt as more data arrives. With a baseline, its figures stand beside those that differ."""

    spec = SPECS["summary"]
    compares = True
    patient = True

    def build(self) -> None:
        super().build()
        self._begun: Sheet | None = None
        self._baseline: tuple[Comparison, Baseline] | None = None
        self._background = Background(self)
        self._counting = Background(self)
        self.context.document.answers.changed.connect(self._answered)
        self._waits = False
        self.context.document.entries_changed.connect(self._completed)

    def clear(self) -> None:
        """Drops the former profile's figures, which could be copied, and its page's height."""
        self._background.cancel()
        self._baseline = None
        self.page.show_sheet(Sheet(self.context.display))

    def fill(self, profile: Profile) -> Iterator[object]:
        """Computes the figures of each family, of a large timeline in a thread, then builds the page."""
        look = self.context.display.look
        clock = profile.target.clock_hz if profile.target is not None else None
        large = profile.timeline is not None and len(profile.timeline.slices.start) >= LARGE
        figures: list[Figure] = []
        for source in sources(profile):
            if large:
                figures += yield from self._counting.waited(partial(_figures_of, source, profile))
            else:
                figures += source(profile)
                yield None
        entry = self.context.document.current
        self._waits = entry is not None and not entry.done
        answers = UNKNOWN if self._waits else self.context.document.answers.of(profile)
        parts = figure_sections(figures, look, clock, self._compared())
        first = verdicts(profile, figures, answers.lines)
        if self._waits:
            first = [verdict for verdict in first if not verdict.lacks]
        if parts or first:
            yield from self._fill(profile, first, answers, parts, look, clock)
        else:
            self.clear()
            self.say_empty(self.lacks(NOTHING))

    def _completed(self) -> None:
        """Adds the findings once everything has been read."""
        entry = self.context.document.current
        if self._waits and entry is not None and entry.done:
            self.refill()

    def _answered(self) -> None:
        if not self._waits:
            self.refill()

    def _compared(self) -> Baseline | None:
        """The figures of the baseline; None without one, and while they are computed."""
        comparison = self.comparison
        if comparison is None:
            self._background.cancel()
            self._baseline = None
            return None
        if self._baseline is None or self._baseline[0] is not comparison:
            self._baseline = None
            self._background.run(
                Task(lambda *_: comparison.figures, lambda figures: self._take(comparison, figures), lambda _: None)
            )
            return None
        return self._baseline[1]

    def _take(self, comparison: Comparison, figures: list[ComparedFigure]) -> None:
        self._baseline = comparison, Baseline({figure.id: figure for figure in figures})
        self.refill()

    def _fill(
        self,
        profile: Profile,
        first: list[Verdict],
        answers: Answers,
        parts: list[Section],
        look: Look,
        clock: float | None,
    ) -> Iterator[None]:
        """Builds the page in pieces, one group of figures each, and shows it when it is complete."""
        sheet = self._begin()
        sheet.title(profile.name)
        files, entry = files_of(profile), self.context.document.current
        written = tr("written by {writer}", writer=profile.origin.writer) if profile.origin.writer else ""
        cached = tr("from the file cache") if entry is not None and entry.cached else ""
        about = "" if files == profile.name else files, written, cached
        if any(about):
            sheet.say(" · ".join(part for part in about if part), "muted")
        if self._baseline is not None:
            after, before = side_names(self._baseline[0].after, self._baseline[0].before)
            sheet.say(tr("A: {name}", name=after), "muted")
            sheet.say(tr("B: {name} (baseline)", name=before), "muted")
        for verdict in first:
            self._say(sheet, verdict, look, clock)
        yield
        self._findings(sheet, answers.unsaid[:MOST], look, clock)
        self._point(sheet, first, look, clock)
        yield
        sheet.space(4)
        if self._baseline is not None:
            sheet.show_compared(parts, HEADS)
            yield
        else:
            words = (words for verdict in first for words in (*verdict.detail, *(line.words for line in verdict.lines)))
            said = {sentence(one, look, clock) for one in words}
            for part in unsaid(parts, {profile.name}, said):
                sheet.show_blocks([part], self._selecting)
                yield
        self._plot(sheet, profile)
        sheet.end()
        yield
        self._begun = None
        self.page.show_sheet(sheet)
        sheet.show()

    def _begin(self) -> Sheet:
        """A page that is shown when it is complete, in place of one that was begun for what was known before."""
        if self._begun is not None:
            self._begun.deleteLater()
        self._begun = Sheet(self.context.display, self)
        self._begun.hide()
        return self._begun

    def _plot(self, sheet: Sheet, profile: Profile) -> None:
        """Adds sync delays, if the file has them."""
        if profile.target is None or profile.target.relative_sync_delay is None:
            return
        from app.panels.summary.sync_plot import SyncPlot, sync_picture

        picture = sync_picture(profile)
        if picture is not None:
            sheet.space(8)
            sheet.picture(SyncPlot(self.context, picture, sheet), PLOT_HEIGHT)

    def _say(self, sheet: Sheet, verdict: Verdict, look: Look, clock: float | None) -> None:
        sheet.space(6)
        sheet.show_blocks(verdict_sentences(verdict, look, clock), self._selecting)

    def _point(self, sheet: Sheet, first: list[Verdict], look: Look, clock: float | None) -> None:
        """Where else to look: the fullest tiles."""
        pointers = [pointer for verdict in first for pointer in verdict.pointers]
        if pointers:
            sheet.space(4)
            sheet.heading(tr("Fullest tiles"))
        for pointer in pointers:
            sheet.link(sentence(pointer.text, look, clock), self._selecting(pointer.selection), SELECT)

    def _selecting(self, selection: Selection) -> Callable[[], object]:
        return partial(self.shared.select, selection.kind, selection.indices)

    def _findings(self, sheet: Sheet, pairs: Sequence[tuple[Rule, Finding]], look: Look, clock: float | None) -> None:
        """What costs most, each with its bound; a click selects the evidence."""
        if not pairs:
            return
        sheet.space(4)
        sheet.heading(tr("Findings"))
        from app.analysis.findings.thresholds import described, with_values  # imported with the rules

        for rule, finding in pairs:
            saving, head = finding.saving, f"{SIGNS[finding.severity]} "
            bound = "" if saving is None else format_value(saving.at_most, saving.unit, look, clock)
            text = head + (tr("{title}: at most {bound}", title=finding.title, bound=bound) if bound else finding.title)
            selections = [evidence.selection for evidence in finding.evidence if evidence.selection is not None]
            limits = described(rule.thresholds, with_values(self.context.document.thresholds.values))
            help_ = "\n".join(part for part in (sentence(finding.text, look, clock), rule.help, limits) if part)
            if selections:
                sheet.wrapping_link(text, self._selecting(selections[0]), help_)
            else:
                sheet.say(text, depth=1)


def _figures_of(source: Callable[[Profile], list[Figure]], profile: Profile, _: Token) -> list[Figure]:
    return source(profile)
