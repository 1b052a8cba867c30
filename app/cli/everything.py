"""`export --all`: every table and plot of the profiles, in a folder."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from app.cli.interrupts import ctrl_c_later
from app.cli.outputs import not_written
from app.cli.reading import Line, the_baseline
from app.cli.terminal import complain, say, usage_error
from app.exports.everything import Choice, FolderExport, Subject, Summary
from app.language import plural, tr
from app.profile.profile import Profile
from app.store.outputs import FolderNotEmptyError, has_content
from app.store.sides import Side
from app.store.table_files.kinds import KINDS
from app.views.units import size


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of `--all`."""
    own = parser.add_argument_group(tr("with --all"))
    kinds = tuple(suffix[1:] for suffix in KINDS)
    own.add_argument("--format", choices=kinds, default="csv", help=tr("format of the tables (default: csv)"))
    own.add_argument(
        "--plots", choices=("svg", "png", "none"), default="svg", help=tr("format of the plots (default: svg)")
    )
    own.add_argument(
        "--force",
        action="store_true",
        help=tr("write into a folder that is not empty; replaces files of the same names, keeps others"),
    )


def run(options: argparse.Namespace, profiles: Sequence[Profile]) -> int:
    """Status 1 if the folder cannot be written or a baseline cannot be read, 2 if something is in the folder."""
    target: Path = options.output
    why_not = KINDS[f".{options.format}"].why_not
    if why_not:
        return usage_error(why_not)
    with ExitStack() as stack:
        before = None
        if options.baseline is not None:
            baseline: Side = options.baseline
            whole, status = the_baseline(stack, baseline.path, options.jobs, options.time_unit)
            if whole is None:
                return status
            before = baseline.of(whole)
        choice = Choice(
            f".{options.format}", "" if options.plots == "none" else f".{options.plots}", options.size, options.theme
        )
        try:
            summary = _write(target, [Subject(profile, before) for profile in profiles], choice, options)
        except FolderNotEmptyError:
            return not_empty(target)
        except OSError as error:
            return not_written(target, error)
    say([written(summary)])
    for name, why in summary.left_out:
        complain(tr("{name}: skipped: {why}", name=name, why=why))
    for name, why in summary.incomplete:
        complain(f"{name}: {why}")
    return 1 if summary.left_out or summary.incomplete else 0


def refuse_folder(options: argparse.Namespace) -> int:
    """Status 2, with a message, if the folder is not empty; looked at before the files are read."""
    try:
        return not_empty(options.output) if not options.force and has_content(options.output) else 0
    except NotADirectoryError:
        return usage_error(tr("{output}: this is a file; --all writes into a folder", output=options.output))
    except OSError:  # said when it is written
        return 0


def not_empty(folder: Path) -> int:
    return usage_error(
        tr(
            "{output}: the folder is not empty; choose another, or replace files of the same names with --force",
            output=folder,
        )
    )


def written(summary: Summary) -> str:
    """One line that says what was written."""
    return tr(
        "{folder}: {tables} and {plots}, {size}",
        folder=summary.folder,
        tables=plural("{count:,} table", "{count:,} tables", count=summary.tables),
        plots=plural("{count:,} plot", "{count:,} plots", count=summary.plots),
        size=size(summary.size),
    )


def _write(target: Path, subjects: Sequence[Subject], choice: Choice, options: argparse.Namespace) -> Summary:
    line = Line()
    export = FolderExport(target, subjects, choice, replace=options.force)
    try:
        export.tables(lambda done, total, what: line.show(_share(what, done, total)))
        try:
            if choice.plots:
                with ctrl_c_later():
                    import app.panels.picture  # noqa: F401 - Ctrl+C must not interrupt the import of Qt
            for done, total, what in export.plots():
                line.show(_share(what, done, total))
        except ImportError as error:
            complain(tr("plots are skipped because Qt cannot be loaded: {error}", error=error))
        return export.finish()
    except BaseException:
        export.discard()
        raise
    finally:
        line.clear()


def _share(what: str, done: int, total: int) -> str:
    return f"{what}: {100 * done // max(total, 1)} %"
