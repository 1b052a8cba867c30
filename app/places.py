"""The folders of this user's caches, settings and notes, and whether a folder may be trusted."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """The folder for everything that can be recreated, whether it exists or not."""
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir())
    else:
        named = Path(os.environ.get("XDG_CACHE_HOME", ""))  # the XDG standard says to ignore relative paths
        base = named if named.is_absolute() else Path.home() / ".cache"
    return base / "tilesight"


def config_folder() -> Path:
    """The folder of the settings, whether it exists or not; the same as Qt's AppConfigLocation."""
    if os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Preferences"
    else:
        named = Path(os.environ.get("XDG_CONFIG_HOME", ""))
        base = named if named.is_absolute() else Path.home() / ".config"
    return base / "tilesight"


def settings_path() -> Path:
    """The document of the settings."""
    return config_folder() / "settings.json"


def notes_folder() -> Path:
    """The folder of notes and views, with a document for each file that has some."""
    return data_folder() / "files"


def sessions_folder() -> Path:
    """The folder of what the running windows have open."""
    return data_folder() / "sessions"


def data_folder() -> Path:
    """The folder of what the user added to files, whether it exists or not; the same as Qt's AppDataLocation."""
    if os.name == "nt":
        base = Path(os.environ.get("APPDATA") or tempfile.gettempdir())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        named = Path(os.environ.get("XDG_DATA_HOME", ""))
        base = named if named.is_absolute() else Path.home() / ".local" / "share"
    return base / "tilesight"


def private_folder(folder: Path) -> bool:
    """Creates ``folder`` if needed and closes it to other users; whether it is a real, writable folder owned by this
    user. OSError if it cannot be created."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return False
    if not hasattr(os, "getuid"):
        return True
    if status.st_uid != os.getuid():
        return False
    if status.st_mode & 0o077:
        folder.chmod(0o700)
    return os.access(folder, os.R_OK | os.W_OK | os.X_OK)
