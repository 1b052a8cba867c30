"""Recent files and recent pairs of compared files, newest first. Files opened together are one entry: the first file is
in the list, the others are stored under it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from app.language import tr
from app.views.names_apart import differing_folders, joined_name
from app.window.settings import FilePair, Settings, SettingsFile

LIMIT = 20
NAMED = 3
"""Most file names in the name of an entry."""

Together: TypeAlias = Mapping[str, Sequence[str]]
PAIR_LIMIT: Final = 10
"""First file of an entry → the files that are opened with it."""


class RecentFile(Struct, frozen=True):
    """One entry. ``beside``: files that are opened with ``path``. ``exists``: False if any file is missing; the entry
    is then disabled, not hidden."""

    path: Path
    exists: bool
    beside: tuple[Path, ...] = ()

    @property
    def paths(self) -> list[Path]:
        """All files of the entry."""
        return [self.path, *self.beside]

    @property
    def name(self) -> str:
        names = [path.name or str(path) for path in self.paths]
        more = [tr("{count:,} more", count=len(names) - NAMED)] if len(names) > NAMED else []
        return " + ".join([*names[:NAMED], *more])

    @property
    def line(self) -> str:
        """What a list says of the entry: its name and folder, or that it is missing."""
        return f"{self.name}    {self.folder}" if self.exists else tr("{file}    (missing)", file=self.name)

    @property
    def folder(self) -> str:
        """The folder of the first file, with the home folder shortened to ``~``."""
        parent = self.path.parent
        try:
            return str(Path("~") / parent.relative_to(Path.home()))
        except (ValueError, RuntimeError):
            return str(parent)


def added(recent: Sequence[str], paths: Iterable[Path]) -> tuple[str, ...]:
    """Returns the list with ``paths`` in front, without duplicates, at most LIMIT."""
    new = [str(path.absolute()) for path in paths]
    return tuple(dict.fromkeys((*new, *recent)))[:LIMIT]


def without(recent: Sequence[str], paths: Iterable[Path]) -> tuple[str, ...]:
    gone = {str(path.absolute()) for path in paths}
    return tuple(path for path in recent if path not in gone)


def listed(recent: Sequence[str], together: Together | None = None) -> list[RecentFile]:
    entries = []
    for text in recent:
        beside = tuple(Path(other) for other in (together or {}).get(text, ()))
        entries.append(RecentFile(Path(text), all(map(_exists, (Path(text), *beside))), beside))
    return entries


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


class RecentFiles:
    """Writes the list of recent files; ``changed`` is called after each change."""

    def __init__(self, settings: SettingsFile, changed: Callable[[], object]) -> None:
        self._settings = settings
        self._changed = changed

    def add(self, paths: Sequence[Path]) -> None:
        """Adds opened files: as one entry if they were opened together before, else separately until they are
        joined."""
        if not paths:
            return
        texts = {str(path.absolute()) for path in paths}
        before = self._settings.value.recent_together
        again = {first: beside for first, beside in before.items() if texts.issuperset((first, *beside))}
        beside = {text for others in again.values() for text in others}
        alone = [path for path in paths if str(path.absolute()) not in beside]
        self._write(added(self._settings.value.recent, alone), {**self._together(without_first=alone), **again})

    def join(self, paths: Sequence[Path]) -> None:
        """Merges files that are opened together into one entry, at the position of the first of them in the list; does
        nothing if none is listed."""
        texts = [str(path.absolute()) for path in paths]
        recent = self._settings.value.recent
        places = [place for place, text in enumerate(recent) if text in texts]
        if places and len(texts) > 1:
            rest = without(recent, paths)
            joined = (*rest[: places[0]], texts[0], *rest[places[0] :])
            self._write(joined, {**self._together(without_first=paths), texts[0]: tuple(texts[1:])})

    def part(self, paths: Sequence[Path]) -> None:
        """Splits the entry of exactly these files, which do not belong together, into one for each."""
        texts = {str(path.absolute()) for path in paths}
        for first, beside in self._settings.value.recent_together.items():
            if {first, *beside} == texts:
                recent = self._settings.value.recent
                place = recent.index(first) + 1 if first in recent else 0
                parted = tuple(dict.fromkeys((*recent[:place], *beside, *recent[place:])))
                self._write(parted, self._together(without_first=[Path(first)]))
                return

    def forget(self, paths: Sequence[Path]) -> None:
        """Removes files from the list; files opened together with one of them stay."""
        gone = {str(path.absolute()) for path in paths}
        recent: list[str] = []
        together: dict[str, tuple[str, ...]] = {}
        for text in self._settings.value.recent:
            left = [path for path in (text, *self._settings.value.recent_together.get(text, ())) if path not in gone]
            recent += left[:1]
            together |= {left[0]: tuple(left[1:])} if len(left) > 1 else {}
        self._write(tuple(recent), together)

    def clear(self) -> None:
        self._write((), {})

    def _together(self, without_first: Sequence[Path]) -> dict[str, tuple[str, ...]]:
        own = {str(path.absolute()) for path in without_first}
        return {text: beside for text, beside in self._settings.value.recent_together.items() if text not in own}

    def _write(self, recent: tuple[str, ...], together: dict[str, tuple[str, ...]]) -> None:
        listed_together = {text: beside for text, beside in together.items() if text in recent}
        if recent == self._settings.value.recent and listed_together == self._settings.value.recent_together:
            return
        self._settings.update(recent=recent, recent_together=listed_together)
        self._changed()


class RecentPairs:
    """Writes the list of pairs in the settings; ``changed`` is called after each change."""

    def __init__(self, settings: SettingsFile, changed: Callable[[], object]) -> None:
        self._settings = settings
        self._changed = changed

    @property
    def pairs(self) -> tuple[FilePair, ...]:
        """The pairs, newest first."""
        return tuple(listed_pairs(self._settings.value))

    def add(self, after: Sequence[Path], before: Sequence[Path]) -> None:
        """Adds the files of two profiles."""
        if after and before:
            new = FilePair(*(tuple(str(path.absolute()) for path in paths) for paths in (after, before)))
            self._write(tuple(dict.fromkeys((new, *self.pairs)))[:PAIR_LIMIT])

    def forget(self, pair: FilePair) -> None:
        """Removes a pair from the list."""
        self._write(tuple(other for other in self.pairs if other != pair))

    def clear(self) -> None:
        self._write(())

    def _write(self, pairs: tuple[FilePair, ...]) -> None:
        if pairs != self.pairs:
            self._settings.update(recent_pairs=pairs)
            self._changed()


def listed_pairs(settings: Settings) -> list[FilePair]:
    """The pairs in the settings, without broken ones."""
    return [pair for pair in settings.recent_pairs if pair.after and pair.before]


def files_of(paths: Sequence[str]) -> RecentFile:
    """The files of one side, at least one; they exist if all do."""
    return listed(paths[:1], {paths[0]: paths[1:]})[0]


def title_of(pair: FilePair) -> str:
    """What a menu says of a pair: the names of the files; equal ones begin with what differs in their folders."""
    after, before = (files_of(side) for side in (pair.after, pair.before))
    names = [after.name, before.name]
    if names[0] == names[1]:
        folders = differing_folders([side.path.parent.parts[1:] for side in (after, before)])
        names = [joined_name(folder, side.name) for folder, side in zip(folders, (after, before), strict=True)]
    title = tr("{after} vs. {before} (baseline)", after=names[0], before=names[1])
    return title if after.exists and before.exists else tr("{title}    (missing)", title=title)


def there(pair: FilePair) -> bool:
    """Whether all files of a pair exist."""
    return all(files_of(side).exists for side in (pair.after, pair.before))
