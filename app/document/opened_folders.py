"""The folders that the user opened, and what was in them then, so that a reload finds what came later."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path


class OpenedFolders:
    """Absolute paths of folders, each with the files that were found in it so far."""

    def __init__(self) -> None:
        self._known: dict[Path, set[Path]] = {}

    def add(self, folders: Iterable[Path], files: Collection[Path]) -> None:
        """Records that ``folders`` were searched, which have ``files`` between them."""
        absolute = [path.absolute() for path in files]
        for folder in folders:
            inside = folder.absolute()
            self._known.setdefault(inside, set()).update(path for path in absolute if inside in path.parents)

    def around(self, files: Sequence[Path]) -> tuple[Path, ...]:
        """The folders that contain one of ``files``; those inside another one of them are left out."""
        parents = {parent for path in files for parent in path.absolute().parents}
        holding = [folder for folder in self._known if folder in parents]
        return tuple(folder for folder in holding if not any(other in folder.parents for other in holding))

    def new(self, files: Iterable[Path]) -> list[Path]:
        """Those of ``files`` that were not in the folders when these were searched."""
        known = {path for every in self._known.values() for path in every}
        return [path for path in files if path.absolute() not in known]
