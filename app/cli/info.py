"""`info`: format, main figures and issues of files."""

from __future__ import annotations

import argparse
from typing import Any

from app import __version__
from app.analysis.figures import figures
from app.cli.common_words import add_chip, add_files, add_jobs, add_unit
from app.cli.reading import no_unit_to_set, opened
from app.cli.terminal import say, say_json
from app.formats.registry import label_of
from app.language import plural, tr
from app.profile.issue import severity_word
from app.profile.profile import Profile
from app.store.load import Opened
from app.views.pages.document import Line, Section, Sentence, page_lines
from app.views.pages.figures import figure_sections
from app.views.verdict import verdict, verdict_facts


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_files(parser)
    parser.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
    add_unit(parser)
    add_chip(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    """Status 1 if a file could not be read, 2 if no profile takes the unit of times."""
    with opened(options.files, options.jobs, options.time_unit, options.chip) as result:
        if no_unit_to_set(result.profiles, options.time_unit):
            return 2
        if options.json:
            say_json(facts(result))
        else:
            for number, profile in enumerate(result.profiles):
                say([*([""] if number else []), *page_lines(page(profile))])
        return 1 if result.refusals else 0


def facts(result: Opened) -> dict[str, Any]:
    """The output of `info --json`: plain numbers, bytes and cycles as integers, times in seconds."""
    return {
        "tilesight": __version__,
        "profiles": [_profile(profile) for profile in result.profiles],
        "errors": [{"file": str(refusal.path), "error": str(refusal.error)} for refusal in result.refusals],
    }


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "format": profile.origin.format,
        "files": [str(path) for path in profile.origin.paths],
        "sections": list(profile.filled()),
        "figures": {figure.name: figure.value for figure in figures(profile, whole=True)},
        **verdict_facts(profile),
        "issues": [{"severity": i.severity, "where": i.where, "text": i.text} for i in profile.issues],
    }


def page(profile: Profile) -> Section:
    """The same as a page."""
    files = tuple(Sentence(line, "muted") for line in (label_of(profile), *_files(profile)))
    made = verdict(profile)
    first = () if made is None else (Sentence(made.text, strong=True),)
    groups = figure_sections(figures(profile, whole=True), None, None)
    issues = tuple(Line(severity_word(one.severity), f"{one.where}: {one.text}") for one in profile.issues)
    last = (Section(tr("Issues"), issues),) if issues else ()
    return Section(profile.name, (*files, *first, *groups, *last))


def _files(profile: Profile) -> list[str]:
    """The files, or the folder of a report and the number of its files."""
    paths = profile.origin.paths
    folder = None if profile.entries is None else profile.entries.folder(paths)
    if folder is not None:
        return [
            plural(
                "{folder} ({count:,} file)",
                "{folder} ({count:,} files)",
                count=len(paths),
                folder=folder,
            )
        ]
    return [str(path) for path in paths]
