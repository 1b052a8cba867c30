"""Where workers put their columns: one new folder a load, held by a lock while anybody uses it.

The folder of the store belongs to the person alone. In it lie ``load-KEY-RANDOM`` folders (``KEY`` is what the files
are kept under, or "none") and ``KEY.key`` files, each naming the folder that is good for KEY. A folder that no key
file names is a leftover, and goes when nobody holds it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.language import tr
from app.places import cache_folder, private_folder
from app.store.locks import LOCK, Hold, claimed, held, unknown
from app.store.plain import content

TEMPORARY: Final = "tilesight-columns-"
LEFTOVER_SECONDS: Final = 3600
"""A folder without a lock file is just being made, or what a crash at that moment left."""
ATTEMPTS: Final = 8
NO_KEY: Final = "none"
_NAME: Final = re.compile(r"load-([0-9a-z]{1,64})-[A-Za-z0-9_]{1,32}")


@dataclass(slots=True)
class Stored:
    """A folder of columns in use. To be released once, when the profiles made of it are closed. ``hold`` is None on
    a disk that knows no locks; such a folder cannot be kept."""

    folder: Path
    hold: Hold | None

    def release(self) -> None:
        """Gives the folder back; it goes unless it is kept (or somebody else still uses it)."""
        if self.hold is None:
            remove(self.folder)
            return
        self.hold.release()
        if not is_kept(self.folder):
            remove_unused(self.folder)


def place() -> Path:
    """Where the column store of this user lies, whether it is there or not."""
    return cache_folder() / "columns"


def root() -> Path:
    """The column store of this user, made on first use and for nobody else to see. Where that place cannot be used, a
    folder of this process in the system's temporary folder, in which nothing is kept. OSError where there is none."""
    return lasting_root() or _own_temporary()


def lasting_root() -> Path | None:
    """The place of the column store, made on first use and for nobody else to see; None where it cannot be used."""
    folder = place()
    try:
        return folder if private_folder(folder) else None
    except OSError:
        return None


def _own_temporary() -> Path:
    """A name that others could have made before us must not be trusted: made anew where it is not ours."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"{TEMPORARY}{user}"
    with contextlib.suppress(OSError):
        if private_folder(folder):
            return folder
    return Path(tempfile.mkdtemp(prefix=TEMPORARY))


def new(key: str = NO_KEY) -> Stored:
    """A new, empty folder of its own, held. OSError where the disk does not take it."""
    for _ in range(ATTEMPTS):
        try:
            folder = Path(tempfile.mkdtemp(prefix=f"load-{key}-", dir=root()))
            (folder / LOCK).touch(mode=0o600)
        except FileNotFoundError:  # another process has just ended with the last folder in the temporary place
            continue
        hold = held(folder)
        if hold is not None or unknown(folder):
            return Stored(folder, hold)
    raise OSError(tr("the folders of the column store vanish as they are made"))  # each was swept before it was held


def key_of(folder: Path) -> str:
    """The key in the name of a folder; "" where it is none of ours."""
    match = _NAME.fullmatch(folder.name)
    return match[1] if match else ""


def key_file(home: Path, key: str) -> Path:
    return home / f"{key}.key"


def named_by(home: Path, key: str) -> Path | None:
    """The folder that is good for ``key``; None where there is none."""
    try:
        name = content(key_file(home, key), 256).decode("ascii", "replace").strip()
    except OSError:
        return None
    folder = home / name
    return folder if _NAME.fullmatch(name) and key_of(folder) == key else None


def is_kept(folder: Path) -> bool:
    """Whether a key file names this folder."""
    key = key_of(folder)
    return key not in ("", NO_KEY) and named_by(folder.parent, key) == folder


def remove(folder: Path) -> None:
    """Deletes ``folder``; where the system keeps mapped files (Windows) the sweep does it later."""
    shutil.rmtree(folder, ignore_errors=True)
    leave(folder.parent)


def leave(home: Path) -> None:
    """Deletes the place in the system's temporary folder that stood in for the column store, if nothing is in it."""
    if home.name.startswith(TEMPORARY) and home.parent == Path(tempfile.gettempdir()):
        with contextlib.suppress(OSError):  # not empty: others are still in use
            home.rmdir()


def remove_unused(folder: Path) -> bool:
    """Deletes ``folder`` unless somebody uses it; returns whether it is gone. What names it goes first."""
    with claimed(folder) as mine:
        if not mine:
            return False
        if is_kept(folder):
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
    """Deletes what loads that ended badly left: folders that are not kept and that nobody holds."""
    for folder in every(home):
        if is_kept(folder):
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
