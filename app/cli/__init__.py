"""The command line: the window, and commands that need no display."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status (0 success, 1 a file could not be read, 2 usage error)."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["--worker"]:  # before anything else: a worker must start fast and never touch Qt
        gc.disable()  # imports and decoded JSON create no cycles worth collecting
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # readers multiply no matrices, and its threads start slowly
        if words[1:] == ["--helper"]:
            from app.store.helper import main as help_worker

            os._exit(help_worker())
        from app.store.worker import main as work

        os._exit(work(ready=words[1:] == ["--ready"]))  # everything is sent, and a regular shutdown would take 50 ms
    try:
        return _run(words)
    except KeyboardInterrupt:
        return 130


def _run(words: list[str]) -> int:
    from app import preferred_language

    if words[:1] == ["report"]:
        preferred_language.take_option(words)
    preferred_language.prefer()
    from app.cli import terminal
    from app.cli.words import run

    try:
        status = run(words)
        terminal.flush()
    except BrokenPipeError:  # the reader of the output (a pager, `head`) has closed it
        terminal.give_up_output()
        return 0
    except terminal.OutputError as error:
        terminal.complain(str(error))
        terminal.give_up_output()
        return 1
    return status
