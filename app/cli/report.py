"""`report`: a profile as one HTML page."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from app import language
from app.cli.common_words import add_chip, add_files, add_jobs, add_profile, add_unit, path_of
from app.cli.interrupts import ctrl_c_later
from app.cli.outputs import not_written, wrong_ending, wrong_target
from app.cli.reading import no_such_profile, no_unit_to_set, opened, the_baseline, the_profile
from app.cli.terminal import complain, usage_error
from app.language import tr
from app.preferred_language import OPTIONS
from app.store.outputs import write_output

ENDINGS = (".html", ".htm")


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    parser.add_argument(
        "--baseline", type=path_of, metavar="B", help=tr("compare the profile with this file or folder")
    )
    parser.add_argument("-o", "--output", type=path_of, required=True, metavar="OUT.html")
    add_profile(parser)
    parser.add_argument(
        "--language",
        choices=tuple(OPTIONS),
        default=None,
        help=tr("language of the page (default: language of the program)"),
    )
    add_unit(parser)
    add_chip(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a file cannot be read or the page cannot be written, 2 if it is not clear which profile is meant."""
    target: Path = options.output
    if options.language is not None and not language.exists(OPTIONS[options.language]):
        return usage_error(tr("--language {name}: no translation into this language", name=options.language))
    if wrong := wrong_ending(target, ENDINGS) or wrong_target(target, options.files, options.baseline):
        return usage_error(wrong)
    with ExitStack() as stack:
        result = stack.enter_context(opened(options.files, options.jobs, options.time_unit, options.chip))
        if no_unit_to_set(result.profiles, options.time_unit) or no_such_profile(result.profiles, options.profile):
            return 2
        profile = the_profile(result, options.files[0], options.profile)
        if profile is None:
            return 1 if result.refusals else 2
        before = None
        if options.baseline is not None:
            before, status = the_baseline(stack, options.baseline, options.jobs, options.time_unit)
            if before is None:
                return status
        from app.analysis.compare.comparison import Comparison

        try:
            with ctrl_c_later():
                from app.report import gather, page, pictures  # draws with Qt, so only here
        except ImportError as error:
            complain(tr("the report cannot be made because Qt cannot be loaded: {error}", error=error))
            return 1
        comparison = None if before is None else Comparison(before, profile)
        try:
            report = gather.gather(profile, list(pictures.charts(profile, comparison)), comparison)
            write_output(target, page.html(report).encode(), profile.origin.paths)
        except OSError as error:
            return not_written(target, error)
        return 1 if result.refusals else 0
