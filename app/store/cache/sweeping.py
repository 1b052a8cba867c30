"""How much disk space cached columns take, and how it is freed."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.atomic import SCRATCH
from app.formats import unpacked
from app.store import folders

MOST: Final = 4 << 30
SHARE: Final = 10
"""Default limit: 4 GiB, or a tenth of what is free on the disk (or already cached) if that is less."""
LONGEST_SECONDS: Final = 30 * 24 * 3600
"""Columns unused for this long are evicted."""
ROOM_AT_MOST: Final = 4 << 30
LEFTOVER_SECONDS: Final = 24 * 3600
"""Unpacked copies unused for this long are deleted even when nothing is cached."""


class CachedFolder(Struct, frozen=True):
    """One cached folder; ``used``: when it was last used, in seconds like ``time.time``."""

    folder: Path
    size: int
    used: float


class Cleared(Struct, frozen=True):
    """Bytes that were freed, and bytes that open profiles still use (freed when those are closed)."""

    freed: int
    in_use: int


def cached_folders(home: Path) -> list[CachedFolder]:
    """The cached folders, longest unused first."""
    entries = []
    for folder in folders.every(home):
        if folders.is_cached(folder):
            with contextlib.suppress(OSError):
                used = folders.key_file(home, folders.key_of(folder)).stat().st_mtime
                entries.append(CachedFolder(folder, folders.size_of(folder), used))
    return sorted(entries, key=lambda one: one.used)


def used_now(key: str) -> None:
    """Record that the columns cached under ``key`` were used."""
    with contextlib.suppress(OSError):
        os.utime(folders.key_file(folders.place(), key))


def usage() -> int:
    """Bytes that the column store and unpacked copies take, open profiles included."""
    home = folders.place()
    return sum(folders.size_of(folder) for folder in folders.every(home)) + unpacked.size()


def automatic_limit() -> int:
    """Bytes that may be cached by default; 0 if the disk is inaccessible."""
    home = folders.place()
    try:
        there = next(folder for folder in (home, *home.parents) if folder.is_dir())
        free = shutil.disk_usage(there).free
    except (OSError, StopIteration):
        return 0
    return min(MOST, (free + sum(one.size for one in cached_folders(home))) // SHARE)


def sweep(limit: int) -> None:
    """Delete leftovers, and evict columns unused for a month or beyond ``limit`` bytes, longest unused first. Columns
    in use stay."""
    home = folders.root()
    folders.sweep_leftovers(home)
    every = cached_folders(home)
    total = sum(one.size for one in every)
    oldest = time.time() - LONGEST_SECONDS
    for one in every:
        if (one.used < oldest or total > limit) and folders.remove_unused(one.folder):
            total -= one.size
    unpacked.sweep(LONGEST_SECONDS, max(0, limit - total))
    _forget_names(home)
    folders.leave(home)


def make_room(sizes: Sequence[int]) -> None:
    """Delete leftovers (if nothing is cached, nobody else does), and evict cached columns, longest unused first, while
    the disk has less room than files of ``sizes`` bytes may need as columns."""
    home = folders.root()
    folders.sweep_leftovers(home)
    unpacked.sweep(LEFTOVER_SECONDS, MOST)
    needed = min(sum(sizes), ROOM_AT_MOST)
    disk = home if home.is_dir() else home.parent  # a temporary store was deleted with the last leftover
    if shutil.disk_usage(disk).free >= needed:
        return
    for one in cached_folders(home):
        if shutil.disk_usage(disk).free >= needed:
            return
        folders.remove_unused(one.folder)


def clear() -> Cleared:
    """Clear the cache; columns in use are no longer cached, and deleted with their last user."""
    home = folders.place()
    freed = in_use = 0
    for folder in list(folders.every(home)):
        size = folders.size_of(folder)
        if folders.remove_unused(folder):
            freed += size
        else:
            in_use += size
            if folders.is_cached(folder):
                with contextlib.suppress(OSError):
                    folders.key_file(home, folders.key_of(folder)).unlink()
    freed += unpacked.size()
    unpacked.sweep(LONGEST_SECONDS, 0)
    _forget_names(home)
    return Cleared(freed, in_use)


def _forget_names(home: Path) -> None:
    """Delete key files that name nothing, and incompletely written files."""
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
