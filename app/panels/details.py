"""The details panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from app.analysis.details import Row
from app.analysis.table import Column
from app.analysis.tables import by_id
from app.language import tr
from app.views.look import Look
from app.views.pages.document import Line
from app.views.units import NO_DATA, Cell, change, format_value, place, signed_percent
from app.widgets.sheet import Row as SheetRow
from app.widgets.sheet import Sheet

if TYPE_CHECKING:
    from app.analysis.compare.as_table import Field, PartnerFields
    from app.analysis.compare.comparison import Comparison
    from app.analysis.compare.tables import ComparedTable

import time
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from app.analysis import relations
from app.analysis.details import ColumnStatistics, Described, Related
from app.analysis.kinds import KINDS
from app.analysis.lookup.hit import Target
from app.analysis.part import Fact, Part, PartRow
from app.analysis.time.model import is_made, looked_at
from app.analysis.time.of_slice import slice_part
from app.analysis.timeline.times import moment
from app.document.background import Background, Task
from app.document.document import Update
from app.formats.errors import FormatError
from app.language import capitalised, plural
from app.panels.page_panel import PagePanel
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.store.token import Token
from app.views.details.once import arguments_once, stated_once
from app.views.details.record import record_lines
from app.views.sentences import sentence
from app.views.table import tip_of
from app.views.units import cycles_and_time, exact
from app.widgets.abilities import KeepsItem
from app.widgets.sheet import MARK

if TYPE_CHECKING:
    from app.analysis.compare.as_table import PartnerFields
    from app.analysis.compare.comparison import Comparison

NOTHING = tr("Nothing is selected. Click a slice, a tile, a program or a row of a table.")
UNKNOWN = tr("The file has no further properties of it.")
IN_FILE = tr("The exact timestamp in the file.")
ASK_TIMES = tr("Find out what it waited for")
FINDING_TIMES = tr("What waits for what is being computed…")
MOST_TIMED = 100_000
"""Slices of a timeline for which that takes about a second the first time."""
MOST_UNASKED = 1_000_000
"""Slices for which it takes a few seconds: of longer timelines it is computed only where it is asked for."""
PINNED = tr("Pinned: this page does not follow the selection.")
LONGEST = 300
BUDGET = 0.012
"""Seconds spent on adding links per frame."""


class DetailsPanel(PagePanel, KeepsItem):
    """The page of the selection: known fields at once, then the record of the file, then links as time allows. While it
    is pinned, it keeps what it shows, whatever else is selected."""

    keeping_changed = Signal()

    spec = SPECS["details"]
    by_selection = True
    requests = (NOTHING,)
    compares = True

    def build(self) -> None:
        super().build()
        self._described: Described | None = None
        self._more: Iterator[Part | Related] = iter(())
        self._partners: Partners | None = None
        self._comparing = Background(self)
        self._looking = Background(self)
        self._timing = Background(self)
        self._modelling = Background(self)
        self._record_open = False
        self._kept: Selection | None = None
        self._links = QTimer(self, interval=0)
        self._links.timeout.connect(self._next_links)

    @property
    def can_keep(self) -> bool:
        return self._meant is not None

    @property
    def keeps_item(self) -> bool:
        return self._kept is not None

    def keep_item(self, wanted: bool) -> None:
        self._kept = self.shared.selection if wanted else None
        self.keeping_changed.emit()
        self.refill()

    @property
    def _meant(self) -> Selection | None:
        """What the page is about: what it keeps, else what is selected."""
        return self.shared.selection if self._kept is None else self._kept

    def _selected(self, selection: Selection | None) -> None:
        if self._kept is None:
            super()._selected(selection)
            self.keeping_changed.emit()

    def forget(self) -> None:
        self.keep_item(False)  # what it kept belongs to another profile

    def _updated(self, update: Update) -> None:
        if update.outdated:
            self.keep_item(False)  # items have other numbers
        super()._updated(update)

    def why_empty(self, profile: Profile | None) -> str:
        return NOTHING if profile is not None and self._meant is None else super().why_empty(profile)

    def clear(self) -> None:
        self._stop()
        self._modelling.cancel()
        self._described = self._partners = None
        self._more = iter(())  # else it would hold the profile

    def _stop(self) -> None:
        self._links.stop()
        for background in (self._comparing, self._looking, self._timing):
            background.cancel()

    def fill(self, profile: Profile) -> Iterator[object] | None:
        """At once, or where the tables and links of a thing take longer, by a thread."""
        self._stop()
        selection = self._meant
        assert selection is not None
        if self._described is None or self._described.profile is not profile:
            self._modelling.cancel()
            self._described = Described(profile, self.context.document.linked.cache(profile).items)
        if relations.slow(profile):
            return self._fill_later(profile, selection, self._described)
        self._show_page(profile, selection, _looked_up(self._described, selection))
        return None

    def _fill_later(self, profile: Profile, selection: Selection, described: Described) -> Iterator[object]:
        found = yield from self._looking.waited(lambda _: _looked_up(described, selection))
        self._show_page(profile, selection, found)

    def _show_page(self, profile: Profile, selection: Selection, found: list[Row] | list[ColumnStatistics]) -> None:
        assert self._described is not None
        sheet = Sheet(self.context.display)
        sheet.end()
        rows = [row for row in found if isinstance(row, Row)]
        if self._kept is not None:
            sheet.say(PINNED, "muted")
        if len(selection.indices) == 1:
            self._one(sheet, profile, selection, rows)
        else:
            self._many(sheet, selection, [several for several in found if isinstance(several, ColumnStatistics)])
        self.page.show_sheet(sheet)
        self._more = chain(self._described.parts(selection), self._described.related(selection))
        sheet.space(8)
        comparison = self.comparison
        if comparison is None:
            self._partners = None
        if comparison is None or not rows:
            self._add_times(profile, selection)
        else:
            self._compare(comparison, rows, selection)

    def _add_times(self, profile: Profile, selection: Selection) -> None:
        """Adds what a slice waited for and what waits for it, and then the links; of a long timeline, for which that
        takes seconds the first time, as soon as it is known, or only where it is asked for."""
        timeline = profile.timeline
        if timeline is None or selection.kind != "slice" or len(selection.indices) > 1:
            self._links.start()
        elif len(timeline.slices.start) <= MOST_TIMED or is_made(profile):
            self._time(profile, selection.first, self._links.start)
        else:
            if len(timeline.slices.start) <= MOST_UNASKED:
                self.sheet.say(FINDING_TIMES, "muted")
                self._model_times(profile)
            else:
                self.sheet.link(f"{MARK}{ASK_TIMES}", partial(self._time, profile, selection.first, bool))
            self._links.start()

    def _model_times(self, profile: Profile) -> None:
        """Makes the page again when a thread has found out what waits for what, whatever is selected then."""
        if not self._modelling.busy:
            task = Task(lambda token, _: looked_at(profile, token.check), lambda _: self.refill(), self._say_error)
            self._modelling.run(task)

    def _time(self, profile: Profile, index: int, then: Callable[[], object]) -> None:
        def make(token: Token, _: object) -> Part | None:
            return slice_part(profile, looked_at(profile, token.check), index)

        def show(part: Part | None) -> None:
            if part is not None:
                self._part(part)
            then()

        def fail(error: FormatError) -> None:
            self._say_error(error)
            then()

        self._timing.run(Task(make, show, fail))

    def _compare(self, comparison: Comparison, rows: list[Row], selection: Selection) -> None:
        """Adds how a thing differs from its partner in the baseline, and then the links."""
        if self._partners is None or self._partners.comparison is not comparison:
            self._partners = Partners(comparison)
        partners = self._partners

        def show(made: list[PartnerFields | None]) -> None:
            look, profile = self.context.display.look, comparison.after
            target = None if profile.target is None else profile.target.clock_hz
            for row, partner in zip(rows, made, strict=True):
                add_partner(self.sheet, row, partner, look, row.table.clock(target))
            self._add_times(profile, selection)

        def fail(error: FormatError) -> None:
            self._say_error(error)
            self._add_times(comparison.after, selection)

        self._comparing.run(Task(lambda token, _: [partners.of(row, token.check) for row in rows], show, fail))

    # -- one thing ----------------------------------------------------------------------------------------

    def _one(self, sheet: Sheet, profile: Profile, selection: Selection, rows: list[Row]) -> None:
        """Adds what is known of a single thing; ``rows``: those of tables."""
        spec = KINDS[selection.kind]
        name = spec.name(profile, selection.first)
        sheet.title(capitalised(name) if spec.names_itself(name) else name)
        number = f" {selection.first:,}" if spec.count is not None and spec.traits is not None else ""
        if not spec.names_itself(name):
            sheet.say(f"{capitalised(spec.one)}{number}", "muted")
        sheet.space(6)
        shown: list[str] = []
        for row, columns in zip(rows, stated_once(rows, selection.first), strict=True):
            lines = [line for line in self._fields(row, columns, profile) if line.value != name]
            shown += (line.value for line in lines)
            if len(rows) > 1 and lines:
                sheet.heading(row.table.title)
            sheet.facts(lines)
            if row.others:
                more = plural(
                    "and {count:,} more row in the table “{table}”",
                    "and {count:,} more rows in the table “{table}”",
                    count=row.others,
                    table=row.table.title,
                )
                sheet.say(more, "muted")
            if row.table.own_time is not None and row.table.own_time.by_hand:
                sheet.say(row.table.note, "muted")
        if not rows:
            sheet.say(self.lacks(UNKNOWN), "muted")
        if selection.kind == "slice":
            self._record(sheet, profile, selection.first, shown)

    def _fields(self, row: Row, columns: Iterable[Column], profile: Profile) -> Iterator[Line]:
        look = self.context.display.look
        clock = row.table.clock(profile.target.clock_hz if profile.target is not None else None)
        for column in columns:
            value = column.value(row.row)
            if value is None:
                continue
            if column.hexadecimal and isinstance(value, int):
                shown = f"{value:#x}"
            elif column.finest and isinstance(value, float):
                shown = self._moment(column, value, clock)
            elif column.parallel:  # a sum over parallel items is no duration
                shown = format_value(value, column.unit, look)
            elif column.unit == "cycles" and not isinstance(value, str) and look.cycles_as == "cycles":
                shown = cycles_and_time(value, clock)
            else:
                shown = format_value(value, column.unit, look, clock)
            if column.share_of and column.unit == "%":
                shown += tr(" of {share_of}", share_of=column.share_of)
            help_ = "\n".join(part for part in (column.help, tip_of(column, row.row)) if part)
            title = tr("Category") if column.key == "category" and row.table.selects == "slice" else column.title
            yield Line(title, shown if len(shown) <= LONGEST else shown[:LONGEST] + " …", help_)
            if column.finest and column.key == "start" and isinstance(value, float):
                yield from self._in_file(profile, value)

    def _moment(self, column: Column, value: float, clock: float | None) -> str:
        """A point in time."""
        if column.unit == "cycles" and self.context.display.look.cycles_as == "cycles":
            return cycles_and_time(value, clock)
        return place(value, column.unit, column.finest, self.context.display.look, clock)

    def _in_file(self, profile: Profile, start: float) -> Iterator[Line]:
        """The timestamp in the file, if it differs from the ruler's."""
        if profile.timeline is not None and profile.timeline.origin:
            yield Line(tr("Start in the file"), moment(profile.timeline, start), IN_FILE)

    def _record(self, sheet: Sheet, profile: Profile, index: int, shown: Sequence[str]) -> None:
        """Adds the arguments of the file's own record of a slice, which is decoded again, without what is ``shown``,
        and at the end of the page the record, folded."""
        entry, timeline, read = self.context.document.current, profile.timeline, self.context.document.record
        if entry is None or timeline is None or timeline.pieces is None or not 0 <= index < len(timeline.slices.record):
            return
        ordinal = int(timeline.slices.record[index])
        if ordinal < 0 or read is None:
            return
        name = profile.origin.paths[timeline.pieces.file].name
        try:
            record = dict(read(entry.id, ordinal))
        except FormatError as error:  # the file has changed or is gone: show that, and continue
            sheet.say(tr("{name} cannot be read again: {error}", name=name, error=error), "warning")
            return
        arguments = record.get("args")
        if isinstance(arguments, Mapping) and (others := arguments_once(arguments, shown)):
            sheet.heading(tr("Arguments"))
            sheet.facts(record_lines(others))
        if record:
            title = tr("Record {ordinal:,} of {name}", ordinal=ordinal, name=name)
            sheet.fold(title, record_lines(record), opened=self._record_open, turned=self._fold_record)

    def _fold_record(self, opened: bool) -> None:
        """Keeps records of other slices as the user left this one."""
        self._record_open = opened

    # -- several things -----------------------------------------------------------------------------------

    def _many(self, sheet: Sheet, selection: Selection, summaries: list[ColumnStatistics]) -> None:
        sheet.title(KINDS[selection.kind].counted(len(selection.indices)))
        sheet.space(6)
        sheet.facts(self._spread(several) for several in summaries)
        if not summaries:
            sheet.say(self.lacks(UNKNOWN), "muted")

    def _spread(self, several: ColumnStatistics) -> Line:
        look, unit = self.context.display.look, several.column.unit
        profile = self.profile
        clock = profile.target.clock_hz if profile is not None and profile.target is not None else None
        if several.own_time is not None:
            clock = several.own_time.clock_hz
        clock = None if several.column.parallel else clock

        def shown(amount: float) -> str:
            if several.column.finest:
                return self._moment(several.column, amount, clock)
            return format_value(amount, unit, look, clock)

        parts = [] if several.total is None else [tr("{shown} in total", shown=shown(several.total))]
        if several.least == several.most:
            parts.append(tr("{shown} each", shown=shown(several.most)))
        else:
            parts += [] if several.mean is None else [tr("mean {shown}", shown=shown(several.mean))]
            parts += [] if several.median is None else [tr("median {shown}", shown=shown(several.median))]
            parts.append(tr("{least} to {most}", least=shown(several.least), most=shown(several.most)))
        if several.known < several.asked:
            lacking = several.asked - several.known
            parts.append(
                plural(
                    "{count:,} of {total:,} has no value",
                    "{count:,} of {total:,} have no value",
                    count=lacking,
                    total=several.asked,
                )
            )
        full = "" if several.total is None else tr("\n{total} in total", total=exact(several.total, unit))
        help_ = tr(
            "{help}\n{known:,} of them have a value.{full}", help=several.column.help, known=several.known, full=full
        )
        return Line(several.column.title, ", ".join(parts), help_.strip())

    # -- links --------------------------------------------------------------------------------------------

    def _next_links(self) -> None:
        """Adds as many links as a frame has time for, as each of them lays the page out again, or the next one that a
        thread finds."""
        if self._described is not None and relations.slow(self._described.profile):
            self._links.stop()
            self._looking.run(Task(partial(_next_of, self._more), self._add_later, self._say_error))
            return
        until = time.perf_counter() + BUDGET
        while time.perf_counter() < until:
            if not self._add(next(self._more, None)):
                self._links.stop()
                return

    def _add_later(self, related: Part | Related | None) -> None:
        if self._add(related):
            self._links.start()

    def _say_error(self, error: FormatError) -> None:
        self.sheet.say(str(error), "warning")

    def _add(self, related: Part | Related | None) -> bool:
        """Adds it to the page; returns whether there was any."""
        if isinstance(related, Part):
            self._part(related)
        elif related is not None:
            select = partial(self.context.document.selection.set, related.selection)
            self.sheet.link(f"{MARK}{related.text}", select, tr("Select it in all panels"))
        return related is not None

    def _part(self, part: Part) -> None:
        """A heading, facts, and links."""
        look, profile = self.context.display.look, self.profile
        clock = profile.target.clock_hz if profile is not None and profile.target is not None else None

        def shown(facts: Sequence[Fact]) -> Iterator[Line]:
            return (Line(fact.label, sentence(fact.words, look, clock, unbroken=True), fact.help) for fact in facts)

        self.sheet.heading(part.title)
        self.sheet.facts(shown(part.facts))
        for pointer in part.pointers:
            select = partial(self.context.document.selection.set, pointer.selection)
            before, name = (sentence(words, look, clock) for words in (pointer.text[:-1], pointer.text[-1:]))
            head = f"{MARK}{before}"  # figures before a name are never elided
            self.sheet.link(head + name, select, tr("Select it in all panels"), fact=True, head=head)
        if part.below:
            self.sheet.facts(shown(part.below))
        if part.rows:
            self.sheet.table(self._shown_row(row, look, clock) for row in part.rows)

    def _shown_row(self, row: PartRow, look: Look, clock: float | None) -> SheetRow:
        document, run = self.context.document, None
        if row.table:
            run = partial(document.target_wanted.emit, Target(row.selection, panel=row.panel, table=row.table))
        elif row.selection is not None:
            run = partial(document.selection.set, row.selection)
        help_ = row.help or ("" if run is None else tr("Select it in all panels"))
        return SheetRow(row.name, tuple(sentence(cell, look, clock) for cell in row.cells), run, help_)


def _looked_up(described: Described, selection: Selection) -> list[Row] | list[ColumnStatistics]:
    """The rows of a single thing, or figures over several."""
    if len(selection.indices) == 1:
        return described.rows(selection.kind, selection.first)
    return described.several(selection)


def _next_of(more: Iterator[Part | Related], *_: object) -> Part | Related | None:
    return next(more, None)


TITLE = tr("Compared with the baseline")
ALONE = tr("Only in the comparison: no match in the baseline.")
MOST_TABLES = 3
SAME = tr("Its figures are the same in the baseline.")


class Partners:
    """Partners of rows in the baseline of one comparison. The last few tables are kept."""

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._compared: dict[str, ComparedTable] = {}

    def of(self, row: Row, check: Callable[[], None]) -> PartnerFields | None:
        """The partner of a row of the comparison; None where the baseline has no such table. Runs in a thread."""
        from app.analysis.compare.as_table import partner_fields

        table_id = row.table.id
        compared = self._compared.pop(table_id, None)
        if compared is None or compared.after is not row.table:
            before = by_id(self.comparison.before, table_id)
            check()
            if before is None:
                return None
            compared = self.comparison.compare(table_id, before, row.table, check)
        self._compared[table_id] = compared
        while len(self._compared) > MOST_TABLES:
            del self._compared[next(iter(self._compared))]
        return partner_fields(compared, row.row)


def add_partner(sheet: Sheet, row: Row, partner: PartnerFields | None, look: Look, clock: float | None) -> None:
    """Adds what differs to a page."""
    sheet.heading(tr("{title}: {table}", title=TITLE, table=row.table.title))
    if partner is None:
        sheet.say(tr("The baseline has no table “{table}”.", table=row.table.title), "muted")
    elif partner.rule is None:
        sheet.say(ALONE, "muted")
    else:
        sheet.facts(lines(partner, look, clock))
        if not partner.fields:
            sheet.say(SAME, "muted")


def lines(partner: PartnerFields, look: Look, clock: float | None) -> Iterator[Line]:
    """A line for each field that differs, and one that says how both were matched."""
    for field in partner.fields:
        yield Line(field.column.title, _value(field, look, clock), field.column.help)
    if partner.rule is not None:
        yield Line(tr("Matched by"), partner.rule.title, partner.rule.help)


def _value(field: Field, look: Look, clock: float | None) -> str:
    """Before, after, and the difference."""
    finest = field.column.finest
    if isinstance(field.before, float) and isinstance(field.after, float):
        finest = min(finest, abs(field.after - field.before) or finest)  # so that both read differently
    before, after = (_shown(cell, field.column, finest, look, clock) for cell in (field.before, field.after))
    text = tr("{before} → {after}", before=before, after=after)
    if field.difference is None:
        return text
    difference = change(field.difference, field.column.unit, look, clock)
    if field.percent is not None:
        difference = tr("{difference}, {percent}", difference=difference, percent=signed_percent(field.percent))
    return tr("{text} ({difference})", text=text, difference=difference)


def _shown(cell: Cell, column: Column, finest: float, look: Look, clock: float | None) -> str:
    if cell is None:
        return NO_DATA
    if column.hexadecimal and isinstance(cell, int):
        return f"{cell:#x}"
    if column.finest and isinstance(cell, float):
        return place(cell, column.unit, finest, look, clock)
    return format_value(cell, column.unit, look, None if column.parallel else clock)
