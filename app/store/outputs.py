"""Writes files for the user: a file appears under its name when it is complete, and never replaces a file that was
read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.atomic import atomic_file, is_scratch
from app.formats.parts import holder
from app.language import tr

FOR_ALL = 0o666


class OutputIsInputError(OSError):
    """The target of a write is a file that is being read."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EEXIST, tr("this is an input file; choose another name"), str(path))


@contextmanager
def output_file(
    target: Path, inputs: Iterable[Path] = (), mode: int = FOR_ALL, *, lasting: bool = False
) -> Iterator[Path]:
    """Yield the path of a new, empty file beside ``target`` to write to. It replaces ``target`` when the block ends,
    and is deleted if the block raises. What is not a regular file (a pipe, a terminal) is written directly. An existing
    file keeps its permissions, a symbolic link remains a link; a new file gets ``mode`` less the umask. ``lasting``: it
    is synced to the disk first. OSError naming ``target`` if it cannot be written, OutputIsInputError if it is one of
    ``inputs``."""
    refuse_input(target, inputs)
    try:
        real = Path(os.path.realpath(target))
        before = _status(real)
    except OSError as error:
        raise _about(target, error) from None
    if before is not None and not stat.S_ISREG(before.st_mode):
        if stat.S_ISDIR(before.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
        yield target
        return
    try:
        with atomic_file(real, mode, lasting=lasting) as scratch:
            if before is not None:
                scratch.chmod(stat.S_IMODE(before.st_mode))
            yield scratch
    except OSError as error:
        if any(is_scratch(name, real) for name in (error.filename, error.filename2)):
            raise _about(target, error) from None
        raise


def write_output(
    target: Path, content: bytes, inputs: Iterable[Path] = (), mode: int = FOR_ALL, *, lasting: bool = False
) -> None:
    """Write ``content`` as the whole of ``target``. Errors as in ``output_file``."""
    with output_file(target, inputs, mode, lasting=lasting) as path, path.open("wb") as file:
        file.write(content)


def refuse_input(target: Path, inputs: Iterable[Path]) -> None:
    """Raise OutputIsInputError if ``target`` is one of ``inputs`` (also by another name, or as the file that contains
    an input)."""
    for read in inputs:
        if _same(target, holder(read) or read):
            raise OutputIsInputError(target)


def _same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except (OSError, ValueError):  # one of them does not exist
        return first.absolute() == second.absolute()


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _about(target: Path, error: OSError) -> OSError:
    """The same error with the file name that the user knows."""
    return type(error)(error.errno, error.strerror or str(error), str(target))
