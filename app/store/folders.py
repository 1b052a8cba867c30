"""Where workers write their columns: a new folder for each load, locked while it is in use.

The folder of the store is private to the user. It contains ``load-KEY-RANDOM`` folders (``KEY`` is the cache key of the
files, or "none") and ``KEY.key`` files, each naming the valid folder for KEY. A folder that no key file names is a
leftover, and deleted as soon as it is not in use.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.language import tr
from app.places import cache_folder, private_folder
from app.store.locks import LOCK, Hold, claimed, held, unknown
from app.store.plain import content

TEMPORARY: Final = "tilesight-columns-"
LEFTOVER_SECONDS: Final = 3600
"""A folder without a lock file is just being created or, if older than this, was left by a crash at that moment."""
ATTEMPTS: Final = 8
NO_KEY: Final = "none"
_NAME: Final = re.compile(r"load-([0-9a-z]{1,64})-[A-Za-z0-9_]{1,32}")


class Stored(Struct):
    """A folder of columns in use, to be released once, when the profiles made of it are closed. ``hold`` is None on a
    file system without locks; such a folder cannot be cached."""

    folder: Path
    hold: Hold | None

    def release(self) -> None:
        """Release the folder; it is deleted unless it is cached (or still in use elsewhere)."""
        if self.hold is None:
            remove(self.folder)
            return
        self.hold.release()
        if not is_cached(self.folder):
            remove_unused(self.folder)


def place() -> Path:
    """The path of this user's column store, whether it exists or not."""
    return cache_folder() / "columns"


def root() -> Path:
    """The column store of this user, created on first use and private. If that place cannot be used, a temporary folder
    in which nothing is cached. OSError if there is none."""
    return lasting_root() or _own_temporary()


def lasting_root() -> Path | None:
    """The persistent column store, created on first use and private; None if that place cannot be used."""
    folder = place()
    try:
        return folder if private_folder(folder) else None
    except OSError:
        return None


def _own_temporary() -> Path:
    """A private temporary folder. Somebody else may have created the predictable name first: if it is not ours, a
    random one is used."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"{TEMPORARY}{user}"
    with contextlib.suppress(OSError):
        if private_folder(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix=TEMPORARY))


def new(key: str = NO_KEY) -> Stored:
    """Create a new, empty folder and lock it. OSError if it cannot be created."""
    for _ in range(ATTEMPTS):
        try:
            folder = Path(tempfile.mkdtemp(prefix=f"load-{key}-", dir=root()))
            (folder / LOCK).touch(mode=0o600)
        except FileNotFoundError:  # another process has just ended with the last folder in the temporary place
            continue
        hold = held(folder)
        if hold is not None or unknown(folder):
            return Stored(folder, hold)
    raise OSError(
        tr("the folders of the column store disappear while they are created")
    )  # each was swept before it was held


def key_of(folder: Path) -> str:
    """The key in the name of a folder; "" if the folder is not one of ours."""
    match = _NAME.fullmatch(folder.name)
    return match[1] if match else ""


def key_file(home: Path, key: str) -> Path:
    return home / f"{key}.key"


def named_by(home: Path, key: str) -> Path | None:
    """The valid folder for ``key``; None if there is none."""
    try:
        name = content(key_file(home, key), 256).decode("ascii", "replace").strip()
    except OSError:
        return None
    folder = home / name
    return folder if _NAME.fullmatch(name) and key_of(folder) == key else None


def is_cached(folder: Path) -> bool:
    """Whether the folder is cached: a key file names it."""
    key = key_of(folder)
    return key not in ("", NO_KEY) and named_by(folder.parent, key) == folder


def remove(folder: Path) -> None:
    """Delete ``folder``; files that the system cannot delete yet (mapped ones on Windows) are left to a later sweep."""
    shutil.rmtree(folder, ignore_errors=True)
    leave(folder.parent)


def leave(home: Path) -> None:
    """Delete the temporary folder that stood in for the column store, if it is empty."""
    if home.name.startswith(TEMPORARY) and home.parent == Path(tempfile.gettempdir()):
        with contextlib.suppress(OSError):  # not empty: others are still in use
            home.rmdir()


def remove_unused(folder: Path) -> bool:
    """Delete ``folder`` unless it is in use, its key file first; return whether it was deleted."""
    with claimed(folder) as mine:
        if not mine:
            return False
        if is_cached(folder):
            with contextlib.suppress(OSError):
                key_file(folder.parent, key_of(folder)).unlink()
        remove(folder)
    return True


def every(home: Path) -> Iterator[Path]:
    """The folders of the store."""
    with contextlib.suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and _NAME.fullmatch(entry.name):
                yield home / entry.name


def size_of(folder: Path) -> int:
    """Bytes of the files in ``folder``."""
    total = 0
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                total += entry.stat(follow_symlinks=False).st_size
    return total


def sweep_leftovers(home: Path) -> None:
    """Delete what failed loads left: folders that are neither cached nor in use."""
    for folder in every(home):
        if is_cached(folder):
            continue
        if (folder / LOCK).exists():
            remove_unused(folder)
        elif _age(folder) > LEFTOVER_SECONDS:
            remove(folder)


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
