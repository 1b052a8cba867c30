"""Opens files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from app.analysis.parts.offered import NoPart
from app.api.arguments import AnyPath, path_of, whole
from app.api.profile import Profile
from app.formats.errors import FormatError
from app.language import tr
from app.profile import profile as sections
from app.store.load import Opened, read_all
from app.store.sides import Side, side_of
from app.store.spare import Spare


class OpenError(FormatError):
    """A file that a script names cannot be opened; as text it begins with the file."""

    def __str__(self) -> str:
        return f"{self.path}: {self.located}"


def open(*paths: AnyPath | Iterable[AnyPath], jobs: int = 0) -> Profile:  # noqa: A001 - tilesight.open, as gzip.open
    """The profile of these files or of this folder (a graph and its execution are one profile), or a part of one:
    ``operator.bin#block=1``. A list of paths is the same as its paths. ``jobs``: how many processes decode a large
    file, 0 for as many as there are processors, 8 at the most. FormatError if a file cannot be read, has no such part,
    or if they hold several profiles or none; TypeError without any or for what is no path, ValueError for an empty name
    or ``jobs`` below 0."""
    profiles = open_all(*paths, jobs=jobs)
    if len(profiles) == 1:
        return profiles[0]
    for profile in profiles:
        profile.close()
    names = ", ".join(profile.name for profile in profiles)
    where = ", ".join(str(path) for path in _each(paths))
    if profiles:
        raise FormatError(
            tr("{where} contains several profiles: {names}; use open_all", where=where, names=names), path=where
        )
    raise FormatError(tr("{where} contains no profile", where=where), path=where)


def open_all(*paths: AnyPath | Iterable[AnyPath], jobs: int = 0) -> list[Profile]:
    """All profiles of these files and folders, in their order. Those without a #PART are read together, at the place
    of the first. Errors as of ``open``."""
    named = [*_each(paths)]
    if not named:
        raise TypeError("name at least one file or folder")
    whole("jobs", jobs)
    sides = [_side(path) for path in named]
    together = [own.path for own in sides if not own.part]
    profiles: list[sections.Profile] = []
    checks: list[Callable[[], None]] = []
    with ExitStack() as stack:
        for own in sides:
            if own.part or together:
                read = [own.path] if own.part else together
                opened = _read(read, stack, jobs)
                some = _parts(own, opened.profiles) if own.part else opened.profiles
                profiles += some
                checks += [partial(_check, opened, ", ".join(map(str, read)))] * len(some)
                together = together if own.part else []
        columns = stack.pop_all()
    shared = Shared(columns, len(profiles))
    return [Profile(profile, shared.release, check) for profile, check in zip(profiles, checks, strict=True)]


def _each(paths: Iterable[AnyPath | Iterable[AnyPath]]) -> Iterator[AnyPath]:
    for path in paths:
        if isinstance(path, list | tuple):
            yield from path
        else:
            yield path  # type: ignore[misc] # path_of refuses what is none


def _side(path: AnyPath) -> Side:
    return side_of(path_of(path))


def _read(paths: list[Path], stack: ExitStack, jobs: int) -> Opened:
    # copies of a process in which a script's own libraries run are not safe: workers are started anew
    opened = read_all(paths, stack, workers=jobs, spare=Spare(most=0))
    if opened.refusals:
        refusal = opened.refusals[0]
        raise OpenError(refusal.error.text, path=str(refusal.path), offset=refusal.error.offset)
    return opened


def _check(opened: Opened, where: str) -> None:
    """OpenError if columns were truncated since, so that what was read from them is wrong."""
    if opened.damaged():
        reason = tr("the cached columns were truncated while they were in use; run the command again")
        raise OpenError(reason, path=where)


def _parts(own: Side, profiles: list[sections.Profile]) -> list[sections.Profile]:
    try:
        return [own.of(profile) for profile in profiles]
    except NoPart as error:
        raise OpenError(str(error).removeprefix(str(own.path)), path=str(own.path)) from None


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
