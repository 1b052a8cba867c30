"""The prompt of `query FILE`: statements one after the other, with completion of names and history where the system has
readline. What comes from a pipe is run without a prompt."""

from __future__ import annotations

import cmd
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Final, TypeAlias

from app.cli.terminal import say
from app.language import tr
from app.places import data_folder, private_folder

try:
    import readline
except ImportError:  # Windows
    readline = None  # type: ignore[assignment]

HISTORY: Final = "query_history"
MOST_LINES: Final = 1_000
_WORDS: Final = (
    "select from where group order by limit having join left using on as and or not null is desc distinct count sum "
    "avg min max median between like with union all case when then else end"
)
WORDS: Final = frozenset(_WORDS.split())
COMMANDS: Final = (".tables", ".quit")
Names: TypeAlias = Sequence[tuple[str, Sequence[str]]]


class Prompt(cmd.Cmd):
    """``answer`` runs a statement, prints its result, and returns the exit status; ``status``: that of the last that
    failed, else 0. ``tables`` prints a list of the tables; ``names`` returns them
    with the names of their columns."""

    prompt = "sql> "

    def __init__(self, answer: Callable[[str], int], tables: Callable[[], object], names: Callable[[], Names]) -> None:
        super().__init__()
        self._answer = answer
        self.status = 0
        self._tables = tables
        self._names = names
        self._typed = sys.stdin is not None and sys.stdin.isatty()
        if not self._typed:
            self.prompt, self.use_rawinput = "", False

    def run(self) -> None:
        """Until the end of the input, or .quit."""
        with suppress(OSError):
            self._history(write=False)
        try:
            while True:
                try:
                    self.cmdloop()
                    return
                except KeyboardInterrupt:  # ends the line, or the statement
                    say([""])
        finally:
            with suppress(OSError):
                self._history(write=True)

    def _history(self, *, write: bool) -> None:
        folder = data_folder()
        if readline is None or not self._typed or not private_folder(folder):
            return
        if write:
            readline.set_history_length(MOST_LINES)
            readline.write_history_file(folder / HISTORY)
        else:
            readline.read_history_file(folder / HISTORY)

    def onecmd(self, line: str) -> bool:
        """Runs a line; whether it was the last."""
        text = line.strip().rstrip(";").strip()
        if line == "EOF" or text == ".quit":
            return True
        if text == ".tables":
            self._tables()
        elif text:
            self.status = self._answer(text) or self.status
        return False

    def preloop(self) -> None:
        if self._typed:
            say([tr(".tables lists the tables, Tab completes names, .quit ends.")])

    def completenames(self, text: str, *_: object) -> list[str]:
        """Commands, tables, columns and words of SQL."""
        return self.completedefault(text, "", 0, 0)

    def completedefault(self, text: str, *_: object) -> list[str]:
        """Names that begin with ``text``; columns of a table behind its name and a point."""
        table, point, part = text.rpartition(".")
        if point and table:
            columns = next((own for name, own in self._listed if name == table), ())
            return [f"{table}.{name}" for name in columns if name.startswith(part)]
        known = {*COMMANDS, *WORDS, *(name for table, own in self._listed for name in (table, *own))}
        return sorted(name for name in known if name.startswith(text))

    @cached_property
    def _listed(self) -> Names:
        if readline is not None:
            readline.set_completer_delims(re.sub(r"[._]", "", readline.get_completer_delims()))
        return self._names()
