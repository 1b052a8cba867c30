"""Writes files and folders for the user: a file appears under its name when it is complete, the files of a folder
together once all are, and none replaces a file that was read. Names made of texts of strangers are valid on every
system, Windows included."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from app.atomic import SCRATCH, atomic_file, is_scratch
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


INDEX: Final = "index.json"
"""Moves last, so that a folder with it is complete, and nothing else is in it any more."""


class FolderNotEmptyError(OSError):
    """There is something in the folder, and nobody agreed to replace it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(errno.ENOTEMPTY, tr("the folder is not empty"), str(folder))


def has_content(folder: Path) -> bool:
    """Whether ``folder`` exists and is not empty. OSError if it cannot be listed."""
    return folder.exists() and any(True for _ in folder.iterdir())


class OutputFolder:
    """Files are written to ``scratch``, a folder inside ``target``; ``publish`` moves them to their places, ``discard``
    deletes them. ``replace``: whether files of the same names are replaced; others always stay. FolderNotEmptyError
    without it; OSError."""

    def __init__(self, target: Path, inputs: Iterable[Path] = (), *, replace: bool = False) -> None:
        if not replace and has_content(target):
            raise FolderNotEmptyError(target)
        self.target = target
        self._inputs = tuple(inputs)
        self._is_new = not target.exists()
        target.mkdir(exist_ok=True)
        try:
            self.scratch = Path(mkdtemp(SCRATCH, ".tilesight-", target))
        except OSError:
            if self._is_new:
                target.rmdir()
            raise

    def publish(self) -> int:
        """Moves the files, ``INDEX`` among them, to their places; returns their bytes. OutputIsInputError, with nothing
        moved, if one of them would replace a file that was read; OSError."""
        files = sorted(path for path in self.scratch.rglob("*") if path.is_file())
        places = [self.target / path.relative_to(self.scratch) for path in files]
        for place in places:
            refuse_input(place, self._inputs)
        size = sum(path.stat().st_size for path in files)
        index = self.scratch / INDEX
        for path, place in zip(files, places, strict=True):
            if path != index:
                place.parent.mkdir(exist_ok=True)
                path.replace(place)
        self._is_new = False
        with atomic_file(self.target / INDEX) as complete:
            index.replace(complete)
            self.discard()
        return size

    def discard(self) -> None:
        """Deletes what was not published, and the folder if it was made for it."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        if self._is_new:
            with contextlib.suppress(OSError):  # something else is in it, or it is gone
                self.target.rmdir()


LONGEST: Final = 100
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)
"""Windows gives these to devices, whatever follows the first dot."""


def safe_name(text: str, otherwise: str = "unnamed") -> str:
    """``text`` with ``_`` for what is no letter, digit, ``-``, ``_`` or ``.``; ``otherwise`` if nothing is left."""
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in text)
    plain = plain[:LONGEST].strip(".") or otherwise
    return f"_{plain}" if _DEVICES.match(plain) else plain


class SafeNames:
    """Names in one folder: no two are the same, also where systems ignore case."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def name(self, text: str, suffix: str = "") -> str:
        """A new name with ``suffix`` for ``text``."""
        plain = safe_name(text)
        made, number = f"{plain}{suffix}", 2
        while made.casefold() in self._taken:
            made, number = f"{plain}-{number}{suffix}", number + 1
        self._taken.add(made.casefold())
        return made
