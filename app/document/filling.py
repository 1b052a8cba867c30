"""Turns the events of a job into entries of the document."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.document.document import Document
from app.document.threads import Batch
from app.formats.collect import Collector
from app.formats.events import Began, Event, SectionReady
from app.language import tr
from app.profile.issue import Issue
from app.profile.profile import SECTION_NAMES, Profile


class Filling:
    """Adds the profiles of one job to the document: those of a new load as they grow, those of a reload when it is
    complete."""

    def __init__(
        self,
        document: Document,
        format_id: str,
        job: int,
        replaces: int | None,
        batch: Batch,
        *,
        joined: Collection[int] = (),
        show: bool = False,
    ) -> None:
        """``replaces``: the entry that is reloaded; ``joined``: other entries whose files are read with it; ``show``:
        whether the result of a reload is shown when it is complete."""
        self._document = document
        self._collector = Collector(format_id)
        self._job = job
        self.replaces = replaces
        self.joined = frozenset(joined)
        self.show = show
        self._batch = batch
        self._entries: list[int] = []

    @property
    def profiles(self) -> int:
        """How many profiles have begun."""
        return len(self._collector.profiles)

    def take(self, event: Event) -> None:
        begun = len(self._collector.profiles)
        if isinstance(event, Began) and not self._collector.preview:
            self._drop_portions()
        self._collector(event)
        if self.replaces is not None:
            return
        match event:
            case Began() if len(self._collector.profiles) > begun:
                show, self._batch.shown = not self._batch.shown, True
                profile = self._collector.profiles[-1]
                self._entries.append(self._document.add(profile, self._job, show=show, cached=event.cached))
            case Began():
                self._grow(*SECTION_NAMES)
            case SectionReady():
                self._grow(event.section.SECTION)
            case Issue():
                self._grow("issues")
            case _:
                pass

    def finish(self, *, failed: bool) -> None:
        """Handles the end of the job. A failed reload leaves the open profile unchanged; a failed load keeps what could
        be read."""
        if not failed:
            self._drop_portions()
        if self.replaces is None:
            for index, entry in enumerate(self._entries):
                if failed:
                    profile = self._collector.profiles[index]
                    names = ", ".join(path.name for path in profile.origin.paths)
                    self._collector.profiles[index] = profile.with_issue(
                        Issue(
                            "error",
                            names,
                            tr("reading stopped before the end of the file: the data shown is incomplete"),
                        )
                    )
                    self._grow("issues", index=index)
                self._document.finish(entry)
        elif not failed and self._collector.profiles:
            with self._document.together():
                self._replace(self.replaces, self._collector.profiles)

    def _replace(self, entry_id: int, profiles: Sequence[Profile]) -> None:
        """Replaces each open entry by the new profile of the same name and files; if none matches the reloaded entry,
        the first unmatched profile replaces it. Closes ``joined`` entries whose files are now part of a profile."""
        places = self._places(entry_id, profiles)
        last = entry_id
        for profile, place in zip(profiles, places, strict=True):
            if place is None:
                last = self._document.add(profile, self._job, show=False)
                self._document.finish(last)
            else:
                last = place
                self._document.replace(place, profile, self._job)
        for entry in [entry for entry in self._document.entries if entry.id in self.joined - {entry_id, *places}]:
            if any(set(entry.profile.origin.paths) <= set(profile.origin.paths) for profile in profiles):
                self._document.close(entry.id)
        if self.show:
            self._document.show(last)

    def _places(self, entry_id: int, profiles: Sequence[Profile]) -> list[int | None]:
        """The entry id that each profile replaces; None for a new profile."""
        entries = sorted(self._document.entries, key=lambda entry: entry.id != entry_id)
        meant = [entry for entry in entries if entry.id in {entry_id, *self.joined}]
        places: list[int | None] = []
        for profile in profiles:
            same = (entry.id for entry in meant if entry.id not in places and _alike(entry.profile, profile))
            places.append(next(same, None))
        if entry_id not in places and None in places:
            places[places.index(None)] = entry_id
        return places

    def undo(self) -> None:
        """Closes the entries that this job opened, after it was cancelled."""
        open_now = {entry.id for entry in self._document.entries}
        for entry in self._entries:
            if entry in open_now:
                self._document.close(entry)

    def _drop_portions(self) -> None:
        """Removes from the last profile what a preview showed and was not read after all."""
        names = tuple(self._collector.profiles[-1].portions) if self._collector.profiles else ()
        if names:
            self._collector.profiles[-1] = self._collector.profiles[-1].without_portions()
            self._grow(*names)

    def _grow(self, *changed: str, index: int = -1) -> None:
        self._document.grow(self._entries[index], self._collector.profiles[index], frozenset(changed))


def _alike(one: Profile, other: Profile) -> bool:
    """Whether both come from the same part of the same files."""
    return one.name == other.name and set(one.origin.paths) == set(other.origin.paths)
