"""Collects what is on the page from a profile, formatted with its units."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from typing import Final

import numpy as np

from app import __version__
from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.ranking import ranking
from app.analysis.figures import figures
from app.analysis.findings import ranked
from app.analysis.findings.compared import compared_outcomes
from app.analysis.findings.finding import Outcome
from app.analysis.findings.thresholds import DEFAULT, Thresholds, changed
from app.analysis.table import Table
from app.analysis.tables import by_id
from app.analysis.verdicts import verdicts
from app.analysis.verdicts.lines import expert_lines
from app.analysis.view_links.things import links_of
from app.formats.registry import label_of
from app.language import plural, tr
from app.profile.issue import severity_word
from app.profile.profile import Profile
from app.report.contents import Cell, Chart, Head, ReportText, TableText
from app.store.findings import changed_findings, outcomes
from app.store.link_files import ref_to
from app.views.look import Look
from app.views.pages.comparison import comparison_section
from app.views.pages.document import Block, Line, Rows, Section, Sentence
from app.views.pages.figures import figure_sections
from app.views.pages.findings import finding_section, not_checked, verdict_sentences
from app.views.table import Cells, right_aligned
from app.views.units import NO_DATA, size

TABLES: Final = (
    *("steps-by-compute-set", "step-types", "programs", "memory-by-category", "compute-sets", "vertex-types"),
    *("exchanges", "live-variables", "tiles", "slice-statistics", "lanes", "block-details", "source-lines"),
    *("instructions", "workload", "core-load", "memory-paths", "memory-blocks", "roofline", "stall-reasons"),
    *("blobs", "executables", "anchors", "tensors", "feeds", "metadata", "options", "modules", "transfers", "events"),
    *("onchip-memories", "onchip-blocks", "mapped-tensors", "mapped-types", "pypto-kernels", "cores", "tile-events"),
    *("steps-of-training", "kernel-types", "collectives", "collective-delays", "links", "op-codes", "device-zones"),
    *("worker-cores", "noc-cores", "report-operations", "l1-per-core"),
)
MOST_EXPLAINED: Final = 20
"""Rows of each list of a comparison."""
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
    compared = None
    if comparison is not None:
        made_of, causes = ranking(comparison, look), all_causes(comparison, look)
        came = changed_findings(comparison, thresholds, look)
        compared = comparison_section(comparison, made_of, causes, came, limit=MOST_EXPLAINED)
    return ReportText(
        title=profile.name,
        subtitle=label_of(profile),
        summary=Section(tr("Summary"), tuple(_summary(profile, clock, look))),
        findings=_findings(profile, made, comparison, clock),
        comparison=compared,
        charts=tuple(charts),
        tables=tuple(_tables(profile, clock, look)),
        figures=tuple(figure_sections(figures(profile, whole=True), None, clock)),
        provenance=Section(tr("Provenance"), tuple(_provenance(profile, made, thresholds, look))),
        names=tuple(path.name for path in profile.origin.paths),
    )


def _summary(profile: Profile, clock: float | None, look: Callable[[], None]) -> Iterator[Block]:
    for verdict in verdicts(profile, lines=expert_lines(profile, look)):
        yield from verdict_sentences(verdict, None, clock)


def _findings(
    profile: Profile, made: Sequence[Outcome], comparison: Comparison | None, clock: float | None
) -> Section | None:
    pairs = ranked(made)
    before = None if comparison is None else ref_to(comparison.before)
    links = links_of(profile, ref_to(profile), pairs, before)
    found = tuple(finding_section(*pair, None, clock, own) for pair, own in zip(pairs, links, strict=True))
    missing = not_checked(made)
    blocks = (*found, *(() if missing is None else (missing,)))
    nothing = (Sentence(tr("No findings for this profile.")),) if blocks and not found else ()
    return Section(tr("Findings"), (*nothing, *blocks)) if blocks else None


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


def _provenance(
    profile: Profile, made: Sequence[Outcome], thresholds: Thresholds, look: Callable[[], None]
) -> Iterator[Block]:
    """What made the page, the thresholds that are not the usual ones, the files, and what was wrong with them."""
    yield Line(tr("Generated by"), tr("Tilesight {version}", version=__version__))
    yield Line(tr("Rules checked"), str(sum(not outcome.why for outcome in made)))
    for name, value in changed(thresholds).items():
        yield Line(tr("Threshold {name}", name=name), f"{value:g}")
    yield Rows((tr("File"), tr("Size"), "SHA-256"), tuple(_files(profile.origin.paths, look)), frozenset({1}))
    issues = tuple(Line(severity_word(one.severity), f"{one.where}: {one.text}") for one in profile.issues)
    if issues:
        yield Section(tr("Issues"), issues)


def _files(paths: Sequence[Path], look: Callable[[], None]) -> Iterator[tuple[str, str, str]]:
    for path in paths:
        look()
        try:
            with path.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
            yield path.name, size(path.stat().st_size), digest
        except OSError as error:
            yield path.name, NO_DATA, tr("can no longer be read: {error}", error=error.strerror or error)
