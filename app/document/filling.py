"""Turns the events of one job into entries of the document."""

from __future__ import annotations

from app.document.batch import Batch
from app.document.document import Document
from app.profile.issue import Issue
from app.store.events import Began, Event, IssueFound, SectionReady
from app.store.gathering import Gathering


class Filling:
    """A fresh load shows its profiles as they grow; a reload is shown only when it is complete."""

    def __init__(self, document: Document, format_id: str, job: int, replaces: int | None, batch: Batch) -> None:
        self._document = document
        self._gathering = Gathering(format_id)
        self._job = job
        self.replaces = replaces
        self._batch = batch
        self._entries: list[int] = []

    def take(self, event: Event) -> None:
        self._gathering.take(event)
        if self.replaces is not None:
            return
        match event:
            case Began():
                show, self._batch.shown = not self._batch.shown, True
                profile = self._gathering.profiles[-1]
                self._entries.append(self._document.add(profile, self._job, show=show, kept=event.kept))
            case SectionReady():
                self._grow(event.index, event.section.SECTION)
            case IssueFound():
                self._grow(event.index, "issues")
            case _:
                pass

    def finish(self, *, failed: bool) -> None:
        """The job has ended. A failed reload leaves what was open; a failed load keeps what it could read."""
        if self.replaces is None:
            for index, entry in enumerate(self._entries):
                if failed:
                    profile = self._gathering.profiles[index]
                    names = ", ".join(path.name for path in profile.origin.paths)
                    self._gathering.profiles[index] = profile.with_issue(
                        Issue("error", names, "reading ended before the end of the file: what is shown is not all")
                    )
                    self._grow(index, "issues")
                self._document.finish(entry)
        elif not failed and self._gathering.profiles:
            first, *others = self._gathering.profiles
            self._document.replace(self.replaces, first, self._job)
            for other in others:
                self._document.finish(self._document.add(other, self._job, show=False))

    def undo(self) -> None:
        """Closes what this job opened (it was taken back)."""
        open_now = {entry.id for entry in self._document.entries}
        for entry in self._entries:
            if entry in open_now:
                self._document.close(entry)

    def _grow(self, index: int, changed: str) -> None:
        self._document.grow(self._entries[index], self._gathering.profiles[index], frozenset((changed,)))
