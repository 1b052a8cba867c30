"""`baseline`: what later comparisons need of a profile, or of several runs of one program, as a small document."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.analysis.compare.keeping import fitted, kept_of, of_runs
from app.analysis.compare.kept import FEWEST, Kept
from app.cli.common_words import add_chip, add_files, add_jobs, add_profile, add_unit, path_of
from app.cli.outputs import not_written, wrong_ending, wrong_target
from app.cli.parser import RawFormatter
from app.cli.reading import no_such_profile, no_unit_to_set, opened, the_profile
from app.cli.terminal import complain, say, usage_error
from app.formats.errors import FormatError
from app.language import plural, tr
from app.store import baselines
from app.views.units import size

ENDINGS = (".json",)
EPILOG = tr(
    "The document has the main figures, the sums of all tables, and the rows of tables with one row for each name\n"
    "(slices, steps and compute sets by name, memory categories); less than 1 MB for any profile. It takes the\n"
    "place of the baseline:\n"
    "\n"
    "  tilesight baseline run1/ run2/ run3/ --runs -o baseline.json\n"
    "  tilesight compare baseline.json new/ --fail-if 'execution.cycles > spread + 1 %'\n"
    "  tilesight findings new/ --baseline baseline.json --fail-on warning"
)


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.formatter_class = RawFormatter
    parser.epilog = EPILOG
    add_files(parser)
    parser.add_argument("-o", "--output", type=path_of, required=True, metavar="SMALL.json")
    parser.add_argument(
        "--runs",
        action="store_true",
        help=tr("the files are runs of one program: keep minimum, median and maximum of every figure and row"),
    )
    add_profile(parser)
    add_unit(parser)
    add_chip(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a file cannot be read or the document cannot be written, 2 if it is not clear what it is made of."""
    target: Path = options.output
    if wrong := wrong_ending(target, ENDINGS) or wrong_target(target, options.files, None):
        return usage_error(wrong)
    if options.runs and len(options.files) < 2:
        return usage_error(tr("--runs needs two or more files"))
    groups: list[Sequence[Path]] = [[path] for path in options.files] if options.runs else [options.files]
    kept: list[Kept] = []
    inputs: list[Path] = []
    for files in groups:
        status = _add(files, options, kept, inputs)
        if status:
            return status
    if wrong := next(_unlike(kept), ""):
        return usage_error(wrong)
    document = fitted(of_runs(kept) if options.runs else kept[0])
    try:
        written = baselines.write(target, document, inputs)
    except (OSError, FormatError) as error:
        return not_written(target, error)
    if options.runs and not document.has_spread:
        complain(tr("a spread needs {runs} or more runs; conditions cannot use that of this baseline", runs=FEWEST))
    runs = plural("{count:,} run", "{count:,} runs", count=document.runs)
    if not getattr(options, "piped", False):  # the document alone is printed
        say([tr("{target}: {size}, {runs}", target=target, size=size(written), runs=runs)])
    return 0


def _add(files: Sequence[Path], options: argparse.Namespace, kept: list[Kept], inputs: list[Path]) -> int:
    """Adds what is kept of the profile of ``files``; returns the exit status."""
    with opened(files, options.jobs, options.time_unit, options.chip) as result:
        if result.refusals:
            return 1
        if no_unit_to_set(result.profiles, options.time_unit) or no_such_profile(result.profiles, options.profile):
            return 2
        profile = the_profile(result, files[0], options.profile)
        if profile is None:
            return 2
        kept.append(kept_of(profile))
        inputs += profile.origin.paths
    return 0


def _unlike(kept: Sequence[Kept]) -> Iterator[str]:
    """Why these are no runs of one program."""
    for other in kept[1:]:
        if other.format != kept[0].format:
            yield tr(
                "{name}: not a run of the same program: {format} and {other} are different kinds of files",
                name=other.name,
                format=kept[0].format,
                other=other.format,
            )
