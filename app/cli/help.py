"""`help`: the pages of the help as plain text."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial

from app.cli.command_names import COMMANDS
from app.cli.command_pages import ParserOf, command_page
from app.cli.terminal import complain, say
from app.help.directives import Directive, directives, expanded
from app.help.markdown import plain
from app.help.pages import CHAPTERS, page, topics
from app.help.plain_text import as_text
from app.language import tr
from app.resources import resource

NARROWEST, WIDEST = 40, 120
SKILL = "skill"
"""What an assistant reads, as it is stored: Markdown in English."""


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "topic",
        nargs="?",
        metavar="TOPIC",
        help=tr("name or title of a page, a table, or a command (default: list all pages)"),
    )


def run(options: argparse.Namespace) -> int:
    """Status 2 for an unknown topic."""
    parser_of: ParserOf = options.parser_of
    width = min(max(shutil.get_terminal_size().columns, NARROWEST), WIDEST)
    if options.topic is None:
        say(_list())
        return 0
    if options.topic == SKILL:
        say(resource("skill", "SKILL.md").read_text("utf-8").splitlines())
        return 0
    topic = topic_of(options.topic)
    if topic is None and options.topic in COMMANDS:
        say(as_text(f"# tilesight {options.topic}\n\n{command_page(options.topic, parser_of)}", width))
        return 0
    if topic is None:
        complain(_unknown(options.topic))
        return 2
    say(as_text(expanded(page(topic), known_directives(parser_of)), width))
    return 0


def known_directives(parser_of: ParserOf) -> Mapping[str, Directive]:
    """Those of the command line, and of the keys where Qt is installed with all that it needs."""
    return {"commands": partial(command_page, parser_of=parser_of), "keys": _keys}


def topic_of(text: str) -> str | None:
    """The topic of that name or title, in any spelling, or the page about the table of that name; None if there is
    none."""
    names = _names()
    return names.get(_spelled(text))


def _keys(places: str) -> str:
    try:
        from app.window.key_tables import key_table
    except ImportError:  # a server without the libraries of a display
        return tr("The window lists its keys: Help > Keyboard shortcuts.")
    return key_table(places)


def _list() -> list[str]:
    lines: list[str] = [tr("tilesight help TOPIC prints one of these pages:")]
    width = max(map(len, topics()))
    for chapter in CHAPTERS:
        lines += ["", chapter.title]
        lines += [f"  {topic:{width}}  {plain(page(topic).title)}" for topic in chapter.topics]
    return [*lines, f"  {SKILL:{width}}  {tr('What an assistant needs to know (Markdown)')}"]


def _unknown(text: str) -> str:
    names = _names()
    near = get_close_matches(_spelled(text), names, 3, 0.5)
    if not near:
        return tr("there is no page {topic}; tilesight help lists all", topic=text)
    nearest = ", ".join(dict.fromkeys(names[name] for name in near))
    return tr("there is no page {topic}; did you mean {nearest}?", topic=text, nearest=nearest)


def _names() -> dict[str, str]:
    every = [(topic, directive) for topic in topics() for directive in directives(page(topic).text)]
    tables = {_spelled(argument): topic for topic, (name, argument) in every if name == "columns"}
    titles = {_spelled(plain(page(topic).title)): topic for topic in topics()}
    return tables | titles | {_spelled(topic): topic for topic in topics()}


def _spelled(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
