"""Lists the files of a folder that the user opens, and reports what was not searched."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from app.language import plural, tr

DEPTH = 6
"""The folders of an operator lie at most five levels below one that holds OPPROF folders (Ascend operator reports,
section 4)."""
FILES = 2000
FOLDERS = 2000


class Inside(Struct, frozen=True):
    """``files``: regular files, upper levels first; ``missed``: phrases that say what was not searched (the search of a
    very large folder is cut short), empty when everything was."""

    files: list[Path]
    missed: tuple[str, ...]


def look_inside(folder: Path) -> Inside:
    """The files in ``folder`` down to DEPTH levels, at most FILES of them, in at most FOLDERS folders. Links to folders
    are not followed."""
    files: list[Path] = []
    closed: list[Path] = []
    level = [folder]
    searched = 0
    for _ in range(DEPTH):
        below: list[Path] = []
        for here in level[: FOLDERS - searched]:
            try:
                _sort_in(here, files, below)
            except OSError:
                closed.append(here)
        many = len(level) > FOLDERS - searched
        searched += len(level)
        level = sorted(below)
        if many or len(files) > FILES or not level:
            break
    return Inside(files[:FILES], tuple(_missed(len(files) > FILES, many, bool(level), closed, folder)))


def _sort_in(folder: Path, files: list[Path], below: list[Path]) -> None:
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.is_dir(follow_symlinks=False):
                below.append(folder / entry.name)
            elif _is_file(entry):
                files.append(folder / entry.name)


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Whether it is a regular file or a link to one. Links that go in a circle or into a closed folder are not."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _missed(many_files: bool, many_folders: bool, deep: bool, closed: list[Path], folder: Path) -> list[str]:
    reasons: list[str] = []
    if many_files:
        reasons.append(tr("only its first {files:,} files were searched", files=FILES))
    elif many_folders:
        reasons.append(tr("only its first {folders:,} folders were searched", folders=FOLDERS))
    elif deep:
        reasons.append(tr("folders more than {depth} levels below it were not searched", depth=DEPTH))
    if closed:
        more = len(closed) - 1
        if closed[0] == folder:
            reasons.append(tr("the folder cannot be listed"))
        elif more:
            text = plural(
                "{folder} and {count:,} more folder cannot be listed",
                "{folder} and {count:,} more folders cannot be listed",
                count=more,
                folder=closed[0],
            )
            reasons.append(text)
        else:
            reasons.append(tr("{folder} cannot be listed", folder=closed[0]))
    return reasons
