"""Atomic writing of files: a file appears under its name only once it is complete."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Final

FOR_OWNER: Final = 0o600
SCRATCH: Final = ".part"


@contextmanager
def atomic_file(target: Path, mode: int = FOR_OWNER, *, lasting: bool = False) -> Iterator[Path]:
    """Yields the path of a new, empty file next to ``target`` (with its ``mode``, less the umask) to write to. The file
    replaces ``target`` (even a link) when the block ends, and is deleted if the block raises. ``lasting``: it is synced
    to the disk first. OSError if writing fails."""
    scratch = target.with_name(f".tilesight-{os.urandom(16).hex()}{SCRATCH}")
    try:
        os.close(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
        yield scratch
        if lasting:
            push(scratch)
        scratch.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            scratch.unlink()
        raise


def is_scratch(name: object, target: Path) -> bool:
    """Whether ``name`` is that of a temporary file that ``atomic_file`` made for ``target``."""
    path = Path(str(name))
    return path.parent == target.parent and path.name.startswith(".tilesight-") and path.suffix == SCRATCH


def put_aside(path: Path) -> Path:
    """Renames a file that cannot be understood to ``NAME.broken``, or ``NAME.2.broken`` and so on, so that no older one
    is overwritten; returns the new path. OSError if it cannot be renamed."""
    for number in count(1):
        aside = path.with_name(f"{path.name}.{number}.broken" if number > 1 else f"{path.name}.broken")
        try:
            os.close(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FOR_OWNER))  # nobody else takes the name
        except FileExistsError:
            continue
        try:
            path.replace(aside)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
        return aside
    raise AssertionError  # numbers do not end


def push(path: Path) -> None:
    """Flushes what was written to ``path`` to the disk. OSError if that fails."""
    descriptor = os.open(path, os.O_RDONLY if os.name != "nt" else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
