"""Writes a folder for the user: its files appear together once all are complete, and never replace a file that was
read."""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterable
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from app.atomic import SCRATCH
from app.language import tr
from app.store.outputs import refuse_input

INDEX: Final = "index.json"
"""Moves last, so that a folder with it is complete."""


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
        """Moves the files to their places; returns their bytes. OutputIsInputError, with nothing moved, if one of them
        would replace a file that was read; OSError."""
        files = sorted(
            (path for path in self.scratch.rglob("*") if path.is_file()), key=lambda path: (path.name == INDEX, path)
        )
        places = [self.target / path.relative_to(self.scratch) for path in files]
        for place in places:
            refuse_input(place, self._inputs)
        size = sum(path.stat().st_size for path in files)
        for path, place in zip(files, places, strict=True):
            place.parent.mkdir(exist_ok=True)
            path.replace(place)
        self._is_new = False
        self.discard()
        return size

    def discard(self) -> None:
        """Deletes what was not published, and the folder if it was made for it."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        if self._is_new:
            with contextlib.suppress(OSError):  # something else is in it, or it is gone
                self.target.rmdir()
