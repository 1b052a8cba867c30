"""Updates the recent files in the settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.window.recent import added, without
from app.window.settings import SettingsFile


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
