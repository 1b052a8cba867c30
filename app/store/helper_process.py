"""Starts helpers: processes that run tasks of readers."""

from __future__ import annotations

from app import program
from app.store.process import Copy, Process, launched


def forked_helper() -> Process:
    """A copy of this process, which must not have threads that hold locks. OSError if there is none to be had."""
    return Copy(_help)


def started_helper() -> Process:
    """A process of this program's command line. OSError if it cannot be started."""
    return launched(program.command("--worker", "--helper"))


def _help() -> int:
    from app.store.helper import main

    return main()
