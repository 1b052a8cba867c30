"""Collects what is on the page from a profile, formatted with its units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Final

import numpy as np

from app import __version__
from app.analysis.compare import noise
from app.analysis.compare.comparison import ComparedFigure, Comparison
from app.analysis.compare.ranking import Explanation, ranking
from app.analysis.figures import figures
from app.analysis.findings import ranked
from app.analysis.findings.compared import compared_outcomes
from app.analysis.findings.finding import Finding, Outcome, Rule
from app.analysis.findings.thresholds import DEFAULT, Thresholds
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.verdicts import verdicts
from app.analysis.verdicts.lines import expert_lines
from app.analysis.view_links.of_findings import FindingLinks, links_of
from app.formats.registry import label_of
from app.language import plural, tr
from app.profile.profile import Profile
from app.report.contents import (
    Cell,
    Chart,
    ComparisonText,
    Difference,
    FigureText,
    FigureTexts,
    FileFact,
    FindingText,
    Head,
    ReportText,
    Statement,
    TableText,
)
from app.store.findings import outcomes
from app.store.link_files import ref_to
from app.views.look import Look
from app.views.plain_sentence import plain_sentence
from app.views.severities import SIGNS
from app.views.summary.texts import STATE_SIGNS, groups
from app.views.table.cells import Cells, right_aligned
from app.views.units import MINUS, NO_DATA, change, format_value, signed_percent, size

MOST_EXPLAINED = 20
TABLES: Final = (
    *("steps-by-compute-set", "step-types", "programs", "memory-by-category", "compute-sets", "vertex-types"),
    *("exchanges", "live-variables", "tiles", "slice-statistics", "lanes", "block-details", "source-lines"),
    *("instructions", "workload", "core-load", "memory-paths", "memory-blocks", "roofline", "stall-reasons"),
    *("blobs", "executables", "anchors", "tensors", "feeds", "metadata", "options", "modules", "transfers", "events"),
    *("onchip-memories", "onchip-blocks", "mapped-tensors", "mapped-types"),
)
MOST_ROWS: Final = 100
"""Of each table: the largest by its first column that adds up, else the first."""


def gather(
    profile: Profile,
    charts: Sequence[Chart],
    comparison: Comparison | None = None,
    thresholds: Thresholds = DEFAULT,
    look: Callable[[], None] = lambda: None,
) -> ReportText:
    """The contents of the page. ``look`` is called between pieces of work, and may raise to stop."""
    clock = profile.target.clock_hz if profile.target is not None else None
    made = outcomes(profile, thresholds, look=look)
    if comparison is not None:
        made = [*compared_outcomes(comparison, thresholds, look), *made]
    known = figures(profile)
    return ReportText(
        title=profile.name,
        subtitle=label_of(profile),
        statements=tuple(_statements(profile, clock, look)),
        findings=tuple(_findings(profile, made, comparison, clock)),
        not_checked=tuple((outcome.rule.title, outcome.why) for outcome in made if outcome.why),
        figures=tuple(
            FigureTexts(
                group.title, tuple(FigureText(line.label, line.value, line.help, line.depth) for line in group.lines)
            )
            for group in groups(known, Look(), clock)
        ),
        charts=tuple(charts),
        tables=tuple(_tables(profile, clock, look)),
        comparison=None if comparison is None else _comparison(comparison, look),
        issues=tuple((issue.severity, issue.where, issue.text) for issue in profile.issues),
        files=tuple(_files(profile.origin.paths, look)),
        settings=tuple(_settings(made, thresholds)),
    )


def _statements(profile: Profile, clock: float | None, look: Callable[[], None]) -> Iterator[Statement]:
    for verdict in verdicts(profile, lines=expert_lines(profile, look)):
        sentences = (*verdict.detail, *(line.words for line in verdict.lines))
        details = tuple(plain_sentence(words, clock) for words in sentences)
        yield Statement(verdict.state, STATE_SIGNS[verdict.state], plain_sentence(verdict.text, clock), details)


def _findings(
    profile: Profile, made: Sequence[Outcome], comparison: Comparison | None, clock: float | None
) -> Iterator[FindingText]:
    pairs = ranked(made)
    before = None if comparison is None else ref_to(comparison.before)
    links = links_of(profile, ref_to(profile), pairs, before)
    for (rule, finding), own in zip(pairs, links, strict=True):
        yield _finding(rule, finding, clock, own)


def _finding(rule: Rule, finding: Finding, clock: float | None, links: FindingLinks) -> FindingText:
    saving = finding.saving
    shown = ""
    if saving is not None:
        amount = format_value(saving.at_most, saving.unit, None, clock)
        shown = tr("{amount} ({scope})", amount=amount, scope=saving.scope)
    evidence = tuple(
        (
            " · ".join(part for part in (own.key, own.figure) if part),
            format_value(own.value, own.unit, None, clock),
            link,
        )
        for own, link in zip(finding.evidence, links.evidence, strict=True)
    )
    return FindingText(
        finding.severity,
        SIGNS[finding.severity],
        finding.title,
        plain_sentence(finding.text, clock),
        shown,
        "" if saving is None else saving.formula,
        rule.id,
        evidence,
        links.finding,
    )


def _tables(profile: Profile, clock: float | None, look: Callable[[], None]) -> Iterator[TableText]:
    for name in TABLES:
        look()
        table = by_id(profile, name)
        if table is not None and table.rows:
            yield table_text(table, clock)


def table_text(table: Table, clock: float | None, most: int = MOST_ROWS) -> TableText:
    """At most ``most`` rows of a table: the largest by its first column that adds up, else the first."""
    rows = np.arange(table.rows)
    first = next((column for column in table.columns if column.sums), None)
    if first is not None and table.rows > most:
        values = np.asarray(first.values).astype(np.float64)
        known = np.isfinite(values) if first.missing is None else np.isfinite(values) & ~first.missing
        rows = np.argsort(np.where(known, -values, np.inf), kind="stable")
    left = table.rows - min(table.rows, most)
    cells = Cells(table, Look(), clock)
    heads = tuple(
        Head(cells.header(place), cells.help(place), right_aligned(column))
        for place, column in enumerate(table.columns)
    )
    shown = tuple(tuple(_cell(cells, table, place, row) for place in range(len(heads))) for row in rows[:most].tolist())
    left_out = plural("{count:,} more row in the file", "{count:,} more rows in the file", count=left) if left else ""
    return TableText(table.id, table.title, table.note, heads, shown, left_out)


def _cell(cells: Cells, table: Table, place: int, row: int) -> Cell:
    column = table.columns[place]
    value, number = column.value(row), right_aligned(column)
    text = cells.text(place, row)
    if value is None or text is None:
        return Cell(NO_DATA, "", number)
    return Cell(text, str(value), number)


def _comparison(comparison: Comparison, look: Callable[[], None]) -> ComparisonText:
    changed = (figure for figure in comparison.figures if figure.changed and figure.label)
    explained = [row for topic in ranking(comparison, look).topics for row in topic.rows[:MOST_EXPLAINED]]
    return ComparisonText(
        comparison.before.name,
        tuple(comparison.limits),
        tuple(_compared_figure(figure) for figure in changed),
        tuple(_explained(row) for row in explained[:MOST_EXPLAINED]),
    )


def _compared_figure(figure: ComparedFigure) -> Difference:
    before, after = (format_value(value, figure.unit) for value in figure.display)
    difference = "" if figure.difference is None else change(figure.difference, figure.unit)
    share = "" if figure.percent is None else signed_percent(figure.percent)
    return Difference(figure.label, "", before, after, figure.why or difference, share, _sign(figure.difference))


def _explained(row: Explanation) -> Difference:
    before, after = (format_value(value, row.unit) for value in (row.before, row.after))
    inside = f" {tr('(inside the spread)')}" if row.verdict == noise.INSIDE else ""
    share = "" if row.share is None else tr("{share} of the difference", share=signed_percent(row.share))
    return Difference(
        row.name, row.title, before, after, change(row.difference, row.unit) + inside, share, _sign(row.difference)
    )


def _sign(difference: float | None) -> str:
    return "" if not difference else "+" if difference > 0 else MINUS


def _files(paths: Sequence[Path], look: Callable[[], None]) -> Iterator[FileFact]:
    for path in paths:
        look()
        try:
            with path.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
            yield FileFact(path.name, size(path.stat().st_size), digest)
        except OSError as error:
            yield FileFact(path.name, NO_DATA, tr("can no longer be read: {error}", error=error.strerror or error))


def _settings(made: Sequence[Outcome], thresholds: Thresholds) -> Iterator[tuple[str, str]]:
    yield tr("Generated by"), tr("Tilesight {version}", version=__version__)
    yield tr("Rules checked"), str(sum(not outcome.why for outcome in made))
    changed = [name for name in Thresholds.__struct_fields__ if getattr(thresholds, name) != getattr(DEFAULT, name)]
    for name in changed:
        yield tr("Threshold {name}", name=name), f"{getattr(thresholds, name):g}"
