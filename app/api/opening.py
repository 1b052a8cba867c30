"""Opens files."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from app.api.profile import Profile
from app.formats.errors import FormatError
from app.language import tr
from app.store.load import read_all
from app.store.spare import Spare

AnyPath: TypeAlias = str | os.PathLike[str]


def open(*paths: AnyPath, jobs: int = 0) -> Profile:  # noqa: A001 - tilesight.open, as gzip.open
    """The profile of these files or of this folder (a graph and its execution are one profile). ``jobs``: how many
    processes decode a large file, 0 for as many as there are processors, 8 at the most. FormatError if a file cannot be
    read, or if they hold several profiles or none; TypeError without any, ValueError for an empty name."""
    profiles = open_all(*paths, jobs=jobs)
    if len(profiles) == 1:
        return profiles[0]
    for profile in profiles:
        profile.close()
    names = ", ".join(profile.name for profile in profiles)
    where = ", ".join(str(path) for path in paths)
    if profiles:
        raise FormatError(
            tr("{where} contains several profiles: {names}; use open_all", where=where, names=names), path=where
        )
    raise FormatError(tr("{where} contains no profile", where=where), path=where)


def open_all(*paths: AnyPath, jobs: int = 0) -> list[Profile]:
    """All profiles of these files and folders. FormatError if one cannot be read, TypeError without any, ValueError for
    an empty name."""
    if not paths:
        raise TypeError("name at least one file or folder")
    if "" in paths:
        raise ValueError("the name of a file is empty")
    with ExitStack() as stack:
        # copies of a process in which a script's own libraries run are not safe: workers are started anew
        opened = read_all([Path(path) for path in paths], stack, workers=jobs, spare=Spare(most=0))
        if opened.refusals:
            refusal = opened.refusals[0]
            raise FormatError(refusal.error.text, path=str(refusal.path), offset=refusal.error.offset)
        columns = stack.pop_all()
    shared = Shared(columns, len(opened.profiles))
    return [Profile(profile, shared.release) for profile in opened.profiles]


class Shared:
    """The columns of profiles that were opened together, released when all of them are closed."""

    def __init__(self, columns: ExitStack, profiles: int) -> None:
        self._columns = columns
        self._left = profiles
        if not profiles:
            columns.close()

    def release(self) -> None:
        self._left -= 1
        if not self._left:
            self._columns.close()
