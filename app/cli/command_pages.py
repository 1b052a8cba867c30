"""The arguments of the command line as Markdown, for the page of the help."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TypeAlias

from app.cli.command_names import COMMANDS
from app.cli.parser import Formatter
from app.help.markdown import escaped, table
from app.language import tr

USAGE_WIDTH = 72
FENCE = "```"
LISTED = ("window", "findings")
"""Their epilogues are lists that other pages have."""


ParserOf: TypeAlias = Callable[[str], argparse.ArgumentParser]
"""The parser of a command, or of "window"."""


def command_page(name: str, parser_of: ParserOf) -> str:
    """Usage and options of a command; of all of them, each with a heading, without a name. KeyError for an unknown
    one."""
    if name:
        return "\n\n".join(_parts(name, parser_of))
    pages = ["\n\n".join((f"## tilesight {own}", *_parts(own, parser_of))) for own in COMMANDS]
    return "\n\n".join(("\n\n".join(_parts("window", parser_of)), *pages))


def _parts(name: str, parser_of: ParserOf) -> Iterator[str]:
    parser = parser_of(name)
    yield f"{FENCE}\n{_usage(parser)}\n{FENCE}"
    yield escaped(parser.description or "")
    listed = [action for action in parser._actions if action.help is not argparse.SUPPRESS]
    rows = [(f"`{_words(action).replace('|', ', ')}`", escaped(help_of(action))) for action in listed]
    if parser.epilog and name not in LISTED:
        yield f"{FENCE}\n{parser.epilog}\n{FENCE}"
    yield table((tr("Option"), tr("What it does")), rows)


def _usage(parser: argparse.ArgumentParser) -> str:
    formatter = Formatter(prog=parser.prog, width=USAGE_WIDTH)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups, "")
    return formatter.format_help().strip()


def _words(action: argparse.Action) -> str:
    name = action.metavar if isinstance(action.metavar, str) else None
    if name is None and action.choices is not None and len(list(action.choices)) <= 3:
        name = "|".join(map(str, action.choices))
    value = "" if action.nargs == 0 else name or action.dest.upper()
    if not action.option_strings:
        return value
    return f"{', '.join(action.option_strings)} {value}".strip()


def help_of(action: argparse.Action) -> str:
    """What an argument does, as its parser prints it."""
    text = action.help or ""
    return text % {"default": action.default, "prog": "tilesight"} if "%" in text else text
