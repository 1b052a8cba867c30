"""What is known of files that were loaded: their columns, their stamps when reading began, and the folders they came
from."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.document.threads import CacheThread, Closed
from app.language import tr

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.formats.source import Source
    from app.store.cache.limit import CacheLimit
    from app.store.load import Loaded
    from app.store.stamps import Stamp


CLOSE_SECONDS = 2.0


class LoadedFiles:
    """Resources of finished loads by job id; lives in the window's thread."""

    def __init__(self) -> None:
        self._loaded: dict[int, Loaded] = {}
        self._stamps: dict[int, tuple[Stamp, ...]] = {}
        self._cache_threads: list[CacheThread] = []

    def take(self, end: Closed) -> None:
        """Stores the resources of a job that has ended, successfully or not."""
        self._stamps[end.job] = end.stamps
        if end.loaded is not None:
            self._loaded[end.job] = end.loaded

    def write_cache(self, job: int, choice: CacheLimit) -> None:
        """Writes the columns of a job to the cache, in a separate thread."""
        self._cache_threads = [thread for thread in self._cache_threads if thread.is_alive()]
        if job in self._loaded:
            self._cache_threads.append(CacheThread(self._loaded[job], choice))
            self._cache_threads[-1].start()

    def stamps(self, job: int) -> tuple[Stamp, ...]:
        """The stamps of the files of a job; empty while it is being read."""
        return self._stamps.get(job, ())

    def loaded(self, job: int) -> Loaded | None:
        """The columns of a job; None if it has none of its own."""
        return self._loaded.get(job)

    def record(self, entry: Entry, ordinal: int) -> Mapping[str, Any]:
        """The arguments of record ``ordinal`` of the timeline, decoded again; empty where the format has none. Raises
        FormatError where the file has changed since it was read. May run in any thread."""
        from app.formats import records

        if not records.paths(entry.profile):
            return {}
        with self.records(entry) as source:
            return records.record(source, entry.profile, ordinal)

    @contextmanager
    def records(self, entry: Entry) -> Iterator[Source]:
        """The text that has the records of the timeline. Raises FormatError where there is none, or where a file has
        changed since it was read. May run in any thread."""
        from app.formats import records
        from app.formats.errors import FormatError
        from app.store.stamps import difference

        paths = records.paths(entry.profile)
        if not paths:
            raise FormatError(tr("the format has no arguments of slices"))
        wanted = {path.absolute() for path in paths}
        with records.opened(paths) as source:
            for stamp in self.stamps(entry.job):
                if stamp.path in wanted and difference(stamp):
                    raise FormatError(tr("the file has changed since it was read; reload it"), path=str(stamp.path))
            yield source

    def forget(self, jobs: Collection[int]) -> None:
        """Releases the resources of all jobs except ``jobs`` (their profiles are closed)."""
        for job in self._loaded.keys() - set(jobs):
            self._loaded.pop(job).release()
        for job in self._stamps.keys() - set(jobs):
            del self._stamps[job]

    def close(self) -> None:
        """Cancels running writes to the cache and releases everything."""
        for thread in self._cache_threads:
            thread.token.cancel()
        for thread in self._cache_threads:
            thread.join(CLOSE_SECONDS)
        self.forget(())


class OpenedFolders:
    """The folders that the user opened, with the files that were found in each so far: a reload finds what came
    later. All paths are absolute."""

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
