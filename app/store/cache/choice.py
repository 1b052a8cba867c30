"""How much of the disk the person gives to kept columns. The settings of the window say it; the command line, which
does not read them, finds it in the column store."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Final

FILE: Final = "limit"
LARGEST: Final = 1 << 50


@dataclass(frozen=True, slots=True)
class Keep:
    """``limit`` bytes at the most; None lets the disk decide, 0 keeps nothing."""

    limit: int | None = None

    @property
    def wanted(self) -> bool:
        return self.limit != 0

    def bytes(self) -> int:
        """The limit as a number."""
        from app.store.cache.sweeping import automatic_limit

        return automatic_limit() if self.limit is None else self.limit


def noted() -> Keep:
    """As the window noted it for the command line; automatic where it did not."""
    from app.store import folders
    from app.store.plain import content

    try:
        text = content(folders.place() / FILE, 32).decode("ascii", "replace").strip()
    except OSError:
        return Keep()
    return Keep(min(int(text), LARGEST)) if text.isascii() and text.isdigit() else Keep()


def note(choice: Keep) -> None:
    """Leaves a word for the command line. Where it cannot be written, that goes by the default."""
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
