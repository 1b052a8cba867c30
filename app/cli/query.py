"""`query`: one SQL statement over the tables of files."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from app.analysis.about import Setting, merged
from app.analysis.export import export
from app.analysis.table import Table
from app.cli.common_words import add_jobs, add_profile, add_unit, path_of, row_count
from app.cli.outputs import incomplete, not_written, wrong_ending, wrong_target
from app.cli.parser import RawFormatter
from app.cli.reading import Line, no_such_profile, no_unit_to_set, opened, the_baseline
from app.cli.terminal import complain, say, say_pieces, usage_error
from app.formats.errors import FormatError
from app.language import plural, tr
from app.query.errors import QueryError
from app.query.names import listed_tables
from app.query.result import first_rows
from app.query.session import Session, Source, sources_of
from app.store.table_files.kinds import KINDS
from app.store.table_files.save import save_table
from app.store.token import Token, interruptible
from app.views.pages.document import left, right, width
from app.views.units import format_value

ROWS: Final = 100
"""Rows that are printed for people, unless --limit says otherwise."""
WIDEST: Final = 60
"""Characters of a cell that are printed for people."""

EPILOG = tr(
    "`tilesight tables FILE` lists the tables. SQL names need no quotes: compute-sets is compute_sets,\n"
    "tile-memory/region is tile_memory_region, the column end is end_. The column `item` contains the number of the\n"
    "item that a row describes. The tables of --baseline are baseline.NAME, of several profiles p1.NAME, p2.NAME.\n"
    "\n"
    "  tilesight query FILE --tables\n"
    '  tilesight query FILE "select name, sum(duration) from slices group by name order by 2 desc"\n'
    '  tilesight query A --baseline B "select name, a.max_cycles - b.max_cycles as more\n'
    '      from compute_sets a join baseline.compute_sets b using (name) order by more desc" --csv\n'
    "\n"
    "A statement can read these tables and nothing else: no files, no network. Needs DuckDB (tilesight[sql])."
)


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.formatter_class = RawFormatter
    parser.epilog = EPILOG
    parser.add_argument(
        "words",
        nargs="+",
        metavar="FILE|FOLDER … STATEMENT",
        help=tr("the files, then one statement (not with --tables)"),
    )
    parser.add_argument(
        "--tables", action="store_true", help=tr("list the tables and columns with their SQL names and units")
    )
    parser.add_argument("--baseline", type=path_of, metavar="B", help=tr("a file or folder, as the schema `baseline`"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    form.add_argument("--csv", action="store_true", help=tr("CSV"))
    parser.add_argument(
        "-o", "--output", type=path_of, metavar="OUT", help=tr("a .csv, .tsv, .json, .xlsx or .parquet file")
    )
    parser.add_argument("--limit", type=row_count, metavar="N", help=tr("at most N rows"))
    add_profile(parser)
    add_unit(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a file cannot be read or the output cannot be written, 2 if the statement is wrong or DuckDB is not
    installed."""
    names, statement = (options.words, "") if options.tables else (options.words[:-1], options.words[-1])
    if options.tables and (options.json or options.csv or options.output):
        return usage_error(tr("--tables prints a list for people: use it without --json, --csv and -o"))
    if not names:
        return usage_error(tr("{words}: give the file first, then the statement", words=statement))
    if not all(names):
        return usage_error(tr("the name of a file is empty"))
    files = [Path(name) for name in names]
    wrong = _wrong_output(options, files)
    if wrong:
        return usage_error(wrong)
    with ExitStack() as stack:
        result = stack.enter_context(opened(files, options.jobs, options.time_unit))
        if not result.profiles:
            return 1
        if no_unit_to_set(result.profiles, options.time_unit) or no_such_profile(result.profiles, options.profile):
            return 2
        profiles = result.profiles if options.profile is None else [result.profiles[options.profile - 1]]
        before = None
        if options.baseline is not None:
            before, status = the_baseline(stack, options.baseline, options.jobs, options.time_unit)
            if before is None:
                return status
        sources = sources_of(profiles, before)
        status = _list(sources) if options.tables else _query(sources, statement, options)
        return status or (1 if result.refusals else 0)


def _wrong_output(options: argparse.Namespace, files: Sequence[Path]) -> str:
    target: Path | None = options.output
    if target is None:
        return ""
    if wrong := wrong_ending(target, KINDS):
        return wrong
    return KINDS[target.suffix.lower()].why_not or wrong_target(target, files, options.baseline)


def _query(sources: Sequence[Source], statement: str, options: argparse.Namespace) -> int:
    """Status 1 if the output cannot be written, or not all of it, 2 if the statement is wrong. What is
    written appears whole or not at all, except on standard output, where rows follow one another as they are
    computed."""
    try:
        note, lost = interruptible(lambda token: _answered(sources, statement, options, token))
    except QueryError as error:
        return usage_error(str(error))
    except (OSError, FormatError) as error:
        if options.output is None:
            raise
        return not_written(options.output, error)
    if note:
        complain(note)
    return incomplete(options.output, lost) if lost else 0


def _answered(sources: Sequence[Source], statement: str, options: argparse.Namespace, token: Token) -> tuple[str, str]:
    """Writes the result; returns what is to be said about it, and what the file does not hold of it.
    Memory is bounded, however many rows there are."""
    known = merged([source.profile for source in sources], [Setting("query", tr("Statement"), statement)])
    with Session(sources) as session:
        token.attach(session.interrupt)
        if not (options.json or options.csv or options.output):
            _printed(session, sources, statement, options.limit, token)
            return "", ""
        result = session.stream(statement, options.limit, token.check)
        parts = result.tables()
        table = next(parts)
        more = _watched(parts, table.rows, Line())
        lost = ""
        if options.output is not None:
            inputs = [path for own in sources for path in own.profile.origin.paths]
            lost = save_table(table, options.output, known, inputs, more=more)
        else:
            say_pieces(export(table, "json" if options.json else "csv", about=known, more=more))
        said = result.more and (options.output is not None or not options.json)
        return first_rows(options.limit) if said else "", lost


def _watched(tables: Iterator[Table], rows: int, line: Line) -> Iterator[Table]:
    """The tables, with the number of rows so far on a terminal."""
    for table in tables:
        yield table
        rows += table.rows
        line.show(plural("{count:,} row", "{count:,} rows", count=rows))
    line.clear()


def _printed(session: Session, sources: Sequence[Source], statement: str, limit: int | None, token: Token) -> None:
    """Prints aligned columns, and how many rows are omitted."""
    result = session.stream(statement, ROWS if limit is None else limit, token.check)
    count, clock = 0, _clock(sources)
    widths: list[int] = []
    for table in result.tables():
        say(lines(table, clock, widths, head=not count))
        count += table.rows
    if not result.more:
        say([plural("({count:,} row)", "({count:,} rows)", count=count)])
        return
    whole = session.count(statement)
    say(
        [
            plural(
                "({shown:,} of {count:,} row; {left:,} omitted: --limit {limit} prints all of them, "
                "-o FILE.csv writes them to a file)",
                "({shown:,} of {count:,} rows; {left:,} omitted: --limit {limit} prints all of them, "
                "-o FILE.csv writes them to a file)",
                count=whole,
                shown=count,
                left=whole - count,
                limit=whole,
            )
        ]
    )


def _clock(sources: Sequence[Source]) -> float | None:
    target = sources[0].profile.target
    return None if target is None else target.clock_hz


def lines(table: Table, clock_hz: float | None, widths: list[int], *, head: bool) -> Iterator[str]:
    """The table with aligned columns: amounts with their unit, numbers at the right; ``head``: below their titles.
    ``widths``: those of the columns so far, which grow."""
    columns = [
        [_short(format_value(column.value(row), column.unit, None, table.clock(clock_hz))) for row in range(table.rows)]
        for column in table.columns
    ]
    titles = [_short(column.title) for column in table.columns]
    before = widths or [width(title) for title in titles]
    widths[:] = [max([least, *map(width, cells)]) for least, cells in zip(before, columns, strict=True)]
    for cells in (*([titles] if head else []), *zip(*columns, strict=True)):
        padded = (
            right(cell, size) if column.numeric else left(cell, size)
            for cell, size, column in zip(cells, widths, table.columns, strict=True)
        )
        yield "  ".join(padded).rstrip()


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def _list(sources: Sequence[Source]) -> int:
    """The tables with their columns and units."""
    for source in sources:
        schema = f"{source.schema}." if source.schema else ""
        say([source.profile.name])
        for table in listed_tables(source.profile):
            columns = (f"{name} [{unit}]" if unit else name for name, unit in table.columns)
            rows = "" if table.rows is None else plural("{count:,} row", "{count:,} rows", count=table.rows)
            size = ", ".join(filter(None, (rows, table.id)))
            later = tr("takes seconds to compute")
            say([f"  {schema}{table.name}  ({size})", f"      {', '.join(columns) if table.columns else later}"])
    return 0
