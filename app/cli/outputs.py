"""Checks of a file before a command writes it, and why it was not written."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from app.cli.terminal import complain, say_bytes, usage_error
from app.formats.errors import FormatError
from app.language import tr
from app.store.outputs import OutputIsInputError, refuse_input

STANDARD: Final = Path("-")
"""Standard input or output, as the name of a file."""


def to_standard_output(run: Callable[[argparse.Namespace], int], options: argparse.Namespace, suffix: str) -> int:
    """Runs a command whose output is `-`: what it writes into a file named ``out`` with that suffix is printed then.
    Returns its exit status. OutputError."""
    with TemporaryDirectory(prefix="tilesight-") as folder:
        options.output = Path(folder) / f"out{suffix}"
        options.piped = True
        status = run(options)
        if options.output.is_file():
            say_bytes(options.output.read_bytes())
        return status


def wrong_ending(target: Path, endings: Iterable[str]) -> str:
    """Why ``target`` cannot be the name of such a file; "" if it can."""
    kinds = tuple(endings)
    if target.suffix.lower() in kinds:
        return ""
    return tr("{output}: the name must end in {kinds}", output=target, kinds=" or ".join(kinds))


def wrong_target(target: Path, files: Iterable[Path], baseline: Path | None) -> str:
    """Why ``target`` must not be written if these are read; "" if it may be."""
    try:
        refuse_input(target, [*files, *([] if baseline is None else [baseline])])
    except OutputIsInputError as error:
        return f"{target}: {error.strerror}"
    return ""


def not_written(target: Path, error: OSError | FormatError) -> int:
    """Says why ``target`` was not written; returns the exit status."""
    if isinstance(error, OutputIsInputError):  # it is in a folder that was read
        return usage_error(f"{error.filename}: {error.strerror}")
    reason = error.strerror or error if isinstance(error, OSError) else error
    complain(tr("{output}: cannot be written: {error}", output=target, error=reason))
    return 1


def incomplete(target: Path, lost: str) -> int:
    """Says what the written ``target`` does not hold; returns the exit status."""
    complain(f"{target}: {lost}")
    return 1
