"""The arguments of the command line, and the functions they run. Nothing here imports Qt; only commands that draw do. A
command is imported when it is used, because the window waits for this module."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app import __version__
from app.cli import window
from app.cli.command_names import COMMANDS
from app.cli.common_words import path_of, size
from app.cli.parser import Parser, RawFormatter
from app.cli.terminal import QUIET, say, usage_error
from app.language import tr

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewLink

_WIDTH = max(map(len, COMMANDS))
EPILOG = "\n".join(
    (tr("commands (each with --help):"), *(f"  {name:{_WIDTH}} {text}" for name, text in COMMANDS.items()))
)


class Command(Protocol):
    """The module of a command."""

    def add_words(self, parser: argparse.ArgumentParser) -> None:
        """Adds the arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Runs it; returns the exit status."""


def run(words: Sequence[str]) -> int:
    """Runs the command named by ``words``; without a command they are files for the window."""
    if words and words[0] in COMMANDS:
        parser = parser_of(words[0])
        parse = parser.parse_intermixed_args if words[0] == "query" else parser.parse_args
        return _run(words[0], parse(words[1:]))
    if words and (unknown := _unknown_command(words[0])):
        return usage_error(unknown)
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


def _unknown_command(word: str) -> str:
    """What is wrong with a first word that looks like a command and is neither one nor a file; "" for others."""
    if not (word.isascii() and word[:1].isalpha() and word.replace("-", "").isalpha()) or Path(word).exists():
        return ""
    from difflib import get_close_matches

    near = get_close_matches(word.lower(), COMMANDS, 3)
    if near:
        return tr("{word}: no such command or file; did you mean {near}?", word=word, near=", ".join(near))
    return tr("{word}: no such command or file; the commands are {names}", word=word, names=", ".join(COMMANDS))


def _run(name: str, options: argparse.Namespace) -> int:
    """Runs a command, whose output may be standard output."""
    from app.cli.outputs import STANDARD, to_standard_output

    command = _command(name)
    before = QUIET.set(getattr(options, "quiet", False))
    try:
        if getattr(options, "output", None) != STANDARD:
            return command.run(options)
        if getattr(options, "all", False):
            return usage_error(tr("--all writes into a folder, not to standard output"))
        return to_standard_output(command.run, options, _suffix(name, options))
    finally:
        QUIET.reset(before)


def _suffix(name: str, options: argparse.Namespace) -> str:
    """Of what a command writes to standard output."""
    if name == "export" and options.plot is not None:
        return ".svg"
    if name in ("export", "query"):
        return f".{getattr(options, 'format', None) or ('json' if getattr(options, 'json', False) else 'csv')}"
    return {"report": ".html"}.get(name, ".json")


def _run_version(*, as_json: bool) -> int:
    if as_json:
        from app.cli import version

        return version.run()
    say([f"tilesight {__version__}"])
    return 0


def _command(name: str) -> Command:  # noqa: C901 - one case per command
    match name:
        case "info":
            from app.cli import info

            return info
        case "tables":
            from app.cli import listing

            return listing
        case "dump":
            from app.cli import dump

            return dump
        case "scaling":
            from app.cli import scaling

            return scaling
        case "compare":
            from app.cli import compare

            return compare
        case "baseline":
            from app.cli import baseline

            return baseline
        case "report":
            from app.cli import report

            return report
        case "findings":
            from app.cli import findings

            return findings
        case "critical-path":
            from app.cli import critical_path

            return critical_path
        case "what-if":
            from app.cli import what_if

            return what_if
        case "query":
            from app.cli import query

            return query
        case "mcp":
            from app.cli import mcp

            return mcp
        case "completion":
            from app.cli import completion

            return completion
        case "help":
            from app.cli import help as help_pages

            return help_pages
        case _:
            from app.cli import export

            return export


def _sentence(words: str) -> str:
    return tr("{sentence}.", sentence=f"{words[0].upper()}{words[1:]}")


def parser_of(name: str) -> argparse.ArgumentParser:
    """The parser of a command, or of the arguments without one ("window")."""
    if name == "window":
        return _window_parser()
    parser = Parser(prog=f"tilesight {name}", description=_sentence(COMMANDS[name]))
    parser.set_defaults(parser_of=parser_of)  # help prints the arguments of the other commands
    _command(name).add_words(parser)
    return parser


def _window_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="tilesight",
        description=tr("Profile viewer for accelerators made of many small cores. Opens a window on the files."),
        epilog=EPILOG,
        formatter_class=RawFormatter,
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=path_of,
        metavar="FILE|FOLDER",
        help=tr("files or folders to open (default: start page)"),
    )
    parser.add_argument(
        "--baseline",
        type=path_of,
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
        "--screenshot",
        type=path_of,
        metavar="OUT.png",
        help=tr("open the files, write an image of the window, and exit"),
    )
    parser.add_argument("--panel", metavar="NAME", help=tr("the panel to show in front"))
    parser.add_argument("--size", type=size, metavar="WxH", help=tr("window size (default for an image: 1600x1000)"))
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


def _link(text: str) -> ViewLink:
    from app.analysis.view_links.text import BadLink, parse

    try:
        return parse(text)
    except BadLink as error:
        raise argparse.ArgumentTypeError(str(error)) from None
