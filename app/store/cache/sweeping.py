"""How much of the disk kept columns take, and how it is given back."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.atomic import SCRATCH
from app.formats import unpacked
from app.store import folders

MOST: Final = 4 << 30
SHARE: Final = 10
"""Without a choice: 4 GiB, or a tenth of what is free on the disk (and already kept) where that is less."""
LONGEST_SECONDS: Final = 30 * 24 * 3600
"""Unused for so long, columns go."""
ROOM_AT_MOST: Final = 4 << 30
LEFTOVER_SECONDS: Final = 24 * 3600
"""Unused for so long, unpacked copies go where nobody else sees to them."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One folder that a key file names; ``used``: when it was last used, in seconds as of ``time.time``."""

    folder: Path
    size: int
    used: float


@dataclass(frozen=True, slots=True)
class Cleared:
    """Bytes that were given back, and bytes that open profiles still use (they go when those are closed)."""

    freed: int
    in_use: int


def kept(home: Path) -> list[Kept]:
    """What is kept, longest unused first."""
    found = []
    for folder in folders.every(home):
        if folders.is_kept(folder):
            with contextlib.suppress(OSError):
                used = folders.key_file(home, folders.key_of(folder)).stat().st_mtime
                found.append(Kept(folder, folders.size_of(folder), used))
    return sorted(found, key=lambda one: one.used)


def used_now(key: str) -> None:
    """Notes that what is kept under ``key`` was used."""
    with contextlib.suppress(OSError):
        os.utime(folders.key_file(folders.place(), key))


def usage() -> int:
    """Bytes that the column store takes, open profiles included."""
    home = folders.place()
    return sum(folders.size_of(folder) for folder in folders.every(home)) + unpacked.size()


def automatic_limit() -> int:
    """Bytes that may be kept where the person chose nothing; none where that place cannot be looked at."""
    home = folders.place()
    try:
        there = next(folder for folder in (home, *home.parents) if folder.is_dir())
        free = shutil.disk_usage(there).free
    except (OSError, StopIteration):
        return 0
    return min(MOST, (free + sum(one.size for one in kept(home))) // SHARE)


def sweep(limit: int) -> None:
    """Deletes leftovers, what was not used for a month, and what is beyond ``limit`` bytes, longest unused first.
    What anybody uses stays."""
    home = folders.root()
    folders.sweep_leftovers(home)
    every = kept(home)
    total = sum(one.size for one in every)
    oldest = time.time() - LONGEST_SECONDS
    for one in every:
        if (one.used < oldest or total > limit) and folders.remove_unused(one.folder):
            total -= one.size
    unpacked.sweep(LONGEST_SECONDS, max(0, limit - total))
    _forget_names(home)
    folders.leave(home)


def make_room(sizes: Sequence[int]) -> None:
    """Deletes leftovers (where nothing is kept, nobody else does), and gives back what is kept, longest unused first,
    while the disk has less room than files of ``sizes`` bytes may need as columns."""
    home = folders.root()
    folders.sweep_leftovers(home)
    unpacked.sweep(LEFTOVER_SECONDS, MOST)
    needed = min(sum(sizes), ROOM_AT_MOST)
    disk = home if home.is_dir() else home.parent  # what only stood in went with the last leftover
    if shutil.disk_usage(disk).free >= needed:
        return
    for one in kept(home):
        if shutil.disk_usage(disk).free >= needed:
            return
        folders.remove_unused(one.folder)


def clear() -> Cleared:
    """Gives back everything that is kept; what is in use is no longer kept, and goes with its last user."""
    home = folders.place()
    freed = in_use = 0
    for folder in list(folders.every(home)):
        size = folders.size_of(folder)
        if folders.remove_unused(folder):
            freed += size
        else:
            in_use += size
            if folders.is_kept(folder):
                with contextlib.suppress(OSError):
                    folders.key_file(home, folders.key_of(folder)).unlink()
    freed += unpacked.size()
    unpacked.sweep(LONGEST_SECONDS, 0)
    _forget_names(home)
    return Cleared(freed, in_use)


def _forget_names(home: Path) -> None:
    """Deletes key files that name nothing, and files that were not written to their end."""
    for path in (*home.glob("*.key"), *home.glob(f"*{SCRATCH}")):
        named = folders.named_by(home, path.stem) if path.suffix == ".key" else None
        if (named is None or not named.is_dir()) and _old(path):
            with contextlib.suppress(OSError):
                path.unlink()


def _old(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > 60
    except OSError:
        return False
