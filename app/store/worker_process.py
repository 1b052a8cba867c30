"""Starts and ends the processes of workers. Imports little, so that a worker is started before anything else is."""

from __future__ import annotations

import subprocess

from app import program
from app.store.process import Process, launched

END_SECONDS = 5.0


def command() -> list[str]:
    """The command that starts a worker process."""
    return program.command("--worker")


def launch(*words: str) -> Process:
    """A worker in a process of this program's command line, with more ``words`` of it."""
    return launched([*command(), *words])


def end(worker: Process) -> None:
    """Wait for the worker to exit, which it does when its standard input is closed; kill it if it takes longer than
    END_SECONDS."""
    try:
        worker.communicate(timeout=END_SECONDS)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.communicate()
