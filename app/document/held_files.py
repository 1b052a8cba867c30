"""What finished loads leave behind: columns to be given back, and how their files looked when reading began."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.threads import Closed, KeepThread

if TYPE_CHECKING:
    from app.store.cache.choice import Keep
    from app.store.load import Loaded
    from app.store.stamps import Stamp

CLOSE_SECONDS = 2.0


class HeldFiles:
    """By job. Lives in the window's thread."""

    def __init__(self) -> None:
        self._loaded: dict[int, Loaded] = {}
        self._stamps: dict[int, tuple[Stamp, ...]] = {}
        self._keeping: list[KeepThread] = []

    def take(self, end: Closed) -> None:
        """A job has ended, well or not."""
        self._stamps[end.job] = end.stamps
        if end.loaded is not None:
            self._loaded[end.job] = end.loaded

    def keep(self, job: int, choice: Keep) -> None:
        """Keeps the columns of a job for the next time, in a thread of its own."""
        self._keeping = [thread for thread in self._keeping if thread.is_alive()]
        if job in self._loaded:
            self._keeping.append(KeepThread(self._loaded[job], choice))
            self._keeping[-1].start()

    def stamps(self, job: int) -> tuple[Stamp, ...]:
        """Of the files of a job; none while it is read."""
        return self._stamps.get(job, ())

    def stamp(self, job: int, path: Path) -> Stamp | None:
        """Of one of its files."""
        wanted = path.absolute()
        return next((stamp for stamp in self.stamps(job) if stamp.path == wanted), None)

    def forget(self, jobs: Collection[int]) -> None:
        """Gives back what belongs to none of ``jobs`` (the profiles are closed)."""
        for job in self._loaded.keys() - set(jobs):
            self._loaded.pop(job).release()
        for job in self._stamps.keys() - set(jobs):
            del self._stamps[job]

    def close(self) -> None:
        """Gives everything back; what is just being kept is told to stop."""
        for thread in self._keeping:
            thread.token.cancel()
        for thread in self._keeping:
            thread.join(CLOSE_SECONDS)
        self.forget(())
