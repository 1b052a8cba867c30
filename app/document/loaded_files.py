"""Resources of finished loads: their columns, to be released, and the stamps of their files when reading began."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.threads import CacheThread, Closed

if TYPE_CHECKING:
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

    def stamp(self, job: int, path: Path) -> Stamp | None:
        """The stamp of one file of a job; None without one."""
        wanted = path.absolute()
        return next((stamp for stamp in self.stamps(job) if stamp.path == wanted), None)

    def loaded(self, job: int) -> Loaded | None:
        """The columns of a job; None if it has none of its own."""
        return self._loaded.get(job)

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
