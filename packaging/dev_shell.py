"""Messages to the user, and running other programs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path


class SetupError(Exception):
    """The set-up cannot continue; the text is one line that says what to do."""


def say(text: str) -> None:
    """Prints to standard error, because standard output belongs to the program that ``run`` starts."""
    print(text, file=sys.stderr, flush=True)


def quietly(
    command: Sequence[str], environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs ``command`` without input and captures its output, for :func:`last_lines`."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
        cwd=cwd,
        check=False,
    )


def last_lines(output: str, count: int = 5) -> str:
    """The last lines of a program's output, for an error message."""
    return "\n".join(f"    {line}" for line in output.strip().splitlines()[-count:])
