"""The arguments of the command line, and the functions they run. Nothing here imports Qt; only commands that draw do. A
command is imported when it is used, because the window waits for this module."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app import __version__
from app.cli import window
from app.cli.command_names import COMMANDS
from app.cli.parser import Parser, RawFormatter
from app.cli.terminal import say
from app.language import tr

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewLink
    from app.profile.chosen_unit import ChosenName, ChosenUnit

TILES = tr("only tables of these tiles (0-63,128 or “ipu 1”): what takes their memory")
"""Help of `--tiles`."""

MOST_JOBS = 64
MOST_PIXELS = 1 << 28
"""Of a window: Qt stops drawing, with thousands of messages, where its image has more than 2 GB."""
UNITS: dict[str, ChosenName] = {"us": "µs", "µs": "µs", "ns": "ns", "cycles": "cycles"}

EPILOG = "\n".join((tr("commands (each with --help):"), *(f"  {name:8} {text}" for name, text in COMMANDS.items())))


def run(words: Sequence[str]) -> int:
    """Runs the command named by ``words``; without a command they are files for the window."""
    if words and words[0] in COMMANDS:
        parser = parser_of(words[0])
        parse = parser.parse_intermixed_args if words[0] == "query" else parser.parse_args
        return _run_command(words[0], parse(words[1:]))
    parser = parser_of("window")
    options = parser.parse_args(words)
    if options.version:
        return _run_version(as_json=options.json)
    if options.json:
        parser.error(tr("--json without a command needs --version"))
    if options.self_test:
        from app.cli import self_test

        return self_test.run(run)
    return window.run(options, parser_of)


def _run_version(*, as_json: bool) -> int:
    if as_json:
        from app.cli import version

        return version.run()
    say([f"tilesight {__version__}"])
    return 0


def _run_command(name: str, options: argparse.Namespace) -> int:
    match name:
        case "info":
            from app.cli import info

            return info.run(options.files, as_json=options.json, jobs=options.jobs, unit=options.time_unit)
        case "tables":
            from app.cli import listing

            return listing.run(options.files, options.tiles, options.jobs)
        case "dump":
            from app.cli import dump

            return dump.run(options)
        case "scaling":
            from app.cli import scaling

            return scaling.run(options)
        case "compare":
            from app.cli import compare

            return compare.run(options)
        case "report":
            from app.cli import report

            return report.run(options)
        case "findings":
            from app.cli import findings

            return findings.run(options)
        case "query":
            from app.cli import query

            return query.run(options)
        case "help":
            from app.cli import help as help_pages

            return help_pages.run(options, parser_of)
        case _:
            from app.cli import export

            return export.run(options)


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of a command, or of the arguments without one ("window")."""
    return _window_parser() if name == "window" else _command_parser(name)


def _window_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="tilesight",
        description=tr("Profile viewer for accelerators made of many small cores. Opens a window on the files."),
        epilog=EPILOG,
        formatter_class=RawFormatter,
    )
    parser.add_argument(
        "files", nargs="*", type=Path, metavar="FILE|FOLDER", help=tr("files or folders to open (default: start page)")
    )
    parser.add_argument(
        "--baseline",
        type=Path,
        metavar="B",
        help=tr("compare the files with this file or folder (FILE and B may be FILE#PART)"),
    )
    parser.add_argument(
        "--goto",
        type=_link,
        metavar="LINK",
        help=tr("go to the place that a copied link names (in the FILE with the same content or name)"),
    )
    parser.add_argument(
        "--screenshot", type=Path, metavar="OUT.png", help=tr("open the files, write an image of the window, and exit")
    )
    parser.add_argument("--panel", metavar="NAME", help=tr("the panel to show in front"))
    parser.add_argument(
        "--size", type=_window_size, metavar="WxH", help=tr("window size (default for an image: 1600x1000)")
    )
    parser.add_argument(
        "--theme", choices=("light", "dark", "contrast"), help=tr("theme, instead of the one in the settings")
    )
    parser.add_argument("--self-test", action="store_true", help=tr("check that this installation works, then exit"))
    parser.add_argument("--version", action="store_true", help=tr("print the version and exit"))
    parser.add_argument(
        "--json",
        action="store_true",
        help=tr(
            "with --version: print one JSON object with versions, kind of installation, folders, optional libraries"
        ),
    )
    return parser


def _command_parser(name: str) -> argparse.ArgumentParser:
    parser = Parser(prog=f"tilesight {name}", description=f"{COMMANDS[name][0].upper()}{COMMANDS[name][1:]}.")
    if name == "export":
        from app.cli.sides import side

        either = tr("or FILE#PART, as in compare")
        parser.add_argument("files", nargs="+", type=side, metavar="FILE|FOLDER", help=either)
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--table", metavar="NAME")
        what.add_argument("--plot", metavar="NAME")
        what.add_argument(
            "--block",
            metavar="N|NAME|NAME/N",
            help=tr(
                "raw content of a block of an operator file (N), a file of a report (N or NAME), or a "
                "block of an operator file inside a report (NAME/N)"
            ),
        )
        what.add_argument(
            "--all", action="store_true", help=tr("write every table and plot into the folder OUT, with an index")
        )
        parser.add_argument("--tiles", metavar="TILES", help=TILES)
        parser.add_argument(
            "--baseline",
            type=side,
            metavar="B",
            help=tr("compare the tables and plots with those of this file or folder"),
        )
        parser.add_argument("-o", "--output", type=Path, required=True, metavar="OUT")
        parser.add_argument(
            "--about",
            action="store_true",
            help=tr(
                "begin CSV and TSV with # lines about source, version and settings; other formats always include them"
            ),
        )
        parser.add_argument(
            "--size", type=_size, metavar="WxH", default=(1600, 900), help=tr("size of a plot in pixels")
        )
        parser.add_argument("--theme", choices=("light", "dark"), default="light", help=tr("theme of a plot"))
        parser.add_argument(
            "--profile",
            type=int,
            default=None,
            metavar="N",
            help=tr("which profile, if files contain several: 1, 2, …"),
        )
        _add_unit(parser)
        _add_jobs(parser)
        _add_everything(parser)
        return parser
    if name == "dump":
        from app.cli import dump

        dump.add_words(parser)
        return parser
    if name == "scaling":
        from app.cli import scaling

        scaling.add_words(parser)
        return parser
    if name == "compare":
        from app.cli import compare

        compare.add_words(parser)
        _add_unit(parser)
        _add_jobs(parser)
        return parser
    if name == "help":
        from app.cli import help as help_pages

        help_pages.add_words(parser)
        return parser
    if name == "report":
        from app.cli import report

        report.add_words(parser)
        _add_unit(parser)
        _add_jobs(parser)
        return parser
    if name == "query":
        from app.cli import query

        query.add_words(parser)
        _add_unit(parser)
        _add_jobs(parser)
        return parser
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE|FOLDER")
    if name == "findings":
        from app.cli import findings

        findings.add_words(parser)
        _add_unit(parser)
    if name == "tables":
        parser.add_argument("--tiles", metavar="TILES", help=TILES)
    if name == "info":
        parser.add_argument("--json", action="store_true", help=tr("one JSON object for programs"))
        _add_unit(parser)
    _add_jobs(parser)
    return parser


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=0,
        metavar="N",
        help=tr("how many processes decode a large file (default: one per processor, at most 8)"),
    )


def _add_everything(parser: argparse.ArgumentParser) -> None:
    from app.store.table_files.kinds import KINDS

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


def _add_unit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--time-unit",
        type=_unit,
        metavar="UNIT",
        help=tr("unit of the times of traces: us, ns, or cycles@MHZ of a clock (cycles: the clock of the profile)"),
    )


def _unit(text: str) -> ChosenUnit:
    from app.profile.chosen_unit import ChosenUnit

    name, at, frequency = text.partition("@")
    unit = UNITS.get(name)
    if unit is not None and not at:
        return ChosenUnit(unit)
    try:
        chosen = ChosenUnit("cycles", float(frequency.lower().removesuffix("mhz")) * 1e6)
    except ValueError:
        chosen = None
    if chosen is None or unit != "cycles" or not chosen.valid:
        raise argparse.ArgumentTypeError(tr("{text} is not a time unit; write us, ns or cycles@1650", text=f"{text!r}"))
    return chosen


def _link(text: str) -> ViewLink:
    from app.analysis.view_links.text import BadLink, parse

    try:
        return parse(text)
    except BadLink as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _jobs(text: str) -> int:
    if re.fullmatch(r"[1-9]\d?", text) is None or int(text) > MOST_JOBS:
        raise argparse.ArgumentTypeError(
            tr("{text} is not a number from 1 to {most}", text=f"{text!r}", most=MOST_JOBS)
        )
    return int(text)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{2,5})[xX×](\d{2,5})", text)
    if match is None:
        raise argparse.ArgumentTypeError(tr("{text} is not a size; write it as 1600x1000", text=f"{text!r}"))
    return int(match[1]), int(match[2])


def _window_size(text: str) -> tuple[int, int]:
    width, height = _size(text)
    if width * height > MOST_PIXELS:
        raise argparse.ArgumentTypeError(tr("{text} is too large for a window", text=f"{text!r}"))
    return width, height
