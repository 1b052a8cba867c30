"""How much disk space the user grants to cached columns. The window has it in its settings; the command line, which
does not read those, finds it in the column store."""

from __future__ import annotations

import contextlib
from typing import Final

from msgspec import Struct

FILE: Final = "limit"
LARGEST: Final = 1 << 50


class CacheLimit(Struct, frozen=True):
    """At most ``limit`` bytes; None: depends on the free disk space, 0: nothing is cached."""

    limit: int | None = None

    @property
    def wanted(self) -> bool:
        return self.limit != 0

    def bytes(self) -> int:
        """The limit in bytes."""
        from app.store.cache.sweeping import automatic_limit

        return automatic_limit() if self.limit is None else self.limit


def noted() -> CacheLimit:
    """The choice as saved for the command line; automatic if there is none."""
    from app.store import folders
    from app.store.plain import content

    try:
        text = content(folders.place() / FILE, 32).decode("ascii", "replace").strip()
    except OSError:
        return CacheLimit()
    return CacheLimit(min(int(text), LARGEST)) if text.isascii() and text.isdigit() else CacheLimit()


def note(choice: CacheLimit) -> None:
    """Save the choice for the command line, which uses the default if it cannot be written."""
    from app.atomic import atomic_file
    from app.store import folders

    with contextlib.suppress(OSError):
        if choice.limit is None:
            (folders.place() / FILE).unlink(missing_ok=True)
            return
        home = folders.lasting_root()
        if home is None:
            return
        with atomic_file(home / FILE) as scratch:
            scratch.write_text(str(choice.limit), "ascii")
