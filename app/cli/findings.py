"""`findings`: what is wrong with files, with evidence, for people, programs and builds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from msgspec import Struct

from app.analysis.compare.comparison import Comparison
from app.analysis.findings import ranked
from app.analysis.findings.compared import ROWS, TOTALS, compared_outcomes
from app.analysis.findings.finding import Outcome, Rule
from app.analysis.findings.rules import RULES
from app.analysis.findings.thresholds import DEFAULT, LIMITS, Thresholds, is_value, threshold_named
from app.cli import findings_ci, findings_json
from app.cli.annotations import annotation_lines
from app.cli.common_words import add_chip, add_files, add_format, add_jobs, add_unit, path_of
from app.cli.documents import Baseline, profile_or_document
from app.cli.junit import xml_lines
from app.cli.locations import add_root
from app.cli.parser import RawFormatter
from app.cli.reading import no_unit_to_set, opened
from app.cli.terminal import say, say_json, say_pieces, usage_error
from app.language import joined, tr
from app.profile.issue import Severity
from app.profile.profile import Profile
from app.store.findings import outcomes
from app.store.link_files import ref_to
from app.views.pages.document import Section, Sentence, page_lines, page_markdown
from app.views.pages.findings import finding_section, not_checked

ALL = (*RULES, TOTALS, ROWS)
"""Those about comparisons have nothing to say without --baseline."""
NAMES = [name for rule in ALL for name in (rule.id, *rule.aliases)]


class Checked(Struct, frozen=True, eq=False):
    """A profile and what the rules say about it."""

    profile: Profile
    outcomes: list[Outcome]


def epilog() -> str:
    """The rules and thresholds, below the arguments."""
    width = max(len(rule.id) for rule in ALL)
    rules = [f"  {rule.id:{width}}  {rule.title}" for rule in ALL]
    width = max(map(len, LIMITS))
    limits = [
        f"  {name:{width}}  {getattr(DEFAULT, name):g}  {joined(' ', (limit.help, limit.reason))}"
        for name, limit in LIMITS.items()
    ]
    return "\n".join((tr("rules:"), *rules, "", tr("thresholds:"), *limits))


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.formatter_class = RawFormatter
    parser.epilog = epilog()
    add_files(parser)
    parser.add_argument(
        "--baseline",
        type=path_of,
        metavar="B",
        help=tr("also report what is worse than in this baseline (or document of `tilesight baseline`)"),
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    form.add_argument("--sarif", action="store_true", help=tr("SARIF 2.1.0, for build servers"))
    add_format(form)
    add_root(parser)
    parser.add_argument("--rule", action="append", default=[], metavar="ID", choices=NAMES, help=tr("repeatable"))
    parser.add_argument(
        "--fail-on", choices=("error", "warning"), help=tr("exit with status 1 if a finding is at least this severe")
    )
    parser.add_argument(
        "--threshold",
        action="append",
        default=[],
        type=_threshold,
        metavar="NAME=VALUE",
        help=tr("change a threshold of the rules; repeatable"),
    )
    add_unit(parser)
    add_chip(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a finding reaches --fail-on, 2 if a file or the baseline could not be read."""
    if options.root is not None and not options.sarif and options.format != "github":
        return usage_error(tr("--root needs --sarif or --format github"))
    rules = [rule for rule in ALL if not options.rule or rule.called(options.rule)]
    thresholds = Thresholds(**dict(options.threshold))
    with ExitStack() as stack:
        result = stack.enter_context(opened(options.files, options.jobs, options.time_unit, options.chip))
        if no_unit_to_set(result.profiles, options.time_unit):
            return 2
        before = None
        if options.baseline is not None:
            before = profile_or_document(stack, options.baseline, options.jobs, options.time_unit)
            if before is None:
                return 2
        checked = [Checked(one, _outcomes(one, before, thresholds, rules)) for one in result.profiles]
        pairs = [(one.profile, one.outcomes) for one in checked]
        baseline = None if before is None or before.kept is not None else ref_to(before.profile)
        if options.json:
            say_json(findings_json.facts(pairs, baseline, result.refusals))
        elif options.sarif:
            say_json(findings_json.sarif(pairs, baseline, options.root))
        elif options.format == "junit":
            say(xml_lines(findings_ci.suites(pairs, result.refusals, options.fail_on)))
        elif options.format == "github":
            say(annotation_lines(findings_ci.annotations_of(pairs, result.refusals, options.root or Path.cwd())))
        elif options.format == "markdown":
            say_pieces(["\n".join(page_markdown(page(one)) for one in checked)])
        else:
            for number, one in enumerate(checked):
                say([*([""] if number else []), *page_lines(page(one))])
        return 2 if result.refusals else int(_reached(checked, options.fail_on))


def _outcomes(
    profile: Profile, before: Baseline | None, thresholds: Thresholds, rules: Sequence[Rule]
) -> list[Outcome]:
    own = outcomes(profile, thresholds, rules=[rule for rule in rules if rule in RULES])
    if before is None:
        return own
    compared = compared_outcomes(Comparison(before.profile, profile, kept=before.kept), thresholds)
    return [*(outcome for outcome in compared if outcome.rule in rules), *own]


def _reached(checked: Sequence[Checked], fail_on: Severity | None) -> bool:
    return any(findings_ci.reaches(finding, fail_on) for one in checked for _, finding in ranked(one.outcomes))


def page(checked: Checked) -> Section:
    """The findings of one profile, and the rules that could not be checked."""
    profile = checked.profile
    clock = profile.target.clock_hz if profile.target is not None else None
    found = [finding_section(rule, finding, None, clock) for rule, finding in ranked(checked.outcomes)]
    nothing = () if found else (Sentence(tr("No findings.")),)
    missing = not_checked(checked.outcomes)
    return Section(profile.name, (*nothing, *found, *(() if missing is None else (missing,))))


def _threshold(text: str) -> tuple[str, float]:
    given, _, value = text.partition("=")
    name = threshold_named(given)
    if not name:
        raise argparse.ArgumentTypeError(
            tr("{name} is not a threshold; choose from {names}", name=f"{given!r}", names=", ".join(LIMITS))
        )
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not is_value(number):
        raise argparse.ArgumentTypeError(
            tr("{name}: {value} is not a number of at least 0", name=name, value=f"{value!r}")
        )
    return name, number
