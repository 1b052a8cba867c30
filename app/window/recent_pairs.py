"""The pairs of files that were compared, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.language import tr
from app.window.recent import RecentFile, listed
from app.window.settings import FilePair, Settings

if TYPE_CHECKING:
    from app.window.settings import SettingsFile

LIMIT: Final = 10


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
            self._write(tuple(dict.fromkeys((new, *self.pairs)))[:LIMIT])

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
    """What a menu says of a pair: the names of the files, with their folders where these are the same."""
    after, before = (files_of(side) for side in (pair.after, pair.before))
    names = [after.name, before.name]
    if names[0] == names[1]:
        names = [f"{side.path.parent.name}/{side.name}" for side in (after, before)]
    title = tr("{after} vs. {before} (baseline)", after=names[0], before=names[1])
    return title if after.exists and before.exists else tr("{title}    (missing)", title=title)


def there(pair: FilePair) -> bool:
    """Whether all files of a pair exist."""
    return all(files_of(side).exists for side in (pair.after, pair.before))
