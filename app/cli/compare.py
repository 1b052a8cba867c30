"""`compare`: a profile against a baseline, for people, programs and builds."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from difflib import get_close_matches
from pathlib import Path

from msgspec.structs import replace

from app.analysis.compare.as_table import as_table
from app.analysis.compare.causes import all_causes
from app.analysis.compare.comparison import Comparison
from app.analysis.compare.conditions import BadCondition, Judged, parse
from app.analysis.compare.names import DEFAULT, TITLES
from app.analysis.compare.ranking import ranking
from app.analysis.compare.tables import ComparedTable
from app.analysis.export import export
from app.analysis.parts.offered import NoPart
from app.analysis.tables import listed
from app.cli import compare_json
from app.cli.annotations import Annotation, annotation_lines
from app.cli.common_words import add_format, add_jobs, add_unit, row_count
from app.cli.documents import Baseline, the_document
from app.cli.junit import Case, State, Suite, xml_lines
from app.cli.parser import RawFormatter
from app.cli.reading import no_such_profile, no_unit_to_set, opened, the_profile
from app.cli.sides import side
from app.cli.terminal import complain, say, say_pieces, usage_error
from app.language import labelled, tr
from app.profile.profile import Profile
from app.store import baselines
from app.store.compare_contents import content_differences, same_contents
from app.store.findings import changed_findings
from app.store.token import Token
from app.views.pages.comparison import comparison_section, condition_words, conditions_section, table_section
from app.views.pages.document import Section, page_lines, page_markdown
from app.views.units import format_value

EPILOG = tr(
    "FILE#PART is a part of a profile: block=3, core=0, sub-core=core0.veccore1, process=NAME, rank=1, ipu=1,\n"
    "replica=1, iteration=4 (of the loop that takes most of the run, from 1), range=START..END (times as in the\n"
    "table slices; either may be omitted). Parts of one file or of two are compared like files:\n"
    "\n"
    "  tilesight compare 'operator.bin#block=3' 'operator.bin#block=7'\n"
    "  tilesight compare 'trace.json#range=..1500' 'trace.json#range=1500..'\n"
    "\n"
    "--fail-if takes a figure of `info --json`, table.column[row] or table.column (its sum), a comparison, and a\n"
    "number with an optional unit. A number with a sign tests the difference, in percent of the baseline if its\n"
    "unit is %, in percentage points for shares; a number without one tests the value after:\n"
    "\n"
    "  tilesight compare B A --fail-if 'execution.cycles > +2 %' --fail-if 'memory.max_tile_bytes > +10 KiB'\n"
    "  tilesight compare B A --fail-if 'memory.tiles_over > 0' --fail-if 'report.l2_hit_rate < -2 %'\n"
    "\n"
    "With a baseline of three or more runs (`tilesight baseline --runs`), spread stands for all of them: > spread is\n"
    "above the largest, < spread below the smallest, != spread one of both. > and < take a margin:\n"
    "\n"
    "  tilesight compare runs.json A --fail-if 'execution.cycles > spread' --fail-if 'lanes.busy > spread + 1 %'\n"
    "\n"
    "Exit status: 0 no condition holds, 1 one holds, 2 one cannot be evaluated, or a side cannot be read."
)


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.formatter_class = RawFormatter
    parser.epilog = EPILOG
    parser.add_argument(
        "before",
        type=side,
        metavar="B",
        help=tr("the baseline: a file or folder, FILE#PART, or what `tilesight baseline` wrote"),
    )
    parser.add_argument("after", type=side, metavar="A", help=tr("the file or folder to compare with the baseline"))
    parser.add_argument("--table", metavar="NAME", help=tr("only this table (`tilesight tables` lists the names)"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    form.add_argument("--csv", action="store_true", help=tr("the rows of --table that differ, as CSV"))
    add_format(form)
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help=tr("exit with status 1 if the condition holds; repeatable"),
    )
    parser.add_argument(
        "--limit", type=row_count, metavar="N", help=tr("at most N rows of each table, the largest differences first")
    )
    parser.add_argument(
        "--names",
        choices=tuple(TITLES),
        default=DEFAULT,
        help=tr("what to ignore in names that have no match on the other side (default: {default})", default=DEFAULT),
    )
    parser.add_argument(
        "--no-contents",
        action="store_true",
        help=tr("skip the data of tensors and executables; comparing it takes as long as reading the files"),
    )
    parser.add_argument(
        "--profile", type=int, default=None, metavar="N", help=tr("which profile, if a side contains several: 1, 2, …")
    )
    add_unit(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a condition holds, 2 if one cannot be evaluated, a side cannot be read or the arguments are wrong."""
    try:
        conditions = [parse(text) for text in options.fail_if]
    except BadCondition as error:
        return usage_error(f"--fail-if {error}")
    if options.csv and options.table is None:
        return usage_error(tr("--csv needs a table, such as --table steps"))
    with ExitStack() as stack:
        try:
            sides = _sides(stack, options)
        except NoPart as error:
            return usage_error(str(error))
        if sides is None:
            return 2
        before, after = sides
        contents = same_contents if before.kept is None else None
        comparison = Comparison(before.profile, after, names=options.names, contents=contents, kept=before.kept)
        table = None if options.table is None else comparison.table(options.table)
        if options.table is not None and table is None:
            return usage_error(no_table(comparison, options.table))
        judged = [condition.judged(comparison) for condition in conditions]
        _print(comparison, table, judged, options)
        return report(judged)


def _sides(stack: ExitStack, options: argparse.Namespace) -> tuple[Baseline, Profile] | None:
    """Baseline and comparison; a file of which two parts are compared is read once. None if one cannot be read. NoPart
    with the name of the file."""
    read: dict[Path, Profile | None] = {}
    most: list[Profile] = []
    document = None
    if baselines.is_baseline(options.before.path):
        if options.before.part:
            raise NoPart(tr("{file}: a baseline document has no parts", file=options.before.path))
        document = the_document(options.before.path)
        if document is None:
            return None
    for wanted in (options.before, options.after) if document is None else (options.after,):
        if wanted.path not in read:
            result = stack.enter_context(opened([wanted.path], options.jobs, options.time_unit))
            read[wanted.path] = the_profile(result, wanted.path, options.profile)
            most = max(most, result.profiles, key=len)
    if no_such_profile(most, options.profile):  # a side that has only one needs no number
        return None
    if no_unit_to_set([profile for profile in read.values() if profile is not None], options.time_unit):
        return None
    after = options.after.of(read[options.after.path])
    if document is not None:
        return None if after is None else (document, after)
    before = options.before.of(read[options.before.path])
    return None if before is None or after is None else (Baseline(before), after)


def report(judged: Iterable[Judged]) -> int:
    """Reports the conditions that hold and those that cannot be evaluated; returns the exit status."""
    status = 0
    for one in judged:
        if one.holds is None:
            complain(tr("cannot be evaluated: {error}", error=one.why))
            status = 2
        elif one.holds:
            complain(tr("holds: {condition}: {figures}", condition=one.condition, figures=condition_words(one)))
            status = max(status, 1)
    return status


def no_table(comparison: Comparison, name: str) -> str:
    """The message for a table that neither profile has."""
    names = dict.fromkeys(table.id for profile in (comparison.after, comparison.before) for table in listed(profile))
    near = get_close_matches(name, names, 3)
    hint = tr("did you mean {near}?", near=", ".join(near)) if near else tr("`tilesight tables FILE` lists them")
    return tr("--table {name}: neither profile has it; {hint}", name=name, hint=hint)


def _print(
    comparison: Comparison, table: ComparedTable | None, judged: Sequence[Judged], options: argparse.Namespace
) -> None:
    whole, with_contents = table is None and options.format != "github", not options.no_contents
    read = whole and with_contents and comparison.kept is None
    contents = list(content_differences(comparison, Token())) if read else []
    causes = all_causes(comparison) if whole else []
    findings = changed_findings(comparison, contents=with_contents) if whole else []
    if options.json:
        tables: Iterable[ComparedTable] = comparison.tables() if table is None else (table,)
        say_pieces(compare_json.pieces(comparison, tables, options.limit, contents, judged, causes, findings))
    elif options.csv and table is not None:
        order = table.order()
        rows = order[table.changed[order]]
        say_pieces(export(as_table(table, rows[: options.limit]), "csv"))
    elif options.format == "github":
        say(annotation_lines(_annotations(comparison, judged)))
    else:
        if table is None:
            page = comparison_section(comparison, ranking(comparison), causes, findings, contents, options.limit)
        else:
            page = table_section(table, options.limit)
        _say_page(page, judged, options.format)


def _say_page(page: Section, judged: Sequence[Judged], form: str | None) -> None:
    if form == "junit":
        cases = [_case(one) for one in judged] or [Case("comparison")]
        say(xml_lines([Suite(page.title, cases, "\n".join(page_lines(page)))]))
    elif form == "markdown":
        first = (conditions_section(judged),) if judged else ()
        say_pieces([page_markdown(replace(page, blocks=(*first, *page.blocks)))])
    else:
        say(page_lines(page))


def _case(judged: Judged) -> Case:
    state: State = "error" if judged.holds is None else "failure" if judged.holds else "passed"
    return Case(judged.condition, state, condition_words(judged) if state != "passed" else "")


def _annotations(comparison: Comparison, judged: Sequence[Judged]) -> Iterator[Annotation]:
    """The conditions that hold or cannot be evaluated; without conditions, the totals that differ."""
    for one in judged:
        if one.holds is not False:
            yield Annotation("error", one.condition, condition_words(one))
    if judged:
        return
    for topic in ranking(comparison).topics:
        if topic.total is not None and topic.total.difference:
            before, after = (format_value(side, topic.total.unit) for side in topic.total.display)
            text = tr("{before} → {after}", before=before, after=after)
            yield Annotation("notice", labelled(topic.title, topic.total.label), text)
