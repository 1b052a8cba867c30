"""`completion`: the script with which a shell completes the command line, made from the parsers of all commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from msgspec import Struct

from app.cli.command_names import COMMANDS
from app.cli.command_pages import ParserOf, help_of
from app.cli.common_words import UNITS, path_of
from app.cli.sides import side
from app.cli.terminal import say
from app.help.pages import topics
from app.language import tr
from app.panels.registry import PANELS

PLAIN: Final = re.compile(r"[\w.+%/-]+")
"""Values that need no quotes in any shell; others are not offered."""
NO_FILES: Final = "compopt +o default; return"
"""In bash: offers nothing, not even files."""
SUGGESTED: Final[dict[str, Callable[[], Iterable[str]]]] = {
    "topic": lambda: (*topics(), *COMMANDS, "skill"),
    "panel": lambda: (spec.id for spec in PANELS),
    "time_unit": lambda: UNITS,
}
"""Values of arguments (by name) that the parsers do not list, because others are right, too."""


class Argument(Struct, frozen=True):
    """``names``: as they are typed, none of a positional argument. ``value``: the name of its value, "" if it takes
    none. ``choices``: the values that are offered. ``files``: whether its values are files. ``repeats``: whether it may
    be given several times."""

    names: tuple[str, ...]
    help: str
    value: str
    choices: tuple[str, ...]
    files: bool
    repeats: bool


class Command(Struct, frozen=True):
    """``name``: "" for the arguments without a command."""

    name: str
    help: str
    options: tuple[Argument, ...]
    words: Argument | None


def add_words(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("shell", choices=tuple(SCRIPTS), help=tr("the shell that reads the script"))


def run(options: argparse.Namespace) -> int:
    """Always status 0."""
    say(SCRIPTS[options.shell](described(options.parser_of)).splitlines())
    return 0


def described(parser_of: ParserOf) -> list[Command]:
    """All commands; the last is that of the arguments without one."""
    named = [_command(name, text, parser_of(name)) for name, text in COMMANDS.items()]
    return [*named, _command("", "", parser_of("window"))]


def _command(name: str, text: str, parser: argparse.ArgumentParser) -> Command:
    listed = [_argument(action) for action in parser._actions if action.help is not argparse.SUPPRESS]
    options = tuple(argument for argument in listed if argument.names)
    return Command(name, text, options, next((argument for argument in listed if not argument.names), None))


def _argument(action: argparse.Action) -> Argument:
    metavar = action.metavar if isinstance(action.metavar, str) else action.dest
    choices = action.choices if action.choices is not None else SUGGESTED.get(action.dest, tuple)()
    return Argument(
        tuple(action.option_strings),
        " ".join(help_of(action).split()),
        "" if action.nargs == 0 else metavar,
        tuple(text for text in map(str, choices) if PLAIN.fullmatch(text)),
        action.type in (path_of, side) or metavar.startswith("FILE"),
        isinstance(action, argparse._AppendAction),
    )


def bash(commands: Sequence[Command]) -> str:
    """Where nothing is offered, ``-o default`` completes names of files."""
    return f"""\
_tilesight() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
    local words= options= positional=
    COMPREPLY=()
    if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '{" ".join(command.name for command in commands[:-1])}' -- "$cur"
            compgen -f -- "$cur")
        return
    fi
    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
    case $command in
{"".join(_bash_command(command) for command in commands)}\
    esac
    if [[ -z $words ]]; then
        if [[ $cur == -* ]]; then words=$options; else words=$positional; fi
    fi
    if [[ -n $words ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"); fi
}}
complete -o filenames -o default -F _tilesight tilesight
"""


def _bash_command(command: Command) -> str:
    positional = command.words.choices if command.words is not None else ()
    with_value = [option for option in command.options if option.value]
    values = [
        *((option.names, f"words='{' '.join(option.choices)}'") for option in with_value if option.choices),
        (_names(option for option in with_value if option.files and not option.choices), "return"),
        (_names(option for option in with_value if not option.files and not option.choices), NO_FILES),
    ]
    lines = "".join(f"        {'|'.join(names)}) {does} ;;\n" for names, does in values if names)
    return f"""\
    {command.name or "*"})
        options='{" ".join(_names(command.options))}' positional='{" ".join(positional)}'
        case $prev in
{lines}\
        esac
        ;;
"""


def _names(options: Iterable[Argument]) -> tuple[str, ...]:
    return tuple(name for option in options for name in option.names)


def zsh(commands: Sequence[Command]) -> str:
    """Works as a file of $fpath, and when it is sourced."""
    names = "\n".join(f"        {_quoted(f'{command.name}:{command.help}')}" for command in commands[:-1])
    return f"""\
#compdef tilesight
_tilesight() {{
    local -a commands=(
{names}
    )
    if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
        _describe -t commands command commands
        _files
        return
    fi
    case $words[2] in
{"".join(_zsh_command(command) for command in commands)}\
    esac
}}
if [[ $funcstack[1] == _tilesight ]]; then _tilesight "$@"; else compdef _tilesight tilesight; fi
"""


def _zsh_command(command: Command) -> str:
    arguments = [_zsh_option(option) for option in command.options]
    if command.words is not None:
        arguments.append(_quoted(f"*:{_escaped(command.words.value)}:{_zsh_values(command.words)}"))
    shifted = "shift words; ((CURRENT -= 1)); " if command.name else ""
    specs = " \\\n".join(f"            {argument}" for argument in arguments)
    return f"    {command.name or '*'})\n        {shifted}_arguments -S \\\n{specs} ;;\n"


def _zsh_option(option: Argument) -> str:
    value = f":{_escaped(option.value)}:{_zsh_values(option)}" if option.value else ""
    text = _quoted(f"[{_escaped(option.help)}]{value}")
    names = ",".join(f"{name}=" if option.value and name.startswith("--") else name for name in option.names)
    again = "'*'" if option.repeats else f"'({' '.join(option.names)})'"
    return again + (f"{{{names}}}" if len(option.names) > 1 else names) + text


def _zsh_values(argument: Argument) -> str:
    return f"({' '.join(argument.choices)})" if argument.choices else "_files" if argument.files else " "


def fish(commands: Sequence[Command]) -> str:
    """The lines of a file of its folder of completions."""
    without = " ".join(command.name for command in commands[:-1])
    lines = []
    for command in commands:
        if command.name:
            offered = f"-a {command.name} -d {_for_fish(command.help)}"
            lines.append(f"complete -c tilesight -n __fish_use_subcommand {offered}")
        where = f"__fish_seen_subcommand_from {command.name or without}"
        condition = _for_fish(where if command.name else f"not {where}")
        lines += [f"complete -c tilesight -n {condition} {_fish_option(option)}" for option in command.options]
        if command.words is not None and command.words.choices:
            lines.append(f"complete -c tilesight -n {condition} -f -a {_for_fish(' '.join(command.words.choices))}")
    return "".join(f"{line}\n" for line in lines)


def _fish_option(option: Argument) -> str:
    names = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names]
    value = "" if not option.value else " -r -F" if option.files else " -x"
    offered = f" -a {_for_fish(' '.join(option.choices))}" if option.choices else ""
    return f"{' '.join(names)}{value}{offered} -d {_for_fish(option.help)}"


def _quoted(text: str) -> str:
    """One word of bash and zsh."""
    return "'" + text.replace("'", "'\\''") + "'"


def _escaped(text: str) -> str:
    r"""Within a specification of zsh's ``_arguments``, where ``:``, ``[`` and ``]`` separate parts."""
    return re.sub(r"([\\:\[\]])", r"\\\1", text)


def _for_fish(text: str) -> str:
    """One word of fish."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SCRIPTS: Final[dict[str, Callable[[Sequence[Command]], str]]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""By name of the shell."""
