"""An open profile, and what is asked of all of them."""

from __future__ import annotations

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
