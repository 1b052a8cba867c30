"""Where workers put their columns: one new folder a load, swept when nobody can be using it."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

LEFTOVER_SECONDS = 2 * 24 * 3600


def root() -> Path:
    """The column store of this user (made on first use)."""
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir())
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "tilesight" / "columns"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / "tilesight-columns"
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def new() -> Path:
    """A new, empty folder of its own."""
    return Path(tempfile.mkdtemp(prefix="load-", dir=root()))


def remove(folder: Path) -> None:
    """Deletes ``folder``; where the system keeps mapped files (Windows) the sweep does it later."""
    shutil.rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Deletes folders that a crash left behind."""
    oldest = time.time() - LEFTOVER_SECONDS
    for folder in root().glob("load-*"):
        try:
            if folder.stat().st_mtime < oldest:
                remove(folder)
        except OSError:
            continue
