"""Words of the command line, explained in the language of the program."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from app.cli.terminal import say
from app.language import tr


class Parser(argparse.ArgumentParser):
    """What argparse writes of its own is translated too, but for the reasons of usage errors."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": Formatter} | options, add_help=False)
        self._positionals.title = tr("positional arguments")
        self._optionals.title = tr("options")
        self.add_argument("-h", "--help", action="help", help=tr("show this help message and exit"))

    def parse_known_intermixed_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse, which takes the "usage: " of English off the usage."""
        if self.usage is None:
            self.usage = self.format_usage().removeprefix(tr("usage: ")).replace("%", "%%")
        return super().parse_known_intermixed_args(args, namespace)

    def print_help(self, file: Any = None) -> None:  # noqa: ARG002 - of argparse, which never passes one
        """Prints the help like other output: argparse is silent if it cannot be written. OutputError;
        BrokenPipeError."""
        say(self.format_help().splitlines())


class Formatter(argparse.HelpFormatter):
    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, tr("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        super().start_section(heading)
        self._headings = [*getattr(self, "_headings", ()), heading or ""]

    def format_help(self) -> str:
        """Returns the help, with the colon of this language after each heading."""
        text = super().format_help()
        for heading in filter(None, getattr(self, "_headings", ())):
            text = text.replace(f"\n{heading}:\n", "\n" + tr("{heading}:", heading=heading) + "\n")
        return text


class RawFormatter(Formatter, argparse.RawDescriptionHelpFormatter):
    """Leaves the lines of descriptions as they are."""
