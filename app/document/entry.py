"""An open profile, and what is asked of all of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from app.profile.profile import Profile


class Entry(Struct, frozen=True):
    """One open profile. ``job``: id of the load that fills it; ``done``: whether it is complete; ``cached``: whether it
    was read earlier and comes from the file cache; ``opened_by``: id of the load that opened it, also after a
    reload."""

    id: int
    profile: Profile
    job: int
    done: bool = False
    cached: bool = False
    opened_by: int = 0

    @property
    def is_part(self) -> bool:
        """Whether it is a part of another profile: such an entry has the files of the whole, but is never read, and
        nothing of it is remembered."""
        return bool(self.profile.origin.part)


class Entries(Protocol):
    """The open profiles and the one that is shown; see Document."""

    @property
    def entries(self) -> tuple[Entry, ...]: ...

    @property
    def current_id(self) -> int | None: ...

    def entry(self, entry_id: int) -> Entry | None: ...

    def show(self, entry_id: int) -> None: ...


def rest_of_run(entries: Iterable[Entry], entry: Entry) -> list[Path]:
    """The files of other captures among ``entries`` whose ranks are none of those that ``entry`` and the captures
    before have."""
    known, files = _ranks(entry), list[Path]()
    for other in entries:
        ranks = _ranks(other) if other.id != entry.id else set()
        if ranks and known and not ranks & known:
            known |= ranks
            files += other.profile.origin.paths
    return files


def _ranks(entry: Entry) -> set[int]:
    """The numbers of the ranks of a whole capture; none of other profiles, and while it is read."""
    capture = entry.profile.capture
    return set() if capture is None or entry.is_part or not entry.done else set(capture.rank.tolist()) - {-1}
